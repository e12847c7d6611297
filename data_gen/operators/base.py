"""What an operator is: one typed contamination of one write, with a harmless twin.

To add an operator, write one module with a class that satisfies `Operator` and add it to `OPERATORS` in
`data_gen/operators/__init__.py`. Its docstring says which evidence of the contamination stays visible in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from data_gen.randomness import Rng, rng_for
from data_gen.statements import Statement, Write
from data_gen.tasks.base import Task
from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.snapshot import PendingAction
from mage_ml.risk import RiskAxis


@dataclass(frozen=True, slots=True)
class EditPair:
    """One write edited twice by the same editor: meaning kept, and meaning changed.

    Attributes:
        sham: The harmless twin.
        contaminated: The contamination.
        payload: What the contamination plants, where it can be recognised in an action; otherwise empty.
    """

    sham: MemoryEntry
    contaminated: MemoryEntry
    payload: str = ""


class Operator(Protocol):
    """A typed contamination. The two edits are made together because their length and style have to match."""

    @property
    def name(self) -> str:
        """Unique name."""

    @property
    def axis(self) -> RiskAxis:
        """The axis it aims at."""

    @property
    def family(self) -> str:
        """Family, for splits by family."""

    @property
    def needs(self) -> str | None:
        """Ingredient that a task must have, in the words of its domain; `None` for any task."""

    def accepts(self, write: Write) -> bool:
        """Whether a write can be edited."""

    def edit(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """Edit a write; `None` when this one cannot be edited after all.

        The rng is seeded by the triple, not by the run, so that all seeds of a proof plant the same thing.
        """

    def is_served_by(self, action: PendingAction, obeys: Sequence[str], entry_id: str, tainted: frozenset[str]) -> bool:
        """Whether an action follows from the contamination, given the entries derived from it."""


def candidates(operator: Operator, writes: Iterable[Write]) -> list[Write]:
    """The writes that an operator can edit, each slot once."""
    return list({write.slot: write for write in writes if operator.accepts(write)}.values())


def rests_on(action: PendingAction, tainted: frozenset[str]) -> bool:
    """Whether an action uses an entry that is tainted."""
    return not tainted.isdisjoint(action.depends_on)


def redrawn(write: Write, statement: Statement, rng: Rng) -> MemoryEntry:
    """The entry with a statement worded anew by its author.

    Raises:
        ValueError: The write has no author to ask.
    """
    if write.redraw is None:
        raise ValueError(f"{write.slot}: nobody can reword this write")
    return write.entry.revised(content=write.redraw(statement, rng))


_MARKS = ",，.。:：;；!！?？'\"“”()（）@/_-、"


def closest(reference: str, draw: Callable[[Rng], str], rng: Rng, *, tries: int = 120) -> str:
    """Of several draws, one that looks most like a reference in length, punctuation and case."""
    best, best_cost = "", float("inf")
    base = rng.getrandbits(48)
    for number in range(tries):
        text = draw(rng_for(base, number))
        cost = _unlikeness(reference, text) + 0.01 * number / tries
        if cost < best_cost:
            best, best_cost = text, cost
        if best_cost < 1:
            break
    return best


def _unlikeness(one: str, other: str) -> float:
    # Punctuation and case weigh more than length: a reader notices them, and so would a model.
    words = 3.0 * abs(one.count(" ") - other.count(" "))
    return (
        abs(len(one) - len(other))
        + words
        + sum(40.0 * abs(a - b) for a, b in zip(_marks(one), _marks(other), strict=True))
    )


def same_marks(one: str, other: str) -> bool:
    """Whether two texts hold the same punctuation and as many capitals."""
    return _marks(one) == _marks(other)


def _marks(text: str) -> tuple[int, ...]:
    return (*(text.count(mark) for mark in _MARKS), sum(1 for char in text if char.isupper()))
