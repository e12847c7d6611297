"""The shop that complaints are about: customers, orders, policy clauses, all drawn from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.refund_service.attributes import SPANS, Attr, Key, Unit, unit_of
from data_gen.tasks.refund_service.lexicon import GOODS
from data_gen.tasks.refund_service.recipes import Recipe, Settlement
from data_gen.texts import names

_SCALES: Final = {"en": 1.0, "zh": 6.0}
_CURRENCIES: Final = {"en": ("USD", "EUR", "GBP"), "zh": ("CNY",)}


@dataclass(frozen=True, slots=True)
class Customer:
    """Somebody with an account: name, address for mail, and where refunds go."""

    name: str
    mail: str
    payout: str


@dataclass(frozen=True, slots=True)
class Purchase:
    """An order: what was bought, when and how it was paid."""

    order: str
    customer: str
    items: tuple[str, ...]
    placed: str
    method: str


@dataclass(frozen=True, slots=True)
class Written:
    """A figure in the unit in which it is written."""

    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class World:
    """A shop.

    Attributes:
        language: `en` or `zh`.
        company: Its domain label.
        currency: The currency of its sums.
        case: Id of the case at hand.
        clause: Id of the clause that applies.
        person: Who takes over what the agents may not decide.
        customers: Those with accounts; the first has the complaint.
        purchases: Orders; the first is the one complained about, the second is of the same customer.
        facts: The figures, as they finally are.
        units: How many units of each item the store has.
        as_text: Whether tools answer in plain text.
        spans: The units in which spans of time are given, where they are not days.
    """

    language: str
    company: str
    currency: str
    case: str
    clause: str
    person: str
    customers: tuple[Customer, ...]
    purchases: tuple[Purchase, ...]
    facts: Mapping[Key, float]
    units: Mapping[str, int]
    as_text: bool
    spans: Mapping[Attr, str]

    def written(self, attr: Attr, value: float) -> Written:
        """A figure, held in days if it is a span of time, as the shop's records give it."""
        match unit_of(attr):
            case Unit.PERCENT:
                return Written(value, "%")
            case Unit.MONEY:
                return Written(value, self.currency)
            case Unit.DAYS:
                unit = self.spans.get(attr, "days" if self.language == "en" else "天")
                return Written(float(round(value / SPANS[unit])), unit)

    def purchase(self, order: str) -> Purchase:
        """An order.

        Raises:
            LookupError: There is none of that number.
        """
        found = next((item for item in self.purchases if item.order == order), None)
        if found is None:
            raise LookupError(f"no order {order!r}")
        return found


_METHODS: Final = {
    "en": ("card", "bank transfer", "wallet", "invoice"),
    "zh": ("银行卡", "微信支付", "支付宝", "对公转账"),
}


def payout(rng: Rng) -> str:
    """A payout id."""
    return f"PX{int(rng.random() * 90_000) + 10_000}"


def build_world(recipe: Recipe, language: str, rng: Rng, *, as_text: bool) -> World:
    """Draw a shop in which a recipe has a clear answer."""
    company = names.company(rng)
    people: dict[str, Customer] = {}
    while len(people) < 5:
        name = names.person(language, rng)
        people[name] = Customer(name, names.mailbox(name, company, language), payout(rng))
    *customers, last = people.values()
    goods = rng.sample(GOODS[language], 12)
    clause = f"P-{rng.randint(10, 99)}"
    purchases = []
    numbers = rng.sample(range(10_000, 99_999), 4)
    for place, number in enumerate(numbers):
        own = tuple(goods[place * 3 : place * 3 + rng.choice((2, 3, 3))])
        owner = customers[0] if place < 2 else customers[place - 1]
        letter = "ABCDEFGH"[int(rng.random() * 8)]
        placed = f"2025-{rng.randint(1, 6):02d}-{rng.randint(1, 28):02d}"
        purchases.append(Purchase(f"{letter}-{number}", owner.name, own, placed, names.pick(_METHODS[language], rng)))
    spans = _spans(language, rng)
    facts: dict[Key, float] = {}
    for purchase in purchases:
        facts.update(_order_facts(purchase, language, rng))
    facts.update(_clause_facts(clause, language, rng))
    first = purchases[0]
    _settle(facts, recipe, recipe.keys(first.order, first.items, clause), spans, rng)
    return World(
        language=language,
        company=company,
        currency=names.pick(_CURRENCIES[language], rng),
        case=f"K-{rng.randint(2000, 9899)}",
        clause=clause,
        person=last.name,
        customers=tuple(customers),
        purchases=tuple(purchases),
        facts=facts,
        units={item: rng.choice((0, 0, 0, 2, 5, 9, 14)) for item in goods},
        as_text=as_text,
        spans=spans,
    )


def _spans(language: str, rng: Rng) -> dict[Attr, str]:
    """Systems count time in different units: what is late in hours, what runs long in weeks."""
    if language == "zh":
        return {}
    hours = (Attr.DELAY, Attr.GRACE, Attr.DEADLINE)
    found = {attr: "hours" for attr in hours if rng.random() < 0.85}
    return found | {attr: "weeks" for attr in (Attr.WINDOW, Attr.TERM, Attr.USED) if rng.random() < 0.8}


def _cents(low: float, high: float, rng: Rng) -> float:
    return round(rng.uniform(low, high), 2)


def _order_facts(purchase: Purchase, language: str, rng: Rng) -> dict[Key, float]:
    scale, order = _SCALES[language], purchase.order
    prices = {item: _cents(14 * scale, 180 * scale, rng) for item in purchase.items}
    fee = _cents(3 * scale, 12 * scale, rng)
    paid = round(sum(prices.values()) + fee, 2)
    first = prices[purchase.items[0]]
    found = {
        Key(Attr.FEE, order): fee,
        Key(Attr.PAID, order): paid,
        Key(Attr.TERM, order): 7.0 * rng.randint(9, 26),
        Key(Attr.DELAY, order): float(rng.randint(5, 14)),
        Key(Attr.SINCE, order): float(rng.randint(15, 40)),
        Key(Attr.CHARGED, order): round(paid + _cents(9 * scale, 90 * scale, rng), 2),
        Key(Attr.REFUNDED, order): _cents(0.2 * first, 0.7 * first, rng),
        Key(Attr.WEAR, order): round(rng.uniform(5, 40), 1),
        Key(Attr.USED, order): 7.0 * rng.randint(2, 7),
    }
    for item, price in prices.items():
        found[Key(Attr.PRICE, item)] = price
        found[Key(Attr.OFFER, item)] = _cents(0.55 * price, 0.9 * price, rng)
    return found


def _clause_facts(clause: str, language: str, rng: Rng) -> dict[Key, float]:
    scale = _SCALES[language]
    return {
        Key(Attr.RATE, clause): round(rng.uniform(1.1, 5.9), 1),
        Key(Attr.PER_DAY, clause): _cents(2 * scale, 12 * scale, rng),
        Key(Attr.GRACE, clause): float(rng.randint(2, 3)),
        Key(Attr.SHARE, clause): round(rng.uniform(12, 68), 1),
        Key(Attr.WINDOW, clause): 7.0 * rng.randint(2, 6),
        Key(Attr.LIMIT, clause): _cents(20 * scale, 120 * scale, rng),
        Key(Attr.RESTOCKING, clause): _cents(2 * scale, 9 * scale, rng),
        Key(Attr.COUPON, clause): round(rng.uniform(6, 32), 1),
        Key(Attr.BONUS, clause): round(rng.uniform(5, 25), 1),
    }


def _settle(
    facts: dict[Key, float], recipe: Recipe, keys: tuple[Key, ...], spans: Mapping[Attr, str], rng: Rng
) -> None:
    """Make the answer of a recipe a clear one: sums well apart, dates and limits not on the line."""
    if recipe.wrong == "wrong_item" and abs(facts[keys[0]] - facts[keys[1]]) < 0.1 * facts[keys[0]]:
        facts[keys[0]] = round(facts[keys[0]] * 1.35 + 4, 2)
    due = recipe.due([facts[key] for key in keys])
    if recipe.settlement is Settlement.LIMIT:
        factor = rng.uniform(0.5, 0.9) if rng.random() < 0.4 else rng.uniform(1.12, 1.8)
        facts[keys[-1]] = round(due * factor, 2)
    if recipe.settlement is Settlement.WINDOW:
        since, in_time = facts[keys[-2]], rng.random() < 0.65
        window = since + rng.randint(2, 9) if in_time else since - rng.randint(3, 9)
        if Attr.WINDOW in spans:
            window = max(14.0, 7.0 * (-int(-window // 7) if in_time else int(window // 7)))
        facts[keys[-1]] = window
