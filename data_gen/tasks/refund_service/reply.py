"""The letter to the customer, composed from what memory says at that moment."""

from __future__ import annotations

from dataclasses import dataclass, field

from data_gen.randomness import Rng
from data_gen.tasks.refund_service.casedesk import Found
from data_gen.tasks.refund_service.decisions import Decisions
from data_gen.tasks.refund_service.recipes import Settlement
from data_gen.tasks.refund_service.statements import Fact, RuleKind
from data_gen.texts.grammar import capitalised


@dataclass
class _Draft:
    desk: Decisions
    rng: Rng
    lines: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)

    def add(self, symbol: str, used: tuple[str, ...] = (), **fields: str) -> None:
        """One more sentence, and the entries it rests on."""
        self.lines.append(capitalised(self.desk.writer.say(symbol, self.rng, **fields)))
        self.used += used

    def money(self, symbol: str, fact: Found[Fact]) -> None:
        """A sentence with a sum or a span of time."""
        name = "days" if symbol == "r_promise" else "amount"
        amount = self.desk.writer.amount(fact.value.value, fact.value.unit, self.rng)
        self.add(symbol, fact.used, **{name: amount})


def compose(desk: Decisions) -> Found[str]:
    """The letter, and the entries it was made from."""
    draft = _Draft(desk, desk.session.rng("letter"))
    order, customer = desk.order(), desk.customer()
    draft.add("greeting", customer.used, name=customer.value)
    draft.add("r_open", order.used, order=order.value)
    upset = desk.upset()
    if upset.value or draft.rng.random() < 0.2:
        draft.add("r_sorry", upset.used)
    _outcome(desk, draft)
    if desk.task.wants_cause:
        _cause(desk, draft)
    if RuleKind.PERMIT in desk.handed:
        for own in desk.own_orders():
            kept = desk.may_keep(own)
            draft.add("r_keep" if kept.value else "r_back", kept.used, order=own)
    warning = desk.warning()
    draft.used += warning.used
    if warning.value:
        draft.add("r_warn")
    draft.add("closing")
    return Found("\n".join(draft.lines), tuple(draft.used))


def _outcome(desk: Decisions, draft: _Draft) -> None:
    """What becomes of the claim."""
    way, decides, about = desk.task.recipe.settlement, desk.person_decides(), desk.about()
    draft.used += decides.used
    if decides.value:
        draft.add("r_person", person=desk.person())
        return
    if way in (Settlement.TELL, Settlement.RETURN):
        if way is Settlement.RETURN:
            draft.add("r_return", about.used, item=about.value.items[0])
        draft.money("r_tell", desk.sum_allowed())
        return
    refund, voucher = desk.refund(), desk.voucher()
    if refund is not None:
        draft.money("r_refund", refund)
        draft.money("r_promise", desk.promise())
    if voucher is not None:
        draft.money("r_voucher", voucher)
    if refund is None and voucher is None:
        verdict = desk.verdict()
        if way is Settlement.REPLACE:
            draft.add("r_replace", (*about.used, *verdict.used), item=about.value.items[0])
        else:
            draft.add("r_decline", verdict.used)


def _cause(desk: Decisions, draft: _Draft) -> None:
    cause = desk.cause()
    if cause.value:
        draft.add("r_cause", cause.used, phrase=cause.value)
    else:
        none = desk.writer.say("no_cause", draft.rng)
        none = none[:1].lower() + none[1:]
        draft.add("r_no_cause", cause.used, none=none)
