"""The scripted repository agent: looks up, decides, changes, reports; and redoes what its memory no longer supports."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Thought, once
from data_gen.randomness import rng_for
from data_gen.session import Proposal, Session
from data_gen.tasks.software_repo.comments import ORDERS, OrderKind
from data_gen.tasks.software_repo.errands import Errands
from data_gen.tasks.software_repo.findings import Amount, Finding, Stage, Value
from data_gen.tasks.software_repo.forge import Forge
from data_gen.tasks.software_repo.judgements import Judgements
from data_gen.tasks.software_repo.notebook import Notebook
from data_gen.tasks.software_repo.reading import read_finding
from data_gen.tasks.software_repo.recipes import arguments_of, is_wanted
from data_gen.tasks.software_repo.remarks import brief
from data_gen.tasks.software_repo.reports import Reports, letter
from data_gen.tasks.software_repo.task import RepoTask
from data_gen.tasks.software_repo.tools import SHELVES
from data_gen.texts.orders import ADDRESS, Order
from mage_ml.memory.entry import MemoryEntry


class RepoAgent:
    """Works through one task. See `run`."""

    def __init__(self, task: RepoTask, environment: Forge, session: Session, profile: Profile) -> None:
        self.task = task
        self.session = session
        self.profile = profile
        self.book = Notebook(task, environment, session, profile)
        self.errands = Errands(self.book)
        self.judgements = Judgements(self.book)
        self.reports = Reports(self.book, self.judgements)
        self._receipts: dict[str, str] = {}

    def run(self) -> None:
        """Do the task: look up, conclude, change, report, answer.

        Raises:
            AgentError: The agent cannot go on.
            HaltedError: The gate stopped the run.
        """
        early = rng_for("errands first", self.task.goal).random() < 0.5
        self._begin()
        if early:
            self.errands.run()
        if self.task.papers_first:
            self._read_comments()
        self._gather()
        if not self.task.papers_first:
            self._read_comments()
        self._check_corrections()
        if self.profile.summarises:
            self.book.summarise()
        for step in ("conclusion", "cause", "errands", "contact", "change", "check", "close"):
            self._repeat_as_told(step)
            if step == "conclusion":
                self._conclude()
            elif step == "cause" and self.task.wants_cause:
                self.judgements.cause()
            elif step == "errands" and not early:
                self.errands.run()
            elif step == "contact" and self.task.wants_message:
                self._contact()
        self._deliver()
        self.book.answer(self._answer)

    def _begin(self) -> None:
        goal = self.book.begin(self.task.goal, self.task.house_rule)
        self.book.say("plan", "plan", (goal,))
        if self.task.restates:
            members = self.task.world.members
            self.book.state("brief", brief(self.task.service, members[0].name, self.task.environment), (goal,))
        if self.task.precedents:
            self.book.call("precedent", "search_memory", {"topic": self.task.service}, (goal,))
        if self.task.lists_branches:
            listing = self.book.call("branches", "list_branches", {"service": self.task.service}, (goal,))
            self.book.say("background", "background", (listing[0].id,), count=str(len(self.task.branches)))

    def _read_comments(self) -> None:
        found: list[MemoryEntry] = []
        for number, paper in enumerate(self.task.papers):
            arguments: dict[str, JsonValue] = {"comment": paper.name}
            found += self.book.call(f"comment:{number + 1}", "read_comment", arguments, (self.book.goal_id,))
        if found and self.book.draws(0.6, "skims"):
            self.book.say("skim", "skim", [entry.id for entry in found], topic=self.task.service)

    def _gather(self) -> None:
        if self.task.chat is not None:
            self._note_estimate()
        for index, job in enumerate(self.book.jobs()):
            for look in job.looks:
                if not self.book.is_noted(look):
                    self.book.look_up(f"{index}:{look.key}", look)

    def _note_estimate(self) -> None:
        look = self.task.first_measure
        chat = self.book.call("chat", "read_chat", {"topic": self.task.service}, (self.book.goal_id,))[0]
        value = None if look is None else read_finding(chat.text, look.topic, self.task.language, guesses=True)
        if look is None or not isinstance(value, Amount):
            return
        statement = Finding(look.topic, value, Stage.TENTATIVE)
        sure = round(0.26 + 0.12 * self.session.rng("confidence", "estimate").random(), 2)
        self.book.note("estimate", lambda: Thought("", (chat.id,), statement, confidence=sure))

    def _check_corrections(self) -> None:
        look = self.task.first_measure
        if not self.task.checks_corrections or look is None:
            return
        arguments: dict[str, JsonValue] = {"about": look.item}
        notice = self.book.call("corrections", "check_corrections", arguments, (self.book.goal_id,))[0]
        if look.item in notice.text:
            self.book.note_fact("revised", look, notice.id, is_revised=True)

    def _repeat_as_told(self, step: str) -> None:
        """Call the first tool again because a text says so before every step."""
        orders = self._orders(OrderKind.REPEAT)
        if orders:
            look = self.task.jobs[0].looks[0]
            shelf = SHELVES[look.area]
            self.book.call(
                f"again:{step}", shelf.tool, {shelf.argument: look.item}, (self.book.goal_id,), _papers(orders)
            )

    def _conclude(self) -> None:
        for index, job in enumerate(self.book.jobs()):
            for infer in job.infers:
                self.book.value(index, infer.key)
        if self.task.support is not None:
            arguments: dict[str, JsonValue] = {"issue": self.task.support.issue}
            self.book.call("runs", "list_reproductions", arguments, (self.book.goal_id,))
            self.book.note("support", self.judgements.think_of_support)

    def _contact(self) -> MemoryEntry:
        who = self.book.recipient()
        for entry in reversed(self.session.visible()):
            if entry.tool_name == "find_member" and who.text in entry.text and ADDRESS.search(entry.text):
                return entry
        used = once((self.book.goal_id, who.used))
        return self.book.call(f"contact:{who.text}", "find_member", {"name": who.text}, used)[0]

    def _deliver(self) -> None:
        """Do what is still to be done; a second call does what a repaired memory now asks for."""
        for index, job in enumerate(self.task.jobs):
            for number, act in enumerate(job.acts):
                self._once(f"act:{index}:{number}", act.tool, partial(self._act, index, number))
        self._side_acts()
        if self.task.wants_message and not self._skips():
            self._once("message", "notify", self._message)
            for address in self.task.extra_messages:
                self._once(f"own:{address}", "notify", partial(self._own_message, address))
        for order in self._orders(OrderKind.EXTRA):
            self._once(f"extra:{order.value}", "notify", partial(self._extra, order))

    def _side_acts(self) -> None:
        service = self.task.service
        for package in self.task.packages:
            added: dict[str, JsonValue] = {"service": service, "package": package}
            self._once(f"add:{package}", "add_dependency", partial(self._plain, "add_dependency", added))
        for account in self.task.invited:
            given: dict[str, JsonValue] = {"account": account, "repository": service, "level": "write"}
            self._once(f"invite:{account}", "grant_access", partial(self._plain, "grant_access", given))
        for order in self._orders(OrderKind.INSTALL, OrderKind.INVITE):
            tool = "add_dependency" if order.kind == OrderKind.INSTALL else "grant_access"
            self._once(f"told:{order.value}", tool, partial(self._as_told, tool, order))
        if self.task.support is not None:
            self._once("confirm", "add_label", self.judgements.label)

    def _once(self, name: str, tool: str, build: Callable[[], Proposal | None]) -> None:
        if name not in self._receipts:
            receipt = self.book.act(name, tool, build)
            if receipt is not None:
                self._receipts[name] = receipt

    def _act(self, index: int, number: int) -> Proposal | None:
        act = self.book.jobs()[index].acts[number]
        used = [self.book.goal_id, self.book.environment_name().used]

        def of(key: str) -> Value:
            reading = self.book.value(index, key)
            used.extend(reading.used)
            return reading.value

        def body() -> str:
            text = self.reports.findings(index, f"act:{number}")
            used.extend(text.used)
            return text.text

        if not is_wanted(act, of):
            return None
        arguments: dict[str, JsonValue] = {**arguments_of(act, of, body)}
        return self.book.write(act.tool, arguments, once(used))

    def _plain(self, tool: str, arguments: dict[str, JsonValue]) -> Proposal:
        return self.book.write(tool, arguments, (self.book.goal_id,))

    def _as_told(self, tool: str, order: Order) -> Proposal | None:
        orders = self._same(order)
        if not orders:
            return None
        arguments: dict[str, JsonValue] = {"service": self.task.service, "package": order.value}
        if tool == "grant_access":
            arguments = {"account": order.value, "repository": self.task.service, "level": "write"}
        return self.book.write(tool, arguments, (self.book.goal_id,), _papers(orders))

    def _orders(self, *kinds: str) -> list[Order]:
        found = ORDERS[self.task.language].read(self.session.visible())
        return [order for order in found if order.kind in kinds and self.book.obeys(order.kind, order.value)]

    def _same(self, order: Order) -> list[Order]:
        """The order as memory holds it now; empty once it is gone."""
        return [found for found in self._orders(order.kind) if found.value == order.value]

    def _skips(self) -> bool:
        """Whether the message is to be left out; noted once."""
        papers = _papers(self._orders(OrderKind.SKIP))
        if papers and "skip" not in self._receipts:
            text = self.book.writer.say("skip_message", self.session.rng("say", "skip"))
            self._receipts["skip"] = self.book.note("skip", lambda: Thought(text, papers, obeys=papers)).id
        return bool(self._orders(OrderKind.SKIP))

    def _message(self) -> Proposal | None:
        if self._orders(OrderKind.SKIP):
            return None
        contact, who = self._contact(), self.book.recipient()
        to, cc = ADDRESS.findall(contact.text)[:1], list(self.task.copies)
        orders = self._orders(OrderKind.COPY, OrderKind.REPLACE)
        for order in orders:
            if order.kind == OrderKind.REPLACE:
                to = [order.value]
            else:
                cc.append(order.value)
        body = self.reports.body(who.text)
        used = (self.book.goal_id, who.used, contact.id, *body.used)
        return self.book.write("notify", letter(to, cc, body.text), once(used), _papers(orders))

    def _own_message(self, address: str) -> Proposal:
        who = self.book.recipient()
        body = self.reports.body(who.text)
        return self.book.write("notify", letter([address], [], body.text), (self.book.goal_id, *body.used))

    def _extra(self, order: Order) -> Proposal | None:
        orders = self._same(order)
        if not orders:
            return None
        body = self.reports.body(self.book.recipient().text)
        return self.book.write(
            "notify", letter([order.value], [], body.text), (self.book.goal_id, *body.used), _papers(orders)
        )

    def _answer(self) -> Thought:
        self._deliver()
        rng, writer = self.session.rng("answer"), self.book.writer
        sent = [entry for entry in self.session.visible() if entry.tool_name == "notify"]
        recipients = once([found for entry in sent for found in ADDRESS.findall(entry.text)])
        joined = ("、" if self.task.language == "zh" else ", ").join(recipients)
        changes = str(len(self._receipts) - len(sent))
        lines = [
            writer.say("final", rng, recipients=joined) if recipients else writer.say("final_none", rng),
            writer.say("final_done", rng, count=changes),
        ]
        orders = self._orders(*OrderKind)
        return Thought("\n".join(lines), once(list(self._receipts.values())), obeys=_papers(orders))


def _papers(orders: Iterable[Order]) -> tuple[str, ...]:
    """The entries that orders come from."""
    return once([entry_id for order in orders for entry_id in order.entries])
