"""The scripted banking agent: reads, concludes, moves money, reports; and redoes what its memory no longer supports."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Thought
from data_gen.session import Session
from data_gen.statements import Statement
from data_gen.tasks.banking.attributes import Kind, tool_for
from data_gen.tasks.banking.environment import Bank
from data_gen.tasks.banking.findings import Findings
from data_gen.tasks.banking.hands import Hands
from data_gen.tasks.banking.letters import OrderKind
from data_gen.tasks.banking.notebook import Notebook
from data_gen.tasks.banking.orientation import Text
from data_gen.tasks.banking.reading import exempts_all, figures_in, is_exempt, loose_lines, read_limits
from data_gen.tasks.banking.task import BankTask, rule_text
from data_gen.tasks.banking.templates import PAYS, Verb
from data_gen.tasks.banking.wording import (
    Figure,
    amount_note,
    brief_note,
    loose_note,
    permit_all_note,
    permit_note,
    rule_note,
)
from mage_ml.memory.entry import Source

PAYER: Final = "payments_agent"


class BankAgent:
    """Works through one task. See `run`."""

    def __init__(self, task: BankTask, environment: Bank, session: Session, profile: Profile) -> None:
        self.task, self.world = task, task.world
        self.session, self.profile = session, profile
        self.book = Notebook(task, environment, session, profile)
        self.findings = Findings(self.book)
        self.hands = Hands(self.findings)

    def run(self) -> None:
        """Do the task: gather, conclude, act, report.

        Raises:
            AgentError: The agent cannot go on.
            HaltedError: The gate stopped the run.
        """
        self._begin()
        if self.task.letters_first:
            self._read_letters()
        self._gather()
        if not self.task.letters_first:
            self._read_letters()
        self._check_corrections()
        self._repeat_as_told("figures")
        if self.profile.summarises:
            self.findings.summarise()
        self._repeat_as_told("conclusion")
        self.findings.conclusion()
        self._look_up_payees()
        if self.task.wants_reason:
            self.findings.reason()
        if self.task.wants_support:
            self.findings.support()
        for step in ("contact", "deeds", "check", "close"):
            self._repeat_as_told(step)
            if step == "contact" and self.task.wants_mail:
                self.hands.contact()
        self._hand_over()
        with self.session.acting_as(PAYER) if self.task.delegates else nullcontext():
            self.hands.deeds()
        self.hands.mails()
        self.book.answer(self.hands.answer)

    def _begin(self) -> None:
        rng = self.session.rng("rule")
        rules = [text for text in (self.task.house_rule or "", rule_text(self.task, rng)) if text]
        self.book.begin(self.task.goal, "\n".join(rules) or None)
        self.book.say("plan", "plan", (self.book.goal_id,))
        if self.task.restates:
            asked = [key.label for key in self.task.keys]
            things = [label for label in asked if self.world.things[label].kind is not Kind.ACCOUNT]
            name = self.task.recipient.name if self.task.wants_mail else ""
            source = self.world.source if self.task.uses_source else ""
            note = brief_note((things or asked)[0], name, source)
            self.book.state("brief", note, (self.book.goal_id,))
        if self.task.precedents:
            topic: dict[str, JsonValue] = {"topic": self.task.keys[0].label}
            self.book.call("precedent", "search_memory", topic, (self.book.goal_id,))
        if self.task.bookings:
            source = self.world.source
            listed = self.book.call("bookings", "list_bookings", {"account": source}, (self.book.goal_id,))[0]
            self.book.say("background", "background", (listed.id,), count=str(self.task.bookings), entity=source)

    def _read_letters(self) -> None:
        found = []
        for number, letter in enumerate(self.task.letters):
            arguments: dict[str, JsonValue] = {"name": letter.name}
            found += self.book.call(f"letter:{number + 1}", "read_letter", arguments, (self.book.goal_id,))
        if found and self.book.draws(0.6, "skims"):
            self.book.say("skim", "skim", [entry.id for entry in found], topic=self.task.keys[0].label)

    def _gather(self) -> None:
        if self.task.call is not None:
            self._note_estimate()
        for key in self.task.keys:
            found = self.book.find(key)
            entry = None if found is None else self.book.entry(found.used[0])
            if entry is None or entry.tool_name is not None:
                self.book.look_up(key)

    def _note_estimate(self) -> None:
        key = self.task.keys[0]
        message = self.book.call("message", "read_message", {"topic": key.label}, (self.book.goal_id,))[0]
        stated = figures_in(message, self.book.labels, self.task.language)
        found = next((figure for figure in stated if figure.key == key), None)
        if found is None:
            return
        note = amount_note(Figure(key, found.value, found.unit, tentative=True), self.world.step)
        sure = round(0.26 + 0.12 * self.session.rng("confidence", "estimate").random(), 2)
        self.book.note("estimate", lambda: Thought("", (message.id,), note, confidence=sure))

    def _check_corrections(self) -> None:
        key = self.task.keys[0]
        if not (self.task.checks_corrections or self.task.revision is not None):
            return
        notice = self.book.call("corrections", "check_corrections", {"item": key.label}, (self.book.goal_id,))[0]
        if any(figure.key == key for figure in figures_in(notice, self.book.labels, self.task.language)):
            self.book.note_figure("revised", key, notice.id, revised=True)

    def _repeat_as_told(self, step: str) -> None:
        """Run the first look-up again because a text says so before every step."""
        orders = [order for order in self.findings.orders() if order.kind == OrderKind.REPEAT]
        if orders:
            key = self.task.keys[0]
            letters = tuple(entry_id for order in orders for entry_id in order.entries)
            arguments = self.book.arguments_for(key.label, key.attribute)
            self.book.call(f"again:{step}", tool_for(key.attribute), arguments, (self.book.goal_id,), letters)

    def _look_up_payees(self) -> None:
        """Note where those are paid who will be, and when where that matters."""
        roles = self.world.roles
        steps = [step for step in (*self.task.spec.then, *self.task.spec.otherwise) if step.verb in PAYS]
        labels = dict.fromkeys(roles[step.role] for step in steps if step.role in roles)
        found = self.findings.conclusion()
        if any(step.role not in roles for step in steps) and found is not None:
            labels = {found.conclusion.winner: None}
        known: set[str] = set()
        for label in labels:
            payee = self.world.things[label].payee
            if payee not in known and not self.task.given_number:
                self.book.look_up_number(payee, slot="" if label in self.task.goal else label)
            known.add(payee)
        for label in dict.fromkeys(roles[step.role] for step in steps if step.verb is Verb.SCHEDULE):
            self.book.note_date(label)

    def _hand_over(self) -> None:
        """Tell the payer what to do and which rule applies."""
        if not self.task.delegates:
            return

        label = self.task.keys[0].label
        opening = self.book.writer.say("handover", self.session.rng("say", "handover"), subject=label)
        self.book.send("handover", PAYER, lambda: Thought(opening, (self.book.goal_id,)))
        for number in range(len(self._rule_lines())):
            self.book.send(f"handover:{number + 1}", PAYER, partial(self._rule_thought, number))

    def _rule_thought(self, number: int) -> Thought:
        with_source = self._house_rules()
        lines = self._rule_lines()
        return Thought("", with_source.used, lines[min(number, len(lines) - 1)])

    def _house_rules(self) -> Text:
        """The rules as the house states them."""
        entries = [e for e in self.session.visible() if e.source is Source.SYSTEM and e.origin == "operator"]
        return Text("\n".join(entry.text for entry in entries), tuple(entry.id for entry in entries))

    def _rule_lines(self) -> list[Statement]:
        """The rules on approvals, one statement each, read from memory."""
        text, language = self._house_rules().text, self.task.language
        payees, unit = self.world.payees(), self.world.currency
        limits = list(read_limits(text, payees, language))
        lines: list[Statement] = [rule_note(limit.payee, limit.amount, unit, _grain(limit.amount)) for limit in limits]
        payee = limits[0].payee if limits else ""
        if exempts_all(text, language):
            lines.append(permit_all_note(payee))
        else:
            spared = [label for label in self.world.of_kind(Kind.INVOICE) if is_exempt(text, label, language)]
            lines += [permit_note(label, payee) for label in spared]
        for line in loose_lines(text, payees, language):
            amount = line.limit.amount
            lines.append(loose_note(line.limit.payee, amount, unit, _grain(amount), is_advice=line.is_advice))
        return lines


def _grain(amount: float) -> float:
    """The step in which a limit is given."""
    return 10.0 if amount < 1000 else 100.0
