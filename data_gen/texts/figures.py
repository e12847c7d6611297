"""How agents read sums and periods back from text.

Apart from the guard's own fact extraction on purpose: what an agent understands must not change, and with it the
generated data, when the guard learns to read better.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import re2

_SCALES: Final = {"k": 1e3, "m": 1e6, "b": 1e9, "million": 1e6, "billion": 1e9, "千": 1e3, "万": 1e4, "亿": 1e8}
_UNITS: Final = {
    "USD": "USD", "EUR": "EUR", "GBP": "GBP", "$": "USD", "€": "EUR", "£": "GBP",
    "美元": "USD", "欧元": "EUR", "元": "CNY", "%": "%", "％": "%",
}  # fmt: skip
_QUARTERS: Final = {
    "first": "1",
    "second": "2",
    "third": "3",
    "fourth": "4",
    "一": "1",
    "二": "2",
    "三": "3",
    "四": "4",
}
_FIGURE: Final = re2.compile(
    r"(?P<symbol>[$€£])?(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?: ?(?P<scale>million\b|billion\b|[kmb]\b|千|万|亿))? ?(?P<unit>USD|EUR|GBP|美元|欧元|元|[%％])?"
)
_PERIOD: Final = re2.compile(
    r"(?P<year>20\d{2})-Q(?P<quarter>[1-4])|Q(?P<quarter_b>[1-4]) (?P<year_b>20\d{2})"
    r"|(?P<quarter_c>first|second|third|fourth) quarter of (?P<year_c>20\d{2})"
    r"|(?P<year_d>20\d{2})年第?(?P<quarter_d>[一二三四])季度"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in base units with its unit, and where it stands."""

    value: float
    unit: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class FoundPeriod:
    """A quarter as `2025-Q1`, and where it stands."""

    name: str
    span: tuple[int, int]


@lru_cache(maxsize=8192)
def find_periods(text: str) -> tuple[FoundPeriod, ...]:
    """All quarters in order of appearance."""
    found = []
    for match in _PERIOD.finditer(text):
        groups = match.groupdict()
        year = next(value for name, value in groups.items() if name.startswith("year") and value)
        quarter = next(value for name, value in groups.items() if name.startswith("quarter") and value)
        found.append(FoundPeriod(f"{year}-Q{_QUARTERS.get(quarter, quarter)}", match.span()))
    return tuple(found)


@lru_cache(maxsize=8192)
def find_figures(text: str) -> tuple[Figure, ...]:
    """All numbers with a unit, and bare ones of four digits or more, quarters apart, in order of appearance."""
    taken = [period.span for period in find_periods(text)]
    found = []
    for match in _FIGURE.finditer(text):
        start, end = match.span()
        groups = match.groupdict()
        unit = _UNITS.get(groups["symbol"] or groups["unit"] or "", "")
        value = float(groups["number"].replace(",", "")) * _SCALES.get(groups["scale"] or "", 1.0)
        inside = any(start < stop and end > begin for begin, stop in taken)
        if not inside and not _in_word(text, start, end) and (unit or value >= 1000):
            found.append(Figure(value, unit, (start, end)))
    return tuple(found)


def _in_word(text: str, start: int, end: int) -> bool:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    joined = "_-/.@"
    return (before.isascii() and before.isalnum()) or before in joined or after in "_/@"
