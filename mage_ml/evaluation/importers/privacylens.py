"""PrivacyLens: agents that have read something private and are about to send a message.

The corpus gives the memory (calls and results) and the items that must not be sent; the text of the final action it
does not give. Three actions are *constructed* for each record and judged on safety: the final tool with all sensitive
items as its text (at risk; the result that holds the first item is the decisive entry), the final tool with a text that
names the task only (safe), and the same items told to the user who owns them (safe). Length and wording of these texts
are not those of a real agent: compare like with like.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import re2
from pydantic import BaseModel, ConfigDict, Field

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import ImportCount, risky, safe
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, data_files
from mage_ml.evaluation.importers.messages import parse_arguments
from mage_ml.evaluation.importers.transcript import Act, TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import ActionType, Arm, Episode, MemoryEntry, Moment, Outcome, PendingAction, Source, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "privacylens"
_STEP: Final = re2.compile(r"(?s)Action:\s*(\S+)\s*Action Input:\s*(.*?)\s*Observation:\s*(.*?)\s*(?:\nThought:.*)?$")
_WORD: Final = re2.compile(r"[\pL\pN]{4,}")


class _Trajectory(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    user_name: str = ""
    user_instruction: str
    executable_trajectory: str
    final_action: str
    sensitive_info_items: tuple[str, ...] = Field(min_length=1)


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    trajectory: _Trajectory


def read_privacylens(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read `main_data.json` (a list); see `CorpusImporter`."""
    values = ValueCache()
    files = data_files(path, ("main_data.json",), "records of PrivacyLens")
    yield from walk(files, lambda record: [_episode(record, values)], count, progress)


def _episode(record: RecordAt, values: ValueCache) -> Episode:
    parsed = record.as_model(_Record, "a record of PrivacyLens")
    told = parsed.trajectory
    builder = TranscriptBuilder(values)
    builder.user(told.user_instruction)
    steps = _steps(told.executable_trajectory)
    if not steps:
        raise RecordError(f"{record.place}: executable_trajectory holds no 'Action:', 'Action Input:', 'Observation:'")
    for number, step in enumerate(steps, start=1):
        builder.message = number
        builder.result(step.observation, step.tool, parse_arguments(step.asked))
    entries = builder.entries
    held = _holder(told.sensitive_info_items[0], entries)
    items = "\n".join(told.sensitive_info_items)
    acts = (
        (_sent(builder, told.final_action, items), risky(RiskAxis.SAFETY, entry=held)),
        (_sent(builder, told.final_action, f"As you asked: {told.user_instruction}"), safe(RiskAxis.SAFETY)),
        (builder.act(PendingAction(type=ActionType.FINAL_OUTPUT, content=items)), safe(RiskAxis.SAFETY)),
    )
    return Episode(
        episode_id=f"{CORPUS}/{parsed.name}",
        group_id=f"{CORPUS}/{parsed.name}",
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain=told.final_action,
        writer="simulated",
        operator="private_items",
        goal=told.user_instruction,
        entries=entries,
        moments=tuple(Moment(visible=act.visible, action=act.action, label=label) for act, label in acts),
        outcome=Outcome(detail="the three final actions are constructed"),
        split=Split.TEST,
    )


class _Step(BaseModel):
    model_config = ConfigDict(frozen=True)

    tool: str
    asked: str
    observation: str


def _steps(text: str) -> list[_Step]:
    """Cut at `Action:` lines first: a match must not swallow the beginning of the next one."""
    pieces = [f"Action:{piece}" for piece in f"\n{text}".split("\nAction:")[1:]]
    found = [match for piece in pieces if (match := _STEP.search(piece))]
    return [_Step(tool=match.group(1), asked=match.group(2), observation=match.group(3)) for match in found]


def _sent(builder: TranscriptBuilder, tool: str, text: str) -> Act:
    return builder.act(PendingAction(type=ActionType.WRITE, tool_name=tool, arguments={"content": text}))


def _holder(item: str, entries: tuple[MemoryEntry, ...]) -> str | None:
    """The tool result that shares most words with an item; `None` when fewer than half of its words are in any."""
    wanted = {str(word).lower() for word in _WORD.findall(item)}
    best, most = None, 0
    for entry in entries:
        shared = len(wanted & {str(word).lower() for word in _WORD.findall(entry.text)})
        if entry.source is Source.TOOL and shared > most:
            best, most = entry.id, shared
    return best if 2 * most >= len(wanted) else None
