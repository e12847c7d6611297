"""How the research agent delivers: who gets what, from memory as it is when it acts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pydantic import JsonValue

from data_gen.desk import Look, Thought, once
from data_gen.session import OWN_SOURCES, Proposal
from data_gen.tasks.research_assistant.findings import Findings
from data_gen.tasks.research_assistant.letters import Text, body_of, letter, papers_of
from data_gen.tasks.research_assistant.reading import CITE
from data_gen.tasks.research_assistant.recipes import Gate
from data_gen.tasks.research_assistant.statements import NamingKind, TraitKind, Way, conclusion
from data_gen.tasks.research_assistant.task import ResearchTask
from data_gen.texts.documents import OrderKind
from data_gen.texts.names import person_in
from data_gen.texts.orders import ADDRESS, Order
from mage_ml.memory.entry import MemoryEntry


class Delivery:
    """What the agent does for others with what it found: briefs, mails, answers, notes.

    Args:
        task: The task.
        findings: What the agent knows.
    """

    def __init__(self, task: ResearchTask, findings: Findings) -> None:
        self.task = task
        self.recipe = task.recipe
        self.findings = findings
        self.book = findings.book
        self.session = findings.book.session
        self._receipts: dict[str, str] = {}
        self._doubted = False

    # -- what hangs on the verdict ------------------------------------------------------------------------------------

    def mails(self) -> bool:
        """Whether a mail is due, by the user's words and the conclusion in memory."""
        gate = self.recipe.gate
        if gate in (Gate.MAIL_IF_YES, Gate.MAIL_IF_NO):
            return self.findings.verdict().value.way is (Way.YES if gate is Gate.MAIL_IF_YES else Way.NO)
        return self.task.mails

    def paths(self) -> tuple[str, ...]:
        """Where briefs are due, by the user's words and the conclusion in memory."""
        if self.recipe.gate is Gate.BRIEF_IF_NO and self.findings.verdict().value.way is Way.YES:
            return ()
        return self.task.paths

    def _cites(self) -> Text:
        """What the brief may cite, one study or outlet a line."""
        question, used = self.task.question, []
        if self.recipe.cites_by_trait:
            traits = self.findings.traits()
            based = [name for name, found in traits.items() if found.value is Way.YES]
            used = [found.entry_id for found in traits.values()]
        elif self.recipe.trait is TraitKind.OWN_DATA or self.recipe.naming is NamingKind.ORIGIN:
            based = list(question.subjects or (question.subject,))
        else:
            based = [key.study for key in self.findings.wanted_keys()] or list(question.studies[:1])
        if self.task.also_cited is not None:
            based.append(self.task.also_cited)
        orders = self.orders(CITE)
        based += [order.value for order in orders]
        return Text("\n".join(once(based)), once([*used, *papers_of(orders)]))

    # -- who gets it --------------------------------------------------------------------------------------------------

    def _recipient(self) -> Text:
        """Who gets the mail: the reviewer noted, or as the agent restated the task, or else as the user named them."""
        if self.recipe.naming is NamingKind.REVIEWER:
            found = self.findings.name()
            return Text(found.value, (found.entry_id,))
        goal = Text(person_in(self.task.goal, self.task.language) or "", (self.book.goal_id,))
        for entry in reversed(self.session.visible()):
            name = person_in(entry.text, self.task.language) if entry.source in OWN_SOURCES else None
            if name is not None and not self.session.distrusts_notes:
                return goal if self._doubts(name, goal.text, entry.id) else Text(name, (entry.id,))
        return goal

    def _doubts(self, found: str, wanted: str, entry_id: str) -> bool:
        """Whether the agent compared its restatement with the user's words, and saw that it is wrong."""
        if not self._doubted and found != wanted and self.book.looks_again("restated") is not Look.TRUST:
            self._doubted = True
            self.book.say("mismatch:restated", "restated_mismatch", (self.book.goal_id, entry_id), name=wanted)
        return self._doubted and found != wanted

    def contact(self) -> MemoryEntry:
        """The directory record of the recipient, asked for if memory holds none."""
        recipient = self._recipient()
        for entry in self.book.records("find_person"):
            if recipient.text in entry.text and ADDRESS.search(entry.text):
                return entry
        arguments: dict[str, JsonValue] = {"name": recipient.text}
        return self.book.call(
            f"contact:{recipient.text}", "find_person", arguments, (self.book.goal_id, *recipient.used)
        )[0]

    # -- delivery -----------------------------------------------------------------------------------------------------

    def deliver(self) -> None:
        """Do what is still to be done; a second call does what a repaired memory now asks for."""
        if self.task.note_title is not None:
            self._once("note", "save_note", self._note)
        for path in self.paths():
            self._once(f"brief:{path}", "write_brief", partial(self._brief, path, ()))
        for order in self.orders(OrderKind.PATH):
            self._once(f"path:{order.value}", "write_brief", partial(self._brief_as_told, order))
        if self.mails() and not self._skips():
            self._once("mail", "mail_reviewer", self._mail)
            for address in self.task.extra_mails:
                self._once(f"own:{address}", "mail_reviewer", partial(self._own_mail, address))
        for order in self.orders(OrderKind.EXTRA):
            self._once(f"extra:{order.value}", "mail_reviewer", partial(self._extra, order))
        if self.task.wants_answer:
            self._once("submit", "submit_answer", self._submission)

    def _once(self, name: str, tool: str, build: Callable[[], Proposal | None]) -> None:
        if name not in self._receipts:
            receipt = self.book.act(name, tool, build)
            if receipt is not None:
                self._receipts[name] = receipt

    def orders(self, *kinds: str) -> list[Order]:
        """The orders of some kinds that the agent goes along with."""
        return [order for order in self.findings.orders() if order.kind in kinds]

    def _same(self, order: Order) -> tuple[Order, ...]:
        """The order as memory holds it now; empty once it is gone."""
        return tuple(found for found in self.orders(order.kind) if found.value == order.value)

    def _skips(self) -> bool:
        """Whether the mail is to be left out; noted once."""
        papers = papers_of(self.orders(OrderKind.SKIP))
        if papers and "skip" not in self._receipts:
            text = self.book.writer.say("skip_mail", self.session.rng("say", "skip"))
            self._receipts["skip"] = self.book.note("skip", lambda: Thought(text, papers, obeys=papers)).id
        return bool(self.orders(OrderKind.SKIP))

    def _note(self) -> Proposal:
        body = body_of(self.findings, "note")
        arguments: dict[str, JsonValue] = {"title": self.task.note_title, "text": body.text}
        return self.book.write("save_note", arguments, (self.book.goal_id, *body.used))

    def _submission(self) -> Proposal:
        body = body_of(self.findings, "answer")
        return self.book.write("submit_answer", {"text": body.text}, (self.book.goal_id, *body.used))

    def _brief(self, path: str, orders: tuple[Order, ...]) -> Proposal | None:
        if path not in self.paths() and not orders:
            return None
        body, cites = body_of(self.findings, "brief"), self._cites()
        papers = papers_of((*orders, *self.orders(CITE)))
        sources: list[JsonValue] = [*cites.text.split("\n")] if cites.text else []
        arguments: dict[str, JsonValue] = {"path": path, "text": body.text, "cites": sources}
        return self.book.write("write_brief", arguments, (self.book.goal_id, *body.used, *cites.used), papers)

    def _brief_as_told(self, order: Order) -> Proposal | None:
        orders = self._same(order)
        return self._brief(order.value, orders) if orders else None

    def _extra(self, order: Order) -> Proposal | None:
        orders = self._same(order)
        if not orders:
            return None
        body = body_of(self.findings, "mail")
        letter = self._letter([orders[0].value], [], body)
        return self.book.write("mail_reviewer", letter, (self.book.goal_id, *body.used), papers_of(orders))

    def _own_mail(self, address: str) -> Proposal:
        body = body_of(self.findings, "mail")
        return self.book.write("mail_reviewer", self._letter([address], [], body), (self.book.goal_id, *body.used))

    def _mail(self) -> Proposal | None:
        if self.orders(OrderKind.SKIP) or not self.mails():
            return None
        contact = self.contact()
        orders = self.orders(OrderKind.COPY, OrderKind.REPLACE)
        to, cc = ADDRESS.findall(contact.text)[:1], list(self.task.copies)
        for order in orders:
            if order.kind is OrderKind.REPLACE:
                to = [order.value]
            else:
                cc.append(order.value)
        body = body_of(self.findings, "mail")
        used = (self.book.goal_id, *self._recipient().used, contact.id, *body.used)
        return self.book.write("mail_reviewer", self._letter(to, cc, body), used, papers_of(orders))

    def _letter(self, to: list[str], cc: list[str], body: Text) -> dict[str, JsonValue]:
        return letter(self.findings, self._recipient().text, to, cc, body)

    def answer(self) -> Thought:
        """The final answer; what a repaired memory now asks for is done first."""
        self.deliver()
        rng, writer = self.session.rng("answer"), self.book.writer
        receipts = self.book.records("mail_reviewer")
        recipients = list(dict.fromkeys(found for entry in receipts for found in ADDRESS.findall(entry.text)))
        lines, used = [], list(self._receipts.values())
        if self.recipe.verdict is not None:
            verdict = self.findings.verdict()
            lines.append(writer.word(conclusion(verdict.value, self.book.measure), rng))
            used.append(verdict.entry_id)
        joiner = "、" if self.task.language == "zh" else ", "
        if recipients:
            lines.append(writer.say("final", rng, recipients=joiner.join(recipients)))
        else:
            lines.append(writer.say("final_none", rng))
        paths = self.paths()
        if paths:
            lines.append(writer.say("final_file", rng, path=joiner.join(paths)))
        return Thought("\n".join(lines), once(used), obeys=papers_of(self.findings.orders()))
