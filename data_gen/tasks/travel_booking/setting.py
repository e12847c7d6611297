"""What applies to a task: limits, who is exempt from them, and who says so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.tasks.travel_booking import texts
from data_gen.tasks.travel_booking.logic import Inquiry, add_up, pick
from data_gen.tasks.travel_booking.shapes import CODED, LIMITS, PRICES, Aim
from data_gen.tasks.travel_booking.statements import Fact, Key, Measure
from data_gen.tasks.travel_booking.world import World

RULE_NEEDS: Final = frozenset({Need.RULE, Need.SUBJECT, Need.PERMISSION})


class Gate(StrEnum):
    """How a limit on costs reaches the agent."""

    NONE = "none"
    RECORD = "record"
    """It looks the limit up."""
    HANDOVER = "handover"
    """Another agent states the rules."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What applies.

    Attributes:
        gate: How the limit reaches the agent; `NONE` where there is none.
        exempt: Who may go beyond it without approval.
        sits_twice: Whether the rules are stated in a session of their own, before the work begins.
        code: The rate code that the user wants used.
    """

    gate: Gate
    exempt: str
    sits_twice: bool
    code: str


def draw_setting(inquiry: Inquiry, world: World, wanted: frozenset[Need], rng: Rng) -> Setting:
    """Draw what applies, and state the facts that it takes."""
    shape = inquiry.shape
    _put_booking(inquiry, world, rng)
    needs_rule = not wanted.isdisjoint(RULE_NEEDS)
    gated = shape.aim in LIMITS or (
        shape.may_be_gated and (shape.gated or needs_rule or Need.NEGATION in wanted or rng.random() < 0.35)
    )
    gate = Gate.RECORD if gated else Gate.NONE
    if gated and shape.has_policy_limit and (needs_rule or rng.random() < 0.45):
        gate = Gate.HANDOVER
    above = needs_rule or rng.random() < 0.5
    if gated:
        _put_limit(inquiry, world, above, rng)
    exempt = ""
    if gate is Gate.HANDOVER and (not wanted.isdisjoint((Need.SUBJECT, Need.PERMISSION)) or rng.random() < 0.55):
        others = [person.name for person in world.people[1:]]
        mine = Need.PERMISSION not in wanted and Need.RULE not in wanted and rng.random() < 0.45
        exempt = world.people[0].name if mine else rng.choice(others)
    code = texts.draw_code(rng) if shape.act in CODED and rng.random() < 0.2 else ""
    return Setting(gate, exempt, gate is Gate.HANDOVER and rng.random() < 0.5, code)


def true_facts(world: World, keys: tuple[Key, ...]) -> list[Fact]:
    """What holds, by key."""
    return [Fact(key, world.facts[key].number, world.facts[key].unit) for key in keys]


def true_rates(world: World, inquiry: Inquiry) -> dict[str, float]:
    """What one unit of each foreign currency is worth."""
    suffix = f"/{inquiry.currency}"
    found = {key.subject: value for key, value in world.facts.items() if key.measure is Measure.EXCHANGE}
    return {pair[:3]: value.number for pair, value in found.items() if pair.endswith(suffix)}


def true_target(world: World, inquiry: Inquiry) -> str:
    """The offer that comes out best, or the one the user names first."""
    if not inquiry.shape.picks:
        return inquiry.given[0]
    keys = inquiry.first_keys(world.offers[inquiry.city, inquiry.shape.product])
    return pick(inquiry, true_facts(world, keys), true_rates(world, inquiry)).subject


def true_amount(world: World, inquiry: Inquiry) -> tuple[str, float, str]:
    """What is held against the limit: of what, how much, in which unit."""
    shape = inquiry.shape
    if shape.aim in (Aim.TOTAL, Aim.SWITCH, Aim.REFUND_IF):
        found = add_up(inquiry, true_facts(world, inquiry.first_keys(inquiry.given)))
        return found.subject, found.figure, found.unit
    if shape.aim in (Aim.TRANSFER, Aim.BUFFER, Aim.BAG):
        key = inquiry.first_keys(inquiry.given)[0]
    else:
        key = inquiry.price_key(true_target(world, inquiry))
    value = world.facts[key]
    return key.subject, value.number, value.unit


def _put_booking(inquiry: Inquiry, world: World, rng: Rng) -> None:
    """State what is known of the booking, the stay and the car."""
    shape, ref, dear = inquiry.shape, inquiry.reference, 7.0 if inquiry.currency == "CNY" else 1.0
    city, measure = inquiry.city, PRICES[shape.product]
    price = next(
        value.number for key, value in world.facts.items() if key.measure is measure and key.day == inquiry.day
    )
    if inquiry.given:
        price = world.facts[inquiry.price_key(inquiry.given[0])].number
    if shape.aim in (Aim.SWITCH, Aim.REFUND, Aim.REFUND_IF):
        paid = float(round(price * (rng.uniform(0.35, 0.6) if shape.aim is Aim.SWITCH else rng.uniform(0.8, 1.3))))
        world.put(Key(ref, Measure.PAID), paid)
        world.put(Key(ref, Measure.FEE), float(max(2, round(paid * rng.uniform(0.08, 0.35)))))
    elif shape.aim is Aim.PER_DIEM:
        world.put(Key(city, Measure.DAYS), float(rng.randint(2, 9)))
    elif shape.aim is Aim.MILEAGE:
        world.put(Key(city, Measure.DRIVEN), float(rng.randint(60, 900)))
        world.put(Key(city, Measure.MILEAGE), round(rng.uniform(0.31, 0.68) * (2.2 if dear > 1 else 1), 2))
    elif shape.aim is Aim.BAG:
        free = float(rng.randint(14, 26))
        world.put(Key(ref, Measure.FREE), free)
        world.put(Key(ref, Measure.WEIGHT), free + rng.choice((-1, 1)) * rng.randint(2, 9))
    world.put(Key(city, Measure.ALLOWANCE), float(round(rng.uniform(31, 84) * (3 if dear > 1 else 1))))


def _put_limit(inquiry: Inquiry, world: World, above: bool, rng: Rng) -> None:
    """State the limit, on the right side of what is held against it."""
    key = inquiry.limit_key
    if key in world.facts:
        return
    _, amount, unit = true_amount(world, inquiry)
    if key.measure is Measure.MINIMUM:
        room = int((amount - 0.25) / 0.25)
        limit = (
            amount - 0.25 * rng.randint(1, min(4, room)) if above and room > 0 else amount + 0.25 * rng.randint(1, 5)
        )
    else:
        factor = rng.uniform(0.68, 0.92) if above else rng.uniform(1.08, 1.4)
        limit = float(max(1, round(amount * factor)))
        limit = limit if limit != amount else amount + (-1 if above else 1)
    world.put(key, limit, unit)
