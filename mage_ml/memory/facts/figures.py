"""Numbers in a text as claims."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import re2

from mage_ml.memory.facts.quantities import Quantity, find_quantities

MAX_FIGURES: Final = 80

_WRITTEN = re2.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as a claim: value in base units, unit, place in the text, and half of its last written digit."""

    number: float
    unit: str
    span: tuple[int, int]
    precision: float = 0.0


def figures_in(text: str) -> tuple[Figure, ...]:
    """Numbers in a text in order, at most 80; what is too large for a number is none."""
    found = [quantity for quantity in find_quantities(text) if math.isfinite(quantity.number)]
    return tuple(Figure(q.number, q.unit, q.span, _precision(text, q)) for q in found[:MAX_FIGURES])


def _precision(text: str, quantity: Quantity) -> float:
    written = _WRITTEN.search(text[slice(*quantity.span)])
    if written is None:
        return 0.0
    digits = written.group(0).replace(",", "")
    decimals = len(digits.partition(".")[2])
    shown = float(digits)
    scale = abs(quantity.number / shown) if shown else 1.0
    return 0.5 * scale / 10.0**decimals
