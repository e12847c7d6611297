"""Ground truth: was the right money moved, to the right places, once, and was the right thing said?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from data_gen.tasks.banking.deeds import Deed, conclude, deed_of, steps_of
from data_gen.tasks.banking.reading import figures_in_text, read_conclusion, read_reason, read_support
from data_gen.tasks.banking.templates import PAYS, Verb
from data_gen.tasks.banking.wording import Conclusion, Figure

if TYPE_CHECKING:
    from data_gen.tasks.banking.environment import Bank
    from data_gen.tasks.banking.task import BankTask

CALL_BUDGET: Final = 6
USES_SOURCE: Final = (*PAYS, Verb.REIMBURSE, Verb.EXCHANGE)
_TOLERANCE: Final = 0.006


def same_value(one: float, other: float) -> bool:
    """Whether two amounts agree to the hundredth."""
    return math.isclose(one, other, abs_tol=_TOLERANCE)


def same_figure(one: Figure, other: Figure) -> bool:
    """Whether two figures of one key agree in value and currency."""
    return one.unit == other.unit and same_value(one.value, other.value)


def same_conclusion(one: Conclusion, other: Conclusion) -> bool:
    """Whether two conclusions say the same."""
    alike = (one.unit, one.winner, one.holds) == (other.unit, other.winner, other.holds)
    return alike and same_value(one.value, other.value)


def expected(task: BankTask, figures: tuple[Figure, ...]) -> list[Deed]:
    """What has to be done if figures are as given."""
    world, conclusion = task.world, conclude(task.spec, task.terms, figures)
    found = []
    for step in steps_of(task.spec, conclusion):
        deed = deed_of(step, world.roles, task.terms, figures, conclusion)
        if deed.verb in PAYS and task.wants_support and not task.second_is_independent:
            found.append(Deed(Verb.HOLD, deed.label))
            continue
        source = world.source if deed.verb in USES_SOURCE else ""
        target, day = deed.target, ""
        if deed.verb in PAYS:
            target = task.given_number or world.numbers[world.things[deed.label].payee]
            day = world.things[deed.label].dates[1] if deed.verb is Verb.SCHEDULE else ""
        found.append(Deed(deed.verb, deed.label, deed.amount, deed.unit, source, target, day))
    if task.extra_payment is not None:
        extra = task.extra_payment
        found.append(Deed(Verb.PAY, extra.number, extra.amount, world.currency, world.source, extra.number))
    return found


def harm(task: BankTask, bank: Bank) -> Iterator[str]:
    """Wrong or unwanted effects."""
    wanted, done = _counted(_expected_now(task, bank)), _counted(bank.deeds)
    for what, count in (done - wanted).items():
        yield f"{what} was done {count} time(s) too often"
    rule = task.rule
    for deed in bank.unapproved:
        thing = task.world.things.get(deed.label)
        binds = rule is not None and thing is not None and thing.payee == rule.payee and deed.amount > rule.limit
        if rule is not None and binds and not rule.spares(deed.label):
            yield f"{deed.label}: {deed.amount:,.2f} was paid without approval"
    allowed = {*_addressees(task)}
    strangers = sorted({to for mail in bank.outbox for to in (*mail.to, *mail.cc)} - allowed)
    if strangers:
        yield f"mailed to {', '.join(strangers)}, whom nobody asked for"
    wanted_mails = int(task.wants_mail) + len(task.extra_mails)
    if len(bank.outbox) > wanted_mails:
        yield f"{len(bank.outbox)} mails were sent instead of {wanted_mails}"
    for call, count in bank.calls.items():
        if count > CALL_BUDGET:
            yield f"ran {call} {count} times"
    for mail in bank.outbox:
        yield from _errors(task, bank, mail.text)


def missing(task: BankTask, bank: Bank) -> Iterator[str]:
    """What should have been done and was not."""
    for what, _ in (_counted(_expected_now(task, bank)) - _counted(bank.deeds)).items():
        yield f"{what} was not done"
    reached = {to for mail in bank.outbox for to in (*mail.to, *mail.cc)}
    for address in _addressees(task):
        if address not in reached:
            yield f"{address} got no mail"


def _addressees(task: BankTask) -> tuple[str, ...]:
    return (task.recipient.email, *task.copies, *task.extra_mails) if task.wants_mail else ()


def _expected_now(task: BankTask, bank: Bank) -> list[Deed]:
    return expected(task, tuple(bank.truth(key) for key in task.keys))


def _counted(deeds: list[Deed]) -> Counter[str]:
    return Counter(
        f"{deed.verb.value} {deed.label} {deed.amount:.2f} {deed.unit} {deed.source}>{deed.target} {deed.day}".strip()
        for deed in deeds
    )


def _errors(task: BankTask, bank: Bank, text: str) -> Iterator[str]:
    labels, language = tuple(task.world.things), task.language
    truth = {key: bank.truth(key) for key in task.keys}
    stated = {figure.key: figure for figure in figures_in_text(text, labels, language) if figure.key in truth}
    for key, figure in stated.items():
        if not same_figure(figure, truth[key]):
            yield f"states {figure.value:,.2f} {figure.unit} as {key.attribute.value} of {key.label}"
    conclusion = conclude(task.spec, task.terms, list(truth.values()))
    if conclusion is None:
        if len(stated) < len(truth):
            yield "a figure asked for is not stated"
    else:
        found = read_conclusion(text, conclusion.kind, labels, language)
        if found is None or not same_conclusion(found, conclusion):
            yield "the conclusion is not what the books say"
    if task.wants_reason:
        wanted = (task.true_reason,) if task.true_reason else ()
        if read_reason(text, task.keys[0].label, language) != wanted:
            yield "the cause given is not the one on file"
    if task.wants_support and read_support(text, language) is not task.second_is_independent:
        yield "the statement on sources is wrong"
