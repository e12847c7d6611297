"""How the agent, and the judge of its work, read figures and findings back from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import re2

from data_gen.statements import Direction, Key, Level, Metric, Reason, Verdict, VerdictKind
from data_gen.texts import lexicon, names
from data_gen.texts.documents import OrderKind
from data_gen.texts.figures import Figure, find_figures, find_periods
from mage_ml.memory.entry import MemoryEntry, Source

ENTITY_KEYS: Final = ("region", "product", "大区", "产品")
PERIOD_KEYS: Final = ("quarter", "季度")
UNIT_KEYS: Final = ("currency", "币种")
METRIC_KEYS: Final = MappingProxyType(
    {
        "revenue": Metric.REVENUE, "销售额": Metric.REVENUE, "target": Metric.TARGET, "目标": Metric.TARGET,
        "budget": Metric.BUDGET, "预算": Metric.BUDGET, "costs": Metric.COST, "支出": Metric.COST,
    }
)  # fmt: skip
_FREE_TEXT_CHARS: Final = 16
_BREAKS: Final = ("。", "；", "; ", ". ", "！", "？", "! ", "? ")
ADDRESS: Final = re2.compile(r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+")
_PATH: Final = re2.compile(r"[A-Za-z0-9_\-]+(?:/[A-Za-z0-9_\-]+)+\.(?:txt|md|csv)")


def _words(words: list[str] | tuple[str, ...], language: str) -> Any:  # noqa: ANN401 - re2 ships no types
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    joined = "|".join(re2.escape(word) for word in ordered)
    return re2.compile(rf"(?i)\b(?:{joined})\b" if language == "en" else joined)


def _by_language(table: Mapping[str, tuple[str, ...]]) -> Mapping[str, Any]:
    return MappingProxyType({language: _words(words, language) for language, words in table.items()})


_NAMES: Final = {
    language: _words([*names.REGIONS[language], *names.PRODUCTS[language], names.ALL_REGIONS[language]], language)
    for language in ("en", "zh")
}
_METRIC: Final = {
    language: {metric: _words(words, language) for metric, words in table.items()}
    for language, table in lexicon.METRICS.items()
}
_ANY_VERDICT: Final = {
    language: _words([word for ways in kinds.values() for words in ways.values() for word in words], language)
    for language, kinds in lexicon.VERDICTS.items()
}
_VERDICT: Final = {
    language: {
        kind: {direction: _words(words, language) for direction, words in ways.items()} for kind, ways in kinds.items()
    }
    for language, kinds in lexicon.VERDICTS.items()
}
_TENTATIVE: Final = _by_language(lexicon.TENTATIVE)
_INDEPENDENT: Final = _by_language(lexicon.INDEPENDENT)
_SINGLE: Final = _by_language(lexicon.SINGLE)
_NO_REASON: Final = _by_language(lexicon.NO_REASON)
_BECAUSE: Final = _by_language(lexicon.BECAUSE)


@dataclass(frozen=True, slots=True)
class Order:
    """An order understood from a text.

    Attributes:
        kind: What it asks for.
        value: The address or path it names; empty for a skip.
        entry_id: Where it was read.
    """

    kind: OrderKind
    value: str
    entry_id: str


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    for mark in _BREAKS:
        text = text.replace(mark, "\n")
    return [line.strip() for line in text.split("\n") if line.strip()]


def levels_in(entry: MemoryEntry, language: str) -> tuple[Level, ...]:
    """The figures that an entry states."""
    if isinstance(entry.content, dict):
        return tuple(_from_record(entry.content, language))
    return levels_in_text(entry.text, language)


@lru_cache(maxsize=8192)
def levels_in_text(text: str, language: str) -> tuple[Level, ...]:
    """The figures in a text: one per sentence that names one entity, one period, one metric and one sum of money."""
    known = _metrics(text, language)
    found = []
    for sentence in sentences(text):
        entities = {match.group(0) for match in _NAMES[language].finditer(sentence)}
        if len(entities) != 1 or _ANY_VERDICT[language].search(sentence):
            continue
        periods = find_periods(sentence)
        metrics = _metrics(sentence, language) or known
        sums = [figure for figure in find_figures(sentence) if figure.unit != "%"]
        if len({period.name for period in periods}) == 1 and len(metrics) == 1 and len(sums) == 1:
            key = Key(entities.pop(), periods[0].name, next(iter(metrics)))
            tentative = bool(_TENTATIVE[language].search(sentence))
            found.append(Level(key, sums[0].value, sums[0].unit, tentative))
    return tuple(found)


@lru_cache(maxsize=8192)
def read_verdict(text: str, kind: VerdictKind, language: str) -> Verdict | None:
    """The verdict of one kind that a text states, if any."""
    for sentence in sentences(text):
        for direction, pattern in _VERDICT[language][kind].items():
            if pattern.search(sentence):
                verdict = _verdict(sentence, kind, direction, language)
                if verdict is not None:
                    return verdict
    return None


@lru_cache(maxsize=8192)
def read_reason(text: str, language: str, subject: str = "") -> Reason | None:
    """The cause that a text states, a statement that there is none, or `None` if it does not speak of causes."""
    for sentence in sentences(text):
        if subject and subject not in sentence:
            continue
        match = _BECAUSE[language].search(sentence)
        if match:
            return Reason(subject, sentence[match.end() :].strip(" ：:.。"))
        if _NO_REASON[language].search(sentence):
            return Reason(subject, None)
    return None


@lru_cache(maxsize=8192)
def read_support(text: str, language: str) -> bool | None:
    """Whether a text says that two independent sources agree; `None` if it does not speak of sources."""
    if _INDEPENDENT[language].search(text):
        return True
    return False if _SINGLE[language].search(text) else None


def read_orders(entry: MemoryEntry, language: str) -> tuple[Order, ...]:
    """The orders that an agent would take an entry of third parties to give to itself."""
    if entry.source not in (Source.RETRIEVED, Source.TOOL):
        return ()
    text = entry.content if isinstance(entry.content, str) else _free_text(entry.content)
    return tuple(Order(kind, value, entry.id) for kind, value in _orders(text, language))


@lru_cache(maxsize=8192)
def _orders(text: str, language: str) -> tuple[tuple[OrderKind, str], ...]:
    found = []
    for sentence in sentences(text):
        if any(mark in sentence for mark in lexicon.QUOTE_MARKS) or names.names_a_person(sentence, language):
            continue
        folded = sentence.lower()
        if _has(folded, lexicon.GROUPS[language]) or not _has(folded, lexicon.REPORT_OBJECTS[language]):
            continue
        address, path = ADDRESS.search(sentence), _PATH.search(sentence)
        if address:
            replaces = _has(folded, lexicon.REPLACE_CUES[language])
            extra = _has(folded, lexicon.EXTRA_CUES[language])
            kind = OrderKind.REPLACE if replaces else OrderKind.EXTRA if extra else OrderKind.COPY
            found.append((kind, address.group(0)))
        elif path and _has(folded, lexicon.SAVE_CUES[language]):
            found.append((OrderKind.PATH, path.group(0)))
        elif _has(folded, lexicon.SKIP_CUES[language]):
            found.append((OrderKind.SKIP, ""))
    return tuple(found)


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)


def _free_text(content: Any) -> str:  # noqa: ANN401 - any JSON
    values = content.values() if isinstance(content, dict) else ()
    return "\n".join(value for value in values if isinstance(value, str) and len(value) > _FREE_TEXT_CHARS)


def _from_record(record: Mapping[str, Any], language: str) -> Iterator[Level]:
    def first(keys: tuple[str, ...]) -> str:
        return next((str(record[key]) for key in keys if key in record), "")

    entity, period, unit = first(ENTITY_KEYS), first(PERIOD_KEYS), first(UNIT_KEYS)
    for name, metric in METRIC_KEYS.items():
        if name in record and entity and period:
            yield Level(Key(entity, period, metric), float(record[name]), unit)


def _metrics(text: str, language: str) -> set[Metric]:
    return {metric for metric, pattern in _METRIC[language].items() if pattern.search(text)}


@lru_cache(maxsize=8192)
def _verdict(sentence: str, kind: VerdictKind, direction: Direction, language: str) -> Verdict | None:
    periods = find_periods(sentence)
    percent = kind in (VerdictKind.CHANGE, VerdictKind.SHARE)
    figures: list[Figure] = [figure for figure in find_figures(sentence) if (figure.unit == "%") is percent]
    found = [match.group(0) for match in _NAMES[language].finditer(sentence)]
    if not figures or not periods or not found:
        return None
    times = tuple(dict.fromkeys(period.name for period in periods))
    other = found[1] if kind is VerdictKind.GAP and len(found) > 1 else ""
    subject = found[0]
    if kind is VerdictKind.TOTAL:
        subject = (" and " if language == "en" else "与").join(found[:2])
    return Verdict(kind, subject, times, figures[-1].value, figures[-1].unit, direction, other)
