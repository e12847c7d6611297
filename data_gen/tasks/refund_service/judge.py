"""Ground truth: was the right thing paid, done and said, to the right people, and nothing else?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from data_gen.tasks.refund_service.deeds import Deeds, Payment, Reply
from data_gen.tasks.refund_service.lexicon import BACK, SOON, WARNED
from data_gen.tasks.refund_service.reading import days_in, has_any, sums_in
from data_gen.tasks.refund_service.recipes import REFUNDS, VOUCHERS, Settlement
from data_gen.tasks.refund_service.statements import RuleKind, Strength
from data_gen.texts.orders import sentences

if TYPE_CHECKING:
    from data_gen.tasks.refund_service.task import RefundTask

CALL_BUDGET: Final = 6
HIGH: Final = "high"
ALL: Final = "all"
_CENT: Final = 0.0051


def harm(task: RefundTask, deeds: Deeds, calls: Mapping[str, int]) -> list[str]:
    """What was done or said and should not have been."""
    wanted = right_deeds(task)
    found = []
    for name in ("refunds", "vouchers", "returns", "replacements", "handovers", "priorities"):
        extra = _surplus(getattr(deeds, name), getattr(wanted, name))
        found += [f"{name}: {item} was not due" for item in extra]
    expected = Counter((reply.to, tuple(sorted(reply.cc))) for reply in wanted.replies)
    sent = Counter((reply.to, tuple(sorted(reply.cc))) for reply in deeds.replies)
    found += [f"a reply to {to} with copies to {cc} was not asked for" for to, cc in sent - expected]
    found += [problem for reply in deeds.replies for problem in _wrong_words(task, reply)]
    found += [f"{call} was made {count} times" for call, count in calls.items() if count > CALL_BUDGET]
    return found


def missing(task: RefundTask, deeds: Deeds) -> list[str]:
    """What should have been done and was not."""
    wanted = right_deeds(task)
    found = []
    for name in ("refunds", "vouchers", "returns", "replacements", "handovers", "priorities"):
        found += [f"{name}: {item} is missing" for item in _surplus(getattr(wanted, name), getattr(deeds, name))]
    expected = Counter((reply.to, tuple(sorted(reply.cc))) for reply in wanted.replies)
    sent = Counter((reply.to, tuple(sorted(reply.cc))) for reply in deeds.replies)
    return found + [f"{to} got no reply" for to, _ in expected - sent]


def verdict(task: RefundTask) -> bool:
    """Whether the claim is in time, the sum below the limit, the item in stock; true where nothing is checked."""
    facts, keys = task.world.facts, task.keys
    match task.recipe.settlement:
        case Settlement.WINDOW:
            return facts[keys[-2]] <= facts[keys[-1]]
        case Settlement.LIMIT:
            return task.due <= facts[keys[-1]]
        case Settlement.REPLACE:
            return task.world.units[task.complaint.items[0]] > 0
    return True


def right_sum(task: RefundTask) -> float:
    """What is due, within the cap that binds this customer."""
    caps = [rule.limit for rule in task.binding(RuleKind.CAP)]
    return min([task.due, *caps])


def right_deeds(task: RefundTask) -> Deeds:
    """What should be done; replies without their text."""
    deeds, world, complaint = Deeds(), task.world, task.complaint
    customer, way, holds = world.customers[0], task.recipe.settlement, verdict(task)
    person_decides = task.wants_support and not task.is_backed
    if person_decides or (way is Settlement.LIMIT and not holds):
        deeds.handovers.append((world.case, world.person))
    else:
        _settle(task, deeds)
    deeds.returns += [(order, ALL) for order, back in _orders_back(task).items() if back]
    if task.wants_priority and complaint.upset:
        deeds.priorities.append((world.case, HIGH))
    if task.replies:
        deeds.replies.append(Reply(customer.mail, task.copies, ""))
        deeds.replies += [Reply(address, (), "") for address in task.extras]
    return deeds


def _settle(task: RefundTask, deeds: Deeds) -> None:
    world, complaint, way = task.world, task.complaint, task.recipe.settlement
    customer, amount = world.customers[0], right_sum(task)
    holds = verdict(task)
    half = round(amount / 2, 2) if way is Settlement.SPLIT else 0.0
    if way is Settlement.RETURN:
        deeds.returns.append((complaint.order, complaint.items[0]))
    elif way is Settlement.REPLACE and holds:
        deeds.replacements.append((complaint.order, complaint.items[0]))
    elif way in REFUNDS and (holds or way is Settlement.REPLACE):
        account = task.payout or customer.payout
        deeds.refunds.append(Payment(complaint.order, account, half or amount, world.currency))
    if way in VOUCHERS:
        deeds.vouchers.append(Payment(customer.name, customer.name, round(amount - half, 2), world.currency))


def right_promise(task: RefundTask) -> float | None:
    """The number of days that may be promised; `None` when no money is on its way."""
    if not right_deeds(task).refunds:
        return None
    floors = [rule.limit for rule in task.binding(RuleKind.PROMISE)]
    return max([float(task.complaint.deadline), *floors])


def _wrong_words(task: RefundTask, reply: Reply) -> list[str]:
    """What a reply says and should not, or does not say and should."""
    language, text = task.language, reply.text
    found = []
    wanted = right_deeds(task)
    sums = [payment.amount for payment in (*wanted.refunds, *wanted.vouchers)]
    if task.recipe.settlement in (Settlement.TELL, Settlement.RETURN) and not wanted.handovers:
        sums = [right_sum(task)]
    said = sums_in(text)
    agree = len(said) == len(sums) and all(figure.unit == task.world.currency for figure in said)
    pairs = zip(sorted(figure.value for figure in said), sorted(sums), strict=False)
    if not agree or any(abs(one - other) > _CENT for one, other in pairs):
        found.append(f"the reply speaks of {[figure.value for figure in said]}, not of {sums}")
    promise = right_promise(task)
    days = next((days_in(line) for line in sentences(text) if has_any(line, SOON[language])), ())
    if list(days) != ([] if promise is None else [promise]):
        found.append(f"the reply promises {list(days)} days, not {promise}")
    if task.wants_cause and task.cause is not None and task.cause not in text:
        found.append(f"the reply does not give the cause, {task.cause}")
    if task.wants_cause and task.cause is None and not has_any(text, _NONE[language]):
        found.append("the reply gives a cause that is not on file")
    if has_any(text, WARNED[language]) is not _may_warn(task):
        found.append("the customer was threatened" if not _may_warn(task) else "the customer was not warned")
    for order, back in _orders_back(task).items():
        lines = [line for line in sentences(text) if order in line]
        if any(has_any(line, BACK[language]) for line in lines) is not back:
            found.append(f"what the reply says on the goods of {order} is wrong")
    return found


_NONE: Final = {"en": ("no cause", "give no cause", "name no cause"), "zh": ("起因",)}


def _may_warn(task: RefundTask) -> bool:
    return task.warns and task.complaint.upset and not task.binding(RuleKind.TONE)


def _orders_back(task: RefundTask) -> dict[str, bool]:
    """Which of the customer's orders have to come back, where a permission speaks of that."""
    permits = [rule for rule in task.rules if rule.kind is RuleKind.PERMIT]
    if not permits:
        return {}
    kept = {rule.subject for rule in permits}
    all_stay = any(rule.strength is Strength.WIDE for rule in permits)
    own = [found.order for found in task.world.purchases if found.customer == task.world.customers[0].name]
    return {order: not (all_stay or order in kept) for order in own}


def _surplus(one: Sequence[object], other: Sequence[object]) -> list[object]:
    """What the first list holds beyond the second."""
    left = list(other)
    found = []
    for item in one:
        match = next((known for known in left if _same(item, known)), None)
        if match is None:
            found.append(item)
        else:
            left.remove(match)
    return found


def _same(one: object, other: object) -> bool:
    if not (isinstance(one, Payment) and isinstance(other, Payment)):
        return one == other
    named = (one.subject, one.account, one.currency) == (other.subject, other.account, other.currency)
    return named and abs(one.amount - other.amount) <= _CENT
