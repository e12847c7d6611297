"""Finds figures that a text gives as computed: equations, and totals, gaps, shares, changes and means in words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import re2

from mage_ml.memory.facts.figures import Figure, figures_in
from mage_ml.memory.facts.quantities import parse_quantity

MAX_CHARS: Final = 8_000
MAX_STATEMENTS: Final = 12


class Operation(StrEnum):
    """How a figure is said to have been computed."""

    TOTAL = "total"
    GAP = "gap"
    SHARE = "share"
    CHANGE = "change"
    MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation that a text writes out, and what its left side comes to.

    Attributes:
        span: Where it stands.
        stated: The right side.
        computed: What the left side comes to.
        tolerance: How far rounding of the written figures can lead.
    """

    span: tuple[int, int]
    stated: float
    computed: float
    tolerance: float


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that gives computed figures in words.

    Attributes:
        operation: How they are said to have been computed.
        text: The sentence in lower case.
        figures: The figures in it, with their places in the whole text.
        direction: 1 where it says that something rose, -1 where it fell, 0 where it says neither or both.
    """

    operation: Operation
    text: str
    figures: tuple[Figure, ...]
    direction: int


_NUMBER: Final = (
    r"(?:[$€£¥￥]\s?)?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|k\b|m\b|bn\b|thousand|million|billion|万|亿|千))?"
    r"(?:\s?(?:USD|EUR|GBP|CNY|美元|欧元|英镑|元))?"
)
_SIGNS: Final = r"[+\-−–×x*÷/]"
_EQUATION = re2.compile(
    rf"(?i)(?:^|[\s(（：:,，。])({_NUMBER}(?:\s*{_SIGNS}\s*{_NUMBER}){{1,8}})\s*(?:=|＝|等于|equals|comes to|makes)"
    rf"\s*(-?{_NUMBER})"
)
_EQUALS = re2.compile(r"(?i)[=＝]|等于|即|equals|comes to|makes|i\.e\.")
_TERM = re2.compile(rf"(?i){_NUMBER}|{_SIGNS}")
_SAME = re2.compile(
    r"(?i)(\d[\d,]*(?:\.\d+)?)\s?(hours?|days?|minutes?|kg|km|小时|天|分钟|公斤|公里)\s*(?:=|＝|等于|即|i\.e\.)\s*"
    r"(\d[\d,]*(?:\.\d+)?)\s?(minutes?|hours?|seconds?|g|grams?|m|met(?:er|re)s?|分钟|小时|秒|克|米)\b"
)
_BASE: Final = {
    word: (kind, factor)
    for words, kind, factor in (
        ("second seconds 秒", "time", 1.0), ("minute minutes 分钟", "time", 60.0), ("hour hours 小时", "time", 3600.0),
        ("day days 天", "time", 86400.0), ("g gram grams 克", "mass", 1.0), ("kg 公斤", "mass", 1000.0),
        ("m meter meters metre metres 米", "length", 1.0), ("km 公里", "length", 1000.0),
    )
    for word in words.split()
}  # fmt: skip
_SENTENCE_END = re2.compile(r"[.!?;](?:\s|$)|[。！？；\n]")
_UP: Final = (
    r"(?i:\b(?:rose|risen|rises|grew|grown|grows|climbed|increased|gained|improved|went up|up (?:by )?[$€£¥]?\d)"
    r"|\brise of)"
    r"|增长|上升|上涨|增加|提高|攀升"
)
_DOWN: Final = (
    r"(?i:\b(?:fell|fallen|falls|dropped|declined|decreased|shrank|slipped|sank|dipped|went down"
    r"|down (?:by )?[$€£¥]?\d)"
    r"|\b(?:fall|drop|decline) of)|下降|下跌|减少|降低|下滑|回落"
)
_WORDS: Final = {
    Operation.MEAN: re2.compile(r"(?i)\b(?:on average|average|averages|averaged|mean)\b|平均|均值"),
    Operation.SHARE: re2.compile(
        r"(?i)\b(?:share of|accounts? for|accounted for|makes? up|made up|contribut\w+|of (?:the |all "
        r"|company )?(?:total|overall"
        r"|whole)|of all)\b|占|份额|贡献了"
    ),
    Operation.CHANGE: re2.compile(f"{_UP}|{_DOWN}"),
    Operation.GAP: re2.compile(
        r"(?i)\b(?:ahead of|leads?|outsells?|outpaces?|behind|trails?|difference|gap between|beats?)\b"
        r"|领先|多于|胜过|高出|相差|差额|差距"
    ),
    Operation.TOTAL: re2.compile(
        r"(?i)\b(?:in total|total(?:s|led|ing)?|altogether|together|combined|in all|sum (?:is|of)|add(?:s|ed)? up to)\b"
        r"|合计|总计|共计|总共|加起来|总和"
    ),
}
_RISES = re2.compile(_UP)
_FALLS = re2.compile(_DOWN)


def equations_in(text: str) -> tuple[Equation, ...]:
    """Equations that a text writes out (`3 + 4 = 8`, `2 hours = 100 minutes`), right or wrong; at most twelve."""
    if not _EQUALS.search(text):
        return ()
    found = []
    for match in _EQUATION.finditer(text[:MAX_CHARS]):
        equation = _equation(match.group(1), match.group(2), (match.start(1), match.end(2)))
        if equation is not None:
            found.append(equation)
    for match in _SAME.finditer(text[:MAX_CHARS]):
        kind, factor = _BASE[match.group(2).lower()]
        other, by = _BASE[match.group(4).lower()]
        if kind == other:
            left, right = _plain(match.group(1)) * factor / by, _plain(match.group(3))
            found.append(Equation(match.span(), right, left, 0.006 * abs(left) + _half_digit(match.group(3))))
    return tuple(found[:MAX_STATEMENTS])


def statements_in(text: str) -> tuple[Statement, ...]:
    """Sentences that give figures as computed; at most twelve. A sentence with signs of two operations is left out."""
    if not any(character.isdigit() for character in text[:MAX_CHARS]):
        return ()
    found = []
    start = 0
    edges = [match.span() for match in _SENTENCE_END.finditer(text[:MAX_CHARS])]
    for stop, following in (*edges, (min(len(text), MAX_CHARS),) * 2):
        sentence = text[start:stop]
        operation = _operation(sentence)
        if operation is not None:
            figures = tuple(
                Figure(f.number, f.unit, (f.span[0] + start, f.span[1] + start), f.precision)
                for f in figures_in(sentence)
            )
            if figures:
                found.append(Statement(operation, sentence.lower(), figures, _direction(sentence)))
        start = following
        if len(found) >= MAX_STATEMENTS:
            break
    return tuple(found)


def _operation(sentence: str) -> Operation | None:
    if not any(character.isdigit() for character in sentence):
        return None
    named = [operation for operation, pattern in _WORDS.items() if pattern.search(sentence)]
    if named[:2] == [Operation.SHARE, Operation.TOTAL]:
        return Operation.SHARE  # a share of the total
    return named[0] if len(named) == 1 else None


_DATE = re2.compile(r"\b(?:\d{4}[-–/]\d{1,2}[-–/]\d{1,2}|\d{1,2}[-–/]\d{1,2}[-–/]\d{4})\b")
_RANGE = re2.compile(r"^(\d+)[-–](\d+)$")


def _direction(sentence: str) -> int:
    return bool(_RISES.search(sentence)) - bool(_FALLS.search(sentence))


def _equation(left: str, right: str, span: tuple[int, int]) -> Equation | None:
    """Evaluate a left side from left to right, products first; `None` where units or forms are mixed."""
    if _DATE.search(left) or _is_range(left.strip(), right):
        return None
    parts = [match.group(0).strip() for match in _TERM.finditer(left)]
    signs, written, stated = parts[1::2], parts[0::2], parse_quantity(right)
    terms = [parse_quantity(part) for part in written]
    if stated is None or None in terms or len(signs) != len(terms) - 1 or any(len(sign) != 1 for sign in signs):
        return None
    known = [term for term in terms if term is not None]
    units = {term.unit for term in (*known, stated) if term.unit}
    if len(units) > 1 or "%" in units or not _is_sum_or_product(signs):
        return None
    total = known[0].number
    for sign, term in zip(signs, known[1:], strict=True):
        if sign == "+":
            total += term.number
        elif sign in "-−–":
            total -= term.number
        elif sign in "×x*":
            total *= term.number
        elif term.number:
            total /= term.number
        else:
            return None
    tolerance = _half_digit(right, stated.number) + 0.0005 * abs(total)
    return Equation(span, stated.number, total, tolerance)


def _is_range(left: str, right: str) -> bool:
    """Whether `9-17 = 8 hours` says how long something is, and not what 9 less 17 comes to."""
    match = _RANGE.search(left)
    return match is not None and int(match.group(1)) < int(match.group(2)) and not right.startswith("-")


def _is_sum_or_product(signs: list[str]) -> bool:
    """Whether all signs are of one rank. A lone `-` or `/` between digits may be a range, a date or a path."""
    additive = [sign in "+-−–" for sign in signs]
    return all(additive) or not any(additive)


def _plain(written: str) -> float:
    return float(written.replace(",", ""))


def _half_digit(written: str, value: float | None = None) -> float:
    digits = "".join(character for character in written if character.isdigit() or character == ".").strip(".")
    if not digits:
        return 0.0
    shown = float(digits) if digits.count(".") <= 1 else 0.0
    scale = abs(value / shown) if value is not None and shown else 1.0
    return 0.5 * scale / 10.0 ** len(digits.partition(".")[2])
