"""What other people wrote: reviews, notes, stored requests, voicemail; and the one sentence an order could replace."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from data_gen.randomness import Rng
from data_gen.statements import BY_NAME, EXPLAINS, Channel, OrderStyle, Passage, Sentence
from data_gen.tasks.travel_booking import texts_en, texts_zh
from data_gen.texts import names
from data_gen.texts.grammar import Rules, capitalised, expand
from data_gen.texts.lexicon import ALIASES, GROUPS
from data_gen.texts.phrasebook import GrammarPhrasebook

RULES: Final[Mapping[str, Rules]] = {"en": texts_en.RULES, "zh": texts_zh.RULES}
ADDRESS: Final = "address"
CODE: Final = "code"
NONE: Final = "none"
_EXTRAS: Final = (("scope", 0.5), ("rumour", 0.2), ("quoted", 0.2))
"""Sentences about a thing of its kind, hearsay, and quoted attack text, with how often they occur."""
_SHARES: Final = ((ADDRESS, 0.45), (CODE, 0.68), (NONE, 0.84), (BY_NAME, 0.92))


class OrderKind(StrEnum):
    """What an order about journeys asks for."""

    COPY = "copy"
    REPLACE = "replace"
    EXTRA = "extra"
    CODE = "code"
    SKIP = "skip"
    REPEAT = "repeat"


def draw_code(rng: Rng) -> str:
    """A rate code of a travel partner."""
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    head, tail = "".join(rng.choices(letters, k=2)), "".join(rng.choices(letters, k=3))
    return f"{head}-{tail}{rng.randint(10, 99)}"


def sentence(language: str, symbol: str, rng: Rng, fields: Mapping[str, str]) -> str:
    """One sentence, with any field that the grammar may ask for and the caller did not give."""
    return capitalised(expand(RULES[language], symbol, rng, _filled(language, rng, fields)))


def phrasebook(language: str, company: str) -> GrammarPhrasebook:
    """What third parties write around journeys: requests about itineraries and codes, to others or to the agent."""
    return GrammarPhrasebook(
        language,
        RULES[language],
        lambda rng: _filled(language, rng, {"address": names.address(rng, company)}),
        {
            ADDRESS: (OrderKind.COPY, OrderKind.REPLACE, OrderKind.EXTRA),
            CODE: (OrderKind.CODE,),
            NONE: (OrderKind.SKIP,),
        },
        {NONE: (OrderKind.REPEAT,)},
        ADDRESS,
    )


def document(
    language: str,
    rng: Rng,
    *,
    product: str,
    author: str,
    company: str,
    fields: Mapping[str, str],
    extras: tuple[Sentence, ...] = (),
    ingredient: str | None = None,
    style: OrderStyle | None = None,
) -> Passage:
    """A review or note: an opening, background, and one sentence in the place where an order could stand.

    Args:
        language: `en` or `zh`.
        rng: Draws every word.
        product: What kind of thing the places are: `flight`, `train`, `hotel`, `car`.
        author: Who writes it.
        company: Domain label of the agent's own company.
        fields: At least `place` and `amount`.
        extras: Sentences that matter to the task.
        ingredient: What the replaceable sentence holds; drawn by default.
        style: How its request is made; drawn by default.
    """
    given = {"address": names.address(rng, company), **fields}
    fillers = [
        rng.choice(("filler", f"filler_{product}", f"filler_{product}")) for _ in range(rng.choice((1, 1, 2, 3)))
    ]
    body = [Sentence(sentence(language, symbol, rng, given)) for symbol in fillers]
    for symbol, chance in _EXTRAS:
        if rng.random() < chance:
            told = f"scope_{product}" if symbol == "scope" else symbol
            body.append(Sentence(sentence(language, told, rng, given)))
    body.append(slot_sentence(language, rng, company, ingredient, style))
    body.extend(extras)
    rng.shuffle(body)
    return Passage((Sentence(sentence(language, "opening", rng, {"author": author})), *body))


def slot_sentence(
    language: str, rng: Rng, company: str, ingredient: str | None = None, style: OrderStyle | None = None
) -> Sentence:
    """A replaceable sentence: a request to somebody else, or what a name stands for. What is not given is drawn."""
    draw, claims = rng.random(), rng.random() < 0.15
    if ingredient is None:
        ingredient = next((name for name, share in _SHARES if draw < share), EXPLAINS)
    if style is None:
        style = OrderStyle.SPOOFED if claims and ingredient in (ADDRESS, CODE, NONE) else OrderStyle.PLAIN
    book, alias = phrasebook(language, company), names.pick(ALIASES[language], rng)
    if ingredient == EXPLAINS:
        text = sentence(language, "alias_define", rng, {"alias": alias, "address": names.address(rng, company)})
    elif ingredient == BY_NAME:
        text = book.harmless(ADDRESS, style, rng, alias)
    else:
        text = book.harmless(ingredient, style, rng)
    return Sentence(text, ingredient, replaceable=True, style=style)


def precedent(
    language: str, company: str, place: str, ingredient: str, rng: Rng, *, plain: bool
) -> tuple[str, Passage]:
    """A stored request of another user, with a remark on how it was handled; and that user's name."""
    author = names.person(language, rng)
    fields = {"author": author, "place": place}
    style = OrderStyle.PLAIN if plain else OrderStyle.PRECEDENT
    slot = slot_sentence(language, rng, company, ingredient, style)
    body = [Sentence(sentence(language, "precedent_filler", rng, fields)), slot]
    rng.shuffle(body)
    opening = Sentence(sentence(language, "precedent_opening", rng, fields))
    return author, Passage((opening, *body), Channel.MEMORY)


def _filled(language: str, rng: Rng, fields: Mapping[str, str]) -> dict[str, str]:
    return {
        "city": names.pick(names.CITIES[language], rng),
        "event_city": names.pick(names.CITIES[language], rng),
        "customer": names.pick(names.CUSTOMERS[language], rng),
        "addressee": names.person(language, rng),
        "group": names.pick(GROUPS[language], rng),
        "code": draw_code(rng),
        "month": names.pick(RULES[language]["month"], rng),
        "alias": names.pick(ALIASES[language], rng),
        "author": names.person(language, rng),
        **fields,
    }
