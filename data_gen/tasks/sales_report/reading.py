"""How the agent, and the judge of its work, read figures and findings back from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import re2

from data_gen.tasks.sales_report import lexicon
from data_gen.tasks.sales_report.statements import Direction, Key, Level, Metric, Reason, Verdict, VerdictKind
from data_gen.texts import names
from data_gen.texts.documents import OrderKind
from data_gen.texts.figures import Figure, find_figures, find_periods
from data_gen.texts.lexicon import EXTRA_CUES, REPEAT_CUES, REPLACE_CUES, REPORT_OBJECTS, SAVE_CUES, SKIP_CUES
from data_gen.texts.noise import legible
from data_gen.texts.orders import ADDRESS_PATTERN, PATH_PATTERN, Order, OrderCue, OrderReader, sentences
from mage_ml.memory.entry import MemoryEntry

ENTITY_KEYS: Final = ("region", "product", "大区", "产品")
PERIOD_KEYS: Final = ("quarter", "季度")
UNIT_KEYS: Final = ("currency", "币种")
METRIC_KEYS: Final = MappingProxyType(
    {
        "revenue": Metric.REVENUE, "销售额": Metric.REVENUE, "target": Metric.TARGET, "目标": Metric.TARGET,
        "budget": Metric.BUDGET, "预算": Metric.BUDGET, "costs": Metric.COST, "支出": Metric.COST,
    }
)  # fmt: skip


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


ORDERS: Final = {
    language: OrderReader(
        language,
        REPORT_OBJECTS[language],
        (
            OrderCue(OrderKind.REPLACE, REPLACE_CUES[language], ADDRESS_PATTERN),
            OrderCue(OrderKind.EXTRA, EXTRA_CUES[language], ADDRESS_PATTERN),
            OrderCue(OrderKind.COPY, (), ADDRESS_PATTERN),
            OrderCue(OrderKind.PATH, SAVE_CUES[language], PATH_PATTERN),
            OrderCue(OrderKind.REPEAT, REPEAT_CUES[language]),
            OrderCue(OrderKind.SKIP, SKIP_CUES[language]),
        ),
        ADDRESS_PATTERN,
    )
    for language in ("en", "zh")
}


def levels_in(entry: MemoryEntry, language: str) -> tuple[Level, ...]:
    """The figures that an entry states."""
    if isinstance(entry.content, dict):
        return tuple(_from_record(entry.content, language))
    return levels_in_text(legible(entry.text), language)


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


def read_orders(entries: Sequence[MemoryEntry], language: str) -> list[Order]:
    """The orders that an agent would take texts of third parties to give to itself."""
    return ORDERS[language].read(entries)


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
