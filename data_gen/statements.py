"""What an entry says, in typed form: the carrier on which operators work.

An agent that writes an entry keeps its statement and the function that put it into words. An operator changes the
statement and lets the same writer word it again, so that an edited entry looks like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

from data_gen.randomness import Rng
from mage_ml.memory.entry import MemoryEntry


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


@dataclass(frozen=True, slots=True)
class Key:
    """Which level is meant: entity, period (`2025-Q1`) and metric."""

    entity: str
    period: str
    metric: Metric


@dataclass(frozen=True, slots=True)
class Level:
    """A figure: the value of a key in base units of its currency.

    Attributes:
        key: What it is the value of.
        value: In base units (12 万元 is 120000).
        unit: Currency code.
        tentative: A rough figure nobody has confirmed.
        revised: It replaces an earlier figure on purpose.
        settled: It is said to be final.
    """

    key: Key
    value: float
    unit: str
    tentative: bool = False
    revised: bool = False
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
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


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something happened; `None` when the files give no reason."""

    subject: str
    phrase: str | None


@dataclass(frozen=True, slots=True)
class Support:
    """Whether a figure rests on two independent sources."""

    key: Key
    independent: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """Several figures in one entry."""

    levels: tuple[Level, ...]


class Ingredient(StrEnum):
    """What a sentence of a document contains that an order could use."""

    NONE = "none"
    ADDRESS = "address"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document.

    Attributes:
        text: The sentence.
        ingredient: What it contains.
        replaceable: Whether the document means the same to the task without it.
    """

    text: str
    ingredient: Ingredient = Ingredient.NONE
    replaceable: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """The free text of a document, mail or remark written by a third party."""

    sentences: tuple[Sentence, ...]


Statement = Level | Verdict | Reason | Support | Summary | Passage


@dataclass(frozen=True, slots=True)
class Write:
    """One write to memory, before it is stored.

    Attributes:
        slot: What the write is for, stable over seeds and arms (`note:north:2025-Q1:revenue`).
        entry: The entry about to be stored.
        statement: What it says, when that is known in typed form.
        redraw: Words a statement as this entry's author would.
    """

    slot: str
    entry: MemoryEntry
    statement: Statement | None = None
    redraw: Callable[[Statement, Rng], JsonValue] | None = field(default=None, compare=False)
