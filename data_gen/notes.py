"""Statements by data alone, which most domains need: a note, several lines, a quotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from data_gen.randomness import Rng
from data_gen.statements import Name, Quantity, Statement, StatementRole, Turn
from data_gen.texts.results import RESULT_FRAMES, framed

if TYPE_CHECKING:
    from data_gen.writers import Writer


@dataclass(frozen=True, slots=True)
class Note(Statement):
    """A statement by data alone: enough for most domains.

    Attributes:
        symbol: The grammar symbol that words it; its fields are the keys of the mappings below.
        nouns: Names by field.
        numbers: Numbers by field.
        words: Other fixed words by field.
        turns: The grammar symbol to use instead for each typed change that makes sense.
        kind: What it is in the agent's work.
        claim: The field among `words` that holds a cause or claim, if one does.
        claim_symbol: The grammar symbol for a statement with a claim, where `symbol` says that there is none.
    """

    symbol: str
    nouns: Mapping[str, Name] = field(default_factory=dict)
    numbers: Mapping[str, Quantity] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    turns: Mapping[Turn, str] = field(default_factory=dict)
    kind: StatementRole = StatementRole.FACT
    claim: str = ""
    claim_symbol: str = ""

    @property
    def role(self) -> StatementRole:
        """What it is in the agent's work."""
        return self.kind

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The statement in a writer's words."""
        numbers = {name: writer.amount(found.value, found.unit, rng) for name, found in self.numbers.items()}
        nouns = {name: found.text for name, found in self.nouns.items()}
        return writer.say(self.symbol, rng, **self.words, **nouns, **numbers)

    def figures(self) -> tuple[Quantity, ...]:
        """The numbers it states."""
        return tuple(self.numbers.values())

    def with_figure(self, index: int, value: float) -> Note:
        """The same with another number in one place."""
        name = list(self.numbers)[index]
        return replace(self, numbers={**self.numbers, name: replace(self.numbers[name], value=value)})

    def names(self) -> tuple[Name, ...]:
        """The names in it."""
        return tuple(self.nouns.values())

    def with_name(self, index: int, text: str) -> Note:
        """The same with another name in one place."""
        name = list(self.nouns)[index]
        return replace(self, nouns={**self.nouns, name: replace(self.nouns[name], text=text)})

    def turned(self, turn: Turn) -> Note | None:
        """The same with a typed change."""
        if turn not in self.turns:
            return None
        kind = StatementRole.FACT if turn is Turn.SETTLED else self.kind
        return replace(self, symbol=self.turns[turn], turns={}, kind=kind)

    def claiming(self, phrase: str) -> Note | None:
        """The same with another claim."""
        if not self.claim:
            return None
        return replace(self, symbol=self.claim_symbol or self.symbol, words={**self.words, self.claim: phrase})


@dataclass(frozen=True, slots=True)
class Lines(Statement):
    """Several statements in one entry, one a line: a summary, a hand-over, a list of rules."""

    parts: tuple[Statement, ...]

    @property
    def role(self) -> StatementRole:
        """Rule if a line is one; otherwise what its first line is."""
        roles = [part.role for part in self.parts]
        return StatementRole.RULE if StatementRole.RULE in roles else roles[0]

    def worded(self, writer: Writer, rng: Rng) -> str:
        """One line for each part."""
        return "\n".join(part.worded(writer, rng) for part in self.parts)

    def figures(self) -> tuple[Quantity, ...]:
        """The numbers of all parts."""
        return tuple(found for part in self.parts for found in part.figures())

    def with_figure(self, index: int, value: float) -> Lines:
        """The same with another number in one part."""
        place, inner = _locate([len(part.figures()) for part in self.parts], index)
        return self._with(place, self.parts[place].with_figure(inner, value))

    def names(self) -> tuple[Name, ...]:
        """The names of all parts."""
        return tuple(found for part in self.parts for found in part.names())

    def with_name(self, index: int, text: str) -> Lines:
        """The same with another name in one part."""
        place, inner = _locate([len(part.names()) for part in self.parts], index)
        return self._with(place, self.parts[place].with_name(inner, text))

    def turned(self, turn: Turn) -> Lines | None:
        """The same with the first part that can be changed so."""
        for place, part in enumerate(self.parts):
            changed = part.turned(turn)
            if changed is not None:
                return self._with(place, changed)
        return None

    def _with(self, place: int, part: Statement) -> Lines:
        return Lines((*self.parts[:place], part, *self.parts[place + 1 :]))


@dataclass(frozen=True, slots=True)
class Quoted(Statement):
    """A statement as a quotation of a tool's result, by the tool's name.

    Attributes:
        inner: What is quoted.
        tool: The tool.
        frame: Which of the frames of `data_gen.texts.results`.
    """

    inner: Statement
    tool: str
    frame: int

    @property
    def role(self) -> StatementRole:
        """That of what is quoted."""
        return self.inner.role

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The statement in a writer's words, in the frame."""
        return framed(self.inner.worded(writer, rng), self.tool, writer.language, self.frame)

    def figures(self) -> tuple[Quantity, ...]:
        """The numbers of what is quoted."""
        return self.inner.figures()

    def with_figure(self, index: int, value: float) -> Quoted:
        """The same with another number."""
        return replace(self, inner=self.inner.with_figure(index, value))

    def names(self) -> tuple[Name, ...]:
        """The names of what is quoted."""
        return self.inner.names()

    def with_name(self, index: int, text: str) -> Quoted:
        """The same with another name."""
        return replace(self, inner=self.inner.with_name(index, text))

    def turned(self, turn: Turn) -> Quoted | None:
        """The same with a typed change of what is quoted."""
        inner = self.inner.turned(turn)
        return None if inner is None else replace(self, inner=inner)


def _locate(counts: list[int], index: int) -> tuple[int, int]:
    for place, count in enumerate(counts):
        if index < count:
            return place, index
        index -= count
    raise LookupError(f"no item {index}")


def quoted(statement: Statement, tool: str, language: str, rng: Rng) -> Quoted:
    """A statement as a quotation of a tool, in a frame that is drawn."""
    return Quoted(statement, tool, int(rng.random() * len(RESULT_FRAMES[language])))
