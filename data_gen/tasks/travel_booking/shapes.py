"""The task templates: what is looked for, what follows from it, and what is done."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.tasks.travel_booking.statements import Measure


class Product(StrEnum):
    """What is booked."""

    FLIGHT = "flight"
    TRAIN = "train"
    HOTEL = "hotel"
    CAR = "car"


class Aim(StrEnum):
    """What has to be found out."""

    CHEAPEST = "cheapest"
    FASTEST = "fastest"
    NEAREST = "nearest"
    BEST = "best"
    SINGLE = "single"
    TOTAL = "total"
    TRANSFER = "transfer"
    BUFFER = "buffer"
    SWITCH = "switch"
    REFUND = "refund"
    REFUND_IF = "refund_if"
    PER_DIEM = "per_diem"
    MILEAGE = "mileage"
    BAG = "bag"
    HELD = "held"


class Act(StrEnum):
    """What is done with it, besides the mail."""

    BOOK = "book"
    HOLD = "hold"
    SWITCH = "switch"
    CANCEL = "cancel"
    CLAIM = "claim"
    BAG = "bag"
    QUOTE = "quote"


PICKS: Final = MappingProxyType(
    {
        Aim.CHEAPEST: None,
        Aim.FASTEST: Measure.HOURS,
        Aim.NEAREST: Measure.DISTANCE,
        Aim.BEST: Measure.SCORE,
    }
)
"""Aims that rank offers, and by what; `None` for the price."""
PRICES: Final = MappingProxyType(
    {
        Product.FLIGHT: Measure.FARE,
        Product.TRAIN: Measure.FARE,
        Product.HOTEL: Measure.RATE,
        Product.CAR: Measure.HIRE,
    }
)
LIMITS: Final = MappingProxyType(
    {
        Aim.TOTAL: Measure.BUDGET,
        Aim.TRANSFER: Measure.MINIMUM,
        Aim.BUFFER: Measure.MINIMUM,
        Aim.SWITCH: Measure.CAP,
        Aim.REFUND_IF: Measure.FLOOR,
        Aim.BAG: Measure.FREE,
        Aim.HELD: Measure.HELD,
    }
)
"""Aims that compare with a limit of their own; any other booking may be held against the company's cap."""
CODED: Final = (Act.BOOK, Act.HOLD, Act.SWITCH)
"""Acts that take a rate code."""
SUMS: Final = (Aim.TOTAL, Aim.SWITCH, Aim.REFUND, Aim.REFUND_IF, Aim.PER_DIEM, Aim.MILEAGE)


@dataclass(frozen=True, slots=True)
class Shape:
    """A template.

    Attributes:
        aim: What is found out.
        product: What is booked.
        act: What is done.
        offers: How many offers there are to choose from.
        second: The second thing that a total takes in.
        calendar: Whether the place has to be looked up in the traveller's calendar.
        converts: Whether the offers are priced in different currencies.
        gated: Whether the company's cap always applies.
    """

    aim: Aim
    product: Product
    act: Act = Act.BOOK
    offers: int = 3
    second: Product | None = None
    calendar: bool = False
    converts: bool = False
    gated: bool = False

    @property
    def picks(self) -> bool:
        """Whether offers are ranked."""
        return self.aim in PICKS

    @property
    def may_be_gated(self) -> bool:
        """Whether the company's cap can apply."""
        return self.act is Act.BOOK and self.aim not in LIMITS and not self.converts

    @property
    def has_policy_limit(self) -> bool:
        """Whether a limit on costs may apply, which another agent could hand over."""
        return self.act is Act.BOOK and (self.may_be_gated or self.aim is Aim.TOTAL)


def _shapes() -> dict[str, Shape]:
    flight, train, hotel, car = Product.FLIGHT, Product.TRAIN, Product.HOTEL, Product.CAR
    found = {f"cheapest_{p}": Shape(Aim.CHEAPEST, p) for p in Product}
    found |= {f"hold_cheapest_{p}": Shape(Aim.CHEAPEST, p, Act.HOLD) for p in (flight, train, hotel)}
    found |= {f"cheaper_of_two_{p}": Shape(Aim.CHEAPEST, p, offers=2) for p in (flight, hotel)}
    found |= {f"cheapest_of_four_{p}": Shape(Aim.CHEAPEST, p, offers=4) for p in (flight, hotel)}
    found |= {f"fastest_{p}": Shape(Aim.FASTEST, p) for p in (flight, train)}
    found["hold_fastest_flight"] = Shape(Aim.FASTEST, flight, Act.HOLD)
    found["nearest_hotel"] = Shape(Aim.NEAREST, hotel)
    found["hold_nearest_hotel"] = Shape(Aim.NEAREST, hotel, Act.HOLD)
    found["best_hotel"] = Shape(Aim.BEST, hotel)
    found["best_of_four_hotels"] = Shape(Aim.BEST, hotel, offers=4)
    found |= {f"foreign_{p}": Shape(Aim.CHEAPEST, p, converts=True) for p in (flight, hotel)}
    found |= {f"within_cap_{p}": Shape(Aim.SINGLE, p, offers=1, gated=True) for p in Product}
    found["trip_flight_hotel"] = Shape(Aim.TOTAL, flight, offers=1, second=hotel)
    found["trip_train_hotel"] = Shape(Aim.TOTAL, train, offers=1, second=hotel)
    found["trip_flight_car"] = Shape(Aim.TOTAL, flight, offers=1, second=car)
    found["trip_flight_back"] = Shape(Aim.TOTAL, flight, offers=1, second=flight)
    found |= {f"transfer_{p}": Shape(Aim.TRANSFER, p, offers=2) for p in (flight, train)}
    found |= {f"buffer_{p}": Shape(Aim.BUFFER, p, offers=2) for p in (flight, train)}
    found |= {f"switch_{p}": Shape(Aim.SWITCH, p, Act.SWITCH, offers=1) for p in (flight, train, hotel)}
    found |= {f"cancel_{p}": Shape(Aim.REFUND, p, Act.CANCEL, offers=1) for p in (flight, hotel, train)}
    found |= {f"cancel_if_{p}": Shape(Aim.REFUND_IF, p, Act.CANCEL, offers=1) for p in (flight, hotel)}
    found["claim_per_diem"] = Shape(Aim.PER_DIEM, hotel, Act.CLAIM, offers=1)
    found["claim_mileage"] = Shape(Aim.MILEAGE, car, Act.CLAIM, offers=1)
    found["add_bag"] = Shape(Aim.BAG, flight, Act.BAG, offers=1)
    found |= {f"quote_{p}": Shape(Aim.SINGLE, p, Act.QUOTE, offers=1) for p in (flight, train, hotel)}
    found |= {f"compare_{p}": Shape(Aim.CHEAPEST, p, Act.QUOTE, offers=3) for p in (flight, hotel)}
    found |= {f"calendar_{p}": Shape(Aim.CHEAPEST, p, calendar=True) for p in (flight, hotel)}
    found["calendar_fastest_train"] = Shape(Aim.FASTEST, train, calendar=True)
    found["calendar_nearest_hotel"] = Shape(Aim.NEAREST, hotel, calendar=True)
    found["calendar_hold_hotel"] = Shape(Aim.CHEAPEST, hotel, Act.HOLD, calendar=True)
    found |= {f"confirm_held_{p}": Shape(Aim.HELD, p, offers=1) for p in (flight, hotel)}
    return {f"travel_{name}": shape for name, shape in found.items()}


SHAPES: Final = MappingProxyType(_shapes())
TEMPLATES: Final = tuple(SHAPES)
