"""The fact: (action, entity, attribute, value, unit, time) with the place it was read from."""

from __future__ import annotations

import math
from dataclasses import dataclass

RELATIVE_TOLERANCE = 0.006
"""Two numbers closer than this agree: it covers rounding to three digits, as in 12.345 million and 12.3 million."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement found in an entry.

    Attributes:
        entry_id: The entry that says it.
        entity: What it is about, normalised (lower case, no articles); empty when unnamed.
        attribute: Which property, canonical across languages where the lexicon knows it.
        number: The value when it is numeric, scaled to the base unit (12 万元 is 120000, unit CNY).
        word: The value when it is not numeric, normalised.
        unit: Base unit (`USD`, `CNY`, `%`, `kg`, ...); empty when none is stated.
        time: Normalised period or date (`2025-Q1`, `2025-03`, `2025-03-04`, `Q1`); empty when none is stated.
        action: `rise` or `fall` when the statement is about a change, otherwise empty.
        span: Start and end character in the entry's text.
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

        Different times, units that cannot be compared, or a change against a level are different statements, not a
        disagreement. A value without a unit is compared as if it had the other's.
        """
        if self.key != other.key or self.time != other.time or bool(self.action) != bool(other.action):
            return False
        if self.unit and other.unit and self.unit != other.unit:
            return False
        if self.number is not None and other.number is not None:
            if self.action != other.action:
                return True
            return not math.isclose(self.number, other.number, rel_tol=RELATIVE_TOLERANCE, abs_tol=1e-9)
        if self.number is None and other.number is None:
            return self.word != other.word or self.action != other.action
        return False
