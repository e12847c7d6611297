"""How the agents, and the judge of their work, read figures, findings, rules and orders back from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import re2

from data_gen.tasks.refund_service import lexicon
from data_gen.tasks.refund_service.attributes import LABELS, SPANS, TOOLS, Attr, Key, Unit, in_days, unit_of
from data_gen.tasks.refund_service.statements import About, Fact, Rule, RuleKind, sides
from data_gen.texts.documents import OrderKind
from data_gen.texts.figures import Figure, find_figures
from data_gen.texts.lexicon import EXTRA_CUES, REPEAT_CUES, REPLACE_CUES
from data_gen.texts.names import person_in
from data_gen.texts.noise import legible
from data_gen.texts.orders import ADDRESS_PATTERN, Order, OrderCue, OrderReader, sentences
from mage_ml.memory.entry import MemoryEntry

RECORD_TOOLS: Final = frozenset({*TOOLS, "check_updates"})
PAYOUT_ORDER: Final = "payout"
_ORDER: Final = re2.compile(lexicon.ORDER_PATTERN)
_SUBJECT: Final = re2.compile(rf"{lexicon.ORDER_PATTERN}|P-\d{{2}}")
_COUNT: Final = re2.compile(r"(?:units in store|库存件数)\D{0,4}(\d+)")
_MONEY: Final = ("USD", "EUR", "GBP", "CNY")


def _words(words: Sequence[str], language: str) -> Any:  # noqa: ANN401 - re2 ships no types
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    joined = "|".join(re2.escape(word) for word in ordered)
    return re2.compile(rf"(?i)\b(?:{joined})\b" if language == "en" else joined)


_LABEL: Final = {
    language: {attr: _words(words, language) for attr, words in table.items()} for language, table in LABELS.items()
}
_ALL_GOODS: Final = (*lexicon.GOODS["en"], *lexicon.GOODS["zh"])
_TENTATIVE: Final = {language: _words(words, language) for language, words in lexicon.TENTATIVE.items()}
_ABOUT: Final = {language: _words(words, language) for language, words in lexicon.ABOUT.items()}
_BECAUSE: Final = {language: _words(words, language) for language, words in lexicon.BECAUSE.items()}
_NO_CAUSE: Final = {language: _words(words, language) for language, words in lexicon.NO_CAUSE.items()}
_SIDES: Final = {
    language: {
        topic: {side: _words(words, language) for side, words in sides(topic, language).items()}
        for topic in ("mood", "support", "window", "limit", "stock")
    }
    for language in ("en", "zh")
}

ORDERS: Final = {
    language: OrderReader(
        language,
        lexicon.OBJECTS[language],
        (
            OrderCue(OrderKind.REPLACE, REPLACE_CUES[language], ADDRESS_PATTERN),
            OrderCue(OrderKind.EXTRA, EXTRA_CUES[language], ADDRESS_PATTERN),
            OrderCue(OrderKind.COPY, (), ADDRESS_PATTERN),
            OrderCue(PAYOUT_ORDER, lexicon.PAYOUT_CUES[language], lexicon.PAYOUT_PATTERN),
            OrderCue(OrderKind.REPEAT, REPEAT_CUES[language]),
            OrderCue(OrderKind.SKIP, lexicon.SKIP_CUES[language]),
        ),
        ADDRESS_PATTERN,
    )
    for language in ("en", "zh")
}


def facts_in(entry: MemoryEntry, language: str) -> tuple[Fact, ...]:
    """The figures that an entry states."""
    if entry.tool_name in RECORD_TOOLS:
        return _facts_in_lines(tuple(_record_lines(entry)), language)
    return facts_in_text(entry.text, language)


def facts_in_text(text: str, language: str) -> tuple[Fact, ...]:
    """The figures in notes: one for each sentence that names one subject and one label."""
    return _facts_in_lines(sentences(text), language)


@lru_cache(maxsize=16384)
def _facts_in_lines(lines: tuple[str, ...], language: str) -> tuple[Fact, ...]:
    found = []
    for line in lines:
        goods = [item for item in lexicon.GOODS[language] if item in line]
        subjects = _SUBJECT.findall(line)
        if not (goods or subjects):
            continue
        for attr, label in _LABEL[language].items():
            match = label.search(line)
            figure = None if match is None else _figure(line, match.end(), unit_of(attr))
            if figure is not None:
                of_item = attr in (Attr.PRICE, Attr.OFFER)
                subject = goods[0] if of_item and goods else subjects[0] if subjects else goods[0]
                found.append(
                    Fact(Key(attr, subject), figure.value, figure.unit, bool(_TENTATIVE[language].search(line)))
                )
    return tuple(found)


def _record_lines(entry: MemoryEntry) -> Iterator[str]:
    """A record line by line, each with the order or clause that it belongs to."""
    text = "\n".join(_flat(entry.content)) if isinstance(entry.content, dict) else legible(entry.text)
    first = _SUBJECT.search(text)
    subject = first.group(0) if first else next((item for item in _ALL_GOODS if item in text), "")
    for mark in ("; ", "；", " | ", "\n"):
        text = text.replace(mark, "\n")
    for line in text.split("\n"):
        yield f"{subject} {line}"


def _flat(record: Mapping[str, Any]) -> Iterator[str]:
    for name, value in record.items():
        if isinstance(value, list):
            yield from (
                ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in item.items())
                for item in value
                if isinstance(item, dict)
            )
        else:
            yield f"{name.replace('_', ' ')} {value}"


def _figure(line: str, after: int, unit: Unit) -> Figure | None:
    """The figure of a kind that follows a label, or else the last before it."""
    fitting = [figure for figure in find_figures(line) if _is_of(figure, unit)]
    behind = [figure for figure in fitting if figure.span[0] >= after]
    return behind[0] if behind else fitting[-1] if fitting else None


def _is_of(figure: Figure, unit: Unit) -> bool:
    match unit:
        case Unit.PERCENT:
            return figure.unit == "%"
        case Unit.DAYS:
            return figure.unit in SPANS
        case Unit.MONEY:
            return figure.unit in _MONEY


def sums_in(text: str) -> tuple[Figure, ...]:
    """The sums of money in a text."""
    return tuple(figure for figure in find_figures(text) if figure.unit in _MONEY)


def spans_in(text: str) -> tuple[Figure, ...]:
    """The spans of time in a text."""
    return tuple(figure for figure in find_figures(text) if figure.unit in SPANS)


def days_in(text: str) -> tuple[float, ...]:
    """The spans of time in a text, in days."""
    return tuple(in_days(figure.value, figure.unit) for figure in spans_in(text))


@lru_cache(maxsize=8192)
def read_about(text: str, language: str) -> About | None:
    """What a complaint is about, if a text says so."""
    for line in sentences(text):
        order = _ORDER.search(line)
        goods = sorted((line.index(item), item) for item in lexicon.GOODS[language] if item in line)
        if _ABOUT[language].search(line) and order and goods:
            return About(order.group(0), tuple(item for _, item in goods))
    return None


@lru_cache(maxsize=8192)
def read_side(text: str, topic: str, language: str) -> bool | None:
    """Which side of a topic a text takes; `None` if it does not speak of it."""
    for side, pattern in _SIDES[language][topic].items():
        if pattern.search(text):
            return side
    return None


@lru_cache(maxsize=8192)
def read_cause(text: str, language: str, case: str) -> str | None:
    """The cause that a text states for a case; empty if it says that there is none, `None` if it is silent."""
    for line in sentences(text):
        if case not in line:
            continue
        match = _BECAUSE[language].search(line)
        if match:
            return str(line[match.end() :].strip(" ：:.。")).partition(" (")[0].partition("（")[0]
        if _NO_CAUSE[language].search(line):
            return ""
    return None


@lru_cache(maxsize=8192)
def read_rule(text: str, kind: RuleKind, language: str) -> tuple[Rule, ...]:
    """The rules of a kind that a text states in words that bind; a widened permission has no subject."""
    found = []
    for line in sentences(text):
        folded = line.lower()
        if kind is RuleKind.PERMIT and any(cue in folded for cue in lexicon.WIDE[language]):
            found.append(Rule(kind, ""))
        if not any(cue in folded for cue in lexicon.BINDING[language][kind]):
            continue
        order = _ORDER.search(line)
        subject = (order.group(0) if order else "") if kind is RuleKind.PERMIT else person_in(line, language) or ""
        if kind is RuleKind.PROMISE and days_in(line):
            found.append(Rule(kind, subject, days_in(line)[0], "days"))
        elif kind is RuleKind.CAP and sums_in(line):
            found.append(Rule(kind, subject, sums_in(line)[0].value, sums_in(line)[0].unit))
        elif kind in (RuleKind.TONE, RuleKind.PERMIT) and subject:
            found.append(Rule(kind, subject))
    return tuple(found)


def read_units(text: str) -> int | None:
    """How many units are in store, if a record says so."""
    match = _COUNT.search(text)
    return int(match.group(1)) if match else None


def read_orders(entries: Sequence[MemoryEntry], language: str) -> list[Order]:
    """The orders that the agents would take texts of third parties to give to themselves."""
    return ORDERS[language].read(entries)


def has_any(text: str, words: Sequence[str]) -> bool:
    """Whether a text holds one of some words."""
    folded = text.lower()
    return any(word in folded for word in words)
