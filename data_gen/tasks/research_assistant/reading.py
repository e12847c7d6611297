"""How the agent, and the judge of its work, read figures and findings back from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import re2

from data_gen.tasks.research_assistant import lexicon
from data_gen.tasks.research_assistant.catalogue import FUNDERS, METHODS, OUTLETS, STUDY_KINDS, TOPICS
from data_gen.tasks.research_assistant.statements import (
    NAMES_OF,
    Aspect,
    Figure,
    Key,
    Kind,
    NamingKind,
    TraitKind,
    Verdict,
    VerdictKind,
    Way,
)
from data_gen.texts import names
from data_gen.texts.documents import OrderKind
from data_gen.texts.figures import find_figures
from data_gen.texts.lexicon import EXTRA_CUES, REPEAT_CUES, REPLACE_CUES, SAVE_CUES, SKIP_CUES
from data_gen.texts.noise import legible
from data_gen.texts.orders import ADDRESS_PATTERN, PATH_PATTERN, Order, OrderCue, OrderReader, sentences
from mage_ml.memory.entry import MemoryEntry

CITE: Final = "cite"
STUDY_KEYS: Final = ("study", "研究")
GROUP_KEYS: Final = ("group", "人群")
UNIT_KEYS: Final = ("unit", "单位")
RESULT_KEYS: Final = ("results", "结果")
VALUE_KEYS: Final = {
    Aspect.VALUE: ("value", "数值"), Aspect.LOW: ("low", "下限"), Aspect.HIGH: ("high", "上限"),
}  # fmt: skip
# Units that a slip can lead to and the shared reader of figures does not know.
_ODD_UNIT: Final = re2.compile(r"(\d[\d,]*(?:\.\d+)?) ?(mi|lb|months|英里|斤)")
_BOUND: Final = {"en": ((Aspect.LOW, "lower bound"), (Aspect.HIGH, "upper bound")),
                 "zh": ((Aspect.LOW, "下限"), (Aspect.HIGH, "上限"))}  # fmt: skip


def _words(words: Sequence[str], language: str) -> Any:  # noqa: ANN401 - re2 ships no types
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    joined = "|".join(re2.escape(word) for word in ordered)
    return re2.compile(rf"(?i)\b(?:{joined})\b" if language == "en" else joined)


def _studies(language: str) -> tuple[str, ...]:
    gap = " " if language == "en" else ""
    return tuple(f"{city}{gap}{kind}" for city in names.CITIES[language] for kind in STUDY_KINDS[language])


_LANGUAGES: Final = ("en", "zh")
STUDY_PATTERNS: Final = {language: "|".join(re2.escape(name) for name in _studies(language)) for language in _LANGUAGES}
_VOCABULARY: Final = {
    language: {
        Kind.STUDY: _words(_studies(language), language),
        Kind.GROUP: _words([group for topic in TOPICS[language] for group in topic.groups], language),
        Kind.OUTLET: _words(OUTLETS[language], language),
        Kind.METHOD: _words(METHODS[language], language),
        Kind.FUNDER: _words(FUNDERS[language], language),
    }
    for language in _LANGUAGES
}
_SPELT: Final = {
    name.lower(): name
    for name in (
        *_studies("en"), *(group for topic in TOPICS["en"] for group in topic.groups), *OUTLETS["en"], *METHODS["en"],
        *FUNDERS["en"],
    )
}  # fmt: skip
_WAYS: Final = {
    language: {
        kind: {way: _words(words, language) for way, words in ways.items()}
        for kind, ways in lexicon.WAYS[language].items()
    }
    for language in _LANGUAGES
}
_UNSURE: Final = {language: _words(lexicon.UNSURE[language], language) for language in _LANGUAGES}
_CLAIM: Final = {language: _words(lexicon.CLAIM_CUES[language], language) for language in _LANGUAGES}
_CHOICE: Final = {language: _words(lexicon.CHOICE_CUES[language], language) for language in _LANGUAGES}
_BECAUSE: Final = {language: _words(lexicon.BECAUSE[language], language) for language in _LANGUAGES}
_NO_REASON: Final = {language: _words(lexicon.NO_REASON[language], language) for language in _LANGUAGES}
_ORDERS: Final = {
    language: OrderReader(
        language,
        lexicon.RESEARCH_OBJECTS[language],
        (
            OrderCue(CITE, lexicon.CITE_CUES[language], STUDY_PATTERNS[language]),
            OrderCue(OrderKind.REPLACE, REPLACE_CUES[language], ADDRESS_PATTERN),
            OrderCue(OrderKind.EXTRA, EXTRA_CUES[language], ADDRESS_PATTERN),
            OrderCue(OrderKind.COPY, (), ADDRESS_PATTERN),
            OrderCue(OrderKind.PATH, SAVE_CUES[language], PATH_PATTERN),
            OrderCue(OrderKind.REPEAT, REPEAT_CUES[language]),
            OrderCue(OrderKind.SKIP, SKIP_CUES[language]),
        ),
        ADDRESS_PATTERN,
    )
    for language in _LANGUAGES
}


def read_orders(entries: Sequence[MemoryEntry], language: str) -> list[Order]:
    """The orders that an agent would take texts of third parties to give to itself."""
    return _ORDERS[language].read(entries)


def figures_in(entry: MemoryEntry, language: str) -> tuple[Figure, ...]:
    """The figures that an entry states."""
    if isinstance(entry.content, dict):
        return tuple(_from_record(entry.content))
    return figures_in_text(legible(entry.text), language)


@lru_cache(maxsize=8192)
def figures_in_text(text: str, language: str) -> tuple[Figure, ...]:
    """The figures in a text: one per sentence that names one study, one group and a value with a unit."""
    found = []
    for sentence in sentences(text):
        studies, groups = mentioned(sentence, Kind.STUDY, language), mentioned(sentence, Kind.GROUP, language)
        if len(studies) != 1 or len(groups) != 1:
            continue
        values = amounts_in(sentence)
        if values:  # the last one: what stands before it is debris
            key = Key(studies[0], groups[0], _aspect(sentence, language))
            found.append(Figure(key, *values[-1], bool(_UNSURE[language].search(sentence))))
    return tuple(found)


def amounts_in(sentence: str) -> list[tuple[float, str]]:
    """The values with a unit."""
    odd = [(float(m.group(1).replace(",", "")), m.group(2)) for m in _ODD_UNIT.finditer(sentence)]
    return [(figure.value, figure.unit) for figure in find_figures(sentence) if figure.unit] or odd


def mentioned(text: str, kind: Kind, language: str) -> list[str]:
    """The names of a kind in a text, in order, each once, in lower case where a sentence began with one."""
    found = (match.group(0) for match in _VOCABULARY[language][kind].finditer(text))
    return list(dict.fromkeys(_SPELT.get(name.lower(), name) for name in found))


@lru_cache(maxsize=8192)
def read_verdict(text: str, kind: VerdictKind, language: str, figured: bool = True) -> Verdict | None:
    """The verdict of one kind that a text states, if any."""
    for sentence in sentences(text):
        if kind is VerdictKind.CLAIM and not _CLAIM[language].search(sentence):
            continue
        way = _way(sentence, kind, language)
        values = amounts_in(sentence)
        if way is None or figured is not bool(values):
            continue
        studies, groups = mentioned(sentence, Kind.STUDY, language), mentioned(sentence, Kind.GROUP, language)
        if studies and groups and kind not in (VerdictKind.CLAIM,):
            continue
        found = [*(studies or groups), "", ""]
        value, unit = values[-1] if values else (None, "")
        return Verdict(kind, way, found[0], found[1], value, unit)
    return None


@lru_cache(maxsize=8192)
def read_trait(text: str, kind: TraitKind, subject: str, language: str) -> Way | None:
    """Which way a trait of a source goes, if the text speaks of it."""
    for sentence in sentences(text):
        if subject in sentence:
            way = _way(sentence, kind, language)
            if way is not None:
                return way
    return None


@lru_cache(maxsize=8192)
def read_naming(text: str, kind: NamingKind, subject: str, language: str) -> str | None:
    """Who or what a text names, if it does."""
    for sentence in sentences(text):
        if subject.lower() not in sentence.lower():
            continue
        if kind is NamingKind.REVIEWER:
            found = names.person_in(sentence, language)
        elif kind is NamingKind.CHOICE and not _CHOICE[language].search(sentence):
            continue
        else:
            found = next(iter(mentioned(sentence, NAMES_OF[kind], language)), None)
        if found is not None:
            return found
    return None


@lru_cache(maxsize=8192)
def read_reason(text: str, language: str) -> str | None:
    """The cause that a text states; empty if it says that there is none, `None` if it does not speak of causes."""
    for sentence in sentences(text):
        match = _BECAUSE[language].search(sentence)
        if match:
            return _bare(sentence[match.end() :])
        if _NO_REASON[language].search(sentence):
            return ""
    return None


def _bare(phrase: str) -> str:
    for mark in (",", "，"):
        phrase = phrase.split(mark)[0]
    for tail in (" as things stand", " on the evidence read", " at this stage", " then"):
        phrase = phrase.removesuffix(tail)
        phrase = phrase.split(f"{tail}.")[0]
    return phrase.strip(" ：:.。")


def _way(sentence: str, kind: str, language: str) -> Way | None:
    return next((way for way, pattern in _WAYS[language][kind].items() if pattern.search(sentence)), None)


def _aspect(sentence: str, language: str) -> Aspect:
    folded = sentence.lower()
    return next((aspect for aspect, words in _BOUND[language] if words in folded), Aspect.VALUE)


def _from_record(record: Mapping[str, Any]) -> Iterator[Figure]:
    def first(source: Mapping[str, Any], keys: Sequence[str]) -> Any:  # noqa: ANN401 - JSON
        return next((source[key] for key in keys if key in source), None)

    study, unit = first(record, STUDY_KEYS), first(record, UNIT_KEYS)
    rows = first(record, RESULT_KEYS) or [record]
    for row in rows if study and unit else ():
        group = first(row, GROUP_KEYS) if isinstance(row, dict) else None
        for aspect, keys in VALUE_KEYS.items():
            value = first(row, keys) if group else None
            if isinstance(value, int | float):
                yield Figure(Key(str(study), str(group), aspect), float(value), str(unit))
