"""Builds documents of third parties from the grammars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.randomness import Rng
from data_gen.statements import BY_NAME, EXPLAINS, OrderStyle, Passage, Sentence
from data_gen.texts import documents_en, documents_zh, names
from data_gen.texts.grammar import Rules, capitalised, expand
from data_gen.texts.lexicon import ALIASES, GROUPS
from data_gen.texts.phrasebook import GrammarPhrasebook

_EXTRAS: Final = (("scope", 0.5), ("rumour", 0.2), ("quoted", 0.2))
ADDRESS: Final = "address"
PATH: Final = "path"
NONE: Final = "none"
DOCUMENT_RULES: Final[Mapping[str, Rules]] = MappingProxyType({"en": documents_en.RULES, "zh": documents_zh.RULES})


class OrderKind(StrEnum):
    """What an order about reports and mails asks for."""

    COPY = "copy"
    REPLACE = "replace"
    EXTRA = "extra"
    PATH = "path"
    SKIP = "skip"
    REPEAT = "repeat"


def sentence(language: str, symbol: str, rng: Rng, fields: Mapping[str, str]) -> str:
    """One sentence, with any field that the grammar may ask for and the caller did not give."""
    return capitalised(expand(DOCUMENT_RULES[language], symbol, rng, _filled(language, rng, fields)))


def _filled(language: str, rng: Rng, fields: Mapping[str, str]) -> DrawnFields:
    return DrawnFields(_DRAWS, language, rng, fields)


class DrawnFields(dict[str, str]):
    """Fields of a sentence, of which those that are not given are drawn when they are first asked for."""

    def __init__(
        self, draws: Mapping[str, Callable[[str, Rng], str]], language: str, rng: Rng, given: Mapping[str, str]
    ) -> None:
        super().__init__(given)
        self._draws, self._language, self._rng = draws, language, rng

    def __missing__(self, name: str) -> str:
        self[name] = self._draws[name](self._language, self._rng)
        return self[name]


_DRAWS: Final[Mapping[str, Callable[[str, Rng], str]]] = MappingProxyType(
    {
        "city": lambda language, rng: names.pick(names.CITIES[language], rng),
        "event_city": lambda language, rng: names.pick(names.CITIES[language], rng),
        "customer": lambda language, rng: names.pick(names.CUSTOMERS[language], rng),
        "product": lambda language, rng: names.pick(names.PRODUCTS[language], rng),
        "addressee": names.person,
        "author": names.person,
        "group": lambda language, rng: names.pick(GROUPS[language], rng),
        "count": lambda _language, rng: f"{int(rng.random() * 900) + 100}",
        "path": lambda _language, rng: names.path(rng),
        "month": lambda language, rng: names.pick(DOCUMENT_RULES[language]["month"], rng),
        "alias": lambda language, rng: names.pick(ALIASES[language], rng),
    }
)


def phrasebook(language: str, company: str) -> GrammarPhrasebook:
    """What third parties write around reports: requests about mails and files, to others or to the agent."""
    return GrammarPhrasebook(
        language,
        DOCUMENT_RULES[language],
        lambda rng: _filled(language, rng, {"address": names.address(rng, company)}),
        {
            ADDRESS: (OrderKind.COPY, OrderKind.REPLACE, OrderKind.EXTRA),
            PATH: (OrderKind.PATH,),
            NONE: (OrderKind.SKIP,),
        },
        {NONE: (OrderKind.REPEAT,)},
        ADDRESS,
    )


def document(
    language: str,
    rng: Rng,
    *,
    author: str,
    company: str,
    fields: Mapping[str, str],
    extras: tuple[Sentence, ...] = (),
    ingredient: str | None = None,
    style: OrderStyle | None = None,
) -> Passage:
    """A short document: an opening, background sentences, and one sentence in the place where an order could stand.

    Args:
        language: `en` or `zh`.
        rng: Draws every word.
        author: Who writes it.
        company: Domain label of the agent's own company.
        fields: At least `region`, `period` and `amount`.
        extras: Sentences that matter to the task.
        ingredient: What the replaceable sentence holds; drawn by default.
        style: How its request is made; drawn by default.
    """
    given = {"address": names.address(rng, company), **fields}
    body = [Sentence(sentence(language, "filler", rng, given)) for _ in range(1 + int(rng.random() * 2))]
    # Names that are explained, and requests that claim authority, are no sign of an attack by themselves.
    for symbol, chance in _EXTRAS:
        if rng.random() < chance:
            body.append(Sentence(sentence(language, symbol, rng, given)))
    body.append(slot_sentence(language, rng, company, ingredient, style))
    body.extend(extras)
    rng.shuffle(body)
    opening = Sentence(sentence(language, "opening", rng, {"author": author}))
    return Passage((opening, *body))


def slot_sentence(
    language: str, rng: Rng, company: str, ingredient: str | None = None, style: OrderStyle | None = None
) -> Sentence:
    """A replaceable sentence: a request to somebody else, or what a name stands for. What is not given is drawn."""
    draw, claims = rng.random(), rng.random() < 0.15
    if ingredient is None:
        shares = ((ADDRESS, 0.5), (PATH, 0.7), (NONE, 0.84), (BY_NAME, 0.92))
        ingredient = next((name for name, share in shares if draw < share), EXPLAINS)
    if style is None:
        style = OrderStyle.SPOOFED if claims and ingredient in (ADDRESS, PATH, NONE) else OrderStyle.PLAIN
    book, alias = phrasebook(language, company), names.pick(ALIASES[language], rng)
    if ingredient == EXPLAINS:
        text = sentence(language, "alias_define", rng, {"alias": alias, "address": names.address(rng, company)})
    elif ingredient == BY_NAME:
        text = book.harmless(ADDRESS, style, rng, alias)
    else:
        text = book.harmless(ingredient, style, rng)
    return Sentence(text, ingredient, replaceable=True, style=style)


def join(passage: Passage, language: str) -> str:
    """The text of a passage."""
    return passage.text(language)
