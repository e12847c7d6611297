"""What every format has in common: who did what, turn by turn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mage_ml.evaluation.importers.messages import UNKNOWN_TOOL
from mage_ml.evaluation.importers.transcript import Transcript, TranscriptBuilder
from mage_ml.memory import Source
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan.trace import Pointer, Trace


class TurnKind(StrEnum):
    """What happens in a turn."""

    SYSTEM = "system"
    USER = "user"
    THINK = "think"
    CALL = "call"
    RESULT = "result"
    ANSWER = "answer"
    RETRIEVED = "retrieved"


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said, called or returned.

    Attributes:
        kind: What it is.
        at: Where it stands.
        text: What is said or returned.
        tool: The tool that is called or answers; empty when only the call's id says it.
        arguments: Of a call.
        call_id: What joins a call and its result.
        agent: The agent, where there are several.
    """

    kind: TurnKind
    at: Pointer
    text: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    call_id: str = ""
    agent: str = ""

    @property
    def mark(self) -> str:
        """Equal for turns that say the same: how a conversation that is sent again with each request is recognised."""
        if self.call_id and self.kind in (TurnKind.CALL, TurnKind.RESULT):
            return f"{self.kind} {self.call_id}"
        spelt = json.dumps(self.arguments, sort_keys=True, ensure_ascii=False, default=str)
        return f"{self.kind} {self.tool} {spelt} {' '.join(self.text.split())}"


def trace_of(turns: Iterable[Turn], trace_id: str, values: ValueCache, outcome: str = "", goal: str = "") -> Trace:
    """A trace from its turns. Text beside a call is reasoning; an answer is an action and afterwards an entry."""
    ordered = tuple(turns)
    transcript = transcript_of(ordered, values, goal)
    return Trace(trace_id, transcript, tuple(turn.at for turn in ordered), outcome)


def transcript_of(turns: Iterable[Turn], values: ValueCache, goal: str = "") -> Transcript:
    """The transcript of some turns; its messages are the turns.

    Raises:
        ValidationError: A turn does not make a valid entry.
    """
    builder = TranscriptBuilder(values)
    calls: dict[str, Turn] = {}
    for number, turn in enumerate(turns):
        builder.message = number
        _add(builder, turn, calls)
    return builder.transcript(goal or None)


def _add(builder: TranscriptBuilder, turn: Turn, calls: dict[str, Turn]) -> None:
    said = bool(turn.text.strip())
    owner = {"agent_id": turn.agent} if turn.agent else {}
    match turn.kind:
        case TurnKind.CALL:
            calls[turn.call_id] = turn
            builder.call(turn.tool or UNKNOWN_TOOL, turn.arguments, **owner)
        case TurnKind.RESULT:
            call = calls.get(turn.call_id) if turn.call_id else None
            asked: Mapping[str, Any] = call.arguments if call is not None else turn.arguments
            builder.result(turn.text, turn.tool or (call.tool if call is not None else UNKNOWN_TOOL), asked, **owner)
        case TurnKind.SYSTEM if said:
            builder.system(turn.text)
        case TurnKind.USER if said:
            builder.user(turn.text)
        case TurnKind.THINK if said:
            builder.think(turn.text, **owner)
        case TurnKind.ANSWER if said:
            builder.answer(turn.text, **owner)
        case TurnKind.RETRIEVED if said:
            builder.add(turn.text, Source.RETRIEVED, origin=turn.tool or Source.RETRIEVED.value, **owner)


def spoken(turns: list[Turn]) -> list[Turn]:
    """The turns of one assistant message: what is said beside a call is reasoning, not an answer."""
    if any(turn.kind is TurnKind.CALL for turn in turns):
        return [_as_thought(turn) if turn.kind is TurnKind.ANSWER else turn for turn in turns]
    return turns


def _as_thought(turn: Turn) -> Turn:
    return Turn(TurnKind.THINK, turn.at, turn.text, agent=turn.agent)


class Conversation:
    """Puts a run together from requests that each repeat what was said before."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        self._counts: dict[str, int] = {}

    def extend(self, turns: Iterable[Turn]) -> None:
        """Add the turns of one request or answer that were not there yet."""
        here: dict[str, int] = {}
        for turn in turns:
            mark = turn.mark
            here[mark] = here.get(mark, 0) + 1
            if here[mark] > self._counts.get(mark, 0):
                self._counts[mark] = here[mark]
                self._turns.append(turn)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The run so far."""
        return tuple(self._turns)
