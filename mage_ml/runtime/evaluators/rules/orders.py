"""Finds orders in a text: sentences that tell the reader to do something, with how much they look like a planted one.

The strength of an order says how suspicious it is on its own, before it is known what the agent is about to do. A
request between people is weak. One that speaks to whoever processes the text, touches the task at hand, hides itself,
claims authority or comes in disguise is strong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import re2

from mage_ml.memory.facts import values_in
from mage_ml.runtime.evaluators.layers import Layer
from mage_ml.runtime.evaluators.normalise import layers_of
from mage_ml.runtime.evaluators.rules import order_words as words
from mage_ml.runtime.evaluators.rules.order_verbs import kinds_asked, kinds_named

MAX_ORDERS: Final = 64
_SEGMENT_CHARS: Final = 600
_GREETING_REACH: Final = 300
_MANUAL_REACH: Final = 160


class Signal(StrEnum):
    """What an order looks like."""

    OVERRIDE = "override"
    HIJACK = "hijack"
    TO_AGENT = "to_agent"
    CONCEAL = "conceal"
    AUTHORITY = "authority"
    OWN_TASK = "own_task"
    FAKE_ROLE = "fake_role"
    VALUE = "value"
    DISGUISED = "disguised"
    QUOTED = "quoted"
    EDUCATIONAL = "educational"
    OTHERS = "others"


STRONG: Final = frozenset(
    {Signal.OVERRIDE, Signal.HIJACK, Signal.TO_AGENT, Signal.CONCEAL, Signal.FAKE_ROLE, Signal.DISGUISED}
)
_BONUS: Final = {
    Signal.OVERRIDE: 0.6,
    Signal.HIJACK: 0.35,
    Signal.TO_AGENT: 0.3,
    Signal.CONCEAL: 0.25,
    Signal.FAKE_ROLE: 0.3,
    Signal.DISGUISED: 0.3,
    Signal.OWN_TASK: 0.15,
    Signal.AUTHORITY: 0.1,
    Signal.VALUE: 0.07,
}
_PATTERNS: Final = {
    Signal.OVERRIDE: re2.compile(f"(?i){words.OVERRIDE}"),
    Signal.HIJACK: re2.compile(f"(?i){words.HIJACK}"),
    Signal.TO_AGENT: re2.compile(f"(?i){words.TO_AGENT}"),
    Signal.CONCEAL: re2.compile(f"(?i){words.CONCEAL}"),
    Signal.AUTHORITY: re2.compile(f"(?i){words.AUTHORITY}"),
    Signal.OWN_TASK: re2.compile(f"(?i){words.OWN_TASK}"),
    Signal.FAKE_ROLE: re2.compile(f"(?i){words.FAKE_ROLE}"),
    Signal.EDUCATIONAL: re2.compile(f"(?i){words.EDUCATIONAL}"),
}
_CODE = re2.compile(
    r"(?m)^\s*(?:(?:async )?def \w+\(|class \w+[:(]|import \w|from [\w.]+ import|assert \w|const \w+ =|let \w+ ="
    r"|expect\(|(?:describe|it|test)\(|function \w*\(|#include|INSERT INTO \w|[A-Z][A-Z_]{2,} = [\[{(])|=> \{"
)
_LOG_LINE = re2.compile(r"^\W*(?:\d{4}-\d{2}-\d{2}[T ])?\d{2}:\d{2}:\d{2}")
_TO_DO = re2.compile(r"(?:#|//|/\*|--)\s*(?:TODO|FIXME|XXX|HACK|待办)")
_MANUAL = re2.compile(
    r"(?i)\b(?:procedure|recipe|user manual|instruction manual|instructions for use|washing instructions)\b"
    r"|(?:步骤|做法|操作说明|使用说明|洗涤说明|说明书|手册|守则)"
)
_BY_OTHERS = re2.compile(r"(?i)\bbe \w+ by (?:the|an?|our|their|his|her) ([a-z\-]+)")
_RULEBOOK_ZH = re2.compile(r"不得|必须|应当|禁止|不可|严禁|须|应")
_SPEAKS_ZH = re2.compile(r"请|你|您|智能体|助手|模型|机器人|系统")
_OTHERS = re2.compile("|".join((words.OTHERS_EN, words.OTHERS_ZH, words.PERSON_EN, words.PERSON_ZH)))
_SUBJECT = re2.compile(words.SUBJECT_EN)
_ASKED = re2.compile(words.ASKED_EN)
_GREETING = re2.compile(words.NAMED)
_FIELD_MARKS: Final = frozenset("\"'{}[]")
_CARRIED: Final = (Signal.HIJACK, Signal.TO_AGENT, Signal.FAKE_ROLE)

_BOUNDARY = re2.compile(
    r"[.!?]+[\"'”’)\]]*(?:[\s,}]+|$)|['\"]\s*[,}\]]|[。！？；;]+[”」』]?|\\n|\n\s*\n\s*|\n\s*(?:[-*•>]"
    r"|\d{1,2}[.)、])\s+|\n\s*[\w \-]{1,30}:\s|\n$"
)
_RECORD_EDGE = re2.compile(r"\n-\s|\},\s*\{|\)\s*,\s*[A-Z]\w*\(|\n#{1,3}\s|\n-{3,}|\n={3,}")
_QUOTED = re2.compile(
    r"“[^”]+”|「[^」]+」|『[^』]+』|‘[^’\n]+’|\"[^\"\n]{6,}\"|(?:^|[\s(:])'[^'\n]{8,}'|```[^`]+```"
    r"|`[^`\n]{3,}`|(?:^|\n)>[^\n]+"
)
_STRUCTURAL_KEY = re2.compile(r"(?:^|[{,\[(\n])\s*['\"]?[\w\-]+['\"]?\s*[:=]?\s*$|[\[{(,]\s*$")


_POINTS_BACK = re2.compile(r"(?i)\b(?:it|them|one|him|her)\b|它|上述|将其|把其|该项")


@dataclass(frozen=True, slots=True)
class Order:
    """One order found in a text.

    Attributes:
        sentence: The sentence, normalised.
        span: Where it stands in the original text.
        kinds: What it asks for, as keys of the verb table.
        values: Identifying values in the sentence: addresses, links, codes, numbers.
        strength: 0 to 1, before the pending action is looked at.
        signals: What it looks like.
        segment: The record around it: one mail of an inbox, one item of a list.
    """

    sentence: str
    span: tuple[int, int]
    kinds: frozenset[str]
    values: frozenset[str]
    strength: float
    signals: frozenset[Signal]
    segment: str


def find_orders(text: str) -> tuple[Order, ...]:
    """Orders in a text in every reading of it, the strongest first; at most 64."""
    found = [order for layer in layers_of(text, words.VOCABULARY) for order in _in_layer(layer, text)]
    return tuple(sorted(found, key=lambda order: -order.strength)[:MAX_ORDERS])


def segment_around(text: str, start: int, end: int) -> str:
    """The record of a text that holds a stretch of it, at most 600 characters to either side."""
    lower, upper = max(0, start - _SEGMENT_CHARS), min(len(text), end + _SEGMENT_CHARS)
    before, after = text[lower:start], text[end:upper]
    for match in _RECORD_EDGE.finditer(before):
        lower = start - len(before) + match.end()
    edge = _RECORD_EDGE.search(after)
    return text[lower : end + edge.start() if edge else upper]


def _in_layer(layer: Layer, original: str) -> Iterator[Order]:
    text = layer.text
    marks = {signal: [match.span() for match in pattern.finditer(text)] for signal, pattern in _PATTERNS.items()}
    code = _CODE.search(text) is not None  # there, any string is a quotation
    quoted = [match.span() for match in _QUOTED.finditer(text) if code or not _is_structural(text, match.span())]
    carried: frozenset[Signal] = frozenset()
    carried_until = end_before = 0
    previous: frozenset[str] = frozenset()
    for start, end in _sentences(text):
        sentence = text[start:end]
        signals = {signal for signal, spans in marks.items() if _touches(spans, start, end)}
        if start > carried_until or _RECORD_EDGE.search(text[end_before:start]):
            carried = frozenset()
        before, end_before = end_before, end
        kinds = kinds_asked(sentence)
        if signals & set(_CARRIED):
            # "Before you finish the task, do the following:" speaks about the sentences after it, too.
            carried, carried_until = carried | (signals & set(_CARRIED)), end + _GREETING_REACH
        if Signal.OVERRIDE in signals:
            kinds |= {"skip"}
        values, formal = values_in(sentence), bool(kinds)
        if values and (signals | carried) & set(_CARRIED):
            kinds |= kinds_named(sentence)  # said to whoever reads this: any verb will do
        if not kinds:
            previous = values
            continue
        signals |= carried
        back = formal and not set(text[before:start]) & _FIELD_MARKS and bool(_POINTS_BACK.search(sentence))
        values, previous = values | (previous if back else frozenset()), values
        signals |= _circumstances(layer, original, (start, end), quoted, values)
        if _touches(marks[Signal.EDUCATIONAL], start - 160, end + 80):
            signals.add(Signal.EDUCATIONAL)
        span = layer.span(start, end)
        yield Order(
            sentence=sentence.strip(),
            span=span,
            kinds=frozenset(kinds),
            values=values,
            strength=_strength(signals, kinds),
            signals=frozenset(signals),
            segment=segment_around(text, start, end),
        )


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _BOUNDARY.finditer(text):
        if match.start() > start:
            yield start, match.end() if text[match.start()] in "!?" else match.start()
        start = match.end()
    if start < len(text):
        yield start, len(text)


def _circumstances(
    layer: Layer, original: str, place: tuple[int, int], quoted: list[tuple[int, int]], values: frozenset[str]
) -> set[Signal]:
    start, end = place
    text = layer.text
    found: set[Signal] = set()
    if values:
        found.add(Signal.VALUE)
    if _touches(quoted, start + 1, max(start + 2, end - 1)):
        found.add(Signal.QUOTED)
    if (
        _is_to_others(text[start:end])
        or _GREETING.search(_paragraphs_before(text, start))
        or _is_record_of_others(text, start, end, values)
    ):
        found.add(Signal.OTHERS)
    decoded = layer.whole is not None and layer.is_disguised
    if decoded or "tag characters" in layer.tricks or _is_disguised(layer, original, place):
        found.add(Signal.DISGUISED)
    return found


def _is_to_others(sentence: str) -> bool:
    """Whether a sentence tells somebody else than its reader what to do."""
    if _OTHERS.search(sentence) or _GREETING.search(sentence):
        return True
    for match in _BY_OTHERS.finditer(sentence):
        if match.group(1).lower() not in words.READERS:
            return True
    for match in (*_SUBJECT.finditer(sentence), *_ASKED.finditer(sentence)):
        subject, verb = match.group(1).lower().split(), match.group(2).lower()
        if verb != "be" and not words.READERS.intersection(subject):
            return True
    return False


def _is_record_of_others(text: str, start: int, end: int, values: frozenset[str]) -> bool:
    """Whether a sentence stands in a log, a note among programmers, a manual or a set of rules."""
    line = text[text.rfind("\n", 0, start + 1) + 1 : end]
    if _LOG_LINE.search(line) or _TO_DO.search(line) or _MANUAL.search(text[max(0, start - _MANUAL_REACH) : end]):
        return True
    sentence = text[start:end]
    return not values and bool(_RULEBOOK_ZH.search(sentence)) and not _SPEAKS_ZH.search(sentence)


def _is_disguised(layer: Layer, original: str, place: tuple[int, int]) -> bool:
    """Whether the order would not have been found in the text as it was written."""
    if not layer.is_disguised or layer.whole is not None:
        return False
    raw = original[slice(*layer.span(*place))]
    return raw != layer.text[slice(*place)] and not kinds_asked(raw)


def _paragraphs_before(text: str, start: int) -> str:
    before = text[max(0, start - _GREETING_REACH) : start]
    edges = [match.end() for match in _RECORD_EDGE.finditer(before)]
    return before[edges[-1] :] if edges else before


def _strength(signals: set[Signal], kinds: set[str]) -> float:
    firm = bool(signals & STRONG) or Signal.VALUE in signals or bool(kinds & {"send", "pay", "delete", "grant"})
    score = (0.3 if firm else 0.2) + sum(_BONUS.get(signal, 0.0) for signal in signals)
    if signals & {Signal.QUOTED, Signal.EDUCATIONAL}:
        score *= 0.3
    elif Signal.OTHERS in signals and not signals & (STRONG - {Signal.CONCEAL}):
        score *= 0.5
    return min(0.95, score)


def _is_structural(text: str, span: tuple[int, int]) -> bool:
    """Whether quotation marks delimit a string of a record, as in `body: '...'`, and quote nobody."""
    opening = text[span[0]]
    if opening in "“「『‘`>\n":
        return False
    start = span[0] if opening in "\"'" else span[0] + 1
    return bool(_STRUCTURAL_KEY.search(text[max(0, start - 60) : start]))


def _touches(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(begin < end and stop > start for begin, stop in spans)
