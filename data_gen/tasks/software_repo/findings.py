"""What the agent's notes say, in typed form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from data_gen.randomness import Rng
from data_gen.statements import Name, Quantity, Statement, StatementRole, Turn
from data_gen.tasks.software_repo.attributes import MEANINGS, Attribute, Flag, Measure
from data_gen.tasks.software_repo.nouns import NameKind
from data_gen.texts.names import pick

if TYPE_CHECKING:
    from data_gen.writers import Writer


@dataclass(frozen=True, slots=True)
class Topic:
    """What a finding is about.

    Attributes:
        attribute: The attribute.
        subject: Whose, as one or several words of which each has to occur.
    """

    attribute: Attribute
    subject: tuple[str, ...]

    def named(self, language: str) -> str:
        """The subject in words."""
        return (" " if language == "en" else "").join(self.subject)

    @property
    def name(self) -> str:
        """A name that is the same in every run."""
        return f"{'/'.join(self.subject)}:{self.attribute}"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit; empty for counts."""

    number: float
    unit: str = ""

    def written(self) -> str:
        """The number as code and records give it."""
        digits = f"{self.number:.1f}" if self.unit == "%" else f"{self.number:g}"
        gap = " " if self.unit.isascii() and self.unit not in ("", "%") else ""
        return f"{digits}{gap}{self.unit}"


Value = Amount | str | bool


class Stage(StrEnum):
    """How far a finding has come; also the grammar symbol that words it."""

    LEVEL = "level"
    TENTATIVE = "tentative"
    SETTLED = "settled"
    REVISED = "revised"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True)
class Finding(Statement):
    """A value of an attribute.

    Attributes:
        topic: What it is about.
        value: A number, a name, or whether something holds.
        stage: How far it has come.
        before: The number before a revision.
        nearby: Other numbers in the same record.
    """

    topic: Topic
    value: Value
    stage: Stage = Stage.LEVEL
    before: float | None = None
    nearby: tuple[float, ...] = ()

    @property
    def role(self) -> StatementRole:
        """A guess, a conclusion or a fact."""
        if self.stage is Stage.TENTATIVE:
            return StatementRole.GUESS
        return StatementRole.CONCLUSION if self.stage is Stage.DERIVED else StatementRole.FACT

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The finding in a writer's words."""
        meaning, language = MEANINGS[self.topic.attribute], writer.language
        attribute = pick(meaning.words(language), rng)
        if isinstance(self.value, bool):
            assert isinstance(meaning.kind, Flag)
            value = pick(meaning.kind.words(self.value, language), rng)
        else:
            value = self.value.written() if isinstance(self.value, Amount) else self.value
        return writer.say(self.stage, rng, subject=self.topic.named(language), attribute=attribute, value=value)

    def figures(self) -> tuple[Quantity, ...]:
        """The number, if it is one."""
        if not isinstance(self.value, Amount):
            return ()
        kind = MEANINGS[self.topic.attribute].kind
        step = kind.step if isinstance(kind, Measure) else 1.0
        return (Quantity(self.value.number, self.value.unit, step, self.before, self.nearby),)

    def with_figure(self, index: int, value: float) -> Finding:
        """The same with another number."""
        assert isinstance(self.value, Amount)
        return replace(self, value=Amount(value, self.value.unit))

    def names(self) -> tuple[Name, ...]:
        """The name, if it is one."""
        kind = MEANINGS[self.topic.attribute].kind
        return (Name(self.value, kind),) if isinstance(self.value, str) and isinstance(kind, NameKind) else ()

    def with_name(self, index: int, text: str) -> Finding:
        """The same with another name."""
        return replace(self, value=text)

    def turned(self, turn: Turn) -> Finding | None:
        """The contrary of a yes or no; a guess as settled."""
        if turn is Turn.OPPOSITE and isinstance(self.value, bool):
            return replace(self, value=not self.value)
        if turn is Turn.SETTLED and self.stage is Stage.TENTATIVE:
            return replace(self, stage=Stage.SETTLED)
        return None
