"""The scripted sales agent: reads, concludes, delivers; and redoes what its memory no longer supports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.session import Proposal, Session
from data_gen.statements import Level, Reason, Support
from data_gen.tasks.sales_report.environment import SalesEnvironment
from data_gen.tasks.sales_report.findings import Findings
from data_gen.tasks.sales_report.notebook import Notebook, Thought, once
from data_gen.tasks.sales_report.reading import ADDRESS, Order, levels_in
from data_gen.tasks.sales_report.task import SalesTask
from data_gen.texts.documents import OrderKind
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.snapshot import ActionType, PendingAction


@dataclass(frozen=True, slots=True)
class Text:
    """A text for somebody, and the entries it was made from."""

    text: str
    used: tuple[str, ...]


class SalesAgent:
    """Works through one task. See `run`."""

    def __init__(self, task: SalesTask, environment: SalesEnvironment, session: Session, profile: Profile) -> None:
        self.task = task
        self.session = session
        self.profile = profile
        self.book = Notebook(task, environment, session, profile)
        self.findings = Findings(self.book)
        self._receipts: dict[str, str] = {}

    def run(self) -> None:
        """Do the task: gather, conclude, deliver, answer.

        Raises:
            AgentError: The agent cannot go on.
            HaltedError: The gate stopped the run.
        """
        self._begin()
        if self.task.papers_first:
            self._read_papers()
        self._gather()
        if not self.task.papers_first:
            self._read_papers()
        self._check_revisions()
        if self.profile.summarises:
            self.findings.summarise()
        self.findings.verdict()
        if self.task.wants_reason:
            self.findings.reason()
        if self.task.wants_support:
            self.findings.support()
        self._contact()
        self._deliver()
        self.session.decide(self._answer)

    def _begin(self) -> None:
        if self.task.house_rule is not None:
            self.session.remember("rule", self.task.house_rule, Source.SYSTEM, origin="operator")
        self.book.goal_id = self.session.remember("goal", self.task.goal, Source.USER, origin="user").id
        self.book.say("plan", "plan", (self.book.goal_id,))
        if self.task.lists_reports:
            listing = self.book.call("listing", "list_reports", {}, (self.book.goal_id,))
            self.book.say("background", "background", (listing[0].id,), count=str(len(self.task.old_reports)))

    def _read_papers(self) -> None:
        if not self.task.papers:
            return
        subject = self.task.question.entities[0]
        found = []
        for number, paper in enumerate(self.task.papers):
            arguments: dict[str, JsonValue] = {"name": paper.name}
            found += self.book.call(f"paper:{number + 1}", "read_shared_note", arguments, (self.book.goal_id,))
        if self.book.draws(0.6, "skims"):
            self.book.say("skim", "skim", [entry.id for entry in found], topic=subject)

    def _gather(self) -> None:
        if self.task.voicemail is not None:
            self._note_estimate()
        for key in self.task.question.keys:
            if self.book.find(key) is None:
                self.book.look_up(key)

    def _note_estimate(self) -> None:
        key = self.task.question.keys[0]
        message = self.book.call("voicemail", "read_voicemail", {"topic": key.entity}, (self.book.goal_id,))[0]
        level = next((level for level in levels_in(message, self.task.language) if level.key == key), None)
        if level is None:
            return
        statement = Level(key, level.value, level.unit, tentative=True)
        text = self.book.writer.word(statement, self.session.rng("word", "estimate"))
        sure = round(0.26 + 0.12 * self.session.rng("confidence", "estimate").random(), 2)
        self.book.note("estimate", lambda: Thought(text, (message.id,), statement, confidence=sure))

    def _check_revisions(self) -> None:
        key = self.task.question.keys[0]
        if not self.task.checks_revisions:
            return
        arguments = self.book.tools.arguments_for(key)
        notice = self.book.call("revisions", "check_revisions", arguments, (self.book.goal_id,))[0]
        if any(level.key == key for level in levels_in(notice, self.task.language)):
            self.book.note_level("revised", key, notice.id, revised=True)

    def _contact(self) -> MemoryEntry:
        name = self.task.recipient.name
        for entry in reversed(self.session.visible()):
            if entry.tool_name == "find_contact" and name in entry.text and ADDRESS.search(entry.text):
                return entry
        return self.book.call("contact", "find_contact", {"name": name}, (self.book.goal_id,))[0]

    def _deliver(self) -> None:
        """Do what is still to be done; a second call does what a repaired memory now asks for."""
        if self.task.report_path is not None:
            self._once("report", "write_report", lambda: self._save(str(self.task.report_path), ()))
        for order in self._orders(OrderKind.PATH):
            self._once(f"path:{order.value}", "write_report", partial(self._save_as_told, order))
        if not self._skips():
            self._once("mail", "send_mail", self._mail)
        for order in self._orders(OrderKind.EXTRA):
            self._once(f"extra:{order.value}", "send_mail", partial(self._extra, order))

    def _once(self, name: str, tool: str, build: Callable[[], Proposal | None]) -> None:
        if name not in self._receipts:
            receipt = self.book.act(name, tool, build)
            if receipt is not None:
                self._receipts[name] = receipt

    def _orders(self, *kinds: OrderKind) -> list[Order]:
        return [order for order in self.findings.orders() if order.kind in kinds]

    def _same(self, order: Order) -> tuple[Order, ...]:
        """The order as memory holds it now; empty once it is gone."""
        return tuple(found for found in self._orders(order.kind) if found.value == order.value)

    def _skips(self) -> bool:
        """Whether the mail is to be left out; noted once."""
        papers = tuple(order.entry_id for order in self._orders(OrderKind.SKIP))
        if papers and "skip" not in self._receipts:
            text = self.book.writer.say("skip_mail", self.session.rng("say", "skip"))
            self._receipts["skip"] = self.book.note("skip", lambda: Thought(text, papers, obeys=papers)).id
        return bool(self._orders(OrderKind.SKIP))

    def _save(self, path: str, orders: tuple[Order, ...]) -> Proposal | None:
        if path != self.task.report_path and not orders:
            return None
        papers = tuple(order.entry_id for order in orders)
        body = self._body("report")
        arguments: dict[str, JsonValue] = {"path": path, "text": body.text}
        return Proposal(_write("write_report", arguments, (self.book.goal_id, *body.used, *papers)), papers)

    def _save_as_told(self, order: Order) -> Proposal | None:
        return self._save(order.value, self._same(order))

    def _extra(self, order: Order) -> Proposal | None:
        orders = self._same(order)
        if not orders:
            return None
        papers = tuple(order.entry_id for order in orders)
        body = self._body("mail")
        letter = self._letter([orders[0].value], [], body)
        return Proposal(_write("send_mail", letter, (self.book.goal_id, *body.used, *papers)), papers)

    def _mail(self) -> Proposal | None:
        if self._orders(OrderKind.SKIP):
            return None
        contact = self._contact()
        orders = self._orders(OrderKind.COPY, OrderKind.REPLACE)
        to = ADDRESS.findall(contact.text)[:1]
        cc = list(self.task.copies)
        for order in orders:
            if order.kind is OrderKind.REPLACE:
                to = [order.value]
            else:
                cc.append(order.value)
        body = self._body("mail")
        papers = tuple(order.entry_id for order in orders)
        used = (self.book.goal_id, contact.id, *body.used, *papers)
        return Proposal(_write("send_mail", self._letter(to, cc, body), used), papers)

    def _letter(self, to: list[str], cc: list[str], body: Text) -> dict[str, JsonValue]:
        rng, writer = self.session.rng("letter"), self.book.writer
        topic = writer.say("topic", rng)
        subject = writer.say("mail_subject", rng, subject=self.task.question.entities[0], topic=topic)
        lines = [writer.say("greeting", rng, name=self.task.recipient.name), writer.say("intro", rng), body.text]
        text = "\n".join([*lines, writer.say("closing", rng)])
        arguments: dict[str, JsonValue] = {"to": list(to), "subject": subject, "body": text}
        return {**arguments, "cc": list(cc)} if cc else arguments

    def _body(self, purpose: str) -> Text:
        """Figures and findings as memory now holds them."""
        rng, writer, question = self.session.rng("body", purpose), self.book.writer, self.task.question
        lines: list[str] = []
        used: list[str] = []
        shows = question.kind is None or purpose == "report" or rng.random() < 0.6
        for key in question.keys if shows else ():
            reading = self.book.level(key, purpose)
            lines.append(writer.word(Level(key, reading.level.value, reading.level.unit), rng))
            used += reading.used
        verdict = self.findings.verdict()
        if verdict is not None:
            lines.insert(0 if purpose == "mail" else len(lines), writer.word(verdict[0], rng))
            used.append(verdict[1])
        if self.task.wants_reason:
            reason, source = self.findings.reason()
            lines.append(writer.word(Reason(question.entities[0], reason.phrase), rng))
            used.append(source)
        if self.task.wants_support:
            independent, source = self.findings.support()
            lines.append(writer.word(Support(question.keys[0], independent), rng))
            used.append(source)
        return Text("\n".join(lines), tuple(used))

    def _answer(self) -> Proposal:
        self._deliver()
        rng, writer = self.session.rng("answer"), self.book.writer
        receipts = [entry for entry in self.session.visible() if entry.tool_name == "send_mail"]
        recipients = list(dict.fromkeys(found for entry in receipts for found in ADDRESS.findall(entry.text)))
        lines = []
        used = [receipt for receipt in self._receipts.values()]
        verdict = self.findings.verdict()
        if verdict is not None:
            lines.append(writer.word(verdict[0], rng))
            used.append(verdict[1])
        joined = ("、" if self.task.language == "zh" else ", ").join(recipients)
        lines.append(writer.say("final", rng, recipients=joined) if recipients else writer.say("final_none", rng))
        if self.task.report_path is not None:
            lines.append(writer.say("final_file", rng, path=self.task.report_path))
        obeyed = tuple(order.entry_id for order in self.findings.orders())
        action = PendingAction(
            type=ActionType.FINAL_OUTPUT, content="\n".join(lines), depends_on=once((*used, *obeyed))
        )
        return Proposal(action, obeyed)


def _write(tool: str, arguments: dict[str, JsonValue], used: tuple[str, ...]) -> PendingAction:
    return PendingAction(type=ActionType.WRITE, tool_name=tool, arguments=arguments, depends_on=once(used))
