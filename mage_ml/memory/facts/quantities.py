"""Numbers with scale and unit as they are written in English and Chinese."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import re2

from mage_ml.memory.facts.periods import PERIOD_PATTERN, Period, find_periods, parse_period

__all__ = ["Period", "Quantity", "find_periods", "find_quantities", "parse_period", "parse_quantity"]

# Letters scale a number only where they touch it: "5 m" is a distance.
_TIGHT_SCALES: Final = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9}
_SCALES: Final = {
    "thousand": 1e3, "million": 1e6, "billion": 1e9,
    "千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8, "万亿": 1e12,
}  # fmt: skip
_UNITS: Final = {
    word: unit
    for unit, words in {
        "USD": "$ us$ usd dollars dollar 美元 美金", "EUR": "€ eur euros euro 欧元", "GBP": "£ gbp pounds 英镑",
        "CNY": "¥ ￥ cny rmb yuan 元 块 人民币 元人民币", "JPY": "jpy yen 日元",
        "%": "% percent per\u00a0cent pct 个百分点 百分点 percentage\u00a0points percentage\u00a0point pp",
        "kg": "kg kilograms 公斤 千克", "km": "km kilometres kilometers 公里 千米",
        "day": "days day 天", "hour": "hours hour 小时", "minute": "minutes minute 分钟",
        "unit": "units unit pieces piece pcs 件 台 箱 套 部 单",
    }.items()
    for word in words.split(" ")
}  # fmt: skip
_UNIT_WORDS: Final = {word.replace("\u00a0", " "): unit for word, unit in _UNITS.items()}
CURRENCIES: Final = frozenset({"USD", "EUR", "GBP", "CNY", "JPY"})


def _alternatives(words: Iterable[str]) -> str:
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(re2.escape(word) + (r"\b" if word[-1].isascii() and word[-1].isalpha() else "") for word in ordered)


_CURRENCY: Final = r"(?:us\$|[$€£¥￥]|\b(?:usd|eur|gbp|cny|rmb|jpy)\b)\s?"
_DIGITS: Final = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_UNIT: Final = rf"\s?(?:{_alternatives(_UNIT_WORDS)})"
# 千克 and 千米 before 千: the scale would swallow the first half of the unit.
_SUFFIX: Final = (
    rf"(?:\s?(?:千克|千米)|(?:(?:{_alternatives(_TIGHT_SCALES)})|\s?(?:{_alternatives(_SCALES)}))(?:{_UNIT})?|{_UNIT})"
)
NUMBER_PATTERN: Final = rf"[-+]?(?:{_CURRENCY})?[-+]?{_DIGITS}{_SUFFIX}?"
MARKED_NUMBER_PATTERN: Final = (
    rf"[-+]?(?:{_CURRENCY}[-+]?{_DIGITS}{_SUFFIX}?|{_DIGITS}{_SUFFIX}|\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+\.\d+)"
)
"""Numbers that nobody takes for a year: with a currency, a scale, a unit, a fraction or groups of thousands."""
RANGE_PATTERN: Final = rf"{_DIGITS}{_SUFFIX}?(?:\s?[-–—~～]\s?(?:{_CURRENCY})?{_DIGITS}{_SUFFIX}?)+"
"""`3-5 days`, `10~20%`, and digits in groups such as telephone numbers: no single value."""

_PLAIN: Final = re2.compile(f"(?i){NUMBER_PATTERN}")
_SCAN: Final = re2.compile(f"(?i){PERIOD_PATTERN}|{RANGE_PATTERN}|{NUMBER_PATTERN}")
_WIDE_SIGNS: Final = "％＄－＋．＠＃／＿−\u00a0\u3000\u202f"
_SIGNS: Final = "%$-+.@#/_-   "
_FOLD: Final = {
    **{code: code - 0xFEE0 for code in range(0xFF10, 0xFF1A)},
    **{code: code - 0xFEE0 for code in range(0xFF21, 0xFF3B)},
    **{code: code - 0xFEE0 for code in range(0xFF41, 0xFF5B)},
    **{
        ord(wide): ord(narrow)
        for wide, narrow in zip("％＄－＋．＠＃／＿−\u00a0\u3000\u202f", "%$-+.@#/_-   ", strict=True)
    },
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as found in text, scaled to its base unit (`12万元` is 120000 CNY)."""

    number: float
    unit: str
    span: tuple[int, int]


def fold_width(text: str) -> str:
    """The text with full-width digits, letters and signs in their ordinary form; every character keeps its place."""
    return text if text.isascii() else text.translate(_FOLD)


def find_quantities(text: str, periods: list[Period] | None = None) -> list[Quantity]:
    """All numbers with their units in order, except those that are part of a period, a range or a word (`SKU12`).

    Args:
        text: The text to read.
        periods: Periods found before, to be left out too; found here when `None`.
    """
    folded = fold_width(text)
    taken = [] if periods is None else [period.span for period in periods]
    found = []
    for match in (_SCAN if periods is None else _PLAIN).finditer(folded):
        written = match.group(0)
        start, end = match.span()
        if any(start < stop and end > begin for begin, stop in taken) or touches_word(folded, start, end):
            continue
        value = read_number(written)
        if value is not None:
            found.append(Quantity(value.number, value.unit, (start, end)))
    return found


def parse_quantity(text: str) -> Quantity | None:
    """The quantity that a whole string stands for, or `None` if it is anything else."""
    stripped = fold_width(text.strip())
    value = read_number(stripped) if 0 < len(stripped) <= 40 else None
    if value is None:
        return None
    offset = len(text) - len(text.lstrip())
    return Quantity(value.number, value.unit, (offset, offset + len(stripped)))


def touches_word(text: str, start: int, end: int) -> bool:
    """Whether a number is part of a longer word, path, time or version (`A1`, `3rd`, `10:30`, `1.2.3`, `24/7`)."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    if (before.isascii() and before.isalnum()) or before in "_-/:@#.":
        return not (before in ".:" and start > 1 and not text[start - 2].isascii()) and not _ends_label(text, start)
    if text[end - 1].isdigit() and after.isascii() and after.isalpha():
        return True
    following = text[end + 1] if end + 1 < len(text) else " "
    return after in "_/@" or (after in ":.-" and following.isascii() and following.isalnum())


def _ends_label(text: str, start: int) -> bool:
    # "revenue:120k" is a value; "10:30" is a time.
    return text[start - 1] == ":" and start > 1 and text[start - 2].isalpha()


@lru_cache(maxsize=4096)
def read_number(text: str) -> Quantity | None:
    """The quantity written by a whole text (span from its own start), or `None` when it is anything else."""
    match = _PLAIN.fullmatch(text)
    if match is None:
        return None
    lowered = text.lower()
    first = next(index for index, char in enumerate(lowered) if char.isdigit())
    last = first
    while last < len(lowered) and (lowered[last].isdigit() or lowered[last] in ",."):
        last += 1
    lead, digits, suffix = lowered[:first], lowered[first:last], lowered[last:]
    scale, unit = _read_suffix(suffix)
    number = float(digits.replace(",", "")) * scale
    unit = unit or _UNIT_WORDS.get(lead.replace("-", "").replace("+", "").strip(), "")
    return Quantity(-number if "-" in lead else number, unit, (0, len(text)))


def _read_suffix(suffix: str) -> tuple[float, str]:
    tight = next((word for word in ("bn", "mn", "k", "m", "b") if suffix.startswith(word)), "")
    rest = suffix[len(tight) :].strip()
    if tight and (rest == "" or rest in _UNIT_WORDS):
        return _TIGHT_SCALES[tight], _UNIT_WORDS.get(rest, "")
    written = suffix.strip()
    if written in _UNIT_WORDS:
        return 1.0, _UNIT_WORDS[written]
    for word in sorted(_SCALES, key=len, reverse=True):
        rest = written[len(word) :].strip()
        if written.startswith(word) and (rest == "" or rest in _UNIT_WORDS):
            return _SCALES[word], _UNIT_WORDS.get(rest, "")
    return 1.0, ""
