"""The fact: (action, entity, attribute, value, unit, time) with the place it was read from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

MIN_SIGNIFICANT_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement found in an entry.

    A change is told apart from a level by its attribute: "rose from 100 to 120" states `previous revenue` 100,
    `revenue` 120 and `direction of revenue` rise; "rose 12 %" states `growth` 12.

    Attributes:
        entry_id: The entry that says it.
        entity: What it is about, normalised (lower case, no articles); empty when unnamed.
        attribute: Which property, canonical across languages where the lexicon knows it.
        number: The value when it is numeric, scaled to the base unit (12 万元 is 120000, unit CNY); a fall is negative.
        word: The value when it is not numeric, normalised.
        unit: Base unit (`USD`, `CNY`, `%`, `kg`, ...); empty when none is stated.
        time: Normalised period or date (`2025-Q1`, `2025-03`, `2025-03-04`, `Q1`); empty when none is stated.
        action: `rise` or `fall` when the statement is about a change, otherwise empty.
        span: Start and end character in the entry's text; (0, 0) for structured content.
    """

    entry_id: str
    entity: str
    attribute: str
    number: float | None = None
    word: str = ""
    unit: str = ""
    time: str = ""
    action: str = ""
    span: tuple[int, int] = (0, 0)

    @property
    def key(self) -> tuple[str, str]:
        """Entity and attribute: the index under which facts can conflict."""
        return (self.entity, self.attribute)

    @property
    def value_text(self) -> str:
        """The value with its unit, for a person."""
        if self.number is None:
            return self.word
        return f"{self.number:,.10g} {self.unit}".strip()

    def disagrees_with(self, other: Fact) -> bool:
        """Whether both speak of the same thing at the same time and cannot both be true.

        Different times and units that cannot be compared are different statements, not a disagreement. A value
        without a unit is compared as if it had the other's. Values that are roundings of each other agree.
        """
        if self.key != other.key or self.time != other.time:
            return False
        if self.unit and other.unit and self.unit != other.unit:
            return False
        if self.number is not None and other.number is not None:
            return not self._agrees_in_number(self.number, other, other.number)
        if self.number is None and other.number is None:
            return self.word != other.word
        return False

    def _agrees_in_number(self, mine: float, other: Fact, theirs: float) -> bool:
        if "%" not in (self.unit, other.unit):
            return are_roundings(mine, theirs)
        if are_roundings(mine, theirs, decimals=True):
            return True
        # 0.12 in a data field and 12 % in a sentence are one value.
        mine = mine if self.unit else mine * 100
        theirs = theirs if other.unit else theirs * 100
        return self.unit != other.unit and are_roundings(mine, theirs, decimals=True)


def are_roundings(first: float, second: float, *, decimals: bool = False) -> bool:
    """Whether two numbers are equal, or one is the other rounded to fewer digits.

    Args:
        first: A number.
        second: Another.
        decimals: Compare at the decimals of the coarser one, as is usual for percentages (12 and 12.3 agree);
            otherwise at its significant digits, three at least (120,400 and 0.12 million agree, 340 and 341 do not).
    """
    if math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-9):
        return True
    if not (math.isfinite(first) and math.isfinite(second)):
        return False
    if decimals:
        place = 10.0 ** -min(_decimals(first), _decimals(second))
    else:
        digits = max(MIN_SIGNIFICANT_DIGITS, min(_significant(first), _significant(second)))
        place = 10.0 ** (math.floor(math.log10(max(abs(first), abs(second)))) - digits + 1)
    return abs(first - second) <= place / 2 * (1 + 1e-9)


def _decimals(number: float) -> int:
    return len(f"{number:.6f}".rstrip("0").partition(".")[2])


def _significant(number: float) -> int:
    return len(f"{abs(number):.11e}".partition("e")[0].replace(".", "").rstrip("0")) or 1
