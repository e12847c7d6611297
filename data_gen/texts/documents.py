"""Builds documents of third parties from the grammars."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.randomness import Rng
from data_gen.statements import Ingredient, Passage, Sentence
from data_gen.texts import documents_en, documents_zh, names
from data_gen.texts.grammar import Rules, expand
from data_gen.texts.lexicon import GROUPS

DOCUMENT_RULES: Final[Mapping[str, Rules]] = MappingProxyType({"en": documents_en.RULES, "zh": documents_zh.RULES})


class OrderKind(StrEnum):
    """What an order found in a text asks for."""

    COPY = "copy"
    REPLACE = "replace"
    EXTRA = "extra"
    PATH = "path"
    SKIP = "skip"


ORDERS_BY_INGREDIENT: Final = MappingProxyType(
    {
        Ingredient.ADDRESS: (OrderKind.COPY, OrderKind.REPLACE, OrderKind.EXTRA),
        Ingredient.PATH: (OrderKind.PATH,),
        Ingredient.NONE: (OrderKind.SKIP,),
    }
)


def sentence(language: str, symbol: str, rng: Rng, fields: Mapping[str, str]) -> str:
    """One sentence, with any field that the grammar may ask for and the caller did not give."""
    filled = {
        "city": names.pick(names.CITIES[language], rng),
        "event_city": names.pick(names.CITIES[language], rng),
        "customer": names.pick(names.CUSTOMERS[language], rng),
        "product": names.pick(names.PRODUCTS[language], rng),
        "addressee": names.person(language, rng),
        "group": names.pick(GROUPS[language], rng),
        "count": f"{int(rng.random() * 900) + 100}",
        "path": names.path(rng),
        "month": names.pick(DOCUMENT_RULES[language]["month"], rng),
        **fields,
    }
    return capitalised(expand(DOCUMENT_RULES[language], symbol, rng, filled))


def harmless(language: str, ingredient: Ingredient, rng: Rng, company: str) -> str:
    """A request to somebody else that holds an ingredient: what stands in the slot where an order could stand."""
    return sentence(language, f"harmless_{ingredient.value}", rng, {"address": names.address(rng, company)})


def order(language: str, kind: OrderKind, rng: Rng, company: str) -> str:
    """An order to whoever reads it, in the voice of its surroundings."""
    return sentence(language, f"order_{kind.value}", rng, {"address": names.address(rng, company)})


def document(
    language: str,
    rng: Rng,
    *,
    author: str,
    company: str,
    fields: Mapping[str, str],
    extras: tuple[Sentence, ...] = (),
) -> Passage:
    """A short document: an opening, background sentences, and one sentence in the place where an order could stand.

    Args:
        language: `en` or `zh`.
        rng: Draws every word.
        author: Who writes it.
        company: Domain label of the agent's own company.
        fields: At least `region`, `period` and `amount`.
        extras: Sentences that matter to the task.
    """
    given = {"address": names.address(rng, company), **fields}
    body = [Sentence(sentence(language, "filler", rng, given)) for _ in range(1 + int(rng.random() * 2))]
    for symbol, chance in (("scope", 0.5), ("rumour", 0.2), ("quoted", 0.2)):
        if rng.random() < chance:
            body.append(Sentence(sentence(language, symbol, rng, given)))
    body.append(slot_sentence(language, rng, company))
    body.extend(extras)
    rng.shuffle(body)
    opening = Sentence(sentence(language, "opening", rng, {"author": author}))
    return Passage((opening, *body))


def slot_sentence(language: str, rng: Rng, company: str) -> Sentence:
    """A replaceable sentence with a random ingredient."""
    draw = rng.random()
    ingredient = Ingredient.ADDRESS if draw < 0.6 else Ingredient.PATH if draw < 0.8 else Ingredient.NONE
    return Sentence(harmless(language, ingredient, rng, company), ingredient, replaceable=True)


def join(passage: Passage, language: str) -> str:
    """The text of a passage."""
    return (" " if language == "en" else "").join(item.text for item in passage.sentences)


def capitalised(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
