"""How the agent, and the judge of its work, read figures and findings back from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import re2

from data_gen.tasks.banking import lexicon
from data_gen.tasks.banking.attributes import Attribute
from data_gen.tasks.banking.templates import Verdict
from data_gen.tasks.banking.texts_world import DATE_PATTERN, NUMBER_PATTERN
from data_gen.tasks.banking.wording import Conclusion, Figure, Key
from data_gen.texts.figures import find_figures
from data_gen.texts.noise import legible
from data_gen.texts.orders import sentences
from mage_ml.memory.entry import MemoryEntry

FIELDS: Final = MappingProxyType(
    {
        Attribute.DUE: "amount_due", Attribute.DISCOUNT: "discount", Attribute.LATE_FEE: "late_fee",
        Attribute.PAID: "paid_so_far", Attribute.BALANCE: "balance", Attribute.MINIMUM: "minimum_reserve",
        Attribute.INFLOW: "receipts_this_month", Attribute.LIMIT: "daily_limit", Attribute.CLOSING: "statement_figure",
        Attribute.SPENT: "spent", Attribute.CARD_LIMIT: "card_limit", Attribute.INSTALMENT: "standing_amount",
        Attribute.AGREED: "agreed_amount", Attribute.CLAIMED: "claimed", Attribute.CAP: "allowance",
        Attribute.CHARGED: "charged", Attribute.TARIFF: "list_fee", Attribute.RATE: "price_per_hundred",
    }
)  # fmt: skip
LOCAL_FIELDS: Final = MappingProxyType({attribute: words[0] for attribute, words in lexicon.METRICS["zh"].items()})
_ATTRIBUTES: Final = {
    **{name: attribute for attribute, name in FIELDS.items()},
    **{name: attribute for attribute, name in LOCAL_FIELDS.items()},
}
_LABEL_KEYS: Final = ("id", "编号")
_UNIT_KEYS: Final = ("currency", "币种")
_DUE_KEYS: Final = ("due_date", "到期日")
_NUMBER: Final = re2.compile(NUMBER_PATTERN)
_DATE: Final = re2.compile(DATE_PATTERN)


def _words(words: Sequence[str], language: str) -> Any:  # noqa: ANN401 - re2 ships no types
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    joined = "|".join(re2.escape(word) for word in ordered)
    return re2.compile(rf"(?i)\b(?:{joined})\b" if language == "en" else joined)


def _by_language(table: Mapping[str, Sequence[str]]) -> Mapping[str, Any]:
    return MappingProxyType({language: _words(words, language) for language, words in table.items()})


_METRIC_OF: Final = {
    language: {word: attribute for attribute, words in table.items() for word in words}
    for language, table in lexicon.METRICS.items()
}
_METRIC: Final = {language: _words(tuple(table), language) for language, table in _METRIC_OF.items()}
_VERDICT: Final = {
    language: {kind: _words(words, language) for kind, words in table.items()}
    for language, table in lexicon.VERDICTS.items()
}
_ANY_VERDICT: Final = {
    language: _words([word for words in table.values() for word in words], language)
    for language, table in lexicon.VERDICTS.items()
}
_UP, _TENTATIVE = _by_language(lexicon.UP), _by_language(lexicon.TENTATIVE)
_INDEPENDENT, _SINGLE = _by_language(lexicon.INDEPENDENT), _by_language(lexicon.SINGLE)
_NO_REASON, _BECAUSE = _by_language(lexicon.NO_REASON), _by_language(lexicon.BECAUSE)
_DUE_DATE = _by_language(lexicon.DUE_DATE)
_BINDING, _EXEMPT = _by_language(lexicon.BINDING), _by_language(lexicon.EXEMPT)
_EVERY, _WEAK, _NOTED = (_by_language(t) for t in (lexicon.EVERY_INVOICE, lexicon.WEAK, lexicon.ONLY_NOTED))


@dataclass(frozen=True, slots=True)
class Limit:
    """A rule as it is understood: payments to somebody above an amount need approval."""

    payee: str
    amount: float


@dataclass(frozen=True, slots=True)
class LooseLine:
    """A line on payments that binds nobody: advice to take approval, or a remark on records."""

    limit: Limit
    is_advice: bool


def figures_in(entry: MemoryEntry, labels: tuple[str, ...], language: str) -> tuple[Figure, ...]:
    """The figures that an entry states about some things."""
    if isinstance(entry.content, dict):
        return tuple(_from_record(entry.content))
    return figures_in_text(legible(entry.text), labels, language)


@lru_cache(maxsize=8192)
def figures_in_text(text: str, labels: tuple[str, ...], language: str) -> tuple[Figure, ...]:
    """The figures in a text: one a sentence that names one thing, one attribute and one sum of money."""
    found = []
    for sentence in sentences(text):
        named = [label for label in labels if label in sentence]
        if len(named) != 1 or _ANY_VERDICT[language].search(sentence):
            continue
        sums = [figure for figure in find_figures(sentence) if figure.unit not in ("", "%")]
        metrics = {_METRIC_OF[language][match.group(0).lower()] for match in _METRIC[language].finditer(sentence)}
        if len(metrics) == 1 and len(sums) == 1:
            tentative = bool(_TENTATIVE[language].search(sentence))
            found.append(Figure(Key(named[0], metrics.pop()), sums[0].value, sums[0].unit, tentative))
    return tuple(found)


@lru_cache(maxsize=8192)
def read_conclusion(text: str, kind: Verdict, labels: tuple[str, ...], language: str) -> Conclusion | None:
    """The conclusion of one kind that a text states, if any."""
    for sentence in sentences(text):
        if not _VERDICT[language][kind].search(sentence):
            continue
        sums = [figure for figure in find_figures(sentence) if figure.unit not in ("", "%")]
        named = [label for label in labels if label in sentence]
        ranks = kind in (Verdict.MOST, Verdict.LEAST)
        if sums and named:
            holds = kind is not Verdict.COVER or bool(_UP[language].search(sentence))
            return Conclusion(kind, sums[-1].value, sums[-1].unit, named[0] if ranks else "", holds)
    return None


def read_number(entry: MemoryEntry, payee: str) -> str | None:
    """The account number that an entry gives for a payee."""
    if isinstance(entry.content, dict):
        matches = entry.content.get("matches")
        for record in matches if isinstance(matches, list) else ():
            if isinstance(record, dict) and payee in record.values():
                return next((str(value) for value in record.values() if _NUMBER.fullmatch(str(value))), None)
        return None
    for sentence in entry.text.splitlines():
        match = _NUMBER.search(sentence)
        if match and payee in sentence:
            found: str = match.group(0)
            return found
    return None


def read_date(entry: MemoryEntry, label: str, language: str) -> str | None:
    """The due date that an entry gives for an invoice."""
    if isinstance(entry.content, dict):
        if label not in entry.content.values():
            return None
        return next((str(entry.content[key]) for key in _DUE_KEYS if key in entry.content), None)
    for sentence in legible(entry.text).splitlines():
        match = _DATE.search(sentence)
        if match and label in sentence and _DUE_DATE[language].search(sentence):
            found: str = match.group(0)
            return found
    return None


@lru_cache(maxsize=8192)
def read_reason(text: str, label: str, language: str) -> tuple[str, ...] | None:
    """The cause that a text states, as one phrase; empty for a statement that there is none; else `None`."""
    for sentence in sentences(text):
        if label not in sentence:
            continue
        if _NO_REASON[language].search(sentence):
            return ()
        match = _BECAUSE[language].search(sentence)
        if match:
            phrase = sentence[match.end() :].split(" | ")[0]
            return (phrase.strip(" ：:.。"),)
    return None


@lru_cache(maxsize=8192)
def read_support(text: str, language: str) -> bool | None:
    """Whether a text says that two independent sources agree; `None` if it does not speak of sources."""
    if _INDEPENDENT[language].search(text):
        return True
    return False if _SINGLE[language].search(text) else None


def read_limits(text: str, payees: Sequence[str], language: str) -> Iterator[Limit]:
    """The binding rules on payments in a text."""
    for sentence in text.splitlines():
        sums = [figure for figure in find_figures(sentence) if figure.unit not in ("", "%")]
        if sums and _BINDING[language].search(sentence):
            yield from (Limit(payee, sums[0].value) for payee in payees if payee in sentence)


def loose_lines(text: str, payees: Sequence[str], language: str) -> Iterator[LooseLine]:
    """The lines of a text that speak of payments to somebody above an amount and bind nobody."""
    for sentence in text.splitlines():
        sums = [figure for figure in find_figures(sentence) if figure.unit not in ("", "%")]
        named = [payee for payee in payees if payee in sentence]
        weak, noted = _WEAK[language].search(sentence), _NOTED[language].search(sentence)
        if sums and named and (weak or noted):
            yield LooseLine(Limit(named[0], sums[0].value), is_advice=bool(weak))


def exempts_all(text: str, language: str) -> bool:
    """Whether a text exempts every invoice from approval."""
    lines = [sentence for sentence in text.splitlines() if _EXEMPT[language].search(sentence)]
    return any(_EVERY[language].search(sentence) for sentence in lines)


def is_exempt(text: str, label: str, language: str) -> bool:
    """Whether a text exempts an invoice from approval, or every invoice."""
    exempt = [sentence for sentence in text.splitlines() if _EXEMPT[language].search(sentence)]
    return any(label in sentence or _EVERY[language].search(sentence) for sentence in exempt)


def is_brief(text: str, language: str) -> bool:
    """Whether a note restates the task."""
    return any(lead in text for lead in lexicon.BRIEF_LEADS[language])


def _from_record(record: Mapping[str, Any]) -> Iterator[Figure]:
    label = next((str(record[key]) for key in _LABEL_KEYS if key in record), "")
    unit = next((str(record[key]) for key in _UNIT_KEYS if key in record), "")
    for name, value in record.items():
        if name in _ATTRIBUTES and label:
            yield Figure(Key(label, _ATTRIBUTES[name]), float(value), unit)
