"""Who&When: logs of agent teams that failed, with the agent and the step that people found responsible.

`mistake_step` counts the messages of the log from 0. The message of that step is at risk; the messages before it are
safe; the ones after it are at risk too and rest on it: it is the contaminated entry.

The axis is not published. It is read off the words of the reason: an instruction or plan not followed is consistency, a
tool that was not used or did not work is dependency, and the rest, wrong content, factuality.

The hand-crafted logs are annotated a second time in AgentRx; both importers put the logs of one question in one group.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import re2
from pydantic import BaseModel, ConfigDict, field_validator

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import ImportCount, language_of, risky, safe
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, bare_name, data_files
from mage_ml.evaluation.importers.team_log import TeamMessage, read_team_log
from mage_ml.evaluation.importers.transcript import Act, TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import Arm, Episode, MomentLabel, Outcome, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "who_and_when"
QUESTIONS: Final = "gaia"
"""Prefix of the groups of logs that answer one question."""
AXES: Final = (RiskAxis.CONSISTENCY, RiskAxis.FACTUALITY, RiskAxis.DEPENDENCY)
_NOT_FOLLOWED: Final = re2.compile(
    r"(?i)\b(instruct\w*|instrcution|plan|replan|task has not|should not (directly )?decide|"
    r"should (let|continue|instruct))\b"
)
_TOOL: Final = re2.compile(
    r"(?i)\b(tools?|code|script|click\w*|scroll\w*|access\w*|download\w*|web ?search|search results?|query|page|pages|"
    r"retriev\w*|error while|404|key ?word)\b"
)


class _Log(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    question_ID: str
    history: tuple[TeamMessage, ...]
    mistake_agent: str
    mistake_step: int
    mistake_reason: str

    @field_validator("mistake_step", mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        return int(value) if isinstance(value, str) and value.strip().isdigit() else value


def read_who_and_when(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read logs (`*.jsonl`); see `CorpusImporter`."""
    values = ValueCache()
    yield from walk(data_files(path, (".jsonl",), "logs"), lambda record: [_episode(record, values)], count, progress)


def axis_of(reason: str) -> RiskAxis:
    """The axis that the words of a reason point to."""
    if _NOT_FOLLOWED.search(reason):
        return RiskAxis.CONSISTENCY
    return RiskAxis.DEPENDENCY if _TOOL.search(reason) else RiskAxis.FACTUALITY


def _episode(record: RecordAt, values: ValueCache) -> Episode:
    log = record.as_model(_Log, "a Who&When log")
    if not 0 <= log.mistake_step < len(log.history):
        raise RecordError(
            f"{record.place}: mistake_step {log.mistake_step}; expected a message from 0 to {len(log.history) - 1}"
        )
    transcript = read_team_log(log.history, log.question, TranscriptBuilder(values))
    axis = axis_of(log.mistake_reason)
    wrong = next((entry.id for entry in transcript.entries_of(log.mistake_step)), None)

    def label(act: Act) -> MomentLabel:
        if act.message < log.mistake_step:
            return safe(*AXES)
        return risky(axis, entry=wrong if act.message > log.mistake_step else None)

    name = bare_name(record.path).split(".jsonl")[0]
    return Episode(
        episode_id=f"{name}/{Path(record.recorded_as).stem or record.number}",
        group_id=f"{QUESTIONS}/{log.question_ID}",
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain="questions",
        template=name,
        writer=name,
        language=language_of(log.question),
        operator="mistake",
        operator_family=axis.value,
        goal=log.question,
        entries=transcript.entries,
        moments=transcript.moments(label),
        outcome=Outcome(task_solved=False, detail=log.mistake_reason),
        injected_entry=wrong,
        consequential=True,
        split=Split.TEST,
    )
