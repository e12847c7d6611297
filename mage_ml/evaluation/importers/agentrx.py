"""AgentRx: failed runs of a retail agent (tau-bench) and of a research team (Magentic-One), annotated step by step.

`step_number` counts the messages from 1, the system's policy included. A failing step's action is at risk on the axis
of its category; what comes after the step of the root cause is at risk too and rests on it. Before the first failure
all is safe; in between nothing is known. Failures of the user or of outside limits (see `OUTSIDE`) say nothing about
the agent's memory: they are not labelled.

Runs of the retail agent that passed are the negatives. Failed runs without annotation, and logs without one, are left
out. The research logs are Who&When's; both importers put the logs of one question in one group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import UNKNOWN, ImportCount, risky, safe
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import (
    RecordAt,
    bare_name,
    data_files,
    first_problem,
    json_records,
    parse_json,
    read_bytes,
)
from mage_ml.evaluation.importers.tau_bench import TauRun
from mage_ml.evaluation.importers.team_log import TeamMessage, read_team_log
from mage_ml.evaluation.importers.transcript import Act, Transcript, TranscriptBuilder, read_transcript
from mage_ml.evaluation.importers.walk import walk
from mage_ml.evaluation.importers.who_and_when import QUESTIONS
from mage_ml.memory import Arm, Episode, MomentLabel, Outcome, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "agentrx"
AXES: Final = (RiskAxis.CONSISTENCY, RiskAxis.FACTUALITY, RiskAxis.DEPENDENCY)
AXIS_OF: Final = {
    "invention of new information": RiskAxis.FACTUALITY,
    "misinterpretation of tool output": RiskAxis.FACTUALITY,
    "instruction/plan adherence failure": RiskAxis.CONSISTENCY,
    "instruction adherence failure": RiskAxis.CONSISTENCY,
    "intent plan misalignment": RiskAxis.CONSISTENCY,
    "invalid invocation": RiskAxis.DEPENDENCY,
    "system failure": RiskAxis.DEPENDENCY,
}
"""Category in lower case without hyphens -> axis."""
OUTSIDE: Final = frozenset(
    {"underspecified user intent", "intent not supported", "guardrails triggered", "inconclusive"}
)
"""Categories that are no fault in the agent's memory."""
_TRUTHS: Final = ("tau_ground_truth.json", "magentic_one_ground_truth.json")
_FAILED: Final = "tau_dataset_failed.json"
_FULL: Final = "tau_dataset_full.json"
_LOGS: Final = "magentic_dataset"


class _Failure(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    failure_id: int
    step_number: int
    failure_category: str

    @property
    def step(self) -> int:
        """Position of the message, from 0."""
        return self.step_number - 1

    @property
    def category(self) -> str:
        """The category without differences of spelling."""
        return self.failure_category.strip().lower().replace("-", " ")


class _RootCause(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    failure_id: int | None = None


class _Truth(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    trajectory_id: int | str
    failures: tuple[_Failure, ...]
    root_cause: _RootCause
    failure_summary: str = ""

    @property
    def root(self) -> _Failure | None:
        """The failure named as root cause; the first one when none is named."""
        named = (failure for failure in self.failures if failure.failure_id == self.root_cause.failure_id)
        return next(named, self.failures[0] if self.failures else None)


@dataclass(frozen=True, slots=True)
class _Labels:
    """The labels of one annotated run."""

    truth: _Truth
    transcript: Transcript

    def of(self, act: Act) -> MomentLabel:
        here = [AXIS_OF[f.category] for f in self.truth.failures if f.step == act.message and f.category in AXIS_OF]
        root = self.truth.root
        after = root is not None and act.message > root.step and root.category in AXIS_OF
        entry = self.root_entry if after else None
        if here:
            return risky(*dict.fromkeys(here), entry=entry)
        if after and root is not None:
            return risky(AXIS_OF[root.category], entry=entry)
        first = min((failure.step for failure in self.truth.failures), default=0)
        return safe(*AXES) if act.message < first else UNKNOWN

    @property
    def root_entry(self) -> str | None:
        """The entry of the root cause's message; of a tool call, its result."""
        root = self.truth.root
        if root is None:
            return None
        for message in (root.step, root.step + 1):
            for entry in self.transcript.entries_of(message):
                return entry.id
        return None


def read_agentrx(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read the folder with `ground_truth/`, `tau_retail/` and `magentic_dataset/`; see `CorpusImporter`."""
    truths = _truths(data_files(path, _TRUTHS, "annotations"))
    runs = data_files(path, (_FAILED, _FULL), "runs of the retail agent")
    values = ValueCache()
    yield from walk(runs, lambda record: _retail(record, truths, values, count), count, progress)
    logs = [file for file in data_files(path, (".json",), "logs") if file.parent.name == _LOGS]
    for number, file in enumerate(logs):
        progress("read logs", number, len(logs))
        count.records += 1
        try:
            yield from _log(file, truths, values, count)
        except ValidationError as error:
            raise RecordError(f"{file}: not a Magentic log: {first_problem(error)}") from error
    progress("read logs", len(logs), len(logs))


def _truths(files: Sequence[Path]) -> Mapping[str, _Truth]:
    found: dict[str, _Truth] = {}
    for file in files:
        for record in json_records(file):
            truth = record.as_model(_Truth, "an AgentRx annotation")
            unknown = [f.failure_category for f in truth.failures if f.category not in AXIS_OF.keys() | OUTSIDE]
            if unknown:
                expected = ", ".join(sorted(AXIS_OF.keys() | OUTSIDE))
                raise RecordError(f"{record.place}: category {unknown[0]!r}; expected one of {expected}")
            found[str(truth.trajectory_id)] = truth
    return found


def _retail(
    record: RecordAt, truths: Mapping[str, _Truth], values: ValueCache, count: ImportCount
) -> Iterator[Episode]:
    run = record.as_model(TauRun, "a run of the retail agent")
    failed_file = bare_name(record.path) == _FAILED
    truth = truths.get(str(run.task_id))
    if not run.is_solved and not failed_file:
        count.left_out["failed run, read from the annotated file"] += 1
        return
    if not run.is_solved and truth is None:
        count.left_out["failed run without annotation"] += 1
        return
    transcript = read_transcript(run.traj, values=values, place=record.place)
    kept = None if run.is_solved else truth
    yield _episode(f"retail/{run.task_id}", f"tau/retail/{run.task_id}", "retail", transcript, kept)


def _log(file: Path, truths: Mapping[str, _Truth], values: ValueCache, count: ImportCount) -> Iterator[Episode]:
    question = bare_name(file).removesuffix(".json")
    truth = truths.get(question)
    if truth is None:
        count.left_out["log without annotation"] += 1
        return
    raw = parse_json(read_bytes(file), str(file))
    if not isinstance(raw, list):
        raise RecordError(f"{file}: expected a list of messages, found {type(raw).__name__}")
    messages = [TeamMessage.model_validate(message) for message in raw]
    goal = messages[0].content.strip() if messages else ""
    transcript = read_team_log(messages, goal, TranscriptBuilder(values))
    yield _episode(f"magentic/{question}", f"{QUESTIONS}/{question}", "research", transcript, truth)


def _episode(name: str, group: str, domain: str, transcript: Transcript, truth: _Truth | None) -> Episode:
    labels = None if truth is None else _Labels(truth, transcript)
    root = None if truth is None else truth.root
    return Episode(
        episode_id=f"{CORPUS}/{name}",
        group_id=group,
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain=domain,
        writer=name.split("/")[0],
        operator=None if root is None else root.category,
        goal=transcript.goal,
        entries=transcript.entries,
        moments=transcript.moments(lambda _: safe(*AXES)) if labels is None else transcript.moments(labels.of),
        outcome=Outcome(task_solved=truth is None, detail="" if truth is None else truth.failure_summary),
        injected_entry=None if labels is None else labels.root_entry,
        consequential=truth is not None,
        split=Split.TEST,
    )
