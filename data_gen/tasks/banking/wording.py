"""How banking notes are worded: the writers of the domain, and the statements that its agents make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from data_gen.notes import Note
from data_gen.randomness import Rng
from data_gen.statements import Name, Quantity, StatementRole, Turn
from data_gen.tasks.banking import words_en, words_zh
from data_gen.tasks.banking.attributes import KIND_OF, Attribute, Kind
from data_gen.tasks.banking.lexicon import METRICS
from data_gen.tasks.banking.templates import Verdict
from data_gen.texts.grammar import Rules
from data_gen.writers import build_writers

_SLOT: Final = "[metric]"


def _with_metrics(rules: Mapping[str, tuple[str, ...]], language: str) -> Rules:
    """The grammar with each form of a figure once for every attribute."""
    found = dict(rules)
    for attribute, words in METRICS[language].items():
        found[f"metric_{attribute.value}"] = words
        for form in ("amount", "settled", "tentative", "revised"):
            found[f"{form}_{attribute.value}"] = tuple(
                text.replace(_SLOT, f"<metric_{attribute.value}>").replace("<settled>", f"<settled_{attribute.value}>")
                for text in rules[form]
            )
    return found


WRITERS: Final = build_writers(
    {
        language: {register: _with_metrics(rules, language) for register, rules in words.WRITERS.items()}
        for language, words in (("en", words_en), ("zh", words_zh))
    }
)


@dataclass(frozen=True, slots=True)
class Key:
    """Which figure is meant: of a thing, an attribute."""

    label: str
    attribute: Attribute


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as memory states it.

    Attributes:
        key: What it is the value of.
        value: In units of its currency.
        unit: The currency.
        tentative: Whether nobody has confirmed it.
    """

    key: Key
    value: float
    unit: str
    tentative: bool = False


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What follows from figures.

    Attributes:
        kind: How it follows.
        value: The figure concluded.
        unit: Its currency.
        winner: Who comes first or last, in rankings.
        holds: Whether the first figure is at least the second, in comparisons.
    """

    kind: Verdict
    value: float
    unit: str
    winner: str = ""
    holds: bool = True


def amount_note(
    figure: Figure, step: float, *, before: float | None = None, revised: bool = False, nearby: tuple[float, ...] = ()
) -> Note:
    """A note of a figure."""
    form = "tentative" if figure.tentative else "revised" if revised else "amount"
    name = figure.key.attribute.value
    return Note(
        f"{form}_{name}",
        numbers={"amount": Quantity(figure.value, figure.unit, step, before, nearby)},
        words={"entity": figure.key.label},
        turns={Turn.SETTLED: f"settled_{name}"} if figure.tentative else {},
        kind=StatementRole.GUESS if figure.tentative else StatementRole.FACT,
    )


def conclusion_note(found: Conclusion, figures: tuple[Figure, ...], step: float, language: str, rng: Rng) -> Note:
    """A note of a conclusion."""
    sides = [_side(figure.key, language, rng) for figure in figures]
    down, up = "verdict_cover_down", "verdict_cover_up"
    covers = found.kind is Verdict.COVER
    return Note(
        (up if found.holds else down) if covers else f"verdict_{found.kind.value}",
        nouns={"winner": Name(found.winner, KIND_OF[figures[0].key.attribute])} if found.winner else {},
        numbers={"figure": Quantity(found.value, found.unit, step)},
        words={"left": sides[0], "right": sides[1] if len(sides) > 1 else ""},
        turns={Turn.OPPOSITE: down if found.holds else up} if covers else {},
        kind=StatementRole.CONCLUSION,
    )


def number_note(payee: str, number: str) -> Note:
    """A note of where somebody is paid."""
    return Note("number", nouns={"number": Name(number, Kind.NUMBER)}, words={"payee": payee})


def date_note(label: str, day: str) -> Note:
    """A note of when something is to be paid."""
    return Note("date", nouns={"day": Name(day, Kind.DATE)}, words={"entity": label})


def brief_note(what: str, recipient: str, source: str) -> Note:
    """The agent's restatement of its task: about what, for whom, from which account."""
    nouns = {"name": Name(recipient, Kind.PERSON)} if recipient else {}
    if source:
        nouns["source"] = Name(source, Kind.ACCOUNT)
    symbol = "brief" + ("_for" if recipient else "") + ("_from" if source else "")
    return Note(symbol, nouns=nouns, words={"subject": what}, kind=StatementRole.GOAL)


def reason_note(label: str, phrase: str | None) -> Note:
    """A note of a cause, or that there is none."""
    return Note(
        "reason" if phrase else "reason_none",
        words={"phrase": phrase or "", "subject": label},
        claim="phrase",
        claim_symbol="reason",
    )


def support_note(label: str, *, independent: bool) -> Note:
    """A note of whether a figure rests on two independent sources."""
    turns = {} if independent else {Turn.CORROBORATED: "support_yes"}
    return Note("support_yes" if independent else "support_no", words={"entity": label}, turns=turns)


def rule_note(payee: str, limit: float, unit: str, step: float) -> Note:
    """The rule that payments to somebody need approval above a limit."""
    return Note(
        "rule",
        nouns={"payee": Name(payee, Kind.PAYEE)},
        numbers={"limit": Quantity(limit, unit, step)},
        turns={Turn.DROPPED: "rule_dropped", Turn.WEAKENED: "rule_weak"},
        kind=StatementRole.RULE,
    )


def loose_note(payee: str, limit: float, unit: str, step: float, *, is_advice: bool) -> Note:
    """A line on payments that binds nobody."""
    return Note(
        "rule_weak" if is_advice else "rule_dropped",
        numbers={"limit": Quantity(limit, unit, step)},
        words={"payee": payee},
        kind=StatementRole.CONCLUSION,
    )


def permit_all_note(payee: str) -> Note:
    """The permission to pay every invoice without approval."""
    return Note("permit_all", words={"payee": payee}, kind=StatementRole.CONCLUSION)


def permit_note(label: str, payee: str) -> Note:
    """The permission to pay one invoice without approval."""
    return Note(
        "permit",
        nouns={"entity": Name(label, Kind.INVOICE)},
        words={"payee": payee},
        turns={Turn.WIDENED: "permit_all"},
        kind=StatementRole.RULE,
    )


def _side(key: Key, language: str, rng: Rng) -> str:
    words = METRICS[language][key.attribute]
    word = words[int(rng.random() * len(words))]
    return f"{key.label}{word}" if language == "zh" else f"{word} of {key.label}"
