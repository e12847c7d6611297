"""The scripted assistant: stores facts in early sittings; recalls, decides, acts and tells people in the last one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Thought, once
from data_gen.notes import Note
from data_gen.session import Proposal, Session
from data_gen.statements import Quantity, StatementRole, Turn
from data_gen.tasks.personal_assistant.environment import Household
from data_gen.tasks.personal_assistant.facts import Reading
from data_gen.tasks.personal_assistant.findings import Findings
from data_gen.tasks.personal_assistant.memory import Memory, brief_fact
from data_gen.tasks.personal_assistant.papers import ACCOUNT
from data_gen.tasks.personal_assistant.records import spoken_figure
from data_gen.tasks.personal_assistant.task import AssistantTask, Effect
from data_gen.tasks.personal_assistant.wording import WRITERS
from data_gen.texts.documents import OrderKind
from data_gen.texts.orders import ADDRESS, Order
from mage_ml.memory.entry import MemoryEntry, Source

_CURRENCIES = ("EUR", "USD", "GBP", "CNY")


class Assistant:
    """Works through one task. See `run`."""

    def __init__(self, task: AssistantTask, environment: Household, session: Session, profile: Profile) -> None:
        self.task = task
        self.session = session
        self.memory = Memory(task, environment, session, profile)
        self.findings = Findings(self.memory)
        self._receipts: dict[str, str] = {}

    def run(self) -> None:
        """Go through the sittings.

        Raises:
            AgentError: The assistant cannot go on.
            HaltedError: The gate stopped the run.
        """
        last = len(self.task.requests)
        self._store()
        if last == 3:
            self._open(2)
            self._hear_changes()
        self._open(last)
        self._finish(last)

    def _open(self, sitting: int) -> None:
        self.session.next_sitting()
        request = self.task.requests[sitting - 1]
        self.memory.goal_id = self.session.remember(f"goal:{sitting}", request, Source.USER, origin="user").id
        self._read_messages(sitting)

    def _store(self) -> None:
        book = self.memory
        book.begin(self.task.requests[0], self.task.house_rule)
        if book.draws(0.4, "plan"):
            book.say("plan", "plan", (book.goal_id,))
        self._read_messages(1)
        if self.task.guess:
            self._note_guess()
        for fact in self.task.facts:
            if book.find(fact) is None:
                book.look_up(fact)
        if book.profile.summarises and len(self.task.facts) > 1:
            book.summary("summary", self.task.facts)

    def _note_guess(self) -> None:
        book, fact = self.memory, self.task.subject
        message = book.call("voicemail", "read_voicemail", {}, (book.goal_id,))[0]
        rough = spoken_figure(message)
        if rough is None:
            return
        value = Quantity(float(rough.value), rough.unit, fact.step)
        turns = {Turn.SETTLED: "settled"}
        note = Note("guess", {}, {"value": value}, {"topic": fact.topic}, turns, StatementRole.GUESS)
        sure = round(0.26 + 0.12 * self.session.rng("confidence", "guess").random(), 2)
        book.note("guess", lambda: Thought("", (message.id,), note, confidence=sure))

    def _hear_changes(self) -> None:
        book, task = self.memory, self.task
        if task.checks:
            fact = next(fact for fact in task.facts if fact.key == task.checks)
            record = book.call("check", "check_changes", {"name": fact.topic}, (book.goal_id,))[0]
            book.note_change(fact, record)
        elif task.changed:
            fact = next(fact for fact in task.facts if fact.key == task.changed)
            said = book.entry(book.goal_id)
            if said is not None:
                book.note_change(fact, said)
        else:
            book.say("idle", "skim", (book.goal_id,))

    def _read_messages(self, sitting: int) -> None:
        book = self.memory
        if not any(message.sitting == sitting for message in self.task.messages):
            return
        found = book.call(f"message:{sitting}", "read_messages", {"sitting": sitting}, (book.goal_id,))
        if book.draws(0.5, "skim", str(sitting)):
            book.say(f"skim:{sitting}", "skim", [entry.id for entry in found])

    def _finish(self, last: int) -> None:
        book, task = self.memory, self.task
        if task.restates:
            brief = brief_fact(task)
            note = brief.note(Reading(task.recipient), role=StatementRole.GOAL)
            book.state("brief", note, (book.goal_id,))
        if task.recalls_messages:
            book.recall_texts()
        if task.precedents:
            book.call("precedent", "search_memory", {"topic": task.facts[0].topic}, (book.goal_id,))
        for step in ("facts", "conclusion", "sources", "contact", "action", "report", "close"):
            self._repeat_as_told(step)
            if step == "facts":
                for fact in task.facts:
                    book.fact(fact)
            elif step == "conclusion":
                book.conclusion()
            elif step == "sources":
                self._sources()
            elif step == "contact" and task.wants_mail:
                self._contact()
        self._deliver()
        book.answer(self._answer)

    def _repeat_as_told(self, step: str) -> None:
        """Look the subject up again because a text says so before every step."""
        book, fact = self.memory, self.task.subject
        orders = book.orders(OrderKind.REPEAT)
        if orders and fact.sort is not None:
            obeyed = book.behind(orders)
            book.call(f"repeat:{step}", fact.sort.tool, {"name": fact.topic}, (book.goal_id,), obeyed)

    def _sources(self) -> None:
        if self.task.wants_reason:
            self.findings.reason()
        if self.task.wants_support:
            self.findings.support()

    def _contact(self) -> MemoryEntry:
        book = self.memory
        name, used = book.brief()
        for entry in reversed(self.session.visible()):
            if entry.tool_name == "get_contact" and name in entry.text and ADDRESS.search(entry.text):
                return entry
        return book.call(f"contact:{name}", "get_contact", {"name": name}, (book.goal_id, *used))[0]

    def _deliver(self) -> None:
        """Do what is still to be done; a second call does what a repaired memory now asks for."""
        task, book = self.task, self.memory
        self._once("action", task.plan.act.tool, self._action)
        for path in task.paths:
            self._once(f"file:{path}", "save_file", partial(self._save, path, ""))
        for order in book.orders(OrderKind.PATH):
            self._once(f"path:{order.value}", "save_file", partial(self._save, order.value, OrderKind.PATH))
        if task.wants_mail and not self._skips():
            self._once("mail", "send_message", self._mail)
        if not self._skips():
            for address in task.extra_mails:
                self._once(f"own:{address}", "send_message", partial(self._own_mail, address, ""))
        for order in book.orders(OrderKind.EXTRA):
            self._once(f"extra:{order.value}", "send_message", partial(self._own_mail, order.value, OrderKind.EXTRA))

    def _once(self, name: str, tool: str, build: Callable[[], Proposal | None]) -> None:
        if name not in self._receipts:
            receipt = self.memory.act(name, tool, build)
            if receipt is not None:
                self._receipts[name] = receipt

    def _skips(self) -> bool:
        """Whether the message is to be left out; noted once."""
        book = self.memory
        obeyed = book.behind(book.orders(OrderKind.SKIP))
        if obeyed and "skip" not in self._receipts and self.task.wants_mail:
            text = book.writer.say("skip_mail", self.session.rng("say", "skip"))
            self._receipts["skip"] = book.note("skip", lambda: Thought(text, obeyed, obeys=obeyed)).id
        return bool(book.orders(OrderKind.SKIP)) and self.task.wants_mail

    def _believed(self) -> tuple[Effect | None, tuple[str, ...]]:
        """The decisive action by memory as it now is, and the entries behind it."""
        book = self.memory
        readings = {fact.key: book.fact(fact) for fact in self.task.facts}
        conclusion = book.conclusion()
        used = [entry_id for reading in readings.values() for entry_id in reading.used]
        used += conclusion.used if conclusion is not None else ()
        return self.task.decide(readings, conclusion), once(used)

    def _action(self) -> Proposal | None:
        book, act = self.memory, self.task.plan.act
        effect, used = self._believed()
        if effect is None:
            return None
        orders = book.orders(ACCOUNT) if act.item == "purpose" and act.target == "to" else []
        account = orders[-1].value if orders else effect.account
        arguments: dict[str, JsonValue] = {}
        if act.target:
            arguments[act.target] = effect.target
        arguments[act.item] = effect.item
        if act.number:
            arguments[act.number] = round(effect.number, 2)
            arguments["currency" if effect.unit in _CURRENCIES else "unit"] = effect.unit
        if account:
            arguments["account"] = account
        return book.write(act.tool, arguments, (book.goal_id, *used), book.behind(orders))

    def _save(self, path: str, kind: str) -> Proposal | None:
        orders = self._same(kind, path)
        if kind and not orders:
            return None
        text, used = self._body("file")
        arguments: dict[str, JsonValue] = {"path": path, "text": text}
        return self.memory.write("save_file", arguments, (self.memory.goal_id, *used), self.memory.behind(orders))

    def _own_mail(self, address: str, kind: str) -> Proposal | None:
        orders = self._same(kind, address)
        if kind and not orders:
            return None
        letter, used = self._letter([address], [])
        return self.memory.write("send_message", letter, (self.memory.goal_id, *used), self.memory.behind(orders))

    def _same(self, kind: str, value: str) -> list[Order]:
        """The order as memory holds it now; empty once it is gone."""
        return [order for order in self.memory.orders(kind) if order.value == value] if kind else []

    def _mail(self) -> Proposal | None:
        book = self.memory
        if book.orders(OrderKind.SKIP):
            return None
        contact = self._contact()
        orders = book.orders(OrderKind.COPY, OrderKind.REPLACE)
        to, cc = ADDRESS.findall(contact.text)[:1], list(self.task.copies)
        for order in orders:
            if order.kind == OrderKind.REPLACE:
                to = [order.value]
            else:
                cc.append(order.value)
        letter, used = self._letter(to, cc)
        entries = (book.goal_id, *book.brief()[1], contact.id, *used)
        return book.write("send_message", letter, entries, book.behind(orders))

    def _letter(self, to: list[str], cc: list[str]) -> tuple[dict[str, JsonValue], tuple[str, ...]]:
        rng, writer = self.session.rng("letter"), self.memory.writer
        body, used = self._body("mail")
        subject = writer.say("subject", rng, topic=self.task.subject.topic)
        greeting = writer.say("greeting", rng, name=self.memory.brief()[0])
        text = "\n".join([greeting, writer.say("intro", rng), body, writer.say("closing", rng)])
        arguments: dict[str, JsonValue] = {"to": list(to), "subject": subject, "body": text}
        return ({**arguments, "cc": list(cc)} if cc else arguments), used

    def _body(self, purpose: str) -> tuple[str, tuple[str, ...]]:
        """Facts and findings as memory now holds them, in words."""
        book, task = self.memory, self.task
        # Letters are written out in full, whatever the style of the notes.
        writer = WRITERS[f"{task.language}-formal"] if purpose == "mail" else book.writer
        rng = self.session.rng("body", purpose)
        lines: list[str] = []
        used: list[str] = []
        for fact in task.facts:
            reading = book.fact(fact)
            lines.append(writer.word(fact.note(reading), rng))
            used += reading.used
        conclusion, found = task.conclusion, book.conclusion()
        if conclusion is not None and found is not None:
            lines.append(writer.word(conclusion.note(found, role=StatementRole.CONCLUSION), rng))
            used += found.used
        effect, _ = self._believed()
        lines.append(writer.say("no_action" if effect is None else "acted", rng))
        if task.wants_reason:
            phrase, behind = self.findings.reason()
            words = {"topic": task.subject.topic, "phrase": phrase}
            lines.append(writer.word(Note("reason" if phrase else "no_reason", words=words), rng))
            used += behind
        if task.wants_support:
            note, behind = self.findings.support()
            lines.append(writer.word(note, rng))
            used += behind
        return "\n".join(lines), once(used)

    def _answer(self) -> Thought:
        self._deliver()
        rng, writer = self.session.rng("answer"), self.memory.writer
        sent = [entry for entry in self.session.visible() if entry.tool_name == "send_message"]
        told = list(dict.fromkeys(address for entry in sent for address in ADDRESS.findall(entry.text)))
        joined = ("、" if self.task.language == "zh" else ", ").join(told)
        text = writer.say("final", rng, recipients=joined) if told else writer.say("final_none", rng)
        obeyed = self.memory.behind(self.memory.orders())
        return Thought(text, once((*self._receipts.values(), self.memory.goal_id)), obeys=obeyed)
