"""What other people wrote and said: the customer's message, papers of third parties, stored requests, a phone memo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import BY_NAME, EXPLAINS, Channel, OrderStyle, Passage, Sentence
from data_gen.tasks.refund_service.attributes import LABELS, Attr, Key, Unit, unit_of
from data_gen.tasks.refund_service.documents import RULES
from data_gen.tasks.refund_service.lexicon import GOODS, TENTATIVE
from data_gen.tasks.refund_service.reading import PAYOUT_ORDER
from data_gen.tasks.refund_service.world import World, payout
from data_gen.texts import names
from data_gen.texts.amounts import AmountStyle, format_quantity
from data_gen.texts.documents import ADDRESS, NONE, DrawnFields, OrderKind
from data_gen.texts.grammar import capitalised, expand
from data_gen.texts.lexicon import ALIASES, GROUPS
from data_gen.texts.phrasebook import GrammarPhrasebook

PAYOUT: Final = "payout"
_TITLES: Final = {"en": ("note", "mail", "log", "memo"), "zh": ("便笺", "来信", "记录", "备忘")}
_EXTRAS: Final = (("scope", 0.5), ("rumour", 0.2), ("quoted", 0.2))
_CHARACTER: Final = {
    "en": {True: ("furious", "offended", "fed up", "annoyed"), False: ("patient", "relaxed", "calm")},
    "zh": {True: ("恼火", "气愤", "愤怒"), False: ("平和", "冷静")},
}
_DRAWS: Final[Mapping[str, Callable[[str, Rng], str]]] = MappingProxyType(
    {
        "city": lambda language, rng: names.pick(names.CITIES[language], rng),
        "event_city": lambda language, rng: names.pick(names.CITIES[language], rng),
        "addressee": names.person,
        "author": names.person,
        "customer_name": names.person,
        "group": lambda language, rng: names.pick(GROUPS[language], rng),
        "count": lambda _language, rng: f"{int(rng.random() * 80) + 11}",
        "month": lambda language, rng: names.pick(RULES[language]["month"], rng),
        "alias": lambda language, rng: names.pick(ALIASES[language], rng),
        "payout": lambda _language, rng: payout(rng),
        "good": lambda language, rng: names.pick(GOODS[language], rng),
        "path": lambda _language, rng: names.path(rng),
    }
)


@dataclass(frozen=True, slots=True)
class Paper:
    """A text that somebody else wrote."""

    author: str
    name: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Memo:
    """A rough figure that somebody left by phone."""

    author: str
    text: str


@dataclass(frozen=True, slots=True)
class Complaint:
    """What the customer says: the items, the temper, and how many days they would wait for money."""

    order: str
    items: tuple[str, ...]
    upset: bool
    deadline: int


def fields_of(language: str, rng: Rng, given: Mapping[str, str]) -> DrawnFields:
    """Fields of a sentence; what is not given is drawn when it is asked for."""
    return DrawnFields(_DRAWS, language, rng, given)


def sentence(language: str, symbol: str, rng: Rng, fields: Mapping[str, str]) -> str:
    """One sentence of a third party."""
    return capitalised(expand(RULES[language], symbol, rng, fields_of(language, rng, fields)))


def draw_cause(language: str, rng: Rng) -> str:
    """What may have gone wrong."""
    text = sentence(language, "phrase", rng, {})
    return text[:1].lower() + text[1:] if language == "en" else text


def phrasebook(language: str, company: str) -> GrammarPhrasebook:
    """What third parties write around complaints: requests about replies, bills and refunds."""
    return GrammarPhrasebook(
        language,
        RULES[language],
        lambda rng: fields_of(language, rng, {ADDRESS: names.address(rng, company)}),
        {
            ADDRESS: (OrderKind.COPY, OrderKind.REPLACE, OrderKind.EXTRA),
            PAYOUT: (PAYOUT_ORDER,),
            NONE: (OrderKind.SKIP,),
        },
        {NONE: (OrderKind.REPEAT,)},
        ADDRESS,
    )


def slot_sentence(world: World, rng: Rng, ingredient: str | None = None, style: OrderStyle | None = None) -> Sentence:
    """A replaceable sentence: a request to somebody else, or what a name stands for. What is not given is drawn."""
    language, draw, claims = world.language, rng.random(), rng.random() < 0.15
    if ingredient is None:
        shares = ((ADDRESS, 0.42), (PAYOUT, 0.7), (NONE, 0.84), (BY_NAME, 0.92))
        ingredient = next((name for name, share in shares if draw < share), EXPLAINS)
    if style is None:
        style = OrderStyle.SPOOFED if claims and ingredient in (ADDRESS, PAYOUT, NONE) else OrderStyle.PLAIN
    book, alias = phrasebook(language, world.company), names.pick(ALIASES[language], rng)
    if ingredient == EXPLAINS:
        given = {"alias": alias, ADDRESS: names.address(rng, world.company)}
        text = sentence(language, "alias_define", rng, given)
    elif ingredient == BY_NAME:
        text = book.harmless(ADDRESS, style, rng, alias)
    else:
        text = book.harmless(ingredient, style, rng)
    return Sentence(text, ingredient, replaceable=True, style=style)


def loose_amount(world: World, value: float, unit: str, rng: Rng) -> str:
    """A quantity as people write it in passing."""
    styles = (AmountStyle.COMMAS_ZH, AmountStyle.PLAIN_ZH) if world.language == "zh" else (AmountStyle.CODE,)
    return format_quantity(value, unit, styles[int(rng.random() * len(styles))])


def _sum(world: World, rng: Rng) -> str:
    scale = 6 if world.language == "zh" else 1
    return loose_amount(world, round(rng.uniform(8, 240) * scale, 2), world.currency, rng)


def message(world: World, complaint: Complaint, rng: Rng) -> Paper:
    """The customer's message."""
    language, customer = world.language, world.customers[0]
    joiner = " and the " if language == "en" else "和"
    wait = world.written(Attr.DEADLINE, complaint.deadline)
    fields = {
        "customer": customer.name,
        "order": complaint.order,
        "items": joiner.join(complaint.items),
        "word": names.pick(_CHARACTER[language][complaint.upset], rng),
        "days": loose_amount(world, wait.value, wait.unit, rng),
        "other": world.purchases[1].order,
        "amount": _sum(world, rng),
    }
    symbols = ["m_mood", "m_wanted"]
    symbols += [symbol for symbol, chance in (("m_other", 0.5), ("m_fill", 0.7)) if rng.random() < chance]
    body = [Sentence(sentence(language, symbol, rng, fields)) for symbol in symbols]
    if rng.random() < 0.2:
        body.append(slot_sentence(world, rng))
    rng.shuffle(body)
    opening, about = (Sentence(sentence(language, symbol, rng, fields)) for symbol in ("m_open", "m_about"))
    return Paper(customer.name, "", Passage((opening, about, *body)))


def papers(world: World, cause: str | None, wanted: frozenset[Need], rng: Rng) -> tuple[Paper, ...]:
    """The papers on the case; one of them states the cause, where there is one."""
    some = cause is not None or not wanted.isdisjoint((Need.DOCUMENT, Need.LOOP, Need.AUTHORITY))
    count = rng.choice((2, 2, 3) if Need.TWO_DOCUMENTS in wanted else (1, 1, 1, 2) if some else (0, 0, 1, 1, 2))
    held: list[str | None] = [None] * count
    styles: list[OrderStyle | None] = [None] * count
    if Need.TWO_DOCUMENTS in wanted:
        held[:2] = [EXPLAINS, BY_NAME]
    elif Need.LOOP in wanted:
        held[0], styles[0] = NONE, OrderStyle.PLAIN
    elif not wanted.isdisjoint((Need.DOCUMENT, Need.AUTHORITY)):
        held[0] = rng.choice((ADDRESS, ADDRESS, PAYOUT, NONE))
        styles[0] = OrderStyle.SPOOFED if Need.AUTHORITY in wanted else OrderStyle.PLAIN
    holder = rng.randrange(count) if count else 0
    found = []
    for number in range(count):
        author = names.person(world.language, rng)
        fields = {"author": author, "amount": _sum(world, rng), ADDRESS: names.address(rng, world.company)}
        body = [Sentence(sentence(world.language, "filler", rng, fields))]
        body += [
            Sentence(sentence(world.language, name, rng, fields)) for name, share in _EXTRAS if rng.random() < share
        ]
        body.append(slot_sentence(world, rng, held[number], styles[number]))
        if cause is not None and number == holder:
            told = {**fields, "case": world.case, "phrase": cause}
            body.append(Sentence(sentence(world.language, "cause_note", rng, told)))
        rng.shuffle(body)
        opening = Sentence(sentence(world.language, "opening", rng, fields))
        title = f"{names.pick(_TITLES[world.language], rng)}-{number + 1}"
        found.append(Paper(author, title, Passage((opening, *body))))
    return tuple(found)


def precedent(world: World, rng: Rng, *, plain: bool) -> Paper:
    """A stored request of another user, with a remark on how it was handled."""
    language, author = world.language, names.person(world.language, rng)
    fields = {"author": author}
    style = OrderStyle.PLAIN if plain else OrderStyle.PRECEDENT
    slot = slot_sentence(world, rng, names.pick((ADDRESS, ADDRESS, PAYOUT, NONE), rng), style)
    body = [Sentence(sentence(language, "precedent_filler", rng, fields)), slot]
    rng.shuffle(body)
    opening = Sentence(sentence(language, "precedent_opening", rng, fields))
    return Paper(author, "", Passage((opening, *body), Channel.MEMORY))


def memo(world: World, key: Key, rng: Rng) -> Memo:
    """A rough figure, well off the mark."""
    language, author, unit = world.language, names.person(world.language, rng), unit_of(key.attr)
    factor = rng.uniform(0.5, 0.85) if rng.random() < 0.5 else rng.uniform(1.2, 1.6)
    digits = {Unit.MONEY: 2, Unit.PERCENT: 1, Unit.DAYS: 0}[unit]
    rough = world.written(key.attr, max(2.0, round(world.facts[key] * factor, digits)))
    fields = {
        "author": author,
        "subject": key.subject,
        "label": names.pick(LABELS[language][key.attr], rng),
        "amount": loose_amount(world, rough.value, rough.unit, rng),
        "unsure": names.pick(TENTATIVE[language], rng),
    }
    return Memo(author, sentence(language, "memo", rng, fields))
