"""How travel notes are worded: the writers of the domain, and the words of facts and conclusions."""

from __future__ import annotations

from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.travel_booking import lexicon, words_en, words_zh
from data_gen.tasks.travel_booking.statements import Fact, Key, Measure, Verdict, VerdictKind
from data_gen.texts.grammar import capitalised, expand
from data_gen.texts.names import pick
from data_gen.writers import Writer, build_writers

WRITERS: Final = build_writers({"en": words_en.WRITERS, "zh": words_zh.WRITERS})
MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
LIMIT_NAMES: Final = {
    "en": {
        Measure.CAP: "the cap", Measure.BUDGET: "the budget", Measure.MINIMUM: "the minimum",
        Measure.FLOOR: "the floor", Measure.FREE: "the allowance", Measure.HELD: "the held price",
    },
    "zh": {
        Measure.CAP: "上限", Measure.BUDGET: "预算", Measure.MINIMUM: "最低要求", Measure.FLOOR: "底线",
        Measure.FREE: "免费额度", Measure.HELD: "预留价",
    },
}  # fmt: skip


def word_day(day: str, language: str, rng: Rng) -> str:
    """A day such as `2026-03-12` in one of the usual ways."""
    _, month, number = day.split("-")
    written = f"{int(number)} {MONTHS[int(month) - 1]}" if language == "en" else f"{int(month)}月{int(number)}日"
    return day if rng.random() < 0.3 else written


def word_item(key: Key, writer: Writer, rng: Rng) -> str:
    """What a value is of, with its day where it has one."""
    if not key.day:
        return key.subject
    return expand(
        writer.rules, "item_day", rng, {"subject": key.subject, "day": word_day(key.day, writer.language, rng)}
    )


def word_fact(fact: Fact, writer: Writer, rng: Rng) -> str:
    """A value in a writer's words."""
    symbol = "fact"
    if fact.tentative:
        symbol = "tentative"
    elif fact.revised:
        symbol = "revised"
    elif fact.settled:
        symbol = "settled"
    return writer.say(
        symbol,
        rng,
        item=word_item(fact.key, writer, rng),
        measure=pick(lexicon.MEASURES[writer.language][fact.key.measure], rng),
        amount=writer.amount(fact.value, fact.unit, rng),
    )


def word_verdict(verdict: Verdict, writer: Writer, rng: Rng) -> str:
    """A conclusion in a writer's words."""
    language = writer.language
    words: tuple[str, ...]
    if verdict.kind is VerdictKind.PICK:
        words = lexicon.PICK_WORDS[language][verdict.sense]
    elif verdict.kind is VerdictKind.SUM:
        words = lexicon.SUM_WORDS[language]
    else:
        words = (lexicon.ABOVE_WORDS if verdict.above else lexicon.BELOW_WORDS)[language]
    apart = (lexicon.MORE_WORDS if verdict.above else lexicon.LESS_WORDS)[language]
    fields = {
        "subject": verdict.subject,
        "word": words[int(rng.random() * len(words))],
        "more": apart[int(rng.random() * len(apart))],
        "figure": writer.amount(verdict.figure, verdict.unit, rng),
        "limit": LIMIT_NAMES[language].get(Measure(verdict.sense), "") if verdict.kind is VerdictKind.LIMIT else "",
    }
    text = expand(writer.rules, "verdict_lead", rng) + expand(writer.rules, verdict.kind.value, rng, fields)
    if not writer.name.endswith("formal"):
        return text
    return capitalised(text) + ("." if language == "en" else "。")
