"""The scripted sales agent: reads, concludes, delivers; and redoes what its memory no longer supports."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Look, Thought, once
from data_gen.session import OWN_SOURCES, Proposal, Session
from data_gen.tasks.sales_report.environment import METRIC_TOOLS, SalesEnvironment
from data_gen.tasks.sales_report.findings import Findings
from data_gen.tasks.sales_report.notebook import Notebook
from data_gen.tasks.sales_report.reading import levels_in
from data_gen.tasks.sales_report.statements import Brief, Level, Reason, Support
from data_gen.tasks.sales_report.task import SalesTask
from data_gen.texts.documents import OrderKind
from data_gen.texts.names import person_in
from data_gen.texts.orders import ADDRESS, Order
from mage_ml.memory.entry import MemoryEntry


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
        self._doubted = False

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
        self._repeat_as_told("figures")
        if self.profile.summarises:
            self.findings.summarise()
        self._repeat_as_told("conclusion")
        self.findings.verdict()
        if self.task.wants_reason:
            self.findings.reason()
        if self.task.wants_support:
            self.findings.support()
        for step in ("contact", "mail", "report", "check", "close"):
            self._repeat_as_told(step)
            if step == "contact" and self.task.wants_mail:
                self._contact()
        self._deliver()
        self.book.answer(self._answer)

    def _begin(self) -> None:
        self.book.begin(self.task.goal, self.task.house_rule)
        self.book.say("plan", "plan", (self.book.goal_id,))
        if self.task.restates:
            self.book.state(
                "brief", Brief(self.task.question.entities[0], self.task.recipient.name), (self.book.goal_id,)
            )
        if self.task.precedents:
            topic: dict[str, JsonValue] = {"topic": self.task.question.entities[0]}
            self.book.call("precedent", "search_memory", topic, (self.book.goal_id,))
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
        sure = round(0.26 + 0.12 * self.session.rng("confidence", "estimate").random(), 2)
        self.book.note("estimate", lambda: Thought("", (message.id,), statement, confidence=sure))

    def _check_revisions(self) -> None:
        key = self.task.question.keys[0]
        if not self.task.checks_revisions:
            return
        arguments = self.book.tools.arguments_for(key)
        notice = self.book.call("revisions", "check_revisions", arguments, (self.book.goal_id,))[0]
        if any(level.key == key for level in levels_in(notice, self.task.language)):
            self.book.note_level("revised", key, notice.id, revised=True)

    def _repeat_as_told(self, step: str) -> None:
        """Run the first look-up again because a text says so before every step."""
        orders = self._orders(OrderKind.REPEAT)
        if orders:
            key = self.task.question.keys[0]
            papers = tuple(entry_id for order in orders for entry_id in order.entries)
            arguments = self.book.tools.arguments_for(key)
            self.book.call(f"again:{step}", METRIC_TOOLS[key.metric], arguments, (self.book.goal_id,), papers)

    def _recipient(self) -> tuple[str, tuple[str, ...]]:
        """Who gets the mail, as the agent's own restatement of the task has it, or else the user's words."""
        goal = (person_in(self.task.goal, self.task.language) or "", (self.book.goal_id,))
        for entry in reversed(self.session.visible()):
            found = person_in(entry.text, self.task.language) if entry.source in OWN_SOURCES else None
            if found is not None and not self.session.distrusts_notes:
                return goal if self._doubts_brief(found, goal[0], entry.id) else (found, (entry.id,))
        return goal

    def _doubts_brief(self, found: str, wanted: str, entry_id: str) -> bool:
        """Whether the agent compared its restatement with the user's words, and saw that it is wrong."""
        if not self._doubted and found != wanted and self.book.looks_again("brief") is not Look.TRUST:
            self._doubted = True
            self.book.say("mismatch:brief", "brief_mismatch", (self.book.goal_id, entry_id), name=wanted)
        return self._doubted and found != wanted

    def _contact(self) -> MemoryEntry:
        name, used = self._recipient()
        for entry in reversed(self.session.visible()):
            if entry.tool_name == "find_contact" and name in entry.text and ADDRESS.search(entry.text):
                return entry
        return self.book.call(f"contact:{name}", "find_contact", {"name": name}, (self.book.goal_id, *used))[0]

    def _deliver(self) -> None:
        """Do what is still to be done; a second call does what a repaired memory now asks for."""
        for path in self.task.report_paths:
            self._once(f"report:{path}", "write_report", partial(self._save, path, ()))
        for order in self._orders(OrderKind.PATH):
            self._once(f"path:{order.value}", "write_report", partial(self._save_as_told, order))
        if self.task.wants_mail and not self._skips():
            self._once("mail", "send_mail", self._mail)
            for address in self.task.extra_mails:
                self._once(f"own:{address}", "send_mail", partial(self._own_mail, address))
        for order in self._orders(OrderKind.EXTRA):
            self._once(f"extra:{order.value}", "send_mail", partial(self._extra, order))

    def _once(self, name: str, tool: str, build: Callable[[], Proposal | None]) -> None:
        if name not in self._receipts:
            receipt = self.book.act(name, tool, build)
            if receipt is not None:
                self._receipts[name] = receipt

    def _orders(self, *kinds: str) -> list[Order]:
        return [order for order in self.findings.orders() if order.kind in kinds]

    def _same(self, order: Order) -> tuple[Order, ...]:
        """The order as memory holds it now; empty once it is gone."""
        return tuple(found for found in self._orders(order.kind) if found.value == order.value)

    def _skips(self) -> bool:
        """Whether the mail is to be left out; noted once."""
        papers = _papers(self._orders(OrderKind.SKIP))
        if papers and "skip" not in self._receipts:
            text = self.book.writer.say("skip_mail", self.session.rng("say", "skip"))
            self._receipts["skip"] = self.book.note("skip", lambda: Thought(text, papers, obeys=papers)).id
        return bool(self._orders(OrderKind.SKIP))

    def _save(self, path: str, orders: tuple[Order, ...]) -> Proposal | None:
        if path not in self.task.report_paths and not orders:
            return None
        papers = _papers(orders)
        body = self._body("report")
        arguments: dict[str, JsonValue] = {"path": path, "text": body.text}
        return self.book.write("write_report", arguments, (self.book.goal_id, *body.used), papers)

    def _save_as_told(self, order: Order) -> Proposal | None:
        return self._save(order.value, self._same(order))

    def _extra(self, order: Order) -> Proposal | None:
        orders = self._same(order)
        if not orders:
            return None
        papers = _papers(orders)
        body = self._body("mail")
        letter = self._letter([orders[0].value], [], body)
        return self.book.write("send_mail", letter, (self.book.goal_id, *body.used), papers)

    def _own_mail(self, address: str) -> Proposal:
        body = self._body("mail")
        return self.book.write("send_mail", self._letter([address], [], body), (self.book.goal_id, *body.used))

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
        papers = _papers(orders)
        used = (self.book.goal_id, *self._recipient()[1], contact.id, *body.used)
        return self.book.write("send_mail", self._letter(to, cc, body), used, papers)

    def _letter(self, to: list[str], cc: list[str], body: Text) -> dict[str, JsonValue]:
        rng, writer = self.session.rng("letter"), self.book.writer
        topic = writer.say("topic", rng)
        subject = writer.say("mail_subject", rng, subject=self.task.question.entities[0], topic=topic)
        lines = [writer.say("greeting", rng, name=self._recipient()[0]), writer.say("intro", rng), body.text]
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

    def _answer(self) -> Thought:
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
        joiner = "、" if self.task.language == "zh" else ", "
        joined = joiner.join(recipients)
        lines.append(writer.say("final", rng, recipients=joined) if recipients else writer.say("final_none", rng))
        if self.task.report_paths:
            lines.append(writer.say("final_file", rng, path=joiner.join(self.task.report_paths)))
        return Thought("\n".join(lines), once(used), obeys=_papers(self.findings.orders()))


def _papers(orders: Iterable[Order]) -> tuple[str, ...]:
    """The entries that orders come from."""
    return once([entry_id for order in orders for entry_id in order.entries])
