"""Periods of time as they are written in English and Chinese, normalised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import re2

_YEAR: Final = r"(?:19|20)\d{2}"
_MONTH_NAME: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY_EN: Final = r"[0-3]?\d(?:st|nd|rd|th)?\b"
_FORMS: Final = (
    rf"\b(?P<iso>{_YEAR}-[01]\d(?:-[0-3]\d)?)(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d)?(?:\.\d+)?(?:Z|[+\-]\d\d:?\d\d)?)?\b"
    rf"|\b(?P<slashed>{_YEAR}/[01]?\d/[0-3]?\d|[0-3]?\d/[0-3]?\d/{_YEAR})\b"
    rf"|\b(?P<year_first>{_YEAR})(?:[\s\-/]|年)?(?P<part_first>Q[1-4]|H[12])\b"
    rf"|\b(?P<part_last>Q[1-4]|H[12])(?:(?:[\s\-/,]{{0,2}}(?:of\s)?(?:FY\s?)?)(?P<year_last>{_YEAR}))?\b"
    rf"|\b(?P<ordinal>first|second|third|fourth|1st|2nd|3rd|4th)\s(?P<ordinal_part>quarter|half)"
    rf"(?:\s(?:of\s)?(?P<year_ordinal>{_YEAR})\b)?"
    rf"|(?:(?P<year_quarter_zh>{_YEAR})年)?第?(?P<quarter_zh>[一二三四1-4])季度"
    rf"|(?:(?P<year_half_zh>{_YEAR})年)?(?P<half_zh>[上下])半年"
    rf"|(?P<year_zh>{_YEAR})年(?:度|全年)?(?:(?P<month_zh>\d{{1,2}})月(?:份|(?P<day_zh>\d{{1,2}})[日号])?)?"
    r"|(?P<bare_month_zh>[01]?\d)月(?:份|(?P<bare_day_zh>[0-3]?\d)[日号])"
    rf"|\b(?P<month_a>{_MONTH_NAME})\s(?:(?P<day_a>{_DAY_EN}),?\s)?(?P<year_a>{_YEAR})\b"
    rf"|\b(?P<day_b>{_DAY_EN})\s(?P<month_b>{_MONTH_NAME})(?:\s(?P<year_b>{_YEAR})\b)?"
    rf"|\b(?P<month_c>{_MONTH_NAME})\s(?P<day_c>{_DAY_EN})"
    rf"|\bin\s(?P<month_d>{_MONTH_NAME})"
    rf"|\b(?:in|since|during|until|through|year|FY)\s?(?P<year_bare>{_YEAR})\b"
    r"|\b(?P<relative>(?:same\s(?:period|quarter|month)\s)?(?:last|previous|prior|this|current|next|past)"
    r"\s(?:quarter|month|year|week|period)|yesterday|today|tomorrow)\b"
    r"|(?P<relative_zh>去年同期|上年同期|同期|上个?季度|上个?月|上周|去年|今年|本月|本季度|本年度?|本周|昨天|昨日|今天|今日|明天|下个?季度|下个?月|明年)"
)
_NAMED: Final = re2.compile(f"(?i){_FORMS}")
PERIOD_PATTERN: Final = re2.compile(r"\(\?P<[a-z_]+>").sub("(?:", _FORMS)
"""The same forms without groups, to be part of a larger pattern."""
_SCAN: Final = re2.compile(f"(?i){PERIOD_PATTERN}")

_MONTHS: Final = {
    name: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)  # noqa: SIM905
}
_QUARTERS: Final = {"一": 1, "二": 2, "三": 3, "四": 4}
_ORDINALS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_RELATIVE_ZH: Final = {
    word: name
    for name, words in {
        "same period last year": "去年同期 上年同期", "same period": "同期", "last quarter": "上季度 上个季度",
        "last month": "上月 上个月", "last week": "上周", "last year": "去年", "this year": "今年 本年 本年度",
        "this month": "本月", "this quarter": "本季度", "this week": "本周", "yesterday": "昨天 昨日",
        "today": "今天 今日", "tomorrow": "明天", "next quarter": "下季度 下个季度", "next month": "下月 下个月",
        "next year": "明年",
    }.items()
    for word in words.split()
}  # fmt: skip
_RELATIVE_EN: Final = {"previous": "last", "prior": "last", "past": "last", "current": "this"}


@dataclass(frozen=True, slots=True)
class Period:
    """A period of time as found in text, normalised.

    Attributes:
        name: `2025`, `2025-Q1`, `Q1`, `2025-H1`, `2025-03`, `2025-03-04`, `M03-04`, or words such as `last quarter`.
        span: Start and end character.
    """

    name: str
    span: tuple[int, int]


def find_periods(text: str) -> list[Period]:
    """All periods in order of appearance."""
    return [Period(period_name(match.group(0)), match.span()) for match in _SCAN.finditer(text)]


def parse_period(text: str) -> str:
    """The normalised period that a whole string stands for, or an empty string."""
    stripped = text.strip()
    return period_name(stripped) if 0 < len(stripped) <= 40 else ""


@lru_cache(maxsize=4096)
def period_name(text: str) -> str:
    """The normalised name of a period as written, or an empty string when the text is none."""
    match = _NAMED.fullmatch(text)
    if match is None:
        return ""
    parts = {name: value for name, value in match.groupdict().items() if value}
    return _quarter_or_half(parts) or _date(parts) or _relative(parts)


def _quarter_or_half(parts: Mapping[str, str]) -> str:
    year = next((parts[name] for name in parts if name.startswith("year_") and name != "year_zh"), "")
    if "quarter_zh" in parts:
        raw = parts["quarter_zh"]
        part = f"Q{_QUARTERS.get(raw) or raw}"
    elif "half_zh" in parts:
        part = "H1" if parts["half_zh"] == "上" else "H2"
    elif "ordinal" in parts:
        ordinal = parts["ordinal"].lower()
        number = _ORDINALS.get(ordinal) or int(ordinal[0])
        part = f"{'Q' if parts['ordinal_part'].lower() == 'quarter' else 'H'}{number}"
    else:
        part = (parts.get("part_first") or parts.get("part_last") or "").upper()
    return f"{year}-{part}" if year and part else part


def _date(parts: Mapping[str, str]) -> str:
    if "iso" in parts:
        return parts["iso"]
    if "slashed" in parts:
        first, second, third = parts["slashed"].split("/")
        # Day and month cannot be told apart in 03/04/2025: it stays as written and meets only itself.
        return f"{first}-{int(second):02d}-{int(third):02d}" if len(first) == 4 else parts["slashed"]
    if "year_zh" in parts:
        month = f"-{int(parts['month_zh']):02d}" if "month_zh" in parts else ""
        day = f"-{int(parts['day_zh']):02d}" if "day_zh" in parts else ""
        return f"{parts['year_zh']}{month}{day}"
    if "bare_month_zh" in parts:
        day = f"-{int(parts['bare_day_zh']):02d}" if "bare_day_zh" in parts else ""
        return f"M{int(parts['bare_month_zh']):02d}{day}"
    if "year_bare" in parts:
        return parts["year_bare"]
    month_name = next((parts[name] for name in parts if name.startswith("month_")), "")
    if not month_name:
        return ""
    year = next((parts[name] for name in ("year_a", "year_b") if name in parts), "")
    day_text = next((parts[name] for name in ("day_a", "day_b", "day_c") if name in parts), "")
    day = f"-{int(day_text.rstrip('stndrhSTNDRH')):02d}" if day_text else ""
    return f"{year + '-' if year else 'M'}{_MONTHS[month_name[:3].lower()]:02d}{day}"


def _relative(parts: Mapping[str, str]) -> str:
    if "relative_zh" in parts:
        return _RELATIVE_ZH[parts["relative_zh"]]
    words = parts["relative"].lower().split()
    return " ".join(_RELATIVE_EN.get(word, word) for word in words)
