"""CI-ToD: task-oriented dialogues whose last answer may contradict the request, the history or the knowledge base.

The memory is the dialogue before the last assistant turn, with the rows of the knowledge base as results of one look-up
after the first request; the pending action is that last answer. `qi` and `hi` (contradicts the user's query, the
dialogue's history) put it at risk on consistency, `kbi` (contradicts the knowledge base) on factuality. The answer is
wrong, not an entry: there is no contaminated entry. `operator` joins the flags that are set (`qi+kbi`), for the
published figures by flag.

Dialogues that share a knowledge base or a first request are one group.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import ImportCount, risky, safe, text_group
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, bare_name, data_files, json_records
from mage_ml.evaluation.importers.transcript import TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import Arm, Episode, Moment, Outcome, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "ci_tod"
AXES: Final = (RiskAxis.CONSISTENCY, RiskAxis.FACTUALITY)
_SUFFIXES: Final = ("_train.json", "_dev.json", "_test.json")
_TOOL: Final = "knowledge_base"
_ABSENT: Final = "-"
_Flag = Literal["0", "1"]


class _Turn(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    turn: Literal["driver", "assistant"]
    utterance: str


class _KnowledgeBase(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    items: tuple[dict[str, str], ...] | None = None


class _Scenario(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    kb: _KnowledgeBase
    qi: _Flag
    hi: _Flag
    kbi: _Flag


class _Dialogue(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int
    dialogue: tuple[_Turn, ...] = Field(min_length=1)
    scenario: _Scenario

    @property
    def keys(self) -> tuple[str, ...]:
        """What dialogues of one group share."""
        rows = self.scenario.kb.items or ()
        first = text_group("first", self.dialogue[0].utterance)
        return (first, text_group("kb", json.dumps(rows, sort_keys=True))) if rows else (first,)

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that are set."""
        return tuple(name for name in ("qi", "hi", "kbi") if getattr(self.scenario, name) == "1")


def read_ci_tod(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read dialogues (`<domain>_train.json`, `_dev.json`, lists); see `CorpusImporter`.

    Groups are formed over all files of the folder, also when a single file is read.
    """
    files = data_files(path, _SUFFIXES, "dialogues")
    known = data_files(path if path.is_dir() else path.parent, _SUFFIXES, "dialogues")
    dialogues = [_parse(record) for file in dict.fromkeys((*known, *files)) for record in json_records(file)]
    groups = SharedKeys([dialogue.keys for dialogue in dialogues])
    values = ValueCache()

    def read(record: RecordAt) -> list[Episode]:
        dialogue = _parse(record)
        return [_episode(dialogue, record, f"{CORPUS}/{groups.name_of(dialogue.keys[0])}", values)]

    yield from walk(files, read, count, progress)


class SharedKeys:
    """Groups of records that are linked by keys they share, directly or over other records.

    Args:
        records: The keys of each record.
    """

    def __init__(self, records: Sequence[Sequence[str]]) -> None:
        self._parent: dict[str, str] = {}
        for keys in records:
            for key in keys:
                one, other = sorted((self.name_of(keys[0]), self.name_of(key)))
                self._parent[other] = one

    def name_of(self, key: str) -> str:
        """The name of a key's group: the first of its keys in order of the alphabet."""
        root = key
        while self._parent.setdefault(root, root) != root:
            root = self._parent[root]
        while self._parent[key] != root:
            self._parent[key], key = root, self._parent[key]
        return root


def _parse(record: RecordAt) -> _Dialogue:
    return record.as_model(_Dialogue, "a CI-ToD dialogue")


def _episode(dialogue: _Dialogue, record: RecordAt, group: str, values: ValueCache) -> Episode:
    turns = dialogue.dialogue
    last = max((number for number, turn in enumerate(turns) if turn.turn == "assistant"), default=None)
    if last is None:
        raise RecordError(f"{record.place}: dialogue {dialogue.id} has no assistant turn, which the label is about")
    builder = TranscriptBuilder(values)
    for number, turn in enumerate(turns[: last + 1]):
        builder.message = number
        if turn.turn == "assistant":
            builder.answer(turn.utterance)
        else:
            builder.user(turn.utterance)
        if number == 0:
            for row in dialogue.scenario.kb.items or ():
                builder.result({name: value for name, value in row.items() if value != _ABSENT}, _TOOL, {})
    transcript = builder.transcript()
    flags = dialogue.flags
    axes = [RiskAxis.CONSISTENCY] if {"qi", "hi"} & set(flags) else []
    axes += [RiskAxis.FACTUALITY] if "kbi" in flags else []
    act = transcript.acts[-1]
    label = risky(*axes, known=AXES) if axes else safe(*AXES)
    name = bare_name(record.path).removesuffix(".json")
    return Episode(
        episode_id=f"{name}/{record.number}",
        group_id=group,
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain=name.split("_")[0],
        template=name,
        writer="human",
        operator="+".join(flags) or None,
        goal=transcript.goal,
        entries=transcript.entries[: act.visible],
        moments=(Moment(visible=act.visible, action=act.action, label=label),),
        outcome=Outcome(task_solved=not flags),
        consequential=bool(flags),
        split=Split.TEST,
    )
