"""What exists: a company's people, their diaries, offers, bookings and rules, all drawn from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.travel_booking import lexicon
from data_gen.tasks.travel_booking.shapes import PRICES, Product, Shape
from data_gen.tasks.travel_booking.statements import UNITS, Key, Measure
from data_gen.texts import names

_ROLES: Final = {
    "en": ("consultant", "engineer", "head of sales", "analyst", "auditor", "trainer", "project lead"),
    "zh": ("顾问", "工程师", "销售主管", "分析师", "审计员", "培训师", "项目经理"),
}
_RATES: Final = {
    "USD/EUR": 0.92, "GBP/EUR": 1.17, "EUR/USD": 1.09, "GBP/USD": 1.27, "USD/GBP": 0.79, "EUR/GBP": 0.85,
    "USD/CNY": 7.12, "EUR/CNY": 7.74,
}  # fmt: skip
_PRICE_RANGES: Final = {
    Product.FLIGHT: ((95, 880), (560, 3900)),
    Product.TRAIN: ((38, 230), (140, 1100)),
    Product.HOTEL: ((68, 270), (230, 1350)),
    Product.CAR: ((34, 150), (160, 820)),
}
_APART: Final = 0.04
_OVERSEAS: Final = "Tampa"
"""No train goes there."""


class RecordShape(StrEnum):
    """How the systems of a company present a record."""

    RECORD = "record"
    RECORD_LOCAL = "record_local"
    LINE = "line"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Person:
    """An employee."""

    name: str
    role: str
    email: str
    manager: str


@dataclass(frozen=True, slots=True)
class Event:
    """A meeting in a traveller's diary."""

    customer: str
    city: str
    day: str


@dataclass(frozen=True, slots=True)
class Value:
    """A number with its unit."""

    number: float
    unit: str


@dataclass
class World:
    """A company on a day. Facts are added while a task is drawn and are not changed afterwards.

    Attributes:
        language: `en` or `zh`.
        company: Its domain label.
        currency: The currency of its books.
        shape: How its systems present records.
        people: Its directory; the first travels.
        home: Where the office of the first is.
        cities: Where there is something to do; the first is where the task leads.
        day: The day of the journey.
        events: The first one's diary.
        offers: What is on offer, by city and product.
        facts: What is true, by key.
    """

    language: str
    company: str
    currency: str
    shape: RecordShape
    people: tuple[Person, ...]
    home: str
    cities: tuple[str, ...]
    day: str
    events: tuple[Event, ...]
    offers: dict[tuple[str, Product], tuple[str, ...]] = field(default_factory=dict)
    facts: dict[Key, Value] = field(default_factory=dict)

    def put(self, key: Key, number: float, unit: str = "") -> None:
        """State a fact; the unit is that of the measure, or the company's currency."""
        units: Mapping[str, str] = UNITS.get(key.measure, {})
        self.facts[key] = Value(number, unit or units.get(self.language, self.currency))


def build_world(language: str, shape: Shape, rng: Rng, *, as_text: bool = False) -> World:
    """Draw a company and what is on offer to it, with systems that answer in plain text if so wished."""
    company = names.company(rng)
    choices = ("EUR", "EUR", "USD", "GBP") if language == "en" else ("CNY", "CNY", "CNY", "USD", "EUR")
    currency = "CNY" if language == "zh" and shape.converts else names.pick(choices, rng)
    people = _people(language, company, rng)
    home, *cities = rng.sample([city for city in names.CITIES[language] if city != _OVERSEAS], 4)
    when = date(2026, 1, 12) + timedelta(days=rng.randint(0, 330))
    if as_text:
        shapes = [RecordShape.LINE, RecordShape.TABLE]
    else:
        shapes = [found for found in RecordShape if language == "zh" or found is not RecordShape.RECORD_LOCAL]
    customers = rng.sample(names.CUSTOMERS[language], 3)
    events = [
        Event(customer, city, f"{when + timedelta(days=gap)}")
        for customer, city, gap in zip(customers, cities, (1, 9, 16), strict=True)
    ]
    rng.shuffle(events)
    world = World(
        language, company, currency, rng.choice(shapes), people, home, tuple(cities), f"{when}", tuple(events)
    )
    _stock(world, shape, rng)
    return world


def days_around(day: str) -> tuple[str, str, str]:
    """The day before, the day, and the day after."""
    middle = date.fromisoformat(day)
    return f"{middle - timedelta(days=1)}", day, f"{middle + timedelta(days=1)}"


def _people(language: str, company: str, rng: Rng) -> tuple[Person, ...]:
    found: dict[str, str] = {}
    while len(found) < 6:
        found[names.person(language, rng)] = names.pick(_ROLES[language], rng)
    everybody = list(found)
    return tuple(
        Person(name, role, names.mailbox(name, company, language), everybody[(place + 1) % len(everybody)])
        for place, (name, role) in enumerate(found.items())
    )


def _stock(world: World, shape: Shape, rng: Rng) -> None:
    products = dict.fromkeys([shape.product, *([shape.second] if shape.second else [])])
    hotels = rng.sample(lexicon.HOTELS[world.language], 12)
    taken: set[str] = set()
    for place, city in enumerate(world.cities if shape.calendar else world.cities[:1]):
        for product in products:
            count = max(shape.offers, 2)
            if product is Product.HOTEL:
                offers = hotels[4 * place : 4 * place + count]
            elif product is Product.CAR:
                offers = rng.sample(lexicon.CARS[world.language], count)
            else:
                offers = [_code(world.language, product, taken, rng) for _ in range(count)]
            world.offers[city, product] = tuple(offers)
            _price(world, shape, product, offers, rng)
            _describe(world, product, offers, rng)


def _code(language: str, product: Product, taken: set[str], rng: Rng) -> str:
    prefixes = lexicon.CARRIERS[language] if product is Product.FLIGHT else lexicon.TRAINS[language]
    while True:
        code = f"{names.pick(prefixes, rng)}{rng.randint(1010, 9890)}"
        if code not in taken:
            taken.add(code)
            return code


def apart(numbers: list[float]) -> bool:
    """Whether no two numbers are so close that rounding could matter."""
    return all(
        abs(one - other) >= _APART * max(one, other) for i, one in enumerate(numbers) for other in numbers[i + 1 :]
    )


def _spread(count: int, low: float, high: float, step: float, rng: Rng) -> list[float]:
    """So many numbers of a similar size that are clearly apart."""
    while True:
        middle = rng.uniform(low * 1.35, high / 1.35)
        found = [round(step * round(middle * rng.uniform(0.74, 1.35) / step), 2) for _ in range(count)]
        if apart(found):
            return found


def _price(world: World, shape: Shape, product: Product, offers: list[str], rng: Rng) -> None:
    for pair, rate in _RATES.items() if shape.converts else ():
        if pair.endswith(world.currency) and Key(pair, Measure.EXCHANGE) not in world.facts:
            world.put(Key(pair, Measure.EXCHANGE), round(rate * rng.uniform(0.97, 1.03), 2), world.currency)
    low, high = _PRICE_RANGES[product][1 if world.currency == "CNY" else 0]
    measure, days = PRICES[product], days_around(world.day)
    for offer, number in zip(offers, _spread(len(offers), low, high, 1.0, rng), strict=True):
        unit, rate = world.currency, 1.0
        if shape.converts and product is shape.product and offer != offers[0] and rng.random() < 0.7:
            pair = rng.choice([pair for pair in _RATES if pair.endswith(world.currency)])
            unit, rate = pair[:3], world.facts[Key(pair, Measure.EXCHANGE)].number
        for day in days:
            factor = 1.0 if day == world.day else rng.choice((rng.uniform(0.72, 0.93), rng.uniform(1.07, 1.4)))
            world.put(Key(offer, measure, day), float(max(1, round(number * factor / rate))), unit)


def _describe(world: World, product: Product, offers: list[str], rng: Rng) -> None:
    count = len(offers)
    if product in (Product.FLIGHT, Product.TRAIN):
        hours = _spread(count, 2.5, 11.0, 0.25, rng)
        transfers = _spread(count, 0.75, 3.5, 0.25, rng)
        buffers = _spread(count, 1.5, 7.0, 0.25, rng)
        for place, offer in enumerate(offers):
            world.put(Key(offer, Measure.HOURS), hours[place])
            world.put(Key(offer, Measure.TRANSFER), transfers[place])
            world.put(Key(offer, Measure.BUFFER), buffers[place])
    elif product is Product.HOTEL:
        ways, scores = _spread(count, 0.6, 6.0, 0.1, rng), rng.sample(range(61, 98), count)
        for place, offer in enumerate(offers):
            world.put(Key(offer, Measure.DISTANCE), ways[place])
            world.put(Key(offer, Measure.SCORE), scores[place] + rng.randint(0, 9) / 10)
