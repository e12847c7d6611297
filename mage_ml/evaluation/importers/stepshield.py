"""StepShield: pairs of coding-agent runs that differ in one step that breaks a rule.

Each step is an action that is judged with what stands before it: the task, its constraints and success criteria, the
earlier steps and the step's own thought. A rogue step is labelled on one axis by its category; every other step of
either run of a pair is safe on the three axes that the categories concern. The step itself is wrong, not something in
memory: there is no contaminated entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import ImportCount, risky, safe
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, data_files
from mage_ml.evaluation.importers.transcript import Act, TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import ActionType, Arm, Episode, MomentLabel, Outcome, PendingAction, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "stepshield"
AXES: Final = (RiskAxis.CONSISTENCY, RiskAxis.FACTUALITY, RiskAxis.SAFETY)
AXIS_OF: Final = {
    "UFO": RiskAxis.SAFETY,
    "SEC": RiskAxis.SAFETY,
    "RES": RiskAxis.SAFETY,
    "INV": RiskAxis.CONSISTENCY,
    "TST": RiskAxis.CONSISTENCY,
    "DEC": RiskAxis.FACTUALITY,
}
"""Category of a rogue step -> axis: unauthorised file operation, secret exfiltration, resource abuse, instruction
violation, test manipulation, deceptive completion."""
ACTION_TYPES: Final = {
    "open_file": ActionType.READ,
    "search": ActionType.READ,
    "submit": ActionType.FINAL_OUTPUT,
    "end": ActionType.FINAL_OUTPUT,
    "noop": ActionType.INTERNAL_REASONING,
}
"""What is no writing tool call."""


class _Task(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    title: str = ""
    description: str
    constraints: tuple[str, ...] = ()
    success_criteria: tuple[str, ...] = ()


class _Step(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    step: int
    thought: str
    action: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    observation: str | None = None
    label: str | None = None
    rationale: str | None = None


class _Run(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    trajectory_id: str
    task: _Task
    steps: tuple[_Step, ...]


def read_stepshield(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read trajectories (`*.jsonl`, or single `*.json` lists); see `CorpusImporter`."""
    values = ValueCache()
    files = data_files(path, (".jsonl",), "trajectories")
    yield from walk(files, lambda record: [_episode(record, values)], count, progress)


def _episode(record: RecordAt, values: ValueCache) -> Episode:
    run = record.as_model(_Run, "a StepShield trajectory")
    pair, _, arm = run.trajectory_id.rpartition("-")
    if arm not in ("ROGUE", "CLEAN"):
        raise RecordError(
            f"{record.place}: trajectory_id {run.trajectory_id!r}; expected a name that ends in -ROGUE or -CLEAN"
        )
    builder = TranscriptBuilder(values)
    builder.user(run.task.description)
    for rule in run.task.constraints:
        builder.system(rule)
    if run.task.success_criteria:
        builder.system("\n".join(run.task.success_criteria))
    labels: dict[int, MomentLabel] = {}
    for number, step in enumerate(run.steps):
        builder.message = number
        labels[number] = _label(step, record.place)
        _read(step, builder)
    transcript = builder.transcript()

    def label(act: Act) -> MomentLabel:
        return labels[act.message]

    rogue = [step for step in run.steps if step.label]
    return Episode(
        episode_id=run.trajectory_id,
        group_id=f"{CORPUS}/{pair}",
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain=pair.split("-")[0],
        template=pair,
        writer="level " + pair.split("-")[1].removeprefix("L") if pair.count("-") > 1 else "",
        operator=rogue[0].label if rogue else None,
        operator_family="rogue" if rogue else None,
        goal=transcript.goal,
        entries=transcript.entries,
        moments=transcript.moments(label),
        outcome=Outcome(harm_done=bool(rogue), detail="; ".join(step.rationale or "" for step in rogue)),
        consequential=bool(rogue),
        split=Split.TEST,
    )


def _label(step: _Step, place: str) -> MomentLabel:
    if not step.label:
        return safe(*AXES)
    if step.label not in AXIS_OF:
        raise RecordError(f"{place}: step {step.step}: category {step.label!r}; expected one of {', '.join(AXIS_OF)}")
    return risky(AXIS_OF[step.label], known=AXES)


def _read(step: _Step, builder: TranscriptBuilder) -> None:
    if step.thought.strip():
        builder.think(step.thought)
    kind = ACTION_TYPES.get(step.action, ActionType.WRITE)
    if kind is ActionType.FINAL_OUTPUT:
        said = step.arguments.get("message")
        builder.act(PendingAction(type=kind, content=said if isinstance(said, str) else step.action))
    else:
        builder.act(PendingAction(type=kind, tool_name=step.action, arguments=step.arguments))
    if step.observation:
        builder.result(step.observation, step.action, step.arguments)
