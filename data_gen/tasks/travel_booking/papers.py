"""What lies around a task: reviews and notes, stored requests, a voicemail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import BY_NAME, EXPLAINS, OrderStyle, Passage, Sentence
from data_gen.tasks.travel_booking import lexicon, texts
from data_gen.tasks.travel_booking.logic import Inquiry
from data_gen.tasks.travel_booking.records import written
from data_gen.tasks.travel_booking.shapes import CODED
from data_gen.tasks.travel_booking.statements import Key
from data_gen.tasks.travel_booking.wording import word_day
from data_gen.tasks.travel_booking.world import Value, World
from data_gen.texts import names

_TITLES: Final = {"en": ("review", "note", "mail", "memo", "post"), "zh": ("点评", "便笺", "来信", "备忘", "帖子")}


@dataclass(frozen=True, slots=True)
class Paper:
    """A text that somebody else wrote."""

    author: str
    name: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Voicemail:
    """A guess that somebody left by phone."""

    author: str
    text: str


def draw_phrase(language: str, rng: Rng) -> str:
    """A reason why a price is what it is."""
    phrase = texts.sentence(language, "phrase", rng, {})
    return phrase[:1].lower() + phrase[1:] if language == "en" else phrase


def draw_papers(world: World, inquiry: Inquiry, reason: str, wanted: frozenset[Need], rng: Rng) -> tuple[Paper, ...]:
    """What others wrote about the journey; one of the texts states the reason of the price, where there is one."""
    language = world.language
    some = bool(reason) or not wanted.isdisjoint((Need.DOCUMENT, Need.LOOP, Need.AUTHORITY))
    count = rng.choice((2, 2, 3) if Need.TWO_DOCUMENTS in wanted else (1, 1, 2, 2, 3) if some else (0, 1, 1, 2))
    held: list[str | None] = [None] * count
    styles: list[OrderStyle | None] = [None] * count
    if Need.TWO_DOCUMENTS in wanted:
        held[:2] = [EXPLAINS, BY_NAME]
    elif Need.LOOP in wanted:
        held[0], styles[0] = texts.NONE, OrderStyle.PLAIN
    elif Need.AUTHORITY in wanted:
        held[0], styles[0] = draw_ingredient(inquiry, rng), OrderStyle.SPOOFED
    elif Need.DOCUMENT in wanted:
        held[0], styles[0] = draw_ingredient(inquiry, rng), OrderStyle.PLAIN
    holder = rng.randrange(count) if count else 0
    found = []
    for number in range(count):
        fields = {"place": _place(world, inquiry, rng), "amount": _loose_amount(world, inquiry, rng)}
        extras: tuple[Sentence, ...] = ()
        if reason and number == holder:
            told = {**fields, "place": _about(inquiry), "phrase": reason}
            extras = (Sentence(texts.sentence(language, "cause_note", rng, told)),)
        author = names.person(language, rng)
        passage = texts.document(
            language,
            rng,
            product=inquiry.shape.product.value,
            author=author,
            company=world.company,
            fields=fields,
            extras=extras,
            ingredient=held[number],
            style=styles[number],
        )
        found.append(Paper(author, f"{names.pick(_TITLES[language], rng)}-{number + 1}", passage))
    return tuple(found)


def draw_precedent(world: World, inquiry: Inquiry, rng: Rng, *, plain: bool) -> Paper:
    """A stored request of another user."""
    place, ingredient = _place(world, inquiry, rng), draw_ingredient(inquiry, rng)
    author, passage = texts.precedent(world.language, world.company, place, ingredient, rng, plain=plain)
    return Paper(author, "", passage)


def draw_voicemail(world: World, key: Key, rng: Rng) -> Voicemail:
    """A guess about a price, well off the mark."""
    true = world.facts[key]
    factor = rng.uniform(0.6, 0.9) if rng.random() < 0.5 else rng.uniform(1.1, 1.5)
    author, language = names.person(world.language, rng), world.language
    fields = {
        "author": author,
        "place": key.subject,
        "day": word_day(key.day, language, rng),
        "measure": names.pick(lexicon.MEASURES[language][key.measure], rng),
        "amount": written(Value(float(round(true.number * factor)), true.unit), language),
        "unsure": names.pick(lexicon.TENTATIVE[language], rng),
    }
    return Voicemail(author, texts.sentence(language, "voicemail", rng, fields))


def draw_ingredient(inquiry: Inquiry, rng: Rng) -> str:
    """What a request may be about; codes only where something is booked."""
    choices = (texts.ADDRESS, texts.ADDRESS, texts.CODE, texts.CODE, texts.NONE)
    return rng.choice(choices if inquiry.shape.act in CODED else (texts.ADDRESS, texts.ADDRESS, texts.NONE))


def _place(world: World, inquiry: Inquiry, rng: Rng) -> str:
    return rng.choice(world.offers[inquiry.city, inquiry.shape.product])


def _about(inquiry: Inquiry) -> str:
    """The thing asked about, as a review would call it."""
    if inquiry.given:
        return inquiry.given[0]
    return f"a journey to {inquiry.city}" if inquiry.language == "en" else f"{inquiry.city}之行"


def _loose_amount(world: World, inquiry: Inquiry, rng: Rng) -> str:
    prices = [value for key, value in world.facts.items() if key.day == inquiry.day]
    base = rng.choice(prices).number if prices else 240.0
    return written(Value(float(max(1, round(base * rng.uniform(0.5, 1.7)))), world.currency), world.language)
