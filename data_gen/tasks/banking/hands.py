"""How the banking agent acts: what memory now calls for, the approvals it takes, and the mail about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from pydantic import JsonValue

from data_gen.desk import Thought, once
from data_gen.session import Proposal
from data_gen.tasks.banking.actions import arguments_of
from data_gen.tasks.banking.deeds import Deed, conclude, deed_of, steps_of
from data_gen.tasks.banking.judge import USES_SOURCE
from data_gen.tasks.banking.letters import OrderKind
from data_gen.tasks.banking.notebook import NameReading
from data_gen.tasks.banking.orientation import Orientation, Text
from data_gen.tasks.banking.reading import is_exempt, read_limits
from data_gen.tasks.banking.templates import PAYS, Verb
from data_gen.tasks.banking.wording import Figure, amount_note, conclusion_note, reason_note, support_note
from data_gen.texts.orders import ADDRESS, Order

_PASSES: Final = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """A deed as memory now calls for it, what it rests on, and the orders that it follows."""

    deed: Deed
    used: tuple[str, ...]
    orders: tuple[Order, ...] = ()

    @property
    def key(self) -> str:
        """What it is, whatever its amount."""
        return f"{self.deed.verb.value}:{self.deed.label}"


class Hands(Orientation):
    """Does what memory calls for, each thing once."""

    def deeds(self) -> None:
        """Do what is still to be done; a second call does what a repaired memory now asks for."""
        for _ in range(_PASSES):
            pending = [plan for plan in self._plans() if plan.key not in self.receipts]
            if not pending:
                break
            for plan in pending:
                self._once(plan.key, plan.deed.verb.value, partial(self._proposal, plan.key))

    def mails(self) -> None:
        """Write to those who are to hear of it."""
        if self.task.wants_mail and not self._skips():
            self._once("mail", "send_mail", self._mail)
            for address in self.task.extra_mails:
                self._once(f"own:{address}", "send_mail", partial(self._own_mail, address))
        for order in self._orders(OrderKind.EXTRA):
            self._once(f"extra:{order.value}", "send_mail", partial(self._extra, order))

    def answer(self) -> Thought:
        """The final answer, after what is still to be done."""
        self.deeds()
        self.mails()
        rng, writer = self.session.rng("answer"), self.book.writer
        mails = self.book.records("send_mail")
        recipients = list(dict.fromkeys(found for entry in mails for found in ADDRESS.findall(entry.text)))
        body = self._findings_text("answer")
        joined = ("、" if self.task.language == "zh" else ", ").join(recipients)
        last = writer.say("final", rng, recipients=joined) if recipients else writer.say("final_none", rng)
        used = (*self.receipts.values(), *body.used)
        return Thought("\n".join([body.text, last]), once(used), obeys=_entries(self.findings.orders()))

    def _plans(self) -> list[Plan]:
        """The deeds that memory, as it is now, calls for."""
        readings = self.findings.figures("deeds")
        figures = [reading.figure for reading in readings]
        found = self.findings.conclusion()
        conclusion = found.conclusion if found is not None else conclude(self.task.spec, self.task.terms, figures)
        used = [self.book.goal_id, *([found.entry_id] if found is not None else [])]
        used += [entry_id for reading in readings for entry_id in reading.used]
        plans = []
        for step in steps_of(self.task.spec, conclusion):
            deed = deed_of(step, self.world.roles, self.task.terms, figures, conclusion)
            plan = self._settled(Plan(deed, tuple(used)))
            plans += [plan] if plan is not None else []
        return plans + self._further(plans, used)

    def _settled(self, plan: Plan) -> Plan | None:
        """The plan with where money comes from and goes to; `None` if it is to be left alone."""
        deed, used = plan.deed, list(plan.used)
        if deed.verb in PAYS and self.task.wants_support:
            backed, entry_id = self.findings.support()
            used.append(entry_id)
            if not backed:
                return Plan(Deed(Verb.HOLD, deed.label), tuple(used))
        if deed.verb in USES_SOURCE:
            source = self.source()
            deed, used = replace(deed, source=source.text), [*used, *source.used]
        if deed.verb not in PAYS:
            return Plan(deed, tuple(used))
        if self._orders(OrderKind.HOLD):
            self._leaves(_entries(self._orders(OrderKind.HOLD)))
            return None
        diverted = self._orders(OrderKind.DIVERT)
        if diverted:
            target = NameReading(diverted[-1].value, ())
        elif self.task.given_number:
            target = NameReading(self.task.given_number, (self.book.goal_id,))
        else:
            target = self.book.number_of(self.world.things[deed.label].payee)
        deed, used = replace(deed, target=target.text), [*used, *target.used]
        if deed.verb is Verb.SCHEDULE:
            day = self.book.date_of(deed.label)
            deed, used = replace(deed, day=day.text), [*used, *day.used]
        return Plan(deed, tuple(used), tuple(diverted[-1:]))

    def _further(self, plans: list[Plan], used: list[str]) -> list[Plan]:
        """Payments besides: those that the user wants, and those that a text asks for."""
        found = []
        extra = self.task.extra_payment
        if extra is not None:
            source = self.source()
            deed = Deed(Verb.PAY, extra.number, extra.amount, self.world.currency, source.text, extra.number)
            found.append(Plan(deed, (self.book.goal_id, *source.used)))
        paid = next((plan for plan in plans if plan.deed.verb in PAYS), None)
        for order in self._orders(OrderKind.ADD) if paid is not None else ():
            assert paid is not None
            deed = replace(paid.deed, verb=Verb.PAY, label=order.value, target=order.value, day="")
            found.append(Plan(deed, tuple(used), (order,)))
        return found

    def _proposal(self, key: str) -> Proposal | None:
        """The call that does a deed, once it is approved where it has to be."""
        for _ in range(_PASSES):
            plan = self._plan(key)
            if plan is None:
                return None
            used, code = list(plan.used), ""
            if plan.deed.verb in PAYS:
                used += self._rule_used()
                if self._needs_approval(plan.deed):
                    approval = self._approval(plan.deed)
                    if approval is None:
                        self.book.act(f"approve:{plan.deed.label}", "request_approval", partial(self._request, key))
                        continue
                    code = approval.text
                    used += approval.used
            rng = self.session.rng("reference", plan.deed.label)
            reference = self.book.writer.say("reference", rng, subject=plan.deed.label)
            arguments = arguments_of(plan.deed, self._payee(plan.deed), reference, code)
            return self.book.write(plan.deed.verb.value, arguments, used, _entries(plan.orders))
        return None

    def _plan(self, key: str) -> Plan | None:
        return next((plan for plan in self._plans() if plan.key == key), None)

    def _payee(self, deed: Deed) -> str:
        thing = self.world.things.get(deed.label)
        return thing.payee if thing is not None else ""

    def _request(self, key: str) -> Proposal | None:
        """The request to approve a deed as memory now has it; `None` if it needs none any more."""
        plan = self._plan(key)
        if plan is None or not self._needs_approval(plan.deed) or self._approval(plan.deed) is not None:
            return None
        deed = plan.deed
        arguments: dict[str, JsonValue] = {"payee": self._payee(deed), "amount": deed.amount, "currency": deed.unit}
        return self.book.write("request_approval", arguments, (*plan.used, *self._rule_used()))

    def _rule_used(self) -> list[str]:
        return list(self.rule().used) if self.task.rule is not None else []

    def _needs_approval(self, deed: Deed) -> bool:
        rule, language, payee = self.rule(), self.task.language, self._payee(deed)
        limits = read_limits(rule.text, self.world.payees(), language)
        bound = any(limit.payee == payee and deed.amount > limit.amount for limit in limits)
        return bound and not is_exempt(rule.text, deed.label, language)

    def _approval(self, deed: Deed) -> NameReading | None:
        """The code of an approval in memory, and its receipt."""
        for entry in self.book.records("request_approval"):
            found = entry.content if isinstance(entry.content, dict) else {}
            if found.get("payee") == self._payee(deed) and found.get("amount") == deed.amount:
                return NameReading(str(found["code"]), (entry.id,))
        return None

    def _once(self, name: str, tool: str, build: Callable[[], Proposal | None]) -> None:
        if name not in self.receipts:
            receipt = self.book.act(name, tool, build)
            if receipt is not None:
                self.receipts[name] = receipt

    def _leaves(self, letters: tuple[str, ...]) -> None:
        """Note once that something is left alone because a text says so."""
        if "left" not in self.receipts:
            self.receipts["left"] = ""
            text = self.book.writer.say("left_out", self.session.rng("say", "left"))
            self.receipts["left"] = self.book.note("left", lambda: Thought(text, letters, obeys=letters)).id

    def _skips(self) -> bool:
        letters = _entries(self._orders(OrderKind.SKIP))
        if letters:
            self._leaves(letters)
        return bool(letters)

    def _mail(self) -> Proposal | None:
        if self._orders(OrderKind.SKIP):
            return None
        contact, copies = self.contact(), self._orders(OrderKind.COPY)
        to: list[JsonValue] = list(ADDRESS.findall(contact.text)[:1])
        cc: list[JsonValue] = [*self.task.copies, *(order.value for order in copies)]
        body = self._body()
        used = (self.book.goal_id, *self.recipient().used, contact.id, *body.used)
        arguments = {**self._letter(to, body), "cc": cc} if cc else self._letter(to, body)
        return self.book.write("send_mail", arguments, used, _entries(copies))

    def _own_mail(self, address: str) -> Proposal:
        body = self._body()
        return self.book.write("send_mail", self._letter([address], body), (self.book.goal_id, *body.used))

    def _extra(self, order: Order) -> Proposal | None:
        same = tuple(found for found in self._orders(order.kind) if found.value == order.value)
        if not same:
            return None
        body = self._body()
        return self.book.write(
            "send_mail", self._letter([order.value], body), (self.book.goal_id, *body.used), _entries(same)
        )

    def _letter(self, to: list[JsonValue], body: Text) -> dict[str, JsonValue]:
        rng, writer = self.session.rng("letter"), self.book.writer
        topic = writer.say("topic", rng)
        subject = writer.say("subject", rng, subject=self.task.keys[0].label, topic=topic)
        name = self.recipient().text or writer.say("topic", rng)
        lines = [
            writer.say("greeting", rng, name=name),
            writer.say("intro", rng),
            body.text,
            writer.say("closing", rng),
        ]
        return {"to": to, "subject": subject, "text": "\n".join(lines)}

    def _body(self) -> Text:
        """Findings, and cause and sources where they are asked for, as memory now holds them."""
        rng, writer, label = self.session.rng("body"), self.book.writer, self.task.keys[0].label
        found = self._findings_text("mail")
        lines, used = [found.text], list(found.used)
        if self.task.wants_reason:
            cause = self.findings.reason()
            lines.append(writer.word(reason_note(label, cause.phrase), rng))
            used += cause.used
        if self.task.wants_support:
            independent, source = self.findings.support()
            lines.append(writer.word(support_note(label, independent=independent), rng))
            used.append(source)
        return Text("\n".join(lines), tuple(used))

    def _findings_text(self, purpose: str) -> Text:
        rng, writer = self.session.rng("text", purpose), self.book.writer
        found = self.findings.conclusion()
        shows = found is None or (purpose == "mail" and rng.random() < 0.5)
        readings = self.findings.figures(purpose) if shows else []
        lines = [writer.word(amount_note(_plain(reading.figure), self.world.step), rng) for reading in readings]
        used = [entry_id for reading in readings for entry_id in reading.used]
        if found is not None:
            keys = tuple(Figure(key, 0.0, "") for key in self.task.keys)
            note = conclusion_note(found.conclusion, keys, self.world.step, self.task.language, rng)
            lines.insert(0, writer.word(note, rng))
            used.append(found.entry_id)
        return Text("\n".join(lines), tuple(used))


def _plain(figure: Figure) -> Figure:
    return replace(figure, tentative=False)


def _entries(orders: Iterable[Order]) -> tuple[str, ...]:
    """The entries that orders come from."""
    return once([entry_id for order in orders for entry_id in order.entries])
