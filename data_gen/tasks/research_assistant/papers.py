"""What other people wrote and said: interview notes, press items, letters, stored requests, phone notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import BY_NAME, EXPLAINS, Channel, OrderStyle, Passage, Sentence
from data_gen.tasks.research_assistant import texts_en, texts_zh
from data_gen.tasks.research_assistant.lexicon import UNSURE
from data_gen.tasks.research_assistant.reading import CITE
from data_gen.tasks.research_assistant.world import World, on_grid
from data_gen.texts import names
from data_gen.texts.amounts import AmountStyle, format_quantity
from data_gen.texts.documents import ADDRESS, DOCUMENT_RULES, NONE, PATH, DrawnFields, OrderKind
from data_gen.texts.grammar import Rules, capitalised, expand
from data_gen.texts.lexicon import ALIASES, GROUPS
from data_gen.texts.phrasebook import GrammarPhrasebook

STUDY: Final = "study"
RULES: Final[Mapping[str, Rules]] = MappingProxyType(
    {"en": {**DOCUMENT_RULES["en"], **texts_en.RULES}, "zh": {**DOCUMENT_RULES["zh"], **texts_zh.RULES}}
)
_TITLES: Final = {"en": ("interview", "press", "letter", "fieldnotes"), "zh": ("访谈", "报道", "来信", "田野记录")}
_EXTRAS: Final = (("scope", 0.5), ("rumour", 0.2), ("quoted", 0.2))
_SHARES: Final = ((ADDRESS, 0.42), (PATH, 0.58), (STUDY, 0.72), (NONE, 0.84), (BY_NAME, 0.92))
_DRAWS: Final[Mapping[str, Callable[[str, Rng], str]]] = MappingProxyType(
    {
        "city": lambda language, rng: names.pick(names.CITIES[language], rng),
        "event_city": lambda language, rng: names.pick(names.CITIES[language], rng),
        "addressee": names.person,
        "author": names.person,
        "group_of": lambda language, rng: names.pick(GROUPS[language], rng),
        "count": lambda _language, rng: f"{int(rng.random() * 900) + 100}",
        "path": lambda _language, rng: names.path(rng),
        "alias": lambda language, rng: names.pick(ALIASES[language], rng),
    }
)


@dataclass(frozen=True, slots=True)
class Paper:
    """A text of a third party: author, name under which it is opened, content."""

    author: str
    name: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class PhoneNote:
    """A rough figure that somebody mentioned."""

    author: str
    text: str


def sentence(world: World, symbol: str, rng: Rng, given: Mapping[str, str] | None = None) -> str:
    """One sentence; fields that are not given are drawn."""
    return capitalised(expand(RULES[world.language], symbol, rng, _fields(world, rng, given or {})))


def _fields(world: World, rng: Rng, given: Mapping[str, str]) -> DrawnFields:
    drawn = {
        "address": names.address(rng, world.company),
        "study": rng.choice(world.studies).name,
        "group": rng.choice(world.topic.groups),
        "what": world.topic.measure.name,
        "amount": loose(world, rng.uniform(world.topic.low, world.topic.high), rng),
    }
    return DrawnFields(_DRAWS, world.language, rng, {**drawn, **given})


def loose(world: World, value: float, rng: Rng) -> str:
    """A value as somebody mentions it."""
    unit = world.topic.measure.unit
    if world.language == "zh":
        style = AmountStyle.PLAIN_ZH
    else:
        style = AmountStyle.CODE if rng.random() < 0.7 else AmountStyle.SYMBOL
    return format_quantity(on_grid(value, world.topic.measure.step), unit, style)


def phrasebook(world: World) -> GrammarPhrasebook:
    """Requests about briefs, mails and citations, to others or to the agent."""
    return GrammarPhrasebook(
        world.language,
        RULES[world.language],
        lambda rng: _fields(world, rng, {}),
        {
            ADDRESS: (OrderKind.COPY, OrderKind.REPLACE, OrderKind.EXTRA),
            PATH: (OrderKind.PATH,),
            STUDY: (CITE,),
            NONE: (OrderKind.SKIP,),
        },
        {NONE: (OrderKind.REPEAT,)},
        ADDRESS,
    )


def slot_sentence(world: World, rng: Rng, ingredient: str | None = None, style: OrderStyle | None = None) -> Sentence:
    """A replaceable sentence: a request to somebody else, or what a name stands for. What is not given is drawn."""
    draw, claims = rng.random(), rng.random() < 0.15
    if ingredient is None:
        ingredient = next((name for name, share in _SHARES if draw < share), EXPLAINS)
    if style is None:
        style = OrderStyle.SPOOFED if claims and ingredient not in (BY_NAME, EXPLAINS) else OrderStyle.PLAIN
    book = phrasebook(world)
    if ingredient == EXPLAINS:
        text = sentence(world, "alias_define", rng)
    elif ingredient == BY_NAME:
        text = book.harmless(ADDRESS, style, rng, names.pick(ALIASES[world.language], rng))
    else:
        text = book.harmless(ingredient, style, rng)
    return Sentence(text, ingredient, replaceable=True, style=style)


def paper(
    world: World,
    number: int,
    rng: Rng,
    *,
    cause: str | None = None,
    ingredient: str | None = None,
    style: OrderStyle | None = None,
) -> Paper:
    """A text: an opening, background, one sentence where an order could stand, and the cause if it tells one."""
    author = names.person(world.language, rng)
    body = [Sentence(sentence(world, "filler", rng)) for _ in range(1 + int(rng.random() * 2))]
    for symbol, chance in _EXTRAS:
        if rng.random() < chance:
            body.append(Sentence(sentence(world, symbol, rng)))
    body.append(slot_sentence(world, rng, ingredient, style))
    if cause is not None:
        body.append(Sentence(sentence(world, "cause_note", rng, {"author": author, "phrase": cause})))
    rng.shuffle(body)
    opening = Sentence(sentence(world, "opening", rng, {"author": author}))
    return Paper(author, f"{names.pick(_TITLES[world.language], rng)}-{number + 1}", Passage((opening, *body)))


def papers(
    world: World, cause: str | None, wanted: frozenset[Need], ingredients: tuple[str, ...], rng: Rng
) -> tuple[Paper, ...]:
    """The texts of third parties that the agent opens.

    Args:
        world: The collection.
        cause: The cause that one of them tells, if one does.
        wanted: What must be in them.
        ingredients: What an order could use in this task.
        rng: Draws everything.
    """
    some = cause is not None or not wanted.isdisjoint((Need.DOCUMENT, Need.LOOP, Need.AUTHORITY))
    count = rng.choice((2, 2, 3) if Need.TWO_DOCUMENTS in wanted else (1, 1, 2, 2, 3) if some else (0, 1, 1, 2))
    held: list[str | None] = [None] * count
    styles: list[OrderStyle | None] = [None] * count
    if Need.TWO_DOCUMENTS in wanted:
        held[:2] = [EXPLAINS, BY_NAME]
    elif Need.LOOP in wanted:
        held[0], styles[0] = NONE, OrderStyle.PLAIN
    elif Need.AUTHORITY in wanted:
        held[0], styles[0] = rng.choice(ingredients), OrderStyle.SPOOFED
    elif Need.DOCUMENT in wanted:
        held[0], styles[0] = rng.choice(ingredients), OrderStyle.PLAIN
    teller = rng.randrange(count) if count else 0
    return tuple(
        paper(
            world, number, rng, cause=cause if number == teller else None, ingredient=held[number], style=styles[number]
        )
        for number in range(count)
    )


def cause_of(world: World, rng: Rng) -> str:
    """A plausible cause, to go on with after `because of`."""
    phrase = sentence(world, "phrase", rng)
    return phrase[:1].lower() + phrase[1:] if world.language == "en" else phrase


def precedent(world: World, rng: Rng, *, plain: bool) -> Paper:
    """A stored request of another user, with a remark on how it was handled."""
    author = names.person(world.language, rng)
    style = OrderStyle.PLAIN if plain else OrderStyle.PRECEDENT
    slot = slot_sentence(world, rng, rng.choice((ADDRESS, ADDRESS, PATH, NONE)), style)
    body = [Sentence(sentence(world, "precedent_filler", rng)), slot]
    rng.shuffle(body)
    opening = Sentence(sentence(world, "precedent_opening", rng, {"author": author}))
    return Paper(author, "", Passage((opening, *body), Channel.MEMORY))


def phone_note(world: World, study: str, group: str, value: float, rng: Rng) -> PhoneNote:
    """A rough figure, well off the mark."""
    factor = rng.uniform(0.7, 0.92) if rng.random() < 0.5 else rng.uniform(1.08, 1.4)
    author = names.person(world.language, rng)
    given = {
        "author": author,
        "study": study,
        "group": group,
        "amount": loose(world, value * factor, rng),
        "unsure": names.pick(UNSURE[world.language], rng),
    }
    return PhoneNote(author, sentence(world, "voicemail", rng, given))
