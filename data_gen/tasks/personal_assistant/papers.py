"""What people around the household write, and how the assistant reads orders in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import BY_NAME, EXPLAINS, Channel, OrderStyle, Passage, Sentence
from data_gen.tasks.personal_assistant import texts_en, texts_zh
from data_gen.texts import documents, names
from data_gen.texts.documents import ADDRESS, NONE, PATH, DrawnFields, OrderKind
from data_gen.texts.grammar import Rules, capitalised, expand
from data_gen.texts.lexicon import ALIASES, EXTRA_CUES, REPEAT_CUES, REPLACE_CUES, SAVE_CUES
from data_gen.texts.orders import ADDRESS_PATTERN, PATH_PATTERN, OrderCue, OrderReader
from data_gen.texts.phrasebook import GrammarPhrasebook

ACCOUNT: Final = "account"
ACCOUNT_PATTERN: Final = r"PA\d{2}-\d{4}-\d{4}"
_TEXTS: Final = {"en": texts_en, "zh": texts_zh}
RULES: Final[Mapping[str, Rules]] = MappingProxyType(
    {language: {**documents.DOCUMENT_RULES[language], **texts.RULES} for language, texts in _TEXTS.items()}
)
READERS: Final = MappingProxyType(
    {
        language: OrderReader(
            language,
            texts.OBJECTS,
            (
                OrderCue(ACCOUNT, (), ACCOUNT_PATTERN),
                OrderCue(OrderKind.REPLACE, REPLACE_CUES[language], ADDRESS_PATTERN),
                OrderCue(OrderKind.EXTRA, EXTRA_CUES[language], ADDRESS_PATTERN),
                OrderCue(OrderKind.COPY, (), ADDRESS_PATTERN),
                OrderCue(OrderKind.PATH, SAVE_CUES[language], PATH_PATTERN),
                OrderCue(OrderKind.REPEAT, REPEAT_CUES[language]),
                OrderCue(OrderKind.SKIP, texts.SKIP_CUES),
            ),
            ADDRESS_PATTERN,
        )
        for language, texts in _TEXTS.items()
    }
)
_DRAWS: Final[Mapping[str, Callable[[str, Rng], str]]] = MappingProxyType(
    {
        "city": lambda language, rng: names.pick(names.CITIES[language], rng),
        "addressee": names.person,
        "author": names.person,
        "group": lambda language, rng: names.pick(_TEXTS[language].GROUPS, rng),
        "path": lambda _language, rng: names.path(rng),
        "alias": lambda language, rng: names.pick(ALIASES[language], rng),
        "account": lambda _language, rng: account(rng),
    }
)


@dataclass(frozen=True, slots=True)
class Message:
    """A message, or a stored request: who wrote it, in which sitting it is read, and what it says."""

    author: str
    sitting: int
    passage: Passage


def account(rng: Rng) -> str:
    """An account number."""
    return f"PA{rng.randint(10, 99)}-{rng.randint(1000, 9999)}-{rng.randint(1000, 9999)}"


def sentence(language: str, symbol: str, rng: Rng, fields: Mapping[str, str]) -> str:
    """One sentence, with any field that the grammar may ask for and the caller did not give."""
    return capitalised(expand(RULES[language], symbol, rng, DrawnFields(_DRAWS, language, rng, fields)))


def phrasebook(language: str, company: str, *, pays: bool) -> GrammarPhrasebook:
    """What third parties write; an account can be diverted only where something is paid."""
    return GrammarPhrasebook(
        language,
        RULES[language],
        lambda rng: DrawnFields(_DRAWS, language, rng, {"address": names.address(rng, company)}),
        {
            ADDRESS: (OrderKind.COPY, OrderKind.REPLACE, OrderKind.EXTRA),
            PATH: (OrderKind.PATH,),
            NONE: (OrderKind.SKIP,),
            ACCOUNT: (ACCOUNT,) if pays else (),
        },
        {NONE: (OrderKind.REPEAT,)},
        ADDRESS,
    )


def slot(
    language: str, rng: Rng, company: str, ingredient: str | None = None, style: OrderStyle | None = None
) -> Sentence:
    """A replaceable sentence: a request to somebody else, or what a name stands for. What is not given is drawn."""
    draw, claims = rng.random(), rng.random() < 0.15
    if ingredient is None:
        shares = ((ADDRESS, 0.4), (PATH, 0.55), (ACCOUNT, 0.7), (NONE, 0.84), (BY_NAME, 0.92))
        ingredient = next((name for name, share in shares if draw < share), EXPLAINS)
    if style is None:
        claims = claims and ingredient not in (EXPLAINS, BY_NAME)
        style = OrderStyle.SPOOFED if claims else OrderStyle.PLAIN
    book, alias = phrasebook(language, company, pays=True), names.pick(ALIASES[language], rng)
    if ingredient == EXPLAINS:
        text = sentence(language, "alias_define", rng, {"alias": alias, "address": names.address(rng, company)})
    elif ingredient == BY_NAME:
        text = book.harmless(ADDRESS, style, rng, alias)
    else:
        text = book.harmless(ingredient, style, rng)
    return Sentence(text, ingredient, replaceable=True, style=style)


def message(
    language: str,
    rng: Rng,
    company: str,
    sitting: int,
    fields: Mapping[str, str],
    *,
    extras: Sequence[Sentence] = (),
    ingredient: str | None = None,
    style: OrderStyle | None = None,
) -> Message:
    """A message: an opening, small talk, now and then another figure or quoted fraud, and one replaceable sentence."""
    author = names.person(language, rng)
    given = {"address": names.address(rng, company), **fields}
    body = [Sentence(sentence(language, "filler", rng, given)) for _ in range(1 + int(rng.random() * 2))]
    for symbol, chance in (("scope", 0.4), ("rumour", 0.2), ("quoted", 0.2)):
        if rng.random() < chance and ("figure" in fields or symbol == "quoted"):
            body.append(Sentence(sentence(language, symbol, rng, given)))
    body.append(slot(language, rng, company, ingredient, style))
    body.extend(extras)
    rng.shuffle(body)
    opening = Sentence(sentence(language, "opening", rng, {"author": author}))
    return Message(author, sitting, Passage((opening, *body)))


def remark(language: str, rng: Rng, company: str) -> Message:
    """A remark in an entry of the address book."""
    filler = Sentence(sentence(language, "filler", rng, {}))
    return Message("", 0, Passage((filler, slot(language, rng, company))))


def precedent(language: str, rng: Rng, company: str, topic: str, *, plain: bool, pays: bool) -> Message:
    """A stored request of another member of the household, with a remark on how it was handled."""
    fields = {"author": names.person(language, rng), "topic": topic}
    style = OrderStyle.PLAIN if plain else OrderStyle.PRECEDENT
    kinds = (ADDRESS, ADDRESS, PATH, NONE, *((ACCOUNT, ACCOUNT) if pays else (ACCOUNT,)))
    body = [
        Sentence(sentence(language, "precedent_filler", rng, fields)),
        slot(language, rng, company, names.pick(kinds, rng), style),
    ]
    rng.shuffle(body)
    opening = Sentence(sentence(language, "precedent_opening", rng, fields))
    return Message(fields["author"], 0, Passage((opening, *body), Channel.MEMORY))


def placed(wanted: frozenset[Need], count: int, *, pays: bool, rng: Rng) -> list[tuple[str | None, OrderStyle | None]]:
    """What the replaceable sentences of some messages hold, and in which style; `None` to draw it."""
    found: list[tuple[str | None, OrderStyle | None]] = [(None, None)] * count
    usual = (ADDRESS, ADDRESS, PATH, NONE, *((ACCOUNT, ACCOUNT) if pays else ()))
    if Need.TWO_DOCUMENTS in wanted:
        found[:2] = [(EXPLAINS, OrderStyle.PLAIN), (BY_NAME, OrderStyle.PLAIN)]
    elif Need.LOOP in wanted:
        found[0] = (NONE, OrderStyle.PLAIN)
    elif Need.AUTHORITY in wanted:
        found[0] = (rng.choice(usual), OrderStyle.SPOOFED)
    elif Need.DOCUMENT in wanted:
        found[0] = (rng.choice(usual), OrderStyle.PLAIN)
    return found
