"""What a scripted agent is about to note, and how it checks what it noted before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from data_gen.statements import Statement


@dataclass(frozen=True, slots=True)
class Thought:
    """What the agent is about to note.

    Attributes:
        text: The note; empty to have the statement worded.
        used: Ids of the entries it rests on.
        statement: What it says, where operators may change it.
        confidence: `None` to draw one.
        obeys: Entries with orders that it follows.
        only_examines: Whether it looks into entries without adopting what they say.
    """

    text: str
    used: tuple[str, ...]
    statement: Statement | None = None
    confidence: float | None = None
    obeys: tuple[str, ...] = ()
    only_examines: bool = False


class Look(StrEnum):
    """How an agent checks a note before it uses it."""

    TRUST = "trust"
    REREAD = "reread"
    """Compare it with the record in memory."""
    REQUERY = "requery"
    """Run the tool again."""


def once(ids: Sequence[str]) -> tuple[str, ...]:
    """The ids in order, each once."""
    return tuple(dict.fromkeys(entry_id for entry_id in ids if entry_id))
