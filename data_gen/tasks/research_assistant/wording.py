"""How research notes are worded: the grammars of five registers, made of clauses and frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from data_gen.tasks.research_assistant import lexicon, words_en, words_zh
from data_gen.tasks.research_assistant.statements import TraitKind, VerdictKind
from data_gen.texts.grammar import Rules
from data_gen.writers import REGISTERS, build_writers

# Kinds that are worded like another, with words of their own in the gaps.
_SHARED: Final[Mapping[str, str]] = {
    VerdictKind.LOW: "top",
    VerdictKind.MEDIAN: "mean",
    VerdictKind.SPREAD: "mean",
    TraitKind.SUITED: "standing",
}
_FRAMED: Final = (
    "finding", "tentative", "settled", "revised", "choice", "method", "funder", "origin", "reviewer", "reason",
    "reason_none", "restated",
)  # fmt: skip
_REMARKS: Final = (
    "plan", "skim", "checked", "mismatch", "restated_mismatch", "disowned", "skip_mail", "no_mail", "no_brief",
    "listed", "final", "final_none", "final_file",
)  # fmt: skip
_REMARK_FRAMES: Final = {
    "en": {"terse": "@", "formal": "@.", "chatty": "@", "bullet": "- @"},
    "zh": {"terse": "@", "formal": "@。", "chatty": "@", "bullet": "- @"},
}


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one language: clauses, those of tables, and what stands around a clause by register."""

    clauses: Mapping[str, tuple[str, ...]]
    table: Mapping[str, tuple[str, ...]]
    frames: Mapping[str, tuple[str, ...]]
    leads: Mapping[str, Mapping[str, tuple[str, ...]]]


_WORDS: Final = {
    "en": _Words(words_en.CLAUSES, words_en.TABLE, words_en.FRAMES, words_en.LEADS),
    "zh": _Words(words_zh.CLAUSES, words_zh.TABLE, words_zh.FRAMES, words_zh.LEADS),
}


def _clauses(source: Mapping[str, tuple[str, ...]], language: str) -> dict[str, tuple[str, ...]]:
    """The clauses of a table, with one symbol for each way that a verdict or trait can go."""
    found = dict(source)
    for kind, ways in lexicon.WAYS[language].items():
        for way, words in ways.items():
            found[f"w_{kind}_{way}"] = words
            forms = source[_SHARED.get(kind, kind)]
            found[f"{kind}_{way}"] = tuple(form.replace("<w>", f"<w_{kind}_{way}>") for form in forms)
    return found


def _rules(language: str, register: str) -> Rules:
    words = _WORDS[language]
    shared = {
        "sure": lexicon.SURE[language],
        "unsure": lexicon.UNSURE[language],
        "because": lexicon.BECAUSE[language],
        "no_reason": lexicon.NO_REASON[language],
        "choosing": lexicon.CHOICE_CUES[language],
    }
    symbols = _clauses(words.clauses, language)
    if register == "table":
        return {**symbols, **_clauses({**words.clauses, **words.table}, language), **shared}
    rules: dict[str, tuple[str, ...]] = {**shared, **words.leads.get(register, {})}
    ways = tuple(f"{kind}_{way}" for kind, table in lexicon.WAYS[language].items() for way in table)
    for symbol, forms in symbols.items():
        if symbol in _REMARKS:
            rules[symbol] = tuple(_REMARK_FRAMES[language][register].replace("@", form) for form in forms)
        elif symbol in (*_FRAMED, *ways):
            rules[f"c_{symbol}"] = forms
            rules[symbol] = tuple(frame.replace("@", f"<c_{symbol}>") for frame in words.frames[register])
        else:
            rules[symbol] = forms
    return rules


WRITERS: Final = build_writers(
    {language: {register: _rules(language, register) for register in REGISTERS} for language in _WORDS}
)
