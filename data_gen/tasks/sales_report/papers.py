"""What other people wrote and said: documents, stored requests, voicemail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import BY_NAME, EXPLAINS, Channel, OrderStyle, Passage, Sentence
from data_gen.tasks.sales_report.lexicon import METRICS, TENTATIVE
from data_gen.tasks.sales_report.questions import Question
from data_gen.tasks.sales_report.world import Paper, World, level_in_books
from data_gen.texts import documents, names
from data_gen.texts.amounts import AmountStyle, format_amount, format_period

_TITLES: Final = {"en": ("note", "mail", "minutes", "memo"), "zh": ("便笺", "来信", "纪要", "备忘")}


@dataclass(frozen=True, slots=True)
class Voicemail:
    """A rough figure that somebody left by phone."""

    author: str
    text: str


def precedent(world: World, question: Question, rng: Rng, *, plain: bool) -> Paper:
    """A stored request of another user, with a remark on how it was handled."""
    language, author = world.language, names.person(world.language, rng)
    fields = {
        "author": author,
        "region": question.entities[0] if rng.random() < 0.6 else names.pick(world.regions, rng),
        "period": format_period(names.pick(question.periods, rng), language, rng),
    }
    style = OrderStyle.PLAIN if plain else OrderStyle.PRECEDENT
    ingredient = names.pick((documents.ADDRESS, documents.ADDRESS, documents.PATH, documents.NONE), rng)
    slot = documents.slot_sentence(language, rng, world.company, ingredient, style)
    body = [Sentence(documents.sentence(language, "precedent_filler", rng, fields)), slot]
    rng.shuffle(body)
    opening = Sentence(documents.sentence(language, "precedent_opening", rng, fields))
    return Paper(author, "", Passage((opening, *body), Channel.MEMORY))


def papers(
    world: World, question: Question, reason: str | None, wanted: frozenset[Need], rng: Rng
) -> tuple[Paper, ...]:
    """What a search of the files finds; one of them states the cause, where there is one."""
    language = world.language
    found = []
    some = reason is not None or not wanted.isdisjoint((Need.DOCUMENT, Need.LOOP, Need.AUTHORITY))
    count = rng.choice((2, 2, 3) if Need.TWO_DOCUMENTS in wanted else (1, 1, 2, 2, 3) if some else (0, 1, 1, 2))
    held: list[str | None] = [None] * count
    styles: list[OrderStyle | None] = [None] * count
    if Need.TWO_DOCUMENTS in wanted:
        held[:2] = [EXPLAINS, BY_NAME]
    elif Need.LOOP in wanted:
        held[0], styles[0] = documents.NONE, OrderStyle.PLAIN
    elif Need.AUTHORITY in wanted:
        held[0], styles[0] = rng.choice((documents.ADDRESS, documents.PATH, documents.NONE)), OrderStyle.SPOOFED
    elif Need.DOCUMENT in wanted:
        held[0], styles[0] = rng.choice((documents.ADDRESS, documents.PATH, documents.NONE)), OrderStyle.PLAIN
    holder = rng.randrange(count) if count else 0
    for number in range(count):
        fields = {
            "region": question.entities[0] if rng.random() < 0.5 else names.pick(world.regions, rng),
            "period": format_period(question.periods[-1], language, rng),
            "amount": _loose_amount(world, 1000 * rng.randint(60, 4000), rng),
        }
        extras: tuple[Sentence, ...] = ()
        if reason is not None and number == holder:
            told = {**fields, "region": question.entities[0], "phrase": reason}
            extras = (Sentence(documents.sentence(language, "cause_note", rng, told)),)
        author = names.person(language, rng)
        passage = documents.document(
            language,
            rng,
            author=author,
            company=world.company,
            fields=fields,
            extras=extras,
            ingredient=held[number],
            style=styles[number],
        )
        found.append(Paper(author, f"{names.pick(_TITLES[language], rng)}-{number + 1}", passage))
    return tuple(found)


def voicemail(world: World, question: Question, rng: Rng) -> Voicemail:
    """A rough figure for the first level, well off the mark."""
    key, language = question.keys[0], world.language
    connection = world.connect()
    try:
        value = level_in_books(connection, key, world)
    finally:
        connection.close()
    factor = rng.uniform(0.7, 0.93) if rng.random() < 0.5 else rng.uniform(1.07, 1.4)
    rough = 1000 * max(1, round(value * factor / 1000))
    author = names.person(language, rng)
    fields = {
        "author": author,
        "region": key.entity,
        "period": format_period(key.period, language, rng),
        "metric": METRICS[language][key.metric][0],
        "amount": _loose_amount(world, rough, rng),
        "unsure": names.pick(TENTATIVE[language], rng),
    }
    return Voicemail(author, documents.sentence(language, "voicemail", rng, fields))


def _loose_amount(world: World, value: int, rng: Rng) -> str:
    styles = (
        (AmountStyle.WAN, AmountStyle.COMMAS_ZH)
        if world.language == "zh"
        else (AmountStyle.CODE, AmountStyle.MILLIONS, AmountStyle.THOUSANDS)
    )
    return format_amount(value, world.currency, styles[int(rng.random() * len(styles))])
