"""How sales notes are worded: the writers of the domain, and the words of figures and conclusions."""

from __future__ import annotations

from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.sales_report import words_en, words_zh
from data_gen.tasks.sales_report.lexicon import METRICS, VERDICTS
from data_gen.tasks.sales_report.statements import Level, Verdict
from data_gen.texts.grammar import capitalised, expand
from data_gen.texts.names import pick
from data_gen.writers import Writer, build_writers

WRITERS: Final = build_writers({"en": words_en.WRITERS, "zh": words_zh.WRITERS})


def word_level(level: Level, writer: Writer, rng: Rng) -> str:
    """A figure in a writer's words."""
    symbol = "level"
    if level.tentative:
        symbol = "tentative"
    elif level.revised:
        symbol = "revised"
    elif level.settled:
        symbol = "settled"
    return writer.say(
        symbol,
        rng,
        entity=level.key.entity,
        period=writer.period(level.key.period, rng),
        metric=pick(METRICS[writer.language][level.key.metric], rng),
        amount=writer.amount(level.value, level.unit, rng),
    )


def word_verdict(verdict: Verdict, writer: Writer, rng: Rng) -> str:
    """A conclusion in a writer's words."""
    words = VERDICTS[writer.language][verdict.kind][verdict.direction]
    periods = [writer.period(period, rng) for period in verdict.periods]
    fields = {
        "subject": verdict.subject,
        "other": verdict.other,
        "metric": "sales" if writer.language == "en" else "销售额",
        "word": words[int(rng.random() * len(words))],
        "figure": writer.amount(verdict.figure, verdict.unit, rng),
        "a": periods[0],
        "b": periods[-1],
    }
    text = expand(writer.rules, "verdict_lead", rng) + expand(writer.rules, verdict.kind.value, rng, fields)
    if not writer.name.endswith("formal"):
        return text
    return capitalised(text) + ("." if writer.language == "en" else "。")
