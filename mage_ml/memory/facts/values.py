"""Values that identify something: two texts that share one most likely share its origin."""

from __future__ import annotations

import unicodedata
from typing import Final

import re2

from mage_ml.memory.facts.periods import parse_period
from mage_ml.memory.facts.quantities import find_quantities

MAX_VALUES_PER_ENTRY: Final = 400
MAX_VALUE_CHARS: Final = 20_000

# Addresses, links, paths, account numbers, codes.
_VALUE: Final = re2.compile(
    r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,}"
    r"|https?://[^\s'\"<>）)，。]+|www\.[^\s'\"<>）)，。]+"
    r"|(?:[A-Za-z0-9_.\-]+)?(?:/[A-Za-z0-9_.\-]+)+"
    r"|\b[A-Z]{2}\d{2}[A-Z0-9]{8,30}\b"
    r"|\b[A-Za-z]+[\-_]?\d[A-Za-z0-9\-_]*\b"
)


def values_in(text: str) -> frozenset[str]:
    """The values in a text that identify something: addresses, links, paths, codes and numbers of three digits or more.

    Common words and small numbers are left out, so that two texts sharing a value most likely share its origin. Text
    longer than 20,000 characters is read up to there, and at most 400 values of each sort are kept.
    """
    folded = text[:MAX_VALUE_CHARS]
    if not folded.isascii():
        folded = unicodedata.normalize("NFKC", folded)
    found: dict[str, None] = {}
    for match in _VALUE.finditer(folded.encode()):
        value = match.group(0).decode().lower().rstrip(".,;:/")
        if value and not parse_period(value):
            found[value] = None
        if len(found) >= MAX_VALUES_PER_ENTRY:
            break
    for quantity in find_quantities(folded)[:MAX_VALUES_PER_ENTRY]:
        if abs(quantity.number) >= 100 or quantity.number != int(quantity.number):
            found[f"{quantity.number:.10g}"] = None
    return frozenset(found)
