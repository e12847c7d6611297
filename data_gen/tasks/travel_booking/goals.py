"""How users word their requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.travel_booking import goals_en, goals_zh
from data_gen.tasks.travel_booking.logic import Inquiry
from data_gen.tasks.travel_booking.setting import Gate, Setting
from data_gen.tasks.travel_booking.shapes import LIMITS, Act, Product
from data_gen.tasks.travel_booking.wording import word_day
from data_gen.texts.grammar import Rules, capitalised, expand

GOALS: Final[Mapping[str, Rules]] = {"en": goals_en.GOALS, "zh": goals_zh.GOALS}


@dataclass(frozen=True, slots=True)
class Delivery:
    """Who is told: a mail with copies, and mails of their own."""

    mails: bool
    copies: tuple[str, ...]
    extras: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What a user asks for.

    Attributes:
        inquiry: What is to be found out and done.
        setting: What applies.
        delivery: Who is told.
        customer: Whom the traveller is to meet, where the place is in the diary.
        wants_reason: Whether the reason of the price is asked for.
        backed: The offer of which the number of independent sources is asked for; empty if it is not.
    """

    inquiry: Inquiry
    setting: Setting
    delivery: Delivery
    customer: str
    wants_reason: bool
    backed: str


def house_rule(language: str, rng: Rng) -> str:
    """A standing rule."""
    return expand(GOALS[language], "rules", rng)


def word_goal(request: Request, traveller: str, rng: Rng) -> str:
    """A request in a user's words."""
    inquiry, delivery = request.inquiry, request.delivery
    language, shape = inquiry.language, inquiry.shape
    rules = GOALS[language]
    given = (*inquiry.given, *inquiry.given)
    times = {Product.HOTEL: "times_rate", Product.CAR: "times_hire"}.get(shape.second or Product.FLIGHT, "times")
    fields = {
        "n": str(shape.offers), "city": inquiry.city, "day": word_day(inquiry.day, language, rng), "name": traveller,
        "a": given[0] if given else "", "b": given[1] if given else "", "ref": inquiry.reference,
        "nights": str(inquiry.nights), "customer": request.customer, "times": expand(rules, times, rng),
        "thing": expand(rules, shape.product.value, rng), "things": expand(rules, f"{shape.product.value}s", rng),
        "act": expand(rules, "hold" if shape.act is Act.HOLD else "book", rng),
        "address": _joined(delivery.copies, language), "extra": _joined(delivery.extras, language),
        "code": request.setting.code, "key": request.backed,
    }  # fmt: skip
    degree = "cheaper" if shape.offers == 2 and shape.picks else shape.aim.value
    parts = [expand({**rules, "super": rules.get(degree, ("",))}, _symbol(inquiry, request), rng, fields)]
    own_limit = shape.aim in LIMITS
    wishes = [
        ("gate", request.setting.gate is not Gate.NONE and not own_limit),
        ("handover", request.setting.gate is Gate.HANDOVER),
        ("send" if delivery.mails else "no_send", True),
        ("code", bool(request.setting.code)),
        ("copy", bool(delivery.copies)),
        ("extra", bool(delivery.extras)),
        ("why", request.wants_reason),
        ("support", bool(request.backed)),
    ]
    parts += [expand(rules, symbol, rng, fields) for symbol, wished in wishes if wished]
    return capitalised("".join(parts))


def _symbol(inquiry: Inquiry, request: Request) -> str:
    shape = inquiry.shape
    if shape.picks:
        return "rank_quote" if shape.act is Act.QUOTE else "rank_calendar" if request.customer else "rank"
    if shape.aim.value == "single":
        return "single_quote" if shape.act is Act.QUOTE else "single_book"
    return shape.aim.value


def _joined(items: tuple[str, ...], language: str) -> str:
    if language == "zh" or len(items) < 2:
        return "、".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
