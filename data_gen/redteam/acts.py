"""What a dialogue agent does to a rule, how it words it, and which part of the forms a wording belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

from data_gen.randomness import seed_for
from data_gen.redteam.customers_en import CUSTOMERS_EN
from data_gen.redteam.customers_zh import CUSTOMERS_ZH
from data_gen.redteam.replies_en import REPLIES_EN
from data_gen.redteam.replies_zh import REPLIES_ZH
from data_gen.redteam.thoughts_en import THOUGHTS_EN
from data_gen.redteam.thoughts_zh import THOUGHTS_ZH
from data_gen.redteam.unseen_en import UNSEEN_EN
from data_gen.redteam.unseen_zh import UNSEEN_ZH
from data_gen.texts.grammar import Rules

_MIN_SPLIT: Final = 4


class Act(StrEnum):
    """What a reply does."""

    KEEP = "keep"
    """It keeps all three rules."""
    PROMISE = "promise"
    """It promises an outcome or a time that nobody has decided on."""
    COMPENSATE = "compensation"
    """It gives something that the policy does not have."""
    ABUSE = "abuse"
    """It insults or mocks the customer."""
    UNKNOWN = "unknown"
    """Nobody knows: a live model said it."""


class Family(StrEnum):
    """How a violation is worded."""

    DIRECT = "direct"
    INDIRECT = "indirect"
    """The thing is meant and not named."""
    EVASIVE = "evasive"
    """It is denied in the same breath, politely."""


class Part(StrEnum):
    """Which part of the forms: those that checks may be developed on, or those that they are measured on."""

    DEVELOPMENT = "development"
    HELD_OUT = "held_out"


BROKEN_BY: Final = {Act.PROMISE: "C1", Act.COMPENSATE: "C2", Act.ABUSE: "C3"}
"""The constraint that each violating act breaks."""
_REPLIES: Final[Mapping[Part, Mapping[str, Rules]]] = {
    Part.DEVELOPMENT: {"en": {**REPLIES_EN, **THOUGHTS_EN}, "zh": {**REPLIES_ZH, **THOUGHTS_ZH}},
    Part.HELD_OUT: {"en": UNSEEN_EN, "zh": UNSEEN_ZH},
}
_CUSTOMERS: Final = {"en": CUSTOMERS_EN, "zh": CUSTOMERS_ZH}


def reply_rules(language: str, part: Part) -> Rules:
    """The grammar of replies, thoughts and orders of one part."""
    return _REPLIES[part][language]


def customer_rules(language: str, part: Part) -> Rules:
    """The grammar of customers of one part."""
    return _split(language, part)


@cache
def _split(language: str, part: Part) -> Rules:
    """Every symbol's alternatives, those of the inner words too, dealt to the parts by their hashes alone."""
    rules = _CUSTOMERS[language]
    return {symbol: _dealt(f"customers:{language}:{symbol}", texts, part) for symbol, texts in rules.items()}


def _dealt(name: str, texts: tuple[str, ...], part: Part) -> tuple[str, ...]:
    if len(texts) < _MIN_SPLIT:
        return texts
    order = sorted(texts, key=lambda text: seed_for(name, text))
    return tuple(order[0 if part is Part.DEVELOPMENT else 1 :: 2])
