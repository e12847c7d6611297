"""Numbers with scale and unit, and periods of time, as they are written in English and Chinese."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import re2

_SCALES: Final = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9,
    "千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8,
}  # fmt: skip
_UNITS: Final = {
    "$": "USD", "usd": "USD", "dollars": "USD", "dollar": "USD", "美元": "USD", "us$": "USD",
    "€": "EUR", "eur": "EUR", "euros": "EUR", "euro": "EUR", "欧元": "EUR",
    "£": "GBP", "gbp": "GBP", "pounds": "GBP", "英镑": "GBP",
    "¥": "CNY", "￥": "CNY", "cny": "CNY", "rmb": "CNY", "yuan": "CNY", "元": "CNY", "人民币": "CNY",
    "%": "%", "percent": "%", "per cent": "%", "％": "%", "个百分点": "%", "percentage points": "%", "pp": "%",
    "kg": "kg", "公斤": "kg", "千克": "kg", "km": "km", "公里": "km", "days": "day", "day": "day", "天": "day",
    "hours": "hour", "hour": "hour", "小时": "hour", "minutes": "minute", "分钟": "minute",
    "units": "unit", "pieces": "unit", "件": "unit", "台": "unit", "单": "unit",
}  # fmt: skip


def _alternatives(words: Iterator[str] | list[str]) -> str:
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(re2.escape(word) + (r"\b" if word[-1].isascii() and word[-1].isalpha() else "") for word in ordered)


_NUMBER = re2.compile(
    r"(?i)(?P<before>us\$|[$€£¥￥]|\b(?:USD|EUR|GBP|CNY|RMB)\b)?\s?"
    r"(?P<number>[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)"
    rf"\s?(?P<scale>{_alternatives(list(_SCALES))})?"
    rf"\s?(?P<unit>{_alternatives(list(_UNITS))})?"
)
_NUMBER_GROUP: Final = _NUMBER.groupindex["number"]  # re2 takes group numbers where `re` also takes names
_TIME = re2.compile(
    r"(?i)(?P<iso>\b(?:19|20)\d{2}-\d{2}(?:-\d{2})?\b)"
    r"|\b(?P<year_first>(?:19|20)\d{2})[\s\-/]?Q(?P<quarter_a>[1-4])\b"
    r"|\bQ(?P<quarter_b>[1-4])(?:[\s\-/,]{0,2}(?:of\s)?(?P<year_b>(?:19|20)\d{2}))?\b"
    r"|\b(?P<ordinal>first|second|third|fourth)\s+quarter(?:\s+(?:of\s+)?(?P<year_c>(?:19|20)\d{2}))?"
    r"|(?:(?P<year_zh>(?:19|20)\d{2})年)?第?(?P<quarter_zh>[一二三四1-4])季度"
    r"|(?P<year_m>(?:19|20)\d{2})年(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日)?"
    r"|(?P<year_only>(?:19|20)\d{2})年"
    r"|\b(?P<month_name>January|February|March|April|May|June|July|August|September|October|November|December)"
    r"\s+(?P<year_d>(?:19|20)\d{2})\b"
)
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        [
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ],
        start=1,
    )
}
_QUARTERS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as found in text, scaled to its base unit."""

    number: float
    unit: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Period:
    """A period of time as found in text, normalised."""

    name: str
    span: tuple[int, int]


def find_periods(text: str) -> list[Period]:
    """All periods in order of appearance."""
    return [Period(_period_name(match.groupdict()), match.span()) for match in _TIME.finditer(text)]


def find_quantities(text: str, periods: list[Period] | None = None) -> list[Quantity]:
    """All numbers with their units in order, except those that are part of a period or of a word such as `SKU12`."""
    taken = [period.span for period in (find_periods(text) if periods is None else periods)]
    found = []
    for match in _NUMBER.finditer(text):
        start, end = match.span(_NUMBER_GROUP)
        if any(start < stop and end > begin for begin, stop in taken) or _inside_word(text, (start, end)):
            continue
        scale = _SCALES.get((match.group("scale") or "").lower(), 1.0)
        unit = (match.group("unit") or match.group("before") or "").lower()
        number = float(match.group("number").replace(",", "")) * scale
        found.append(Quantity(number, _UNITS.get(unit, ""), (match.start(), match.end())))
    return found


def parse_quantity(text: str) -> Quantity | None:
    """The quantity that a whole string stands for, or `None` if it is anything else."""
    stripped = text.strip()
    match = _NUMBER.fullmatch(unicodedata.normalize("NFKC", stripped)) if 0 < len(stripped) <= 40 else None
    if match is None:
        return None
    found = find_quantities(stripped, [])
    return found[0] if found else None


def parse_period(text: str) -> str:
    """The normalised period that a whole string stands for, or an empty string."""
    match = _TIME.fullmatch(text.strip())
    return _period_name(match.groupdict()) if match else ""


def _inside_word(text: str, span: tuple[int, int]) -> bool:
    start, end = span
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    joined_before = (before.isascii() and before.isalpha()) or before in "_-/.:@#"
    return joined_before or after in "_/@:" or (after == "-" and end + 1 < len(text) and text[end + 1].isalnum())


def _period_name(parts: dict[str, str | None]) -> str:
    if parts["iso"]:
        return parts["iso"]
    if parts["month_name"]:
        return f"{parts['year_d']}-{_MONTHS[parts['month_name'].lower()]:02d}"
    if parts["month"]:
        day = f"-{int(parts['day']):02d}" if parts["day"] else ""
        return f"{parts['year_m']}-{int(parts['month']):02d}{day}"
    if parts["year_only"]:
        return parts["year_only"]
    raw = parts["quarter_a"] or parts["quarter_b"] or parts["quarter_zh"] or (parts["ordinal"] or "").lower()
    year = parts["year_first"] or parts["year_b"] or parts["year_c"] or parts["year_zh"]
    quarter = _QUARTERS.get(raw) or int(raw)
    return f"{year}-Q{quarter}" if year else f"Q{quarter}"
