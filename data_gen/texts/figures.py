"""How agents read sums and periods back from text.

Apart from the guard's own fact extraction on purpose: what an agent understands must not change, and with it the
generated data, when the guard learns to read better.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import re2

from data_gen.randomness import Rng

_SCALES: Final = {"k": 1e3, "m": 1e6, "b": 1e9, "million": 1e6, "billion": 1e9, "千": 1e3, "万": 1e4, "亿": 1e8}
_UNITS: Final = {
    "USD": "USD", "EUR": "EUR", "GBP": "GBP", "$": "USD", "€": "EUR", "£": "GBP",
    "美元": "USD", "欧元": "EUR", "元": "CNY", "%": "%", "％": "%",
    "hours": "hours", "days": "days", "weeks": "weeks", "km": "km", "kg": "kg", "GB": "GB", "MB": "MB",
    "小时": "小时", "天": "天", "周": "周", "公里": "公里", "公斤": "公斤",
    "seconds": "seconds", "minutes": "minutes", "ms": "ms", "秒": "秒", "分钟": "分钟", "毫秒": "毫秒",
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
    r"(?: ?(?P<scale>million\b|billion\b|[kmb]\b|千|万|亿))? ?(?P<unit>USD|EUR|GBP|美元|欧元|元|[%％]"
    r"|(?:hours|days|weeks|km|kg|GB|MB|seconds|minutes|ms)\b|小时|天|周|公里|公斤|秒|分钟|毫秒)?"
)
_NUMBER: Final = re2.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_PERIOD: Final = re2.compile(
    r"(?P<year>20\d{2})-Q(?P<quarter>[1-4])|Q(?P<quarter_b>[1-4]) (?P<year_b>20\d{2})"
    r"|(?P<quarter_c>first|second|third|fourth) quarter of (?P<year_c>20\d{2})"
    r"|(?P<year_d>20\d{2})年第?(?P<quarter_d>[一二三四])季度"
)

# What one writes when a scale or unit slips; each keeps the length to within a character.
_SLIPS: Final = (
    ("million", ("billion",)),
    ("k ", ("m ",)),
    ("m ", ("k ", "b ")),
    ("万", ("千", "亿")),
    ("USD", ("EUR", "GBP")),
    ("EUR", ("USD", "GBP")),
    ("GBP", ("USD", "EUR")),
    ("$", ("€", "£")),
    ("€", ("$", "£")),
    ("£", ("$", "€")),
    ("美元", ("欧元",)),
    ("欧元", ("美元",)),
    ("hours", ("weeks",)),
    ("days", ("weeks", "hours")),
    ("weeks", ("days", "months")),
    ("km", ("mi",)),
    ("kg", ("lb",)),
    ("GB", ("MB", "TB")),
    ("MB", ("GB", "KB")),
    ("seconds", ("minutes",)),
    ("minutes", ("seconds",)),
    ("分钟", ("小时",)),
    ("小时", ("分钟",)),
    ("天", ("周",)),
    ("公里", ("英里",)),
    ("公斤", ("市斤",)),
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


def numbers_in(text: str) -> tuple[float, ...]:
    """All plain numbers of a text in order, for domains whose notes hold one number and no units."""
    return tuple(float(match.group(0).replace(",", "")) for match in _NUMBER.finditer(text))


def slip_unit(amount: str, rng: Rng) -> str | None:
    """A quantity with its digits kept and its scale, unit or decimal point slipped; `None` if it has none to slip."""
    bare = amount.replace("GBP", "")  # its GB is no unit of its own
    units = [(found, options) for found, options in _SLIPS if found in (bare if found == "GB" else amount)]
    fitting = [(found, into) for found, options in units for into in options]
    if fitting:
        found, into = fitting[rng.randrange(len(fitting))]
        return amount.replace(found, into, 1)
    digits = amount.rstrip("元")
    if digits.isdigit() and digits.endswith("000"):
        tail = amount[len(digits) :]
        return f"{digits[:-1]}{tail}" if rng.random() < 0.5 else f"{digits}0{tail}"
    plain = digits.replace(",", "")
    if plain.isdigit() and plain.endswith("000"):
        value = int(plain) // 10 if rng.random() < 0.5 else int(plain) * 10
        return f"{value:,}{amount[len(digits) :]}"
    return None


def _in_word(text: str, start: int, end: int) -> bool:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    joined = "_-/.@"
    return (before.isascii() and before.isalnum()) or before in joined or after in "_/@"
