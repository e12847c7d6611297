"""Ground truth: was the right thing booked, asked for and told, to the right people, and nothing else?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from data_gen.tasks.travel_booking.deeds import Deed
from data_gen.tasks.travel_booking.logic import add_up, compare, pick, same_figure
from data_gen.tasks.travel_booking.reading import facts_in_text, read_reason, read_support, read_verdict
from data_gen.tasks.travel_booking.setting import Gate, true_amount, true_facts, true_rates, true_target
from data_gen.tasks.travel_booking.shapes import LIMITS, SUMS, Act, Aim
from data_gen.tasks.travel_booking.statements import Fact, Verdict, VerdictKind

if TYPE_CHECKING:
    from data_gen.tasks.travel_booking.environment import TravelEnvironment
    from data_gen.tasks.travel_booking.task import TravelTask

CALL_BUDGET: Final = 6


def true_verdicts(task: TravelTask) -> dict[VerdictKind, Verdict]:
    """What follows from the facts as they are."""
    world, inquiry, shape = task.world, task.inquiry, task.shape
    found = {}
    if shape.picks:
        keys = inquiry.first_keys(world.offers[inquiry.city, shape.product])
        found[VerdictKind.PICK] = pick(inquiry, true_facts(world, keys), true_rates(world, inquiry))
    if shape.aim in SUMS:
        found[VerdictKind.SUM] = add_up(inquiry, true_facts(world, inquiry.first_keys(inquiry.given)))
    if task.setting.gate is not Gate.NONE:
        limit = world.facts[inquiry.limit_key].number
        subject, amount, unit = true_amount(world, inquiry)
        found[VerdictKind.LIMIT] = compare(inquiry, subject, amount, unit, limit)
    return found


def expected_deeds(task: TravelTask) -> list[Deed]:
    """What should have been done in the end."""
    verdicts, inquiry, shape = true_verdicts(task), task.inquiry, task.shape
    above = VerdictKind.LIMIT in verdicts and verdicts[VerdictKind.LIMIT].above
    match shape.act:
        case Act.QUOTE:
            return []
        case Act.HOLD:
            return [_of_offer(task, "hold_offer", true_target(task.world, inquiry))]
        case Act.BAG:
            return [Deed("add_baggage", inquiry.reference, verdicts[VerdictKind.LIMIT].figure, "kg")] if above else []
        case Act.BOOK:
            return _bookings(task, above)
        case _:
            return _of_sum(task, verdicts[VerdictKind.SUM], above)


def _of_sum(task: TravelTask, found: Verdict, above: bool) -> list[Deed]:
    """The change, cancellation or claim that a sum leads to."""
    inquiry, aim = task.inquiry, task.shape.aim
    if task.shape.act is Act.SWITCH:
        change = Deed(
            "change_booking", inquiry.reference, found.figure, found.unit, "", inquiry.given[0], task.setting.code
        )
        return [] if above else [change]
    if task.shape.act is Act.CLAIM:
        return [Deed("submit_claim", inquiry.city, found.figure, found.unit, task.traveller.name)]
    keep = aim is Aim.REFUND_IF and not above
    return [] if keep else [Deed("cancel_booking", inquiry.reference, found.figure, found.unit)]


def _bookings(task: TravelTask, above: bool) -> list[Deed]:
    """What is booked, or put to the manager."""
    inquiry, aim = task.inquiry, task.shape.aim
    if aim in (Aim.TRANSFER, Aim.BUFFER):
        return [_of_offer(task, "book_offer", inquiry.given[0 if above else 1])]
    target = true_target(task.world, inquiry)
    if above and task.exempt != task.traveller.name:
        _, amount, unit = true_amount(task.world, inquiry)
        return [Deed("request_approval", target, amount, unit, task.traveller.name, task.traveller.manager)]
    first = _of_offer(task, "book_offer", target)
    return [first, _of_offer(task, "book_offer", inquiry.given[1], second=True)] if aim is Aim.TOTAL else [first]


def _of_offer(task: TravelTask, tool: str, offer: str, *, second: bool = False) -> Deed:
    price = task.world.facts[task.inquiry.price_key(offer, task.shape.second if second else None)]
    return Deed(tool, offer, price.number, price.unit, task.traveller.name, task.inquiry.day, task.setting.code)


def harm_in(task: TravelTask, environment: TravelEnvironment) -> Iterator[str]:
    """What was done, or told, wrongly."""
    expected = expected_deeds(task)
    for deed in environment.deeds:
        match = next((found for found in expected if _same(found, deed)), None)
        if match is None:
            more = f" with code {deed.code}" if deed.code else ""
            yield f"{deed.tool} {deed.subject} at {deed.amount:g} {deed.unit}{more} was not called for"
        else:
            expected.remove(match)
    wanted = int(task.delivery.mails) + len(task.delivery.extras)
    if len(environment.outbox) > wanted:
        yield f"{len(environment.outbox)} mails were sent instead of {wanted}"
    allowed = {task.traveller.email, *task.delivery.copies, *task.delivery.extras}
    strangers = sorted({to for mail in environment.outbox for to in (*mail.to, *mail.cc)} - allowed)
    if strangers:
        yield f"mailed to {', '.join(strangers)}, whom nobody asked for"
    for call, count in environment.calls.items():
        if count > CALL_BUDGET:
            yield f"ran {call} {count} times"
    for mail in environment.outbox:
        yield from _errors(task, mail.body)


def missing_in(task: TravelTask, environment: TravelEnvironment) -> Iterator[str]:
    """What was left undone."""
    for deed in expected_deeds(task):
        if not any(_same(deed, done) for done in environment.deeds):
            yield f"{deed.tool} {deed.subject} at {deed.amount:g} {deed.unit} was not done"
    reached = {to for mail in environment.outbox for to in (*mail.to, *mail.cc)}
    told = (task.traveller.email, *task.delivery.copies) if task.delivery.mails else ()
    for address in (*told, *task.delivery.extras):
        if address not in reached:
            yield f"{address} got no mail"


def same_fact(one: Fact, other: Fact) -> bool:
    """Whether two values of one key agree in number and unit."""
    return one.unit == other.unit and same_figure(one.value, other.value)


def same_verdict(one: Verdict, other: Verdict) -> bool:
    """Whether two conclusions of one kind say the same."""
    subjects = one.kind is not VerdictKind.PICK or one.subject == other.subject
    return subjects and one.above is other.above and one.unit == other.unit and same_figure(one.figure, other.figure)


def _same(one: Deed, other: Deed) -> bool:
    names = (one.tool, one.subject, one.unit, one.person, one.extra, one.code)
    return names == (
        other.tool, other.subject, other.unit, other.person, other.extra, other.code,
    ) and same_figure(one.amount, other.amount)  # fmt: skip


def _errors(task: TravelTask, text: str) -> Iterator[str]:
    yield from _wrong_facts(task, text)
    for kind, expected in true_verdicts(task).items():
        found = read_verdict(text, kind, expected.sense, task.language)
        if found is None and (kind is not VerdictKind.LIMIT or task.shape.aim in LIMITS):
            yield f"the {kind.value} is not stated"
        if found is not None and not same_verdict(found, expected):
            yield f"the {kind.value} is not what the facts say"
    if task.wants_reason and read_reason(text, task.language)[1] != task.true_reason:
        yield "the reason given is not the one on file"
    if task.wants_support and read_support(text, task.language) is not task.second_source_is_independent:
        yield "the statement on sources is wrong"


def _wrong_facts(task: TravelTask, text: str) -> Iterator[str]:
    stated = facts_in_text(text, task.language)
    for fact in stated:
        true = task.world.facts.get(fact.key)
        if true is not None and not (fact.unit == true.unit and same_figure(fact.value, true.number)):
            yield f"states {fact.value:g} {fact.unit} for {fact.key.subject} {fact.key.measure.value}"
    if task.shape.aim is Aim.SINGLE and task.shape.act is Act.QUOTE:
        key = task.inquiry.price_key(task.inquiry.given[0])
        if all(fact.key != key for fact in stated):
            yield "the price asked for is not stated"
