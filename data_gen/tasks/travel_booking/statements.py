"""What entries of the travel domain say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from data_gen.randomness import Rng
from data_gen.statements import Name, Quantity, Statement, StatementRole, Turn

if TYPE_CHECKING:
    from data_gen.writers import Writer


class Measure(StrEnum):
    """What is known of an offer, a booking, a place or a journey."""

    FARE = "fare"
    RATE = "rate"
    HIRE = "hire"
    HOURS = "hours"
    TRANSFER = "transfer"
    BUFFER = "buffer"
    DISTANCE = "distance"
    SCORE = "score"
    CAP = "cap"
    BUDGET = "budget"
    MINIMUM = "minimum"
    FLOOR = "floor"
    PAID = "paid"
    FEE = "fee"
    DAYS = "days"
    DRIVEN = "driven"
    ALLOWANCE = "allowance"
    MILEAGE = "mileage"
    WEIGHT = "weight"
    FREE = "free"
    HELD = "held"
    EXCHANGE = "exchange"


UNITS: Final = {
    Measure.HOURS: {"en": "hours", "zh": "小时"},
    Measure.TRANSFER: {"en": "hours", "zh": "小时"},
    Measure.BUFFER: {"en": "hours", "zh": "小时"},
    Measure.MINIMUM: {"en": "hours", "zh": "小时"},
    Measure.DISTANCE: {"en": "km", "zh": "公里"},
    Measure.DRIVEN: {"en": "km", "zh": "公里"},
    Measure.SCORE: {"en": "%", "zh": "%"},
    Measure.DAYS: {"en": "days", "zh": "天"},
    Measure.WEIGHT: {"en": "kg", "zh": "公斤"},
    Measure.FREE: {"en": "kg", "zh": "公斤"},
}
"""Units of what is not money."""
DATED: Final = (Measure.FARE, Measure.RATE, Measure.HIRE)
"""Prices, which differ from day to day."""
_STEPS: Final = {
    Measure.DISTANCE: 0.1,
    Measure.EXCHANGE: 0.01,
    Measure.MILEAGE: 0.01,
    Measure.HOURS: 0.25,
    Measure.TRANSFER: 0.25,
    Measure.BUFFER: 0.25,
    Measure.MINIMUM: 0.25,
    Measure.SCORE: 0.1,
}


class Kind(StrEnum):
    """Kinds of names."""

    OFFER = "offer"
    PERSON = "person"
    CITY = "city"


class VerdictKind(StrEnum):
    """What is concluded."""

    PICK = "pick"
    SUM = "sum"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Key:
    """Which value is meant: of what, which measure, and on which day (`2026-03-12`) where that matters."""

    subject: str
    measure: Measure
    day: str = ""


@dataclass(frozen=True, slots=True)
class Fact(Statement):
    """The value of a key.

    Attributes:
        key: What it is the value of.
        value: The number.
        unit: Currency code or other unit.
        tentative: Somebody's guess.
        revised: It replaces an earlier value on purpose.
        settled: It is said to be final.
        before: The value that a revision replaces.
        nearby: Other values of the same record in the same unit.
        can_swap: Whether the subject could be taken for another offer.
    """

    key: Key
    value: float
    unit: str
    tentative: bool = False
    revised: bool = False
    settled: bool = False
    before: float | None = None
    nearby: tuple[float, ...] = ()
    can_swap: bool = False

    @property
    def role(self) -> StatementRole:
        """A fact, or a guess."""
        return StatementRole.GUESS if self.tentative else StatementRole.FACT

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The value in a writer's words."""
        from data_gen.tasks.travel_booking.wording import word_fact

        return word_fact(self, writer, rng)

    def figures(self) -> tuple[Quantity, ...]:
        """Its one number."""
        return (Quantity(self.value, self.unit, _STEPS.get(self.key.measure, 1.0), self.before, self.nearby),)

    def with_figure(self, index: int, value: float) -> Fact:
        """The same key with another value."""
        return replace(self, value=value)

    def names(self) -> tuple[Name, ...]:
        """The offer."""
        return (Name(self.key.subject, Kind.OFFER),) if self.can_swap and not self.tentative else ()

    def with_name(self, index: int, text: str) -> Fact:
        """The same value of another offer."""
        return replace(self, key=replace(self.key, subject=text))

    def turned(self, turn: Turn) -> Fact | None:
        """A guess as if it had been looked up."""
        if turn is Turn.SETTLED and self.tentative:
            return replace(self, tentative=False, settled=True)
        return None


@dataclass(frozen=True, slots=True)
class Verdict(Statement):
    """A conclusion.

    Attributes:
        kind: What was concluded.
        sense: Which words say it (an aim).
        subject: The offer chosen, or what is summed up or compared.
        figure: The number that goes with it.
        unit: Its unit.
        above: Whether it is above the limit, for comparisons with one.
    """

    kind: VerdictKind
    sense: str
    subject: str
    figure: float
    unit: str
    above: bool = False

    @property
    def role(self) -> StatementRole:
        """A conclusion."""
        return StatementRole.CONCLUSION

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The conclusion in a writer's words."""
        from data_gen.tasks.travel_booking.wording import word_verdict

        return word_verdict(self, writer, rng)

    def figures(self) -> tuple[Quantity, ...]:
        """Its one number."""
        step = {"%": 0.1, "km": 0.1, "公里": 0.1, "hours": 0.25, "小时": 0.25}.get(self.unit, 1.0)
        return (Quantity(self.figure, self.unit, step),)

    def with_figure(self, index: int, value: float) -> Verdict:
        """The same conclusion with another number."""
        return replace(self, figure=value)

    def names(self) -> tuple[Name, ...]:
        """The offer chosen."""
        return (Name(self.subject, Kind.OFFER),) if self.kind is VerdictKind.PICK else ()

    def with_name(self, index: int, text: str) -> Verdict:
        """Another offer chosen."""
        return replace(self, subject=text)

    def turned(self, turn: Turn) -> Verdict | None:
        """Above for below."""
        if turn is Turn.OPPOSITE and self.kind is VerdictKind.LIMIT:
            return replace(self, above=not self.above)
        return None
