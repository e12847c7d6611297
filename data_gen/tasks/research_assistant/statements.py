"""What entries of the research domain say: kinds, keys, and the notes made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.notes import Note
from data_gen.statements import Name, Quantity, StatementRole, Turn


class Aspect(StrEnum):
    """What is read off a result: the estimate, or a bound of its confidence interval."""

    VALUE = "value"
    LOW = "low"
    HIGH = "high"


class Mood(StrEnum):
    """How a figure is stated; each is a symbol of the grammar."""

    FINDING = "finding"
    TENTATIVE = "tentative"
    SETTLED = "settled"
    REVISED = "revised"


class VerdictKind(StrEnum):
    """What is concluded."""

    GAP = "gap"
    RATIO = "ratio"
    LIMIT = "limit"
    TOP = "top"
    LOW = "low"
    MEAN = "mean"
    MEDIAN = "median"
    SPREAD = "spread"
    AGREE = "agree"
    INSIDE = "inside"
    CLAIM = "claim"
    COUNT = "count"


class TraitKind(StrEnum):
    """What is noted of a source that holds or does not."""

    STANDING = "standing"
    OWN_DATA = "own_data"
    SUITED = "suited"
    SAME_METHOD = "same_method"
    SUPPORT = "support"


class NamingKind(StrEnum):
    """What is named."""

    CHOICE = "choice"
    METHOD = "method"
    FUNDER = "funder"
    ORIGIN = "origin"
    REVIEWER = "reviewer"


class Way(StrEnum):
    """Which way a verdict or trait goes."""

    YES = "yes"
    """Above, agreeing, supported, in force."""
    NO = "no"
    ONLY = "only"
    """Verdicts that go one way only."""
    ONE = "one"
    TWO = "two"
    THREE = "three"


class Kind(StrEnum):
    """Kinds of names."""

    STUDY = "study"
    GROUP = "group"
    OUTLET = "outlet"
    METHOD = "method"
    FUNDER = "funder"
    PERSON = "person"


OPPOSITE: Final[Mapping[Way, Way]] = MappingProxyType(
    {Way.YES: Way.NO, Way.NO: Way.YES, Way.ONE: Way.TWO, Way.TWO: Way.ONE, Way.THREE: Way.TWO}
)
COUNTS: Final = (Way.ONE, Way.TWO, Way.THREE)
COMPUTED: Final = frozenset(
    {
        VerdictKind.GAP, VerdictKind.RATIO, VerdictKind.LIMIT, VerdictKind.MEAN, VerdictKind.MEDIAN,
        VerdictKind.SPREAD, VerdictKind.AGREE,
    }
)  # fmt: skip
TWO_WAY: Final = frozenset(VerdictKind) - {
    VerdictKind.TOP, VerdictKind.LOW, VerdictKind.MEAN, VerdictKind.MEDIAN, VerdictKind.SPREAD,
}  # fmt: skip
NAMES_OF: Final[Mapping[NamingKind, Kind]] = MappingProxyType(
    {
        NamingKind.CHOICE: Kind.STUDY, NamingKind.METHOD: Kind.METHOD, NamingKind.FUNDER: Kind.FUNDER,
        NamingKind.ORIGIN: Kind.STUDY, NamingKind.REVIEWER: Kind.PERSON,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Key:
    """Which figure is meant: of which study, for which group, which aspect of the result."""

    study: str
    group: str
    aspect: Aspect = Aspect.VALUE


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as stated: the value of a key in base units."""

    key: Key
    value: float
    unit: str
    tentative: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """A conclusion.

    Attributes:
        kind: What was concluded.
        way: Which way it went.
        subject: What it is about, or the winner of a ranking.
        other: What the subject is compared with.
        figure: The figure concluded; `None` where there is none.
        unit: Its unit.
    """

    kind: VerdictKind
    way: Way
    subject: str = ""
    other: str = ""
    figure: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """What studies of a topic measure.

    Attributes:
        name: In words.
        unit: Unit of the values.
        step: Smallest step of the values.
        bounds: Its name with `low` and `high` for the bounds of an interval.
    """

    name: str
    unit: str
    step: float
    bounds: tuple[str, str]

    def words(self, aspect: Aspect) -> str:
        """The measure, or a bound of it, in words."""
        return {Aspect.VALUE: self.name, Aspect.LOW: self.bounds[0], Aspect.HIGH: self.bounds[1]}[aspect]


def finding(
    figure: Figure,
    measure: Measure,
    mood: Mood = Mood.FINDING,
    *,
    before: float | None = None,
    nearby: tuple[float, ...] = (),
) -> Note:
    """The note of a figure."""
    nouns = {"study": Name(figure.key.study, Kind.STUDY), "group": Name(figure.key.group, Kind.GROUP)}
    guess = mood is Mood.TENTATIVE
    return Note(
        mood,
        nouns=nouns,
        numbers={"amount": Quantity(figure.value, figure.unit, measure.step, before, nearby)},
        words={"what": measure.words(figure.key.aspect)},
        turns={Turn.SETTLED: Mood.SETTLED} if guess else {},
        kind=StatementRole.GUESS if guess else StatementRole.FACT,
    )


def conclusion(verdict: Verdict, measure: Measure) -> Note:
    """The note of a verdict."""
    turns = {}
    if verdict.way in OPPOSITE:
        turns[Turn.OPPOSITE] = f"{verdict.kind}_{OPPOSITE[verdict.way]}"
    if verdict.kind is VerdictKind.COUNT and verdict.way is Way.ONE:
        turns[Turn.CORROBORATED] = f"{verdict.kind}_{Way.TWO}"
    step = 0.1 if verdict.unit == "%" else measure.step
    numbers = {} if verdict.figure is None else {"figure": Quantity(verdict.figure, verdict.unit, step)}
    ranks = verdict.kind in (VerdictKind.TOP, VerdictKind.LOW)
    words = {"other": verdict.other, "what": measure.name}
    return Note(
        f"{verdict.kind}_{verdict.way}",
        nouns={"subject": Name(verdict.subject, Kind.STUDY)} if ranks else {},
        numbers=numbers,
        words=words if ranks else {**words, "subject": verdict.subject},
        turns=turns,
        kind=StatementRole.CONCLUSION,
    )


def trait(kind: TraitKind, subject: str, way: Way, other: str = "") -> Note:
    """The note of a trait of a source."""
    turns = {Turn.OPPOSITE: f"{kind}_{OPPOSITE[way]}"}
    if kind in (TraitKind.SUPPORT, TraitKind.OWN_DATA) and way is Way.NO:
        turns[Turn.CORROBORATED] = f"{kind}_{Way.YES}"
    return Note(f"{kind}_{way}", words={"subject": subject, "other": other}, turns=turns)


def naming(kind: NamingKind, subject: str, name: str) -> Note:
    """The note of who or what it is."""
    return Note(kind, nouns={"name": Name(name, NAMES_OF[kind])}, words={"subject": subject})


def reason(phrase: str | None) -> Note:
    """The note of a cause, or that the texts give none."""
    symbol = "reason" if phrase else "reason_none"
    return Note(symbol, words={"phrase": phrase or ""}, claim="phrase", claim_symbol="reason")


def brief(subject: str, recipient: str) -> Note:
    """The agent's restatement of its task: what about, and for whom."""
    return Note(
        "restated",
        nouns={"name": Name(recipient, Kind.PERSON)},
        words={"subject": subject},
        kind=StatementRole.GOAL,
    )
