"""tau-bench: recorded runs of a customer-service agent with a policy, tools and a simulated user.

* `reward` 1 means that the final state of the database equals the gold one: nothing the agent did to it was wrong, so
  its tool calls are safe on consistency and factuality, but for writing calls that are not among the gold ones (they
  were refused by the tool). Its words were not judged, so they stay unlabelled.
* `reward` 0 says that something was wrong, not what. The first writing call that had an effect and is not among the
  gold ones is a *weak* label of the wrong step (wrong argument, or against the policy): it alone is labelled, as at
  risk on consistency.
* The few-shot dialogues are solved ones without calls and arguments; they give clean chains and no labels.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import re2
from pydantic import BaseModel, ConfigDict

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import UNKNOWN, ImportCount, risky, safe
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, bare_name, data_files
from mage_ml.evaluation.importers.messages import UNKNOWN_TOOL, TranscriptCall
from mage_ml.evaluation.importers.transcript import Act, Transcript, TranscriptBuilder, read_transcript
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import ActionType, Arm, Episode, MomentLabel, Outcome, Source, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "tau_bench"
AXES: Final = (RiskAxis.CONSISTENCY, RiskAxis.FACTUALITY)
_SPEAKER: Final = re2.compile(r"(?m)^(system|user|assistant|tool): ")
_DISPLAY: Final = "-few_shot.jsonl"
_ERROR: Final = "Error"
NOT_WRITING: Final = frozenset({"think", "calculate", "transfer_to_human_agents"})
"""Tools that change no record, although no verb of reading says so."""


class _Task(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    actions: tuple[TranscriptCall, ...]


class _Info(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    task: _Task


class TauRun(BaseModel):
    """One recorded run."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    task_id: int
    trial: int = 0
    reward: float
    info: _Info
    traj: tuple[dict[str, Any], ...]

    @property
    def is_solved(self) -> bool:
        """Whether the final state equals the gold one."""
        return self.reward >= 1.0

    def foreign_writes(self, transcript: Transcript) -> tuple[Act, ...]:
        """The calls that changed, or would have changed, a record and are not among the gold ones."""
        gold = {_call_key(call.name, call.arguments) for call in self.info.task.actions}
        writes = (act for act in transcript.acts if is_record_write(act))
        return tuple(act for act in writes if _call_key(act.action.tool_name, act.action.arguments) not in gold)

    def wrong_call(self, transcript: Transcript) -> Act | None:
        """The first of them that had an effect: whose result is no error. `None` when there is none."""
        foreign = self.foreign_writes(transcript)
        return next((act for act in foreign if not _was_refused(act, transcript)), None)


class _Display(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    messages_display: str


def is_record_write(act: Act) -> bool:
    """Whether an action changes the database."""
    return act.action.type == ActionType.WRITE and act.action.tool_name not in NOT_WRITING


def _was_refused(act: Act, transcript: Transcript) -> bool:
    results = (entry for entry in transcript.entries[act.visible :] if entry.source is Source.TOOL)
    return next((entry.text.startswith(_ERROR) for entry in results), True)


def _call_key(name: str | None, arguments: dict[str, Any]) -> str:
    return f"{name} {json.dumps(arguments, sort_keys=True, ensure_ascii=False)}"


def read_tau_bench(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read recorded runs (`*.json`, lists) and few-shot dialogues (`*-few_shot.jsonl`); see `CorpusImporter`."""
    values = ValueCache()

    def read(record: RecordAt) -> list[Episode]:
        is_shown = bare_name(record.path).endswith(_DISPLAY)
        return [_shown(record, values) if is_shown else _run(record, values)]

    yield from walk(data_files(path, (".json", _DISPLAY), "recorded runs"), read, count, progress)


def domain_of(name: str) -> str:
    """The domain that a file's name tells."""
    return next((domain for domain in ("airline", "retail") if domain in name.lower()), "unknown")


def _run(record: RecordAt, values: ValueCache) -> Episode:
    run = record.as_model(TauRun, "a tau-bench run")
    transcript = read_transcript(run.traj, values=values, place=record.place)
    name, domain = bare_name(record.path).removesuffix(".json"), domain_of(record.path.name)
    foreign = run.foreign_writes(transcript)
    wrong = None if run.is_solved else run.wrong_call(transcript)

    def label(act: Act) -> MomentLabel:
        if act is wrong:
            return risky(RiskAxis.CONSISTENCY)
        is_judged = run.is_solved and act.action.type != ActionType.FINAL_OUTPUT and act not in foreign
        return safe(*AXES) if is_judged else UNKNOWN

    return Episode(
        episode_id=f"{name}/{run.task_id}/{run.trial}",
        group_id=f"tau/{domain}/{run.task_id}",
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain=domain,
        template=str(run.task_id),
        writer=name,
        goal=transcript.goal,
        entries=transcript.entries,
        moments=transcript.moments(label),
        outcome=Outcome(task_solved=run.is_solved, harm_done=wrong is not None, detail=f"reward {run.reward:g}"),
        consequential=wrong is not None,
        split=Split.TEST,
    )


def _shown(record: RecordAt, values: ValueCache) -> Episode:
    text = record.as_model(_Display, "a few-shot dialogue").messages_display
    builder = TranscriptBuilder(values)
    marks = [(match.start(), match.end(), match.group(1)) for match in _SPEAKER.finditer(text)]
    if not marks:
        raise RecordError(f"{record.place}: not a few-shot dialogue: no line begins with a speaker such as 'user: '")
    for number, (_, start, speaker) in enumerate(marks):
        builder.message = number
        end = marks[number + 1][0] if number + 1 < len(marks) else len(text)
        said = text[start:end].strip()
        if speaker == "tool":
            builder.result(said, UNKNOWN_TOOL, {})
        elif said and not (speaker == "assistant" and said == "None"):
            _say(builder, speaker, said)
    transcript, domain = builder.transcript(), domain_of(record.path.name)
    return Episode(
        episode_id=f"few_shot/{domain}/{record.number}",
        group_id=f"tau/{domain}/few_shot/{record.number}",
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain=domain,
        template="few_shot",
        writer="few_shot",
        goal=transcript.goal,
        entries=transcript.entries,
        moments=transcript.moments(lambda _: UNKNOWN),
        outcome=Outcome(task_solved=True, detail="solved; calls and arguments are not shown"),
        split=Split.TEST,
    )


def _say(builder: TranscriptBuilder, speaker: str, said: str) -> None:
    if speaker == "assistant":
        builder.answer(said)
    elif speaker == "system":
        builder.system(said)
    else:
        builder.user(said)
