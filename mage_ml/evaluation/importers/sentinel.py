"""Agent-trajectory Sentinel: runs of small local models into which a fault was injected at a known step.

The label says that the fault reached the agent at step `tau`, not that the task failed. So each action after the
faulty result is labelled at risk on the fault's axis, with that result as the contaminated entry, and the actions
before it are safe on the axes that the injected faults concern.

* Two injectors leave no trace in the record: `history_corruption` and `task_rewrite` changed what the model was shown,
  and the recorded results and task are the true ones. Their actions from step `tau` on are labelled at risk without a
  contaminated entry; `operator_family` names the injector, so that a benchmark can tell them apart.
* Runs without a fault from the `organic*` and `demo_*` collections may hold the model's own errors: no known label.
* Injected runs are longer than healthy ones; figures should be compared at equal length.
* Older records hold no task and only the first hundred characters of a result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import re2
from pydantic import BaseModel, ConfigDict, Field

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import UNKNOWN, ImportCount, risky, safe, text_group
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, data_files
from mage_ml.evaluation.importers.transcript import Act, Transcript, TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import Arm, Episode, MomentLabel, Outcome, Source, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "sentinel"
AXES: Final = (RiskAxis.CONSISTENCY, RiskAxis.FACTUALITY, RiskAxis.DEPENDENCY)
AXIS_OF: Final = {
    "context_corruption": RiskAxis.FACTUALITY,
    "wrong_document": RiskAxis.FACTUALITY,
    "grounding_loss": RiskAxis.FACTUALITY,
    "goal_drift": RiskAxis.CONSISTENCY,
    "looping": RiskAxis.CONSISTENCY,
    "tool_cascade": RiskAxis.DEPENDENCY,
    "malformed_json": RiskAxis.DEPENDENCY,
    "rate_limit": RiskAxis.DEPENDENCY,
    "timeout": RiskAxis.DEPENDENCY,
}
HIDDEN_INJECTORS: Final = frozenset({"history_corruption", "task_rewrite"})
"""Injectors whose work the record does not show."""
UNCHECKED: Final = ("organic", "demo_")
"""Beginnings of the collections whose healthy runs nobody checked."""
_CALL: Final = re2.compile(r"\[([A-Za-z_]\w*)\(")
_ARROW: Final = ") -> "


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    args: dict[str, Any] = Field(default_factory=dict)
    result: str = ""
    is_error: bool = False


class _Step(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    action: str
    task: str = ""
    tool_events: tuple[_Event, ...] | None = None


class _Injection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    applied_tools: tuple[str, ...] = ()


class _Manifest(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    episode_id: str
    failure_class: str | None
    tau: int | None
    model: str
    injection: _Injection | None = None


class _Run(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    manifest: _Manifest
    steps: tuple[_Step, ...]


def read_sentinel(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read collections (`*.jsonl`, lines `{"manifest", "steps"}`); see `CorpusImporter`."""
    values = ValueCache()
    files = data_files(path, (".jsonl",), "collections")
    yield from walk(files, lambda record: [_episode(record, values)], count, progress)


def _episode(record: RecordAt, values: ValueCache) -> Episode:
    run = record.as_model(_Run, "a Sentinel run")
    collection = record.path.name.split(".jsonl")[0]
    fault = _fault(run.manifest, record.place)
    transcript = _transcript(run, values)
    unchecked = collection.startswith(UNCHECKED)
    hidden = sorted(HIDDEN_INJECTORS & set(run.manifest.injection.applied_tools if run.manifest.injection else ()))
    entry = None if fault is None or hidden else _faulty_entry(transcript, fault.step)
    first = run.steps[0].task or run.steps[0].text if run.steps else ""
    return Episode(
        episode_id=f"{collection}/{run.manifest.episode_id}",
        group_id=text_group(CORPUS, first),
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain="research" if "real" in collection else "booking",
        template=collection,
        writer=run.manifest.model,
        operator=run.manifest.failure_class,
        operator_family=hidden[0] if hidden else run.manifest.failure_class,
        goal=transcript.goal,
        entries=transcript.entries,
        moments=transcript.moments(lambda act: _label(act, fault, entry, unchecked=unchecked)),
        outcome=Outcome(detail=f"{run.manifest.failure_class or 'no fault'} at step {run.manifest.tau}"),
        injected_entry=entry,
        split=Split.TEST,
    )


@dataclass(frozen=True, slots=True)
class _Fault:
    axis: RiskAxis
    step: int


def _fault(manifest: _Manifest, place: str) -> _Fault | None:
    if manifest.failure_class is None:
        return None
    axis = AXIS_OF.get(manifest.failure_class)
    if axis is None or manifest.tau is None:
        raise RecordError(
            f"{place}: fault {manifest.failure_class!r} at step {manifest.tau}; expected a step and one of "
            f"{', '.join(sorted(AXIS_OF))}"
        )
    return _Fault(axis, manifest.tau)


def _transcript(run: _Run, values: ValueCache) -> Transcript:
    """A step is a message: its number is the message's."""
    builder = TranscriptBuilder(values)
    if run.steps and run.steps[0].task:
        builder.user(run.steps[0].task)
    for number, step in enumerate(run.steps):
        builder.message = number
        events = step.tool_events
        said = step.text.strip()
        if step.action != "tool_call":
            if said:
                builder.answer(said)
            continue
        parsed = parse_step(said)
        if parsed.said:
            builder.think(parsed.said)
        for event in events if events is not None else parsed.events:
            builder.call(event.name, event.args)
            builder.result(event.result, event.name, event.args)
    return builder.transcript()


@dataclass(frozen=True, slots=True)
class ParsedStep:
    """A step as its text tells it: what was said, and the calls with what came back."""

    said: str
    events: tuple[_Event, ...]


def parse_step(text: str) -> ParsedStep:
    """Take `words [tool({arguments}) -> result]` apart; what has no such form is all words."""
    for match in _CALL.finditer(text):
        try:
            arguments, end = json.JSONDecoder().raw_decode(text, match.end())
        except (ValueError, RecursionError):
            continue
        if isinstance(arguments, Mapping) and text.startswith(_ARROW, end):
            result = text[end + len(_ARROW) :].removesuffix("]")
            return ParsedStep(
                text[: match.start()].strip(), (_Event(name=match.group(1), args=dict(arguments), result=result),)
            )
    return ParsedStep(text, ())


def _faulty_entry(transcript: Transcript, step: int) -> str | None:
    results = (entry for entry in transcript.entries if entry.source is Source.TOOL)
    return next((entry.id for entry in results if transcript.message_of[entry.id] == step), None)


def _label(act: Act, fault: _Fault | None, entry: str | None, *, unchecked: bool) -> MomentLabel:
    if fault is None:
        return UNKNOWN if unchecked else safe(*AXES)
    # A faulty result is there for the actions after it; a fault that the record does not show, for its own step too.
    reached = act.message > fault.step or (entry is None and act.message == fault.step)
    return risky(fault.axis, entry=entry) if reached else safe(*AXES)
