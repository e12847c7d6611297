"""Draws travel tasks."""

from __future__ import annotations

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import Passage
from data_gen.tasks.drawing import draw_precedents
from data_gen.tasks.travel_booking import texts
from data_gen.tasks.travel_booking.goals import Delivery, Request, house_rule, word_goal
from data_gen.tasks.travel_booking.logic import Inquiry
from data_gen.tasks.travel_booking.papers import draw_papers, draw_phrase, draw_precedent, draw_voicemail
from data_gen.tasks.travel_booking.setting import RULE_NEEDS, draw_setting
from data_gen.tasks.travel_booking.shapes import LIMITS, SHAPES, Act, Aim, Shape
from data_gen.tasks.travel_booking.statements import Key
from data_gen.tasks.travel_booking.task import TravelTask
from data_gen.tasks.travel_booking.world import Value, World, build_world
from data_gen.texts import names


def suits(template: str, needs: frozenset[Need]) -> bool:
    """Whether a template can hold some ingredients."""
    shape = SHAPES[template]
    compares = shape.aim in LIMITS or shape.may_be_gated
    fitting = {
        Need.NAME: shape.picks,
        Need.NEGATION: compares,
        Need.CONCLUSION: shape.picks or compares or shape.aim in (Aim.REFUND, Aim.PER_DIEM, Aim.MILEAGE),
        Need.NEIGHBOURS: shape.act not in (Act.BAG, Act.CANCEL),
        **dict.fromkeys((Need.REVISION, Need.ESTIMATE, Need.SINGLE_SOURCE), _is_priced(shape)),
        Need.CAUSE: _is_priced(shape) or shape.picks,
        **dict.fromkeys(RULE_NEEDS, shape.has_policy_limit),
    }
    return all(fitting.get(need, True) for need in needs)


def _is_priced(shape: Shape) -> bool:
    """Whether the first thing to know is the price of an offer that the user, or a search, names at once."""
    priced = shape.aim in (Aim.SINGLE, Aim.HELD, Aim.TOTAL, Aim.SWITCH, Aim.CHEAPEST)
    return priced and not shape.converts and not shape.calendar


def sample_task(template: str, language: str, writer: str, rng: Rng, wanted: frozenset[Need]) -> TravelTask:
    """Draw a task; the ingredients are independent of each other, except for those wanted, which are there."""
    shape = SHAPES[template]
    world = build_world(language, shape, rng, as_text=not wanted.isdisjoint((Need.RECORD, Need.NEIGHBOURS)))
    inquiry = _inquiry(shape, world, rng)
    setting = draw_setting(inquiry, world, wanted, rng)
    priced = _is_priced(shape)
    first = inquiry.first_keys(inquiry.given or world.offers[inquiry.city, shape.product])[0]
    before = _repriced(world, first, rng) if priced and (Need.REVISION in wanted or rng.random() < 0.3) else ()
    has_price = priced or shape.picks
    wants_reason = has_price and (Need.CAUSE in wanted or rng.random() < 0.25)
    reason = draw_phrase(language, rng) if wants_reason and rng.random() < 0.7 else ""
    wants_support = priced and (Need.SINGLE_SOURCE in wanted or rng.random() < 0.2)
    delivery = _delivery(shape, world, wants_reason or wants_support, rng)
    customer = next(event.customer for event in world.events if event.city == inquiry.city)
    customer = customer if shape.calendar else ""
    calls = priced and (Need.ESTIMATE in wanted or rng.random() < 0.2)
    remark = texts.slot_sentence(language, rng, world.company)
    told = draw_precedents(wanted, rng)
    request = Request(inquiry, setting, delivery, customer, wants_reason, first.subject if wants_support else "")
    return TravelTask(
        template=template,
        language=language,
        writer=writer,
        goal=word_goal(request, world.people[0].name, rng),
        company=world.company,
        world=world,
        inquiry=inquiry,
        setting=setting,
        delivery=delivery,
        customer=customer,
        before=before,
        checks_updates=bool(before) or (priced and rng.random() < 0.15),
        wants_reason=wants_reason,
        true_reason=reason,
        wants_support=wants_support,
        second_source_is_independent=Need.SINGLE_SOURCE not in wanted and rng.random() < 0.65,
        papers=draw_papers(world, inquiry, reason, wanted, rng),
        papers_first=rng.random() < 0.5,
        voicemail=draw_voicemail(world, first, rng) if calls else None,
        remark=Passage((remark,)) if rng.random() < 0.4 else None,
        old_bookings=tuple(f"R{rng.randint(10_000, 99_999)}" for _ in range(rng.randint(2, 5))),
        lists_bookings=rng.random() < 0.2,
        house_rule=house_rule(language, rng) if rng.random() < 0.3 else None,
        restates=Need.RESTATED_GOAL in wanted or rng.random() < 0.4,
        precedents=tuple(draw_precedent(world, inquiry, rng, plain=found) for found in told),
        damage=rng.getrandbits(32) if Need.RECORD in wanted or rng.random() < 0.1 else None,
        waits=rng.choice((1, 2, 3)) if rng.random() < 0.1 else 0,
        wide_records=Need.NEIGHBOURS in wanted or rng.random() < 0.4,
    )


def _delivery(shape: Shape, world: World, must: bool, rng: Rng) -> Delivery:
    mails = must or shape.act is Act.QUOTE or rng.random() < 0.92
    copies = tuple(names.address(rng, world.company) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)) if mails else 0))
    extras = (names.address(rng, world.company),) if mails and rng.random() < 0.12 else ()
    return Delivery(mails, copies, extras)


def _inquiry(shape: Shape, world: World, rng: Rng) -> Inquiry:
    city = world.cities[0]
    offers = list(world.offers[city, shape.product])
    rng.shuffle(offers)
    given: tuple[str, ...] = ()
    if not shape.picks:
        other = world.offers[city, shape.second or shape.product]
        second = next(offer for offer in other if offer != offers[0])
        given = (offers[0], second) if shape.aim in (Aim.TOTAL, Aim.TRANSFER, Aim.BUFFER) else (offers[0],)
    reference = f"BK-{rng.randint(10_000, 99_999)}"
    return Inquiry(shape, world.language, city, world.day, rng.randint(2, 4), given, reference, world.currency)


def _repriced(world: World, key: Key, rng: Rng) -> tuple[tuple[Key, Value], ...]:
    """What the systems say of a price until they are asked for repricing."""
    true = world.facts[key]
    factor = rng.uniform(0.62, 0.92) if rng.random() < 0.5 else rng.uniform(1.08, 1.45)
    return ((key, Value(float(max(1, round(true.number * factor))), true.unit)),)
