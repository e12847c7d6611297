"""What follows from what: the rules of the trade, used by the agent on its notes and by the judge on the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from data_gen.tasks.travel_booking.shapes import LIMITS, PICKS, PRICES, Aim, Product, Shape
from data_gen.tasks.travel_booking.statements import Fact, Key, Measure, Verdict, VerdictKind

RELATIVE_TOLERANCE: Final = 0.004
_HOURS: Final = {"hours": 1.0, "小时": 1.0, "days": 24.0, "天": 24.0, "weeks": 168.0, "周": 168.0}


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a task asks, in the terms from which everything follows.

    Attributes:
        shape: The template.
        language: `en` or `zh`.
        city: Where the journey leads.
        day: When.
        nights: How many nights, where hotels or cars are added up.
        given: The offers that the user names.
        reference: The booking in question.
        currency: The currency of the company.
    """

    shape: Shape
    language: str
    city: str
    day: str
    nights: int
    given: tuple[str, ...]
    reference: str
    currency: str

    def price_key(self, offer: str, product: Product | None = None) -> Key:
        """The price of an offer on the day."""
        return Key(offer, PRICES[product or self.shape.product], self.day)

    @property
    def topic(self) -> str:
        """What papers call the thing asked about: the first offer named, or the place."""
        return self.given[0] if self.given else self.city

    @property
    def limit_key(self) -> Key:
        """The limit that the task compares with."""
        measure = LIMITS.get(self.shape.aim, Measure.CAP)
        subject = self.reference if measure in (Measure.FREE, Measure.HELD) else self.city
        return Key(subject, measure)

    def first_keys(self, offers: Sequence[str]) -> tuple[Key, ...]:
        """What has to be known before anything can be concluded, the limit apart."""
        aim, ref, city = self.shape.aim, self.reference, self.city
        fixed = {
            Aim.REFUND: (Key(ref, Measure.PAID), Key(ref, Measure.FEE)),
            Aim.REFUND_IF: (Key(ref, Measure.PAID), Key(ref, Measure.FEE)),
            Aim.PER_DIEM: (Key(city, Measure.ALLOWANCE), Key(city, Measure.DAYS)),
            Aim.MILEAGE: (Key(city, Measure.MILEAGE), Key(city, Measure.DRIVEN)),
            Aim.BAG: (Key(ref, Measure.WEIGHT),),
        }
        if aim in fixed:
            return fixed[aim]
        if aim in PICKS:
            measure = PICKS[aim]
            return tuple(self.price_key(o) if measure is None else Key(o, measure) for o in offers)
        first = offers[0]
        if aim in (Aim.TRANSFER, Aim.BUFFER):
            return (Key(first, Measure.TRANSFER if aim is Aim.TRANSFER else Measure.BUFFER),)
        price = self.price_key(first)
        if aim is Aim.TOTAL:
            return (price, self.price_key(offers[1], self.shape.second))
        return (price, *fixed[Aim.REFUND]) if aim is Aim.SWITCH else (price,)

    def sum_subject(self) -> str:
        """What a sum is the sum of, in words."""
        zh = self.language == "zh"
        match self.shape.aim:
            case Aim.SWITCH:
                return f"{self.reference}改签" if zh else f"the change of {self.reference}"
            case Aim.REFUND | Aim.REFUND_IF:
                return f"{self.reference}退款" if zh else f"the refund of {self.reference}"
            case Aim.PER_DIEM | Aim.MILEAGE:
                return f"{self.city}报销" if zh else f"the claim for {self.city}"
            case _:
                return f"{self.city}行程" if zh else f"the trip to {self.city}"


def pick(inquiry: Inquiry, facts: Sequence[Fact], rates: Mapping[str, float]) -> Verdict:
    """The best of several offers, with the number that makes it so; prices in the company's currency.

    Args:
        inquiry: The task.
        facts: One for each offer.
        rates: What one unit of a foreign currency is worth, by currency code.
    """

    def number(fact: Fact) -> float:
        if fact.key.measure is Measure.HOURS:
            return fact.value * _HOURS.get(fact.unit, 1.0)
        return fact.value * rates.get(fact.unit, 1.0)

    highest = inquiry.shape.aim is Aim.BEST
    chosen = (max if highest else min)(facts, key=number)
    converted = chosen.unit in rates
    figure = float(round(number(chosen))) if converted else chosen.value
    unit = inquiry.currency if converted else chosen.unit
    return Verdict(VerdictKind.PICK, inquiry.shape.aim.value, chosen.key.subject, figure, unit)


def add_up(inquiry: Inquiry, facts: Sequence[Fact]) -> Verdict:
    """The sum of a trip, a change, a refund or a claim."""
    values, shape = [fact.value for fact in facts], inquiry.shape
    match shape.aim:
        case Aim.TOTAL:
            times = inquiry.nights if shape.second in (Product.HOTEL, Product.CAR) else 1
            figure = values[0] + values[1] * times
        case Aim.SWITCH:
            figure = values[0] - values[1] + values[2]
        case Aim.REFUND | Aim.REFUND_IF:
            figure = values[0] - values[1]
        case _:
            figure = values[0] * values[1]
    figure = max(1.0, float(round(figure)))
    return Verdict(VerdictKind.SUM, shape.aim.value, inquiry.sum_subject(), figure, facts[0].unit)


def compare(inquiry: Inquiry, subject: str, amount: float, unit: str, limit: float) -> Verdict:
    """How an amount lies to the limit; equal counts as below."""
    gap = round(abs(amount - limit), 2)
    sense = inquiry.limit_key.measure.value
    return Verdict(VerdictKind.LIMIT, sense, subject, gap, unit, amount > limit)


def foreign(inquiry: Inquiry, facts: Sequence[Fact]) -> tuple[Key, ...]:
    """The exchange rates it takes to compare some prices; none where all are in the company's currency."""
    if not inquiry.shape.converts:
        return ()
    units = dict.fromkeys(fact.unit for fact in facts if fact.unit != inquiry.currency)
    return tuple(Key(f"{unit}/{inquiry.currency}", Measure.EXCHANGE) for unit in units)


def same_figure(one: float, other: float) -> bool:
    """Whether two numbers agree within rounding."""
    return abs(one - other) <= max(0.011, RELATIVE_TOLERANCE * max(abs(one), abs(other)))
