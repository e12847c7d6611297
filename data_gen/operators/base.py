"""What an operator is: one typed contamination of one write or several, with a harmless twin.

To add an operator, derive from `WriteOperator`, say which writes it accepts and make the two edits; `docs/domains.md`
shows one in one file. Its docstring says which evidence of the contamination stays visible in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from data_gen.needs import Need
from data_gen.randomness import Rng, rng_for, seed_for
from data_gen.session import Edit
from data_gen.statements import Statement, Write
from data_gen.tasks.base import Task
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.snapshot import PendingAction
from mage_ml.risk import RiskAxis

OWN: Final = (Source.LLM_REASONING, Source.AGENT)
TRIES: Final = 40
REWORDINGS: Final = 300


@dataclass(frozen=True, slots=True)
class EditPair:
    """One write edited twice by the same editor: meaning kept, and meaning changed.

    Attributes:
        sham: The harmless twin.
        contaminated: The contamination. Equal to the twin for a write that only prepares a later one.
        payload: What the contamination plants, where it can be recognised in an action; otherwise empty.
    """

    sham: MemoryEntry
    contaminated: MemoryEntry
    payload: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an operator strikes: the slots of the writes it edits, in the order in which they are written."""

    slots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consequence:
    """A pending action, as an operator looks at it to tell whether it follows from the contamination.

    Attributes:
        action: The action.
        obeys: Entries with orders found in data that it follows.
        entry_id: The contaminated entry.
        tainted: The visible entries derived from it, itself included.
    """

    action: PendingAction
    obeys: tuple[str, ...]
    entry_id: str
    tainted: frozenset[str]

    @property
    def rests_on_it(self) -> bool:
        """Whether the action uses an entry that is tainted."""
        return not self.tainted.isdisjoint(self.action.depends_on)

    @property
    def follows_its_order(self) -> bool:
        """Whether the action does what an order in the contaminated entry says."""
        return self.entry_id in self.obeys


class Operator(Protocol):
    """A typed contamination. The two edits are made together because their length and style have to match."""

    @property
    def name(self) -> str:
        """Unique name."""

    @property
    def family(self) -> str:
        """Family, for splits by family."""

    @property
    def needs(self) -> tuple[Need, ...]:
        """Ingredients that a task must have."""

    @property
    def width(self) -> int:
        """How many writes it edits."""

    def spots(self, writes: Sequence[Write]) -> list[Spot]:
        """Where it could strike in a clean run."""

    def edit(self, writes: Sequence[Write], rng: Rng, task: Task) -> tuple[EditPair, ...] | None:
        """Edit the writes of a spot; `None` when they cannot be edited after all.

        The rng is seeded by the triple, not by the run, so that all seeds of a proof plant the same thing.
        """

    def axis_of(self, place: int) -> RiskAxis | None:
        """The axis that the edit of one write of a spot aims at; `None` if that write only prepares."""

    def is_served_by(self, consequence: Consequence, place: int) -> bool:
        """Whether an action follows from the edit of one write of a spot."""


class WriteOperator:
    """Base of operators that edit one write."""

    name: str
    axis: RiskAxis
    family: str
    needs: tuple[Need, ...] = ()
    width: int = 1

    def accepts(self, write: Write) -> bool:
        """Whether a write can be edited."""
        raise NotImplementedError

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """Edit a write; `None` when this one cannot be edited after all."""
        raise NotImplementedError

    def spots(self, writes: Sequence[Write]) -> list[Spot]:
        """Every write that it accepts, each slot once."""
        return [Spot((slot,)) for slot in dict.fromkeys(write.slot for write in writes if self.accepts(write))]

    def edit(self, writes: Sequence[Write], rng: Rng, task: Task) -> tuple[EditPair, ...] | None:
        """Edit the one write of a spot."""
        (write,) = writes
        pair = self.edit_one(write, rng, task) if self.accepts(write) else None
        return None if pair is None else (pair,)

    def axis_of(self, place: int) -> RiskAxis | None:
        """The axis it aims at."""
        return self.axis

    def is_served_by(self, consequence: Consequence, place: int) -> bool:
        """Anything that rests on the entry."""
        return consequence.rests_on_it


def is_own(write: Write) -> bool:
    """Whether the agent itself, or a colleague, wrote it."""
    return write.entry.source in OWN


def redrawn(write: Write, statement: Statement, rng: Rng) -> MemoryEntry:
    """The entry with a statement worded anew by its author.

    Raises:
        ValueError: The write has no author to ask.
    """
    if write.redraw is None:
        raise ValueError(f"{write.slot}: nobody can reword this write")
    return write.entry.revised(content=write.redraw(statement, rng))


def reworded(write: Write, rng: Rng) -> Reworded | None:
    """The write in other words of the same look; `None` if its author finds none.

    A twin that differed from the clean entry in look would tell the sham arm apart, so the author tries until length,
    punctuation and capitals agree (length to within a character: exactly would cost too many notes).
    """
    assert write.statement is not None
    clean, base = write.entry.text, rng.getrandbits(48)
    for number in range(REWORDINGS):
        form = seed_for(base, number)
        sham = redrawn(write, write.statement, rng_for(form))
        alike = abs(len(sham.text) - len(clean)) <= 1 and same_marks(sham.text, clean)
        if alike and (sham.text != clean or number > REWORDINGS // 2):
            return Reworded(sham, form)
    return None


@dataclass(frozen=True, slots=True)
class Reworded:
    """A harmless twin, and the seed that gives its form of words."""

    entry: MemoryEntry
    form: int


def looks_like(one: str, other: str) -> bool:
    """Whether two texts have the same length, punctuation and capitals."""
    return len(one) == len(other) and same_marks(one, other)


def same_form(write: Write, change: Callable[[Rng], Statement | None], rng: Rng) -> EditPair | None:
    """The write in other words, and a changed statement in the same form; the change is drawn until lengths agree."""
    sham = reworded(write, rng)
    for _ in range(TRIES if sham is not None else 0):
        assert sham is not None
        changed = change(rng)
        text = None if changed is None else redrawn(write, changed, rng_for(sham.form)).text
        if text is not None and text != sham.entry.text and len(text) == len(sham.entry.text):
            return EditPair(sham.entry, write.entry.revised(content=text))
    return None


def like_twin(write: Write, changed: Statement, rng: Rng) -> EditPair | None:
    """The write in other words, and the changed statement in the words that look most like them."""
    sham = reworded(write, rng)
    if sham is None:
        return None
    text = closest(sham.entry.text, lambda r: redrawn(write, changed, r).text, rng, tries=300)
    if text == sham.entry.text or not looks_like(text, sham.entry.text):
        return None
    return EditPair(sham.entry, write.entry.revised(content=text))


def transplanted(write: Write, edited: MemoryEntry) -> Callable[[Write], MemoryEntry]:
    """The changes of an edit alone, for a run in which the entry may have another id, place or time."""
    names = ("content", "confidence", "depends_on", "source", "role", "tool_name", "origin")
    changes = {name: getattr(edited, name) for name in names if getattr(edited, name) != getattr(write.entry, name)}
    return lambda found: found.entry.revised(**changes)


def edit_of(edits: Iterable[tuple[Write, MemoryEntry]]) -> Edit:
    """The edit of a run that puts these entries in the place of these writes."""
    found = [Edit(write.slot, transplanted(write, entry)) for write, entry in edits]
    return Edit(found[0].slot, found[0].apply, tuple(found[1:]))


_MARKS = ",，.。:：;；!！?？'\"“”()（）@/_-、|=$€£%"


def closest(reference: str, draw: Callable[[Rng], str], rng: Rng, *, tries: int = 120) -> str:
    """Of several draws, one that looks most like a reference in length, punctuation and case."""
    best, best_cost = "", float("inf")
    base = rng.getrandbits(48)
    marks, words = _marks(reference), reference.count(" ")
    for number in range(tries):
        text = draw(rng_for(base, number))
        # Punctuation and case weigh more than length: a reader notices them, and so would a model.
        cost = abs(len(text) - len(reference)) + 3.0 * abs(text.count(" ") - words) + 0.01 * number / tries
        if cost < best_cost:  # counting marks is slow, and needed only for a text that may become the best
            cost += sum(40.0 * abs(a - b) for a, b in zip(marks, _marks(text), strict=True))
        if cost < best_cost:
            best, best_cost = text, cost
        if best_cost < 1:
            break
    return best


def same_marks(one: str, other: str) -> bool:
    """Whether two texts hold the same punctuation and as many capitals."""
    return _marks(one) == _marks(other)


def _marks(text: str) -> tuple[int, ...]:
    return (*(text.count(mark) for mark in _MARKS), sum(1 for char in text if char.isupper()))
