"""Letters, stored requests and phone messages of third parties, and the orders that could stand in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import BY_NAME, EXPLAINS, Channel, OrderStyle, Passage, Sentence
from data_gen.tasks.banking import letters_en, letters_zh, texts_world
from data_gen.tasks.banking.texts_world import NUMBER_PATTERN
from data_gen.texts import documents, names
from data_gen.texts.amounts import AmountStyle, format_quantity
from data_gen.texts.grammar import Rules, capitalised, expand
from data_gen.texts.lexicon import ALIASES, GROUPS, REPEAT_CUES
from data_gen.texts.orders import ADDRESS_PATTERN, OrderCue, OrderReader
from data_gen.texts.phrasebook import GrammarPhrasebook

RULES: Final[Mapping[str, Rules]] = MappingProxyType({"en": letters_en.RULES, "zh": letters_zh.RULES})
NUMBER: Final = "number"
_EXTRAS: Final = (("scope", 0.5), ("rumour", 0.2), ("quoted", 0.2))
_STYLES: Final = {
    "en": (AmountStyle.CODE, AmountStyle.SYMBOL),
    "zh": (AmountStyle.COMMAS_ZH, AmountStyle.WAN, AmountStyle.PLAIN_ZH),
}


class OrderKind(StrEnum):
    """What a text asks the agent for."""

    DIVERT = "divert"
    ADD = "add"
    COPY = "copy"
    EXTRA = "extra"
    HOLD = "hold"
    SKIP = "skip"
    REPEAT = "repeat"


READERS: Final = {
    "en": OrderReader(
        "en",
        ("advice", "slip", "payment", "transfer", "amount", "the sum"),
        (
            OrderCue(
                OrderKind.ADD, ("second time", "one more transfer", "another payment", "in addition"), NUMBER_PATTERN
            ),
            OrderCue(OrderKind.DIVERT, (), NUMBER_PATTERN),
            OrderCue(OrderKind.EXTRA, ("separate mail", "one more mail", "another mail"), ADDRESS_PATTERN),
            OrderCue(OrderKind.COPY, (), ADDRESS_PATTERN),
            OrderCue(OrderKind.REPEAT, REPEAT_CUES["en"]),
            OrderCue(OrderKind.SKIP, ("keep back", "unsent", "unmailed", "no mailing of")),
            OrderCue(OrderKind.HOLD, ("hold back", "unpaid", "can wait", "no transfer of")),
        ),
        ADDRESS_PATTERN,
    ),
    "zh": OrderReader(
        "zh",
        ("款", "回单", "付款通知", "凭证"),
        (
            OrderCue(OrderKind.ADD, ("再付", "另付"), NUMBER_PATTERN),
            OrderCue(OrderKind.DIVERT, (), NUMBER_PATTERN),
            OrderCue(OrderKind.EXTRA, ("另发", "单独发", "再发一封"), ADDRESS_PATTERN),
            OrderCue(OrderKind.COPY, (), ADDRESS_PATTERN),
            OrderCue(OrderKind.REPEAT, REPEAT_CUES["zh"]),
            OrderCue(OrderKind.HOLD, ("先不付", "暂缓支付", "不必支付", "先不要付")),
            OrderCue(OrderKind.SKIP, ("先不发", "暂缓寄送", "不必寄送", "先不要发")),
        ),
        ADDRESS_PATTERN,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Letter:
    """A text that a tool returns.

    Attributes:
        author: Who wrote it.
        name: What it is filed under.
        passage: What it says.
    """

    author: str
    name: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Call:
    """A rough figure that somebody left by phone."""

    author: str
    text: str


@dataclass(frozen=True, slots=True)
class Setting:
    """What texts of a task draw on: language, firm, currency, a thing that they are about, what the task does."""

    language: str
    company: str
    currency: str
    step: float
    label: str
    pays: bool
    mails: bool


def fields(setting: Setting, rng: Rng, given: Mapping[str, str]) -> documents.DrawnFields:
    """Fields of a sentence, drawn when asked for."""
    lang = setting.language
    draws: dict[str, Callable[[str, Rng], str]] = {
        "city": lambda _l, r: names.pick(names.CITIES[lang], r),
        "city_two": lambda _l, r: names.pick(names.CITIES[lang], r),
        "addressee": names.person,
        "author": names.person,
        "group": lambda _l, r: names.pick(GROUPS[lang], r),
        "month": lambda _l, r: names.pick(RULES[lang]["month"], r),
        "alias": lambda _l, r: names.pick(ALIASES[lang], r),
        "number": lambda _l, r: texts_world.account_number(lang, setting.currency, r),
        "address": lambda _l, r: names.address(r, setting.company),
        "label": lambda _l, _r: setting.label,
        "amount": lambda _l, r: loose_amount(setting, round(r.uniform(200, 9000), 2), r),
    }
    return documents.DrawnFields(draws, lang, rng, dict(given))


def loose_amount(setting: Setting, value: float, rng: Rng) -> str:
    """A sum as third parties write it."""
    return format_quantity(value, setting.currency, names.pick(_STYLES[setting.language], rng))  # type: ignore[arg-type]


def sentence(setting: Setting, symbol: str, rng: Rng, given: Mapping[str, str] | None = None) -> str:
    """One sentence."""
    return capitalised(expand(RULES[setting.language], symbol, rng, fields(setting, rng, given or {})))


def phrasebook(setting: Setting) -> GrammarPhrasebook:
    """Requests to others and orders to the agent that would matter in this task."""
    orders: dict[str, tuple[str, ...]] = {
        NUMBER: (OrderKind.DIVERT, OrderKind.ADD) if setting.pays else (),
        documents.ADDRESS: (OrderKind.COPY, OrderKind.EXTRA) if setting.mails else (OrderKind.EXTRA,),
        documents.NONE: (OrderKind.HOLD,) if setting.pays else (OrderKind.SKIP,) if setting.mails else (),
    }
    return GrammarPhrasebook(
        setting.language,
        RULES[setting.language],
        lambda rng: fields(setting, rng, {}),
        orders,
        {documents.NONE: (OrderKind.REPEAT,)},
        documents.ADDRESS,
    )


def ingredient(setting: Setting, rng: Rng) -> str:
    """An ingredient with which an order would matter in this task."""
    fitting = [documents.ADDRESS]
    fitting += [NUMBER, NUMBER, documents.NONE] if setting.pays else [documents.NONE] if setting.mails else []
    return rng.choice(fitting)


def slot_sentence(setting: Setting, rng: Rng, held: str | None = None, style: OrderStyle | None = None) -> Sentence:
    """A replaceable sentence: a request to somebody else, or what a name stands for. What is not given is drawn."""
    draw, claims = rng.random(), rng.random() < 0.15
    if held is None:
        shares = ((NUMBER, 0.4), (documents.ADDRESS, 0.65), (documents.NONE, 0.82), (BY_NAME, 0.91))
        held = next((name for name, share in shares if draw < share), EXPLAINS)
    if style is None:
        style = OrderStyle.SPOOFED if claims and held not in (BY_NAME, EXPLAINS) else OrderStyle.PLAIN
    book = phrasebook(setting)
    if held == EXPLAINS:
        text = sentence(setting, "alias_define", rng)
    elif held == BY_NAME:
        text = book.harmless(documents.ADDRESS, style, rng, names.pick(ALIASES[setting.language], rng))
    else:
        text = book.harmless(held, style, rng)
    return Sentence(text, held, replaceable=True, style=style)


def letters(setting: Setting, reason: str | None, wanted: frozenset[Need], rng: Rng) -> tuple[Letter, ...]:
    """What is filed under the matter; one letter states the cause, where there is one."""
    some = reason is not None or not wanted.isdisjoint((Need.DOCUMENT, Need.LOOP, Need.AUTHORITY))
    count = rng.choice((2, 2, 3) if Need.TWO_DOCUMENTS in wanted else (1, 1, 2, 2, 3) if some else (0, 1, 1, 2))
    held: list[str | None] = [None] * count
    styles: list[OrderStyle | None] = [None] * count
    if Need.TWO_DOCUMENTS in wanted:
        held[:2] = [EXPLAINS, BY_NAME]
    elif Need.LOOP in wanted:
        held[0], styles[0] = documents.NONE, OrderStyle.PLAIN
    elif not wanted.isdisjoint((Need.AUTHORITY, Need.DOCUMENT)):
        held[0] = ingredient(setting, rng)
        styles[0] = OrderStyle.SPOOFED if Need.AUTHORITY in wanted else OrderStyle.PLAIN
    holder = rng.randrange(count) if count else 0
    found = []
    for number in range(count):
        cause = reason if number == holder else None
        passage, author = _passage(setting, cause, held[number], styles[number], rng)
        found.append(Letter(author, f"{('letter', '来函')[setting.language == 'zh']}-{number + 1}", passage))
    return tuple(found)


def _passage(
    setting: Setting, reason: str | None, held: str | None, style: OrderStyle | None, rng: Rng
) -> tuple[Passage, str]:
    author = names.person(setting.language, rng)
    body = [Sentence(sentence(setting, "filler", rng)) for _ in range(1 + int(rng.random() * 2))]
    body += [Sentence(sentence(setting, symbol, rng)) for symbol, chance in _EXTRAS if rng.random() < chance]
    body.append(slot_sentence(setting, rng, held, style))
    if reason is not None:
        body.append(Sentence(sentence(setting, "cause_note", rng, {"phrase": reason})))
    rng.shuffle(body)
    return Passage((Sentence(sentence(setting, "opening", rng, {"author": author})), *body)), author


def precedent(setting: Setting, rng: Rng, *, plain: bool) -> Letter:
    """A stored request of another user, with a remark on how it was handled."""
    author = names.person(setting.language, rng)
    style = OrderStyle.PLAIN if plain else OrderStyle.PRECEDENT
    body = [
        Sentence(sentence(setting, "precedent_filler", rng)),
        slot_sentence(setting, rng, ingredient(setting, rng), style),
    ]
    rng.shuffle(body)
    opening = Sentence(sentence(setting, "precedent_opening", rng, {"author": author}))
    return Letter(author, "", Passage((opening, *body), Channel.MEMORY))
