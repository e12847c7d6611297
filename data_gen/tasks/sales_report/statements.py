"""What entries of the sales domain say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from data_gen.randomness import Rng
from data_gen.statements import Name, Quantity, Statement, StatementRole, Turn

if TYPE_CHECKING:
    from data_gen.writers import Writer


class Metric(StrEnum):
    """What is measured."""

    REVENUE = "revenue"
    TARGET = "target"
    BUDGET = "budget"
    COST = "cost"


class VerdictKind(StrEnum):
    """What is concluded from levels."""

    CHANGE = "change"
    TARGET = "target"
    BUDGET = "budget"
    TOP = "top"
    LOW = "low"
    TOTAL = "total"
    SHARE = "share"
    GAP = "gap"


class Direction(StrEnum):
    """The two ways a verdict can go; `NONE` where it names a figure or a winner only."""

    UP = "up"
    DOWN = "down"
    NONE = "none"


class Kind(StrEnum):
    """Kinds of names."""

    ENTITY = "entity"
    PERSON = "person"
    PERIOD = "period"


@dataclass(frozen=True, slots=True)
class Key:
    """Which level is meant: entity, period (`2025-Q1`) and metric."""

    entity: str
    period: str
    metric: Metric


@dataclass(frozen=True, slots=True)
class Level(Statement):
    """A figure: the value of a key in base units of its currency.

    Attributes:
        key: What it is the value of.
        value: In base units (12 万元 is 120000).
        unit: Currency code.
        tentative: A rough figure nobody has confirmed.
        revised: It replaces an earlier figure on purpose.
        settled: It is said to be final.
        before: The figure that a revision replaces.
        nearby: Other figures of the same record.
    """

    key: Key
    value: float
    unit: str
    tentative: bool = False
    revised: bool = False
    settled: bool = False
    before: float | None = None
    nearby: tuple[float, ...] = ()

    @property
    def role(self) -> StatementRole:
        """A fact, or a guess."""
        return StatementRole.GUESS if self.tentative else StatementRole.FACT

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The figure in a writer's words."""
        from data_gen.tasks.sales_report.wording import word_level

        return word_level(self, writer, rng)

    def figures(self) -> tuple[Quantity, ...]:
        """Its one figure."""
        return (Quantity(self.value, self.unit, 1000.0, self.before, self.nearby),)

    def with_figure(self, index: int, value: float) -> Level:
        """The same key with another figure."""
        return replace(self, value=value)

    def names(self) -> tuple[Name, ...]:
        """Whose figure it is."""
        return () if self.tentative else (Name(self.key.entity, Kind.ENTITY),)

    def with_name(self, index: int, text: str) -> Level:
        """The same figure of somebody else."""
        return replace(self, key=replace(self.key, entity=text))

    def turned(self, turn: Turn) -> Level | None:
        """A guess as a settled figure."""
        if turn is Turn.SETTLED and self.tentative:
            return replace(self, tentative=False, settled=True)
        return None


_FLIP = {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP}


@dataclass(frozen=True, slots=True)
class Verdict(Statement):
    """A conclusion from levels.

    Attributes:
        kind: What was compared.
        subject: What it is about, or the winner of a ranking.
        periods: One or two periods.
        figure: Percent or money.
        unit: `%` or a currency code.
        direction: Which way it went.
        other: What the subject is compared with, for gaps.
    """

    kind: VerdictKind
    subject: str
    periods: tuple[str, ...]
    figure: float
    unit: str
    direction: Direction = Direction.NONE
    other: str = ""

    @property
    def role(self) -> StatementRole:
        """A conclusion."""
        return StatementRole.CONCLUSION

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The conclusion in a writer's words."""
        from data_gen.tasks.sales_report.wording import word_verdict

        return word_verdict(self, writer, rng)

    def figures(self) -> tuple[Quantity, ...]:
        """Its one figure."""
        return (Quantity(self.figure, self.unit, 0.1 if self.unit == "%" else 1000.0),)

    def with_figure(self, index: int, value: float) -> Verdict:
        """The same conclusion with another figure."""
        return replace(self, figure=value)

    def names(self) -> tuple[Name, ...]:
        """Who comes first or last, or is ahead."""
        ranks = self.kind in (VerdictKind.TOP, VerdictKind.LOW)
        return (Name(self.subject, Kind.ENTITY),) if ranks else ()

    def with_name(self, index: int, text: str) -> Verdict:
        """The same about somebody else."""
        return replace(self, subject=text)

    def turned(self, turn: Turn) -> Verdict | None:
        """Up for down; the one behind for the one ahead."""
        if turn is not Turn.OPPOSITE:
            return None
        if self.direction is not Direction.NONE:
            return replace(self, direction=_FLIP[self.direction])
        if self.kind is VerdictKind.GAP:
            return replace(self, subject=self.other, other=self.subject)
        return None


@dataclass(frozen=True, slots=True)
class Reason(Statement):
    """Why something happened; `None` when the files give no reason."""

    subject: str
    phrase: str | None

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The cause in a writer's words."""
        symbol = "reason" if self.phrase else "reason_none"
        return writer.say(symbol, rng, phrase=self.phrase or "", subject=self.subject)

    def claiming(self, phrase: str) -> Reason:
        """Another cause."""
        return replace(self, phrase=phrase)


@dataclass(frozen=True, slots=True)
class Support(Statement):
    """Whether a figure rests on two independent sources."""

    key: Key
    independent: bool

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The number of sources in a writer's words."""
        symbol = "support_yes" if self.independent else "support_no"
        return writer.say(symbol, rng, entity=self.key.entity, period=writer.period(self.key.period, rng))

    def turned(self, turn: Turn) -> Support | None:
        """One source as two."""
        return replace(self, independent=True) if turn is Turn.CORROBORATED and not self.independent else None


@dataclass(frozen=True, slots=True)
class Brief(Statement):
    """The agent's restatement of its task: about whom or what, and for whom.

    Attributes:
        subject: The first entity asked about.
        recipient: Who gets the mail.
    """

    subject: str
    recipient: str

    @property
    def role(self) -> StatementRole:
        """The goal."""
        return StatementRole.GOAL

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The task in the agent's words."""
        return writer.say("brief", rng, subject=self.subject, name=self.recipient)

    def names(self) -> tuple[Name, ...]:
        """Who gets the mail."""
        return (Name(self.recipient, Kind.PERSON),)

    def with_name(self, index: int, text: str) -> Brief:
        """The same for somebody else."""
        return replace(self, recipient=text)
