"""How the travel agent, and the judge of its work, read facts, conclusions and rules back from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import re2

from data_gen.tasks.travel_booking import lexicon
from data_gen.tasks.travel_booking.statements import DATED, UNITS, Fact, Key, Verdict, VerdictKind
from data_gen.tasks.travel_booking.texts import OrderKind
from data_gen.tasks.travel_booking.wording import MONTHS
from data_gen.texts import names
from data_gen.texts.figures import find_figures
from data_gen.texts.lexicon import EXTRA_CUES, REPEAT_CUES, REPLACE_CUES, SKIP_CUES
from data_gen.texts.noise import legible
from data_gen.texts.orders import ADDRESS_PATTERN, Order, OrderCue, OrderReader, sentences
from mage_ml.memory.entry import MemoryEntry

SUBJECT_KEYS: Final = ("item", "编号")
UNIT_KEYS: Final = ("currency", "币种")
DAY_KEYS: Final = ("date", "日期")
CODE_PATTERN: Final = r"\b[A-Z]{2}-[A-Z]{3}\d{2}\b"
OFFER_CODE: Final = re2.compile(r"\b[A-Z]{1,2}\d{3,4}\b")
_DAYS: Final = {
    "en": re2.compile(r"(?P<iso>2026-\d{2}-\d{2})|(?P<number>\d{1,2}) (?P<month>" + "|".join(MONTHS) + ")"),
    "zh": re2.compile(r"(?P<iso>2026-\d{2}-\d{2})|(?P<month>\d{1,2})月(?P<number>\d{1,2})日"),
}
_FIELD: Final = {name: measure for table in lexicon.FIELDS.values() for measure, name in table.items()}


def _any(words: Sequence[str], language: str) -> Any:  # noqa: ANN401 - re2 ships no types
    joined = "|".join(re2.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))
    return re2.compile(rf"(?i)\b(?:{joined})\b" if language == "en" else joined)


def _each(table: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    return {language: _any(words, language) for language, words in table.items()}


SUBJECTS: Final = {
    language: re2.compile(
        r"BK-\d{5}|[A-Z]{3}/[A-Z]{3}|[A-Z]{1,2}\d{3,4}|"
        + "|".join([*lexicon.HOTELS[language], *lexicon.CARS[language], *names.CITIES[language]])
    )
    for language in ("en", "zh")
}
_OFFERS: Final = {
    language: re2.compile(r"\b[A-Z]{1,2}\d{3,4}\b|" + "|".join([*lexicon.HOTELS[language], *lexicon.CARS[language]]))
    for language in ("en", "zh")
}
_CITIES: Final = {language: re2.compile("|".join(cities)) for language, cities in names.CITIES.items()}
_MEASURE_OF: Final = {
    language: {word: measure for measure, words in table.items() for word in words}
    for language, table in lexicon.MEASURES.items()
}
_MEASURES: Final = {language: _any(tuple(words), language) for language, words in _MEASURE_OF.items()}
_PICKED: Final = {
    language: _any([word for words in table.values() for word in words], language)
    for language, table in lexicon.PICK_WORDS.items()
}
_SUMMED = _each(lexicon.SUM_WORDS)
_ABOVE = _each({name: (*words, *lexicon.MORE_WORDS[name]) for name, words in lexicon.ABOVE_WORDS.items()})
_BELOW = _each({name: (*words, *lexicon.LESS_WORDS[name]) for name, words in lexicon.BELOW_WORDS.items()})
_TENTATIVE, _BECAUSE, _NO_REASON = _each(lexicon.TENTATIVE), _each(lexicon.BECAUSE), _each(lexicon.NO_REASON)
_INDEPENDENT, _SINGLE = _each(lexicon.INDEPENDENT), _each(lexicon.SINGLE)
ORDERS: Final = {
    language: OrderReader(
        language,
        lexicon.OBJECTS[language],
        (
            OrderCue(OrderKind.REPLACE, REPLACE_CUES[language], ADDRESS_PATTERN),
            OrderCue(OrderKind.EXTRA, EXTRA_CUES[language], ADDRESS_PATTERN),
            OrderCue(OrderKind.COPY, (), ADDRESS_PATTERN),
            OrderCue(OrderKind.CODE, lexicon.CODE_CUES[language], CODE_PATTERN),
            OrderCue(OrderKind.REPEAT, REPEAT_CUES[language]),
            OrderCue(OrderKind.SKIP, SKIP_CUES[language]),
        ),
        ADDRESS_PATTERN,
    )
    for language in ("en", "zh")
}


def facts_in(entry: MemoryEntry, language: str) -> tuple[Fact, ...]:
    """The facts that an entry states."""
    if isinstance(entry.content, dict):
        return tuple(_from_record(entry.content, language))
    return facts_in_text(legible(entry.text), language)


@lru_cache(maxsize=8192)
def facts_in_text(text: str, language: str) -> tuple[Fact, ...]:
    """The facts in a text: one per sentence that names a thing, a measure and a number with a unit."""
    found = []
    for sentence in sentences(text):
        subjects = {match.group(0) for match in SUBJECTS[language].finditer(sentence)}
        words = [match.group(0).lower() for match in _MEASURES[language].finditer(sentence)]
        measures = list(dict.fromkeys(_MEASURE_OF[language][word] for word in words))
        numbers = [figure for figure in find_figures(sentence) if figure.unit]
        if len(subjects) != 1 or len(measures) != 1 or len(numbers) != 1 or _concludes(sentence, language):
            continue
        day = day_in(sentence, language) if measures[0] in DATED else ""
        key = Key(subjects.pop(), measures[0], day)
        found.append(Fact(key, numbers[0].value, numbers[0].unit, bool(_TENTATIVE[language].search(sentence))))
    return tuple(found)


def day_in(text: str, language: str) -> str:
    """The first day that a text names, as `2026-03-12`; empty if it names none."""
    match = _DAYS[language].search(text)
    if match is None:
        return ""
    groups = match.groupdict()
    if groups["iso"]:
        return str(groups["iso"])
    month = MONTHS.index(groups["month"]) + 1 if language == "en" else int(groups["month"])
    return f"2026-{month:02d}-{int(groups['number']):02d}"


@lru_cache(maxsize=8192)
def read_verdict(text: str, kind: VerdictKind, sense: str, language: str) -> Verdict | None:
    """The conclusion of one kind that a text states, if any."""
    for sentence in sentences(text):
        numbers = [figure for figure in find_figures(sentence) if figure.unit]
        above = bool(_ABOVE[language].search(sentence))
        says = {
            VerdictKind.PICK: _PICKED[language].search(sentence),
            VerdictKind.SUM: _SUMMED[language].search(sentence),
            VerdictKind.LIMIT: above or _BELOW[language].search(sentence),
        }[kind]
        if not says or not numbers:
            continue
        subject = SUBJECTS[language].search(sentence)
        return Verdict(kind, sense, subject.group(0) if subject else "", numbers[-1].value, numbers[-1].unit, above)
    return None


@lru_cache(maxsize=8192)
def read_reason(text: str, language: str, subject: str = "") -> tuple[bool, str]:
    """Whether a text speaks of causes, and the one that it states; empty where it says that there is none."""
    for sentence in sentences(text):
        if subject and subject not in sentence:
            continue
        match = _BECAUSE[language].search(sentence)
        if match:
            return True, sentence[match.end() :].strip(" ：:.。")
        if _NO_REASON[language].search(sentence):
            return True, ""
    return False, ""


@lru_cache(maxsize=8192)
def read_support(text: str, language: str) -> bool | None:
    """Whether a text says that two independent sources agree; `None` if it does not speak of sources."""
    if _INDEPENDENT[language].search(text):
        return True
    return False if _SINGLE[language].search(text) else None


@dataclass(frozen=True, slots=True)
class Rules:
    """What a hand-over binds a booking agent to.

    Attributes:
        limit: The most that may be paid; `None` if no rule says.
        unit: Its currency.
        exempt: Whether the traveller may go beyond it without approval.
    """

    limit: float | None
    unit: str
    exempt: bool


def read_rules(text: str, language: str, traveller: str) -> Rules:
    """The rules in a hand-over, as they concern a traveller."""
    limit, unit, exempt = None, "", False
    for sentence in sentences(text):
        numbers = [figure for figure in find_figures(sentence) if figure.unit]
        if numbers and _has(sentence, lexicon.LIMIT_CUES[language]):
            limit, unit = numbers[-1].value, numbers[-1].unit
        if _has(sentence, lexicon.EXEMPT_CUES[language]):
            exempt = exempt or traveller in sentence or _has(sentence, lexicon.ANYONE[language])
    return Rules(limit, unit, exempt)


def offers_in(text: str, language: str) -> tuple[str, ...]:
    """The offers that a listing names, in order."""
    return tuple(dict.fromkeys(match.group(0) for match in _OFFERS[language].finditer(text)))


def city_in(text: str, language: str) -> str | None:
    """The first city that a text names."""
    match = _CITIES[language].search(text)
    return match.group(0) if match else None


def read_orders(entries: Sequence[MemoryEntry], language: str) -> list[Order]:
    """The orders that an agent would take texts of third parties to give to itself."""
    return ORDERS[language].read(entries)


def _concludes(sentence: str, language: str) -> bool:
    patterns = (_PICKED, _SUMMED, _ABOVE, _BELOW)
    return any(pattern[language].search(sentence) for pattern in patterns)


def _from_record(record: Mapping[str, Any], language: str) -> Iterator[Fact]:
    def first(keys: tuple[str, ...]) -> str:
        return next((str(record[key]) for key in keys if key in record), "")

    subject, currency, day = first(SUBJECT_KEYS), first(UNIT_KEYS), first(DAY_KEYS)
    for name, shown in record.items():
        measure = _FIELD.get(name)
        if measure is None or not subject:
            continue
        unit = UNITS[measure][language] if measure in UNITS else currency
        by_day = shown if isinstance(shown, dict) else {day if measure in DATED else "": shown}
        for when, value in by_day.items():
            yield Fact(Key(subject, measure, when), float(value), unit)


def _has(text: str, words: Sequence[str]) -> bool:
    folded = text.lower()
    return any(word in folded for word in words)
