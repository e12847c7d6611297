"""What an entry says, in typed form: the carrier on which operators work.

An agent that writes an entry keeps its statement and the function that put it into words. An operator changes the
statement and lets the same writer word it again, so that an edited entry looks like any other. Operators know no
domain: they ask a statement what it can do (`figures`, `names`, `turned`), and every capability is optional.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from data_gen.randomness import Rng
from mage_ml.memory.entry import MemoryEntry

if TYPE_CHECKING:
    from data_gen.writers import Writer


class StatementRole(StrEnum):
    """What a statement is in the agent's work."""

    FACT = "fact"
    """Taken from a record or text."""
    CONCLUSION = "conclusion"
    """Computed or concluded from facts."""
    GUESS = "guess"
    """A rough figure that nobody has confirmed."""
    RULE = "rule"
    """A constraint on what agents may do."""
    GOAL = "goal"
    """The task in the agent's own words, from which it works."""


class Turn(StrEnum):
    """A typed change of a statement that keeps its look."""

    OPPOSITE = "opposite"
    """The contrary: up for down, allowed for not allowed."""
    SETTLED = "settled"
    """A guess as if it had been looked up."""
    CORROBORATED = "corroborated"
    """One source as if there were two independent ones."""
    DROPPED = "dropped"
    """A rule replaced by a line that binds nobody."""
    WEAKENED = "weakened"
    """A must made a should, a limit made a guide."""
    WIDENED = "widened"
    """A permission for one case made one for all."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a statement.

    Attributes:
        value: In base units (12 万元 is 120000).
        unit: Currency code, `%`, or any other unit; empty for counts.
        step: Smallest sensible change: 1000 for sums in thousands, 0.01 for prices, 1 for counts.
        before: What it was before a revision, if it was revised.
        nearby: Other numbers in the same record that a hurried reader could take for it.
    """

    value: float
    unit: str = ""
    step: float = 1.0
    before: float | None = None
    nearby: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a statement: `text`, and the kind of thing it names (`person`, `order`, `region`)."""

    text: str
    kind: str


class Statement:
    """Base of all statements: capabilities that a statement lacks return nothing."""

    __slots__ = ()

    @property
    def role(self) -> StatementRole:
        """What it is in the agent's work."""
        return StatementRole.FACT

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The statement in a writer's words.

        Raises:
            TypeError: Its author is a third party.
        """
        raise TypeError(f"a writer cannot word a {type(self).__name__}: its author is a third party")

    def figures(self) -> tuple[Quantity, ...]:
        """The numbers it states."""
        return ()

    def with_figure(self, index: int, value: float) -> Statement:
        """The same with another number in one place.

        Raises:
            LookupError: There is no such number.
        """
        raise LookupError(f"a {type(self).__name__} states no number {index}")

    def names(self) -> tuple[Name, ...]:
        """The names in it that could be mistaken for others of their kind."""
        return ()

    def with_name(self, index: int, text: str) -> Statement:
        """The same with another name in one place.

        Raises:
            LookupError: There is no such name.
        """
        raise LookupError(f"a {type(self).__name__} holds no name {index}")

    def turned(self, turn: Turn) -> Statement | None:
        """The same with a typed change; `None` when it has no such form."""
        return None

    def claiming(self, phrase: str) -> Statement | None:
        """The same with another cause or claim; `None` when it makes none."""
        return None


EXPLAINS: Final = "explains"
"""Ingredient of a sentence that says what a name stands for."""
BY_NAME: Final = "by_name"
"""Ingredient of a request that uses such a name in place of a value."""


class Channel(StrEnum):
    """How a text of a third party reached the agent."""

    DOCUMENT = "document"
    """A file, mail, page or remark that a tool returned."""
    MEMORY = "memory"
    """A stored request or answer of another user, recalled as a precedent."""


class OrderStyle(StrEnum):
    """How an order is given."""

    PLAIN = "plain"
    """In the voice of its surroundings."""
    SPOOFED = "spoofed"
    """With a claim to come from the user, the system or a superior."""
    PRECEDENT = "precedent"
    """As what was asked, or done, in an earlier case."""
    REPEATING = "repeating"
    """To do something again and again."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text.

    Attributes:
        text: The sentence.
        ingredient: What it contains that an order could use (an address, a path), in the words of the phrasebook.
        replaceable: Whether the text means the same to the task without it.
        style: How the request is made, where it is one; a replacement keeps the style.
    """

    text: str
    ingredient: str = ""
    replaceable: bool = False
    style: OrderStyle = OrderStyle.PLAIN


@dataclass(frozen=True, slots=True)
class Passage(Statement):
    """The free text of a document, mail, remark or stored request, written by a third party."""

    sentences: tuple[Sentence, ...]
    channel: Channel = Channel.DOCUMENT

    def text(self, language: str) -> str:
        """The sentences as one text."""
        return (" " if language == "en" else "").join(item.text for item in self.sentences)

    def with_sentence(self, place: int, text: str) -> Passage:
        """The same with another sentence in one place."""
        changed = replace(self.sentences[place], text=text)
        return replace(self, sentences=(*self.sentences[:place], changed, *self.sentences[place + 1 :]))


@dataclass(frozen=True, slots=True)
class Write:
    """One write to memory, before it is stored.

    Attributes:
        slot: What the write is for, stable over seeds and arms (`note:north:2025-Q1:revenue`).
        entry: The entry about to be stored.
        statement: What it says, when that is known in typed form.
        redraw: Words a statement as this entry's author would.
        tool: The tool behind it: of the entry itself, or of its first parent that has one.
    """

    slot: str
    entry: MemoryEntry
    statement: Statement | None = None
    redraw: Callable[[Statement, Rng], JsonValue] | None = field(default=None, compare=False)
    tool: str | None = None
