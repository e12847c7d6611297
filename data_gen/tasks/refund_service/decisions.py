"""What the dialogue agent decides, each time anew from what memory then says."""

from __future__ import annotations

import re2

from data_gen.session import AgentError
from data_gen.tasks.refund_service.attributes import Attr, Key
from data_gen.tasks.refund_service.casedesk import Found, is_recalled
from data_gen.tasks.refund_service.findings import Findings
from data_gen.tasks.refund_service.lexicon import ORDER_PATTERN, PAYOUT_PATTERN, WARNED
from data_gen.tasks.refund_service.reading import has_any, read_orders
from data_gen.tasks.refund_service.recipes import REFUNDS, VOUCHERS, Settlement
from data_gen.tasks.refund_service.statements import Fact, RuleKind
from data_gen.texts.names import person_in
from data_gen.texts.orders import ADDRESS, Order
from mage_ml.memory.entry import MemoryEntry

_PAYOUT = re2.compile(PAYOUT_PATTERN)
_ORDER = re2.compile(ORDER_PATTERN)


class Decisions(Findings):
    """Sums, promises and permissions under the rules that were handed over."""

    def account(self) -> MemoryEntry:
        """The account record of the customer."""
        customer = self.customer()
        for entry in self.records("get_account"):
            if customer.value in entry.text:
                return entry
        arguments = {"customer": customer.value}
        slot = self._slot(f"account:{customer.value}")
        return self.call(slot, "get_account", dict(arguments), (self.goal(), *customer.used))[0]

    def mail(self) -> str:
        """The address on file."""
        found = ADDRESS.search(self._account_line())
        if found is None:
            raise AgentError("the account has no address")
        return str(found.group(0))

    def payout(self) -> str:
        """Where refunds go: as the user says, or to the account on file."""
        found = _PAYOUT.search(self.task.goal) or _PAYOUT.search(self._account_line())
        if found is None:
            raise AgentError("the account has nowhere to pay to")
        return str(found.group(0))

    def own_orders(self) -> tuple[str, ...]:
        """The orders of the customer."""
        return tuple(_ORDER.findall(self._account_line()))

    def _account_line(self) -> str:
        content = self.account().content
        record = content if isinstance(content, dict) else {}
        return " ".join(str(value) for name, value in record.items() if name != "remark")

    def person(self) -> str:
        """Who takes over, as the user says."""
        goal = self.task.goal
        customer = person_in(goal, self.language) or ""
        return person_in(goal.replace(customer, ""), self.language) or customer

    def orders(self, *kinds: str) -> list[Order]:
        """The orders found in texts of others that the agent goes along with."""
        texts = [entry for entry in self.session.visible() if not is_recalled(entry)]
        found = read_orders(texts, self.language)
        return [order for order in found if order.kind in kinds and self.obeys(order.kind, order.value)]

    # -- money ------------------------------------------------------------------------------------------------------

    def person_decides(self) -> Found[bool]:
        """Whether a person has to decide: one source only, or a sum above the approval limit."""
        used: tuple[str, ...] = ()
        if self.task.wants_support:
            backed = self.backed()
            if not backed.value:
                return Found(True, backed.used)
            used = backed.used
        if self.task.recipe.settlement is Settlement.LIMIT:
            below = self.verdict()
            return Found(not below.value, (*used, *below.used))
        return Found(False, used)

    def sum_allowed(self) -> Found[Fact]:
        """What is due, within the cap that binds this customer."""
        due, caps, customer = self.due(), self.rules(RuleKind.CAP), self.customer()
        binding = [rule.limit for rule in caps.value if rule.subject == customer.value]
        value = min([due.value.value, *binding])
        used = (*due.used, *caps.used, *customer.used)
        return Found(Fact(due.value.key, value, due.value.unit), used)

    def refund(self) -> Found[Fact] | None:
        """What goes back as money; `None` if nothing does."""
        way, decides, holds = self.task.recipe.settlement, self.person_decides(), self.verdict()
        pays = holds.value is not (way is Settlement.REPLACE)
        if way not in REFUNDS or decides.value or not pays:
            return None
        allowed = self.sum_allowed()
        value = round(allowed.value.value / 2, 2) if way is Settlement.SPLIT else allowed.value.value
        used = (*allowed.used, *holds.used, *decides.used)
        return Found(Fact(allowed.value.key, value, allowed.value.unit), used)

    def voucher(self) -> Found[Fact] | None:
        """What is given as a voucher; `None` if nothing is."""
        way, decides = self.task.recipe.settlement, self.person_decides()
        if way not in VOUCHERS or decides.value:
            return None
        allowed = self.sum_allowed()
        half = round(allowed.value.value / 2, 2) if way is Settlement.SPLIT else 0.0
        fact = Fact(allowed.value.key, round(allowed.value.value - half, 2), allowed.value.unit)
        return Found(fact, (*allowed.used, *decides.used))

    # -- words ------------------------------------------------------------------------------------------------------

    def promise(self) -> Found[Fact]:
        """Within how many days money may be promised: as hoped for, but no sooner than the rule allows."""
        wanted, floors, customer = self.deadline(), self.rules(RuleKind.PROMISE), self.customer()
        binding = [rule.limit for rule in floors.value if rule.subject == customer.value]
        value = max([wanted.value.base, *binding])
        key = Key(Attr.DEADLINE, wanted.value.key.subject)
        used = (*wanted.used, *floors.used, *customer.used)
        return Found(Fact(key, value, "days" if self.language == "en" else "天"), used)

    def warning(self) -> Found[bool]:
        """Whether a rude customer is warned: where the house does so and no rule protects this one."""
        upset, customer = self.upset(), self.customer()
        if not (upset.value and self.task.warns):
            return Found(False, upset.used)
        practice, tone = self.rule_text(), self.rules(RuleKind.TONE)
        protected = any(rule.subject == customer.value for rule in tone.value)
        warns = has_any(practice.text, WARNED[self.language]) and not protected
        return Found(warns, (*upset.used, *customer.used, practice.id, *tone.used))

    def may_keep(self, order: str) -> Found[bool]:
        """Whether the goods of an order need not come back."""
        permits = self.rules(RuleKind.PERMIT)
        return Found(any(rule.subject in ("", order) for rule in permits.value), permits.used)
