"""The three scripted agents at work: one reads the customer, one reads the policy, one deals with the customer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Thought, once
from data_gen.session import Proposal, Session
from data_gen.tasks.refund_service.attributes import TOOL_OF
from data_gen.tasks.refund_service.casedesk import DIALOGUE, POLICY
from data_gen.tasks.refund_service.decisions import Decisions
from data_gen.tasks.refund_service.environment import RefundEnvironment
from data_gen.tasks.refund_service.judge import ALL, HIGH
from data_gen.tasks.refund_service.reading import PAYOUT_ORDER, facts_in_text
from data_gen.tasks.refund_service.recipes import REFUNDS, VOUCHERS, Settlement
from data_gen.tasks.refund_service.reply import compose
from data_gen.tasks.refund_service.statements import Fact, RuleKind
from data_gen.tasks.refund_service.task import RefundTask
from data_gen.texts.documents import OrderKind
from data_gen.texts.orders import ADDRESS, Order

_STEPS: Final = ("account", "money", "voucher", "goods", "person", "priority", "letter")


class RefundDesk(Decisions):
    """Works through one complaint. See `run`."""

    def __init__(self, task: RefundTask, environment: RefundEnvironment, session: Session, profile: Profile) -> None:
        super().__init__(task, environment, session, profile)
        self._receipts: dict[str, str] = {}

    def run(self) -> None:
        """Settle the complaint: read it, work out what is due, pay, answer.

        Raises:
            AgentError: The agents cannot go on.
            HaltedError: The gate stopped the run.
        """
        with self.session.acting_as(POLICY):
            self.begin(self.task.goal, self.task.house_rules)
            if self.task.restates:
                self.restate()
            if self.task.precedents:
                topic: dict[str, JsonValue] = {"topic": self.task.complaint.items[0]}
                self.call("precedent", "search_memory", topic, (self.goal(),))
        if self.task.papers_first and not self.task.next_day:
            self._read_papers()
        self._understand()
        with self.session.acting_as(POLICY):
            self._work_out()
        if self.task.next_day:
            self.session.next_sitting()
        with self.session.acting_as(DIALOGUE):
            if not self.task.papers_first or self.task.next_day:
                self._read_papers()
            if self.task.wants_cause:
                self.cause()
            for step in _STEPS:
                self._repeat_as_told(step)
                if step == "account":
                    self.account()
            self._settle()
            self.answer(self._answer)

    # -- sentiment and policy -----------------------------------------------------------------------------------------

    def _understand(self) -> None:
        """The sentiment agent reads the customer and tells the others."""
        self.about()
        self.upset()
        if self.task.recipe.settlement in REFUNDS or RuleKind.PROMISE in [rule.kind for rule in self.task.rules]:
            self.deadline()

    def _work_out(self) -> None:
        """The policy agent looks up what counts and concludes; then it hands the rules over."""
        if self.task.memo is not None:
            self._note_memo()
        keys, _ = self.keys()
        for key in keys:
            if not self.noted(key):
                self.look_up(key)
        self.check_updates()
        if self.profile.summarises and len(keys) > 1:
            self.summarise()
        holds, way = self.verdict().value, self.task.recipe.settlement
        pays_nothing = (way is Settlement.WINDOW and not holds) or (way is Settlement.REPLACE and holds)
        if not pays_nothing:
            self.due()
        if self.task.wants_support:
            self.backed()
        self.hand_over_rules()

    def _note_memo(self) -> None:
        key = self.task.keys[0]
        arguments: dict[str, JsonValue] = {"case": self.task.world.case}
        message = self.call("memo", "play_voicemail", arguments, (self.goal(),))[0]
        rough = next((fact for fact in facts_in_text(message.text, self.language) if fact.key == key), None)
        if rough is None:
            return
        statement = Fact(key, rough.value, rough.unit, tentative=True)
        sure = round(0.26 + 0.12 * self.session.rng("confidence", "estimate").random(), 2)
        self.note("estimate", lambda: Thought("", (message.id,), statement, confidence=sure))

    def _read_papers(self) -> None:
        with self.session.acting_as(DIALOGUE):
            found = []
            for number, paper in enumerate(self.task.papers):
                arguments: dict[str, JsonValue] = {"name": paper.name}
                found += self.call(f"paper:{number + 1}", "read_paper", arguments, (self.goal(),))
            if found and self.draws(0.4, "skims"):
                self.say("skim", "skim", [entry.id for entry in found], topic=self.task.world.case)

    def _repeat_as_told(self, step: str) -> None:
        """Run the first look-up again because a text says so before every step."""
        orders = self.orders(OrderKind.REPEAT)
        if orders:
            key = self.keys()[0][0]
            self.call(f"loop:{step}", TOOL_OF[key.attr], self.arguments_for(key), (self.goal(),), papers_of(orders))

    # -- dialogue -----------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Do what is still to be done; a second call does what a repaired memory now asks for."""
        self._once("priority", "set_priority", self._rank)
        self._once("handover", "hand_over", self._hand_over)
        if self.task.recipe.settlement in REFUNDS:
            self._once("refund", "issue_refund", self._refund)
        if self.task.recipe.settlement in VOUCHERS:
            self._once("voucher", "issue_voucher", self._voucher)
        if self.task.recipe.settlement is Settlement.RETURN:
            self._once("return", "open_return", self._return)
        if self.task.recipe.settlement is Settlement.REPLACE:
            self._once("replace", "ship_replacement", self._replace)
        if RuleKind.PERMIT in self.handed:
            for order in self.own_orders():
                self._once(f"back:{order}", "open_return", partial(self._ask_back, order))
        if self.task.replies and not self._skips():
            self._once("reply", "send_reply", self._reply)
            for address in self.task.extras:
                self._once(f"own:{address}", "send_reply", partial(self._letter_to, address, ()))
        for extra in self.orders(OrderKind.EXTRA):
            self._once(f"extra:{extra.value}", "send_reply", partial(self._extra, extra))

    def _once(self, name: str, tool: str, build: Callable[[], Proposal | None]) -> None:
        if name not in self._receipts:
            receipt = self.act(name, tool, build)
            if receipt is not None:
                self._receipts[name] = receipt

    def _rank(self) -> Proposal | None:
        upset = self.upset()
        if not (self.task.wants_priority and upset.value):
            return None
        return self.write("set_priority", {"case": self.task.world.case, "level": HIGH}, (self.goal(), *upset.used))

    def _hand_over(self) -> Proposal | None:
        decides = self.person_decides()
        if not decides.value:
            return None
        arguments: dict[str, JsonValue] = {"case": self.task.world.case, "to": self.person()}
        return self.write("hand_over", arguments, (self.goal(), *decides.used))

    def _refund(self) -> Proposal | None:
        money = self.refund()
        if money is None:
            return None
        about, account = self.order(), self.account()
        orders = self.orders(PAYOUT_ORDER)
        payout = orders[0].value if orders else self.payout()
        arguments: dict[str, JsonValue] = {
            "order": about.value, "amount": money.value.value, "currency": money.value.unit, "payout": payout,
        }  # fmt: skip
        used = (self.goal(), *about.used, *self.customer().used, account.id, *money.used)
        return self.write("issue_refund", arguments, used, papers_of(orders))

    def _voucher(self) -> Proposal | None:
        worth, customer = self.voucher(), self.customer()
        if worth is None:
            return None
        arguments: dict[str, JsonValue] = {
            "customer": customer.value, "amount": worth.value.value, "currency": worth.value.unit,
        }  # fmt: skip
        return self.write("issue_voucher", arguments, (self.goal(), *customer.used, *worth.used))

    def _return(self) -> Proposal | None:
        decides, about = self.person_decides(), self.about()
        if decides.value:
            return None
        arguments: dict[str, JsonValue] = {"order": about.value.order, "item": about.value.items[0]}
        return self.write("open_return", arguments, (self.goal(), *about.used, *decides.used))

    def _replace(self) -> Proposal | None:
        decides, about, in_stock = self.person_decides(), self.about(), self.verdict()
        if decides.value or not in_stock.value:
            return None
        arguments: dict[str, JsonValue] = {"order": about.value.order, "item": about.value.items[0]}
        used = (self.goal(), *about.used, *in_stock.used, *decides.used)
        return self.write("ship_replacement", arguments, used)

    def _ask_back(self, order: str) -> Proposal | None:
        kept = self.may_keep(order)
        if kept.value or order not in self.own_orders():
            return None
        arguments: dict[str, JsonValue] = {"order": order, "item": ALL}
        return self.write("open_return", arguments, (self.goal(), self.account().id, *kept.used))

    def _skips(self) -> bool:
        """Whether the reply is to be left out; noted once."""
        papers = papers_of(self.orders(OrderKind.SKIP))
        if papers and "skip" not in self._receipts:
            text = self.writer.say("skip_reply", self.session.rng("say", "skip"))
            self._receipts["skip"] = self.note("skip", lambda: Thought(text, papers, obeys=papers)).id
        return bool(papers)

    def _reply(self) -> Proposal | None:
        if self.orders(OrderKind.SKIP):
            return None
        orders = self.orders(OrderKind.COPY, OrderKind.REPLACE)
        to, cc = self.mail(), list(self.task.copies)
        for order in orders:
            if order.kind == OrderKind.REPLACE:
                to = order.value
            else:
                cc.append(order.value)
        return self._letter_to(to, tuple(cc), papers_of(orders))

    def _extra(self, order: Order) -> Proposal | None:
        orders = [found for found in self.orders(order.kind) if found.value == order.value]
        return self._letter_to(order.value, (), papers_of(orders)) if orders else None

    def _letter_to(self, to: str, cc: tuple[str, ...] = (), obeys: tuple[str, ...] = ()) -> Proposal:
        letter = compose(self)
        arguments: dict[str, JsonValue] = {"to": to, "text": letter.value}
        if cc:
            arguments["cc"] = list(cc)
        used = (self.goal(), *self.customer().used, self.account().id, *letter.used)
        return self.write("send_reply", arguments, used, obeys)

    def _answer(self) -> Thought:
        self._settle()
        rng, case = self.session.rng("answer"), self.task.world.case
        receipts = self.records("send_reply")
        recipients = list(dict.fromkeys(found for entry in receipts for found in ADDRESS.findall(entry.text)))
        joined = ("、" if self.language == "zh" else ", ").join(recipients)
        symbol = "final" if recipients else "final_none"
        text = self.writer.say(symbol, rng, case=case, recipients=joined)
        used = once([self.goal(), *self._receipts.values(), *(entry.id for entry in receipts)])
        orders = self.orders(OrderKind.COPY, OrderKind.REPLACE, OrderKind.EXTRA, OrderKind.SKIP, OrderKind.REPEAT)
        return Thought(text, used, obeys=papers_of(orders))


def papers_of(orders: list[Order]) -> tuple[str, ...]:
    """The entries that orders come from."""
    return once([entry_id for order in orders for entry_id in order.entries])
