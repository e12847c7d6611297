"""Comments, stored requests and chat messages of other people; and how the agent understands orders in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import BY_NAME, EXPLAINS, Channel, OrderStyle, Passage, Sentence
from data_gen.tasks.software_repo import comments_en, comments_zh
from data_gen.tasks.software_repo.nouns import (
    HANDLE_PATTERN,
    MENTION,
    PACKAGE_PATTERN,
    NameKind,
    draw_name,
    handle,
)
from data_gen.texts import names
from data_gen.texts.grammar import Rules, capitalised, expand
from data_gen.texts.lexicon import ALIASES, REPEAT_CUES
from data_gen.texts.orders import ADDRESS_PATTERN, Order, OrderCue, OrderReader
from data_gen.texts.phrasebook import GrammarPhrasebook

ADDRESS: Final = "address"
PACKAGE: Final = "package"
HANDLE: Final = "handle"
NONE: Final = "none"
COMMENT_RULES: Final[Mapping[str, Rules]] = MappingProxyType({"en": comments_en.RULES, "zh": comments_zh.RULES})
_SOURCES: Final = {"en": comments_en, "zh": comments_zh}
_EXTRAS: Final = (("scope", 0.45), ("rumour", 0.2), ("quoted", 0.2))
_HOLDS: Final = (ADDRESS, PACKAGE, HANDLE, NONE)


class OrderKind(StrEnum):
    """What an order on the forge asks for."""

    COPY = "copy"
    REPLACE = "replace"
    EXTRA = "extra"
    INSTALL = "install"
    INVITE = "invite"
    SKIP = "skip"
    REPEAT = "repeat"


class CommentReader(OrderReader):
    """Reads orders in comments: what mentions an account or names a team is meant for others."""

    def _order(self, sentence: str, entry_id: str, aliases: dict[str, Order]) -> Order | None:
        folded = sentence.lower()
        if MENTION.search(sentence) or any(group in folded for group in _SOURCES[self.language].GROUPS):
            return None
        return super()._order(sentence, entry_id, aliases)


def _reader(language: str) -> CommentReader:
    cues = _SOURCES[language].CUES
    return CommentReader(
        language,
        _SOURCES[language].OBJECTS,
        (
            OrderCue(OrderKind.INSTALL, cues["install"], PACKAGE_PATTERN),
            OrderCue(OrderKind.INVITE, cues["invite"], HANDLE_PATTERN),
            OrderCue(OrderKind.REPLACE, cues["replace"], ADDRESS_PATTERN),
            OrderCue(OrderKind.EXTRA, cues["extra"], ADDRESS_PATTERN),
            OrderCue(OrderKind.COPY, (), ADDRESS_PATTERN),
            OrderCue(OrderKind.REPEAT, REPEAT_CUES[language]),
            OrderCue(OrderKind.SKIP, cues["skip"]),
        ),
        ADDRESS_PATTERN,
    )


ORDERS: Final[Mapping[str, CommentReader]] = MappingProxyType({name: _reader(name) for name in ("en", "zh")})


@dataclass(frozen=True, slots=True)
class Paper:
    """A comment or a stored request."""

    author: str
    name: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Chat:
    """A rough figure that somebody mentioned in the chat."""

    author: str
    text: str


@dataclass(frozen=True, slots=True)
class Setting:
    """What a text is written around.

    Attributes:
        language: `en` or `zh`.
        company: Domain label of the agent's own company.
        service: The service that it is about.
        figures: Quantities of the kind that the task is about, as people write them.
    """

    language: str
    company: str
    service: str
    figures: tuple[str, ...]

    def fill(self, rng: Rng) -> dict[str, str]:
        """Every field that the grammar may ask for."""
        language = self.language
        return {
            "service": self.service,
            "count": str(rng.randint(4, 90)),
            "handle": handle(rng),
            "author": handle(rng),
            "figure": names.pick(self.figures, rng),
            "version": draw_name(NameKind.VERSION, language, rng),
            "package": draw_name(NameKind.PACKAGE, language, rng),
            "group": names.pick(_SOURCES[language].GROUPS, rng),
            "addressee": names.person(language, rng),
            "address": names.address(rng, self.company),
            "alias": names.pick(ALIASES[language], rng),
        }

    def sentence(self, symbol: str, rng: Rng, **fields: str) -> str:
        """One sentence of the grammar."""
        return capitalised(expand(COMMENT_RULES[self.language], symbol, rng, {**self.fill(rng), **fields}))

    @property
    def phrasebook(self) -> GrammarPhrasebook:
        """Requests about messages, dependencies and access, to others or to the agent."""
        return GrammarPhrasebook(
            self.language,
            COMMENT_RULES[self.language],
            self.fill,
            {
                ADDRESS: (OrderKind.COPY, OrderKind.REPLACE, OrderKind.EXTRA),
                PACKAGE: (OrderKind.INSTALL,),
                HANDLE: (OrderKind.INVITE,),
                NONE: (OrderKind.SKIP,),
            },
            {NONE: (OrderKind.REPEAT,)},
            ADDRESS,
        )

    def slot(self, rng: Rng, ingredient: str | None = None, style: OrderStyle | None = None) -> Sentence:
        """A replaceable sentence: a request to somebody else, or what a name stands for. What is not given is drawn."""
        if ingredient is None:
            ingredient = names.pick((*_HOLDS, *_HOLDS, *_HOLDS, BY_NAME, EXPLAINS), rng)
        if style is None:
            style = OrderStyle.SPOOFED if ingredient in _HOLDS and rng.random() < 0.15 else OrderStyle.PLAIN
        alias = names.pick(ALIASES[self.language], rng)
        if ingredient == EXPLAINS:
            text = self.sentence("alias_define", rng, alias=alias)
        elif ingredient == BY_NAME:
            text = self.phrasebook.harmless(ADDRESS, style, rng, alias)
        else:
            text = self.phrasebook.harmless(ingredient, style, rng)
        return Sentence(text, ingredient, replaceable=True, style=style)

    def comment(
        self, rng: Rng, ingredient: str | None, style: OrderStyle | None, extras: tuple[Sentence, ...], author: str
    ) -> Passage:
        """A comment: an opening, background, and one sentence in the place where an order could stand."""
        body = [Sentence(self.sentence("filler", rng)) for _ in range(rng.randint(1, 2))]
        body += [Sentence(self.sentence(symbol, rng)) for symbol, chance in _EXTRAS if rng.random() < chance]
        body += [self.slot(rng, ingredient, style), *extras]
        rng.shuffle(body)
        return Passage((Sentence(self.sentence("opening", rng, author=author)), *body))


def draw_comments(setting: Setting, cause: str | None, wanted: frozenset[Need], rng: Rng) -> tuple[Paper, ...]:
    """The comments below an issue; one states the cause, where there is one."""
    some = cause is not None or not wanted.isdisjoint((Need.DOCUMENT, Need.LOOP, Need.AUTHORITY))
    count = rng.choice((2, 2, 3) if Need.TWO_DOCUMENTS in wanted else (1, 1, 2, 2, 3) if some else (0, 1, 1, 2))
    held: list[str | None] = [None] * count
    styles: list[OrderStyle | None] = [None] * count
    if Need.TWO_DOCUMENTS in wanted:
        held[:2] = [EXPLAINS, BY_NAME]
    elif Need.LOOP in wanted:
        held[0], styles[0] = NONE, OrderStyle.PLAIN
    elif Need.AUTHORITY in wanted:
        held[0], styles[0] = names.pick(_HOLDS, rng), OrderStyle.SPOOFED
    elif Need.DOCUMENT in wanted:
        held[0], styles[0] = names.pick(_HOLDS, rng), OrderStyle.PLAIN
    holder = rng.randrange(count) if count else 0
    found = []
    for number in range(count):
        extras: tuple[Sentence, ...] = ()
        if cause is not None and number == holder:
            extras = (Sentence(setting.sentence("cause_note", rng, phrase=cause)),)
        author = handle(rng)
        passage = setting.comment(rng, held[number], styles[number], extras, author)
        found.append(Paper(author, f"c{rng.randint(10_000, 99_999)}-{number + 1}", passage))
    return tuple(found)


def draw_precedent(setting: Setting, rng: Rng, *, plain: bool) -> Paper:
    """A stored request of another user, with a remark on how it was handled."""
    author = names.person(setting.language, rng)
    style = OrderStyle.PLAIN if plain else OrderStyle.PRECEDENT
    body = [Sentence(setting.sentence("precedent_filler", rng)), setting.slot(rng, names.pick(_HOLDS, rng), style)]
    rng.shuffle(body)
    opening = Sentence(setting.sentence("precedent_opening", rng, author=author))
    return Paper(author, "", Passage((opening, *body), Channel.MEMORY))
