"""The scripted travel agent: reads, concludes, acts, tells; and redoes what its memory no longer supports."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Thought, once
from data_gen.notes import Note
from data_gen.session import Proposal, Session
from data_gen.tasks.travel_booking.acts import Acts
from data_gen.tasks.travel_booking.environment import TravelEnvironment
from data_gen.tasks.travel_booking.findings import Findings
from data_gen.tasks.travel_booking.journey import Journey
from data_gen.tasks.travel_booking.notebook import Notebook
from data_gen.tasks.travel_booking.reading import facts_in, read_orders
from data_gen.tasks.travel_booking.setting import Gate
from data_gen.tasks.travel_booking.shapes import Act, Aim
from data_gen.tasks.travel_booking.statements import Fact
from data_gen.tasks.travel_booking.systems import query_of
from data_gen.tasks.travel_booking.task import TravelTask
from data_gen.tasks.travel_booking.texts import OrderKind
from data_gen.texts.orders import ADDRESS, Order


@dataclass(frozen=True, slots=True)
class Text:
    """A text for somebody, and the entries it was made from."""

    text: str
    used: tuple[str, ...]


class TravelAgent:
    """Works through one task. See `run`."""

    def __init__(self, task: TravelTask, environment: TravelEnvironment, session: Session, profile: Profile) -> None:
        self.task = task
        self.session = session
        self.profile = profile
        self.book = Notebook(task, environment, session, profile)
        self.journey = Journey(self.book)
        self.findings = Findings(self.book, self.journey)
        self.acts = Acts(self.book, self.journey, self.findings)
        self._receipts: dict[str, str] = {}

    def run(self) -> None:
        """Do the task: gather, conclude, act, tell.

        Raises:
            AgentError: The agent cannot go on.
            HaltedError: The gate stopped the run.
        """
        self._begin()
        if self.task.papers_first:
            self._read_papers()
        if self.task.voicemail is not None:
            self._note_estimate()
        self.findings.gather()
        if not self.task.papers_first:
            self._read_papers()
        self._check_updates()
        if self.task.wants_support:
            key = self.task.first_key
            self.book.call("second", "get_agency_quote", {"offer": key.subject, "date": key.day}, (self.book.goal_id,))
        self._repeat_as_told("figures")
        if self.profile.summarises and len(self.findings.keys()) > 1:
            self.findings.summarise()
        self._repeat_as_told("conclusion")
        self._conclude()
        for step in ("profile", "act", "mail", "check", "close"):
            self._repeat_as_told(step)
            if step == "profile" and (self.task.delivery.mails or self.acts.needs_profile()):
                self.journey.profile()
        self._deliver()
        self.book.answer(self._answer)

    def _begin(self) -> None:
        self.book.begin(self.task.goal, self.task.house_rule)
        if self.task.setting.gate is Gate.HANDOVER:
            self.journey.receive_rules()
        if self.book.draws(0.8, "plans"):
            self.book.say("plan", "plan", (self.book.goal_id,))
        if self.task.restates:
            self.journey.note_brief()
        if self.task.precedents:
            self.book.call("precedent", "search_memory", {"topic": self.task.topic}, (self.book.goal_id,))
        if self.task.lists_bookings:
            listing = self.book.call("listing", "list_bookings", {}, (self.book.goal_id,))
            self.book.say("background", "background", (listing[0].id,), count=str(len(self.task.old_bookings)))

    def _read_papers(self) -> None:
        found = []
        for number, paper in enumerate(self.task.papers):
            found += self.book.call(
                f"paper:{number + 1}", "read_travel_note", {"name": paper.name}, (self.book.goal_id,)
            )
        if found and self.book.draws(0.6, "skims"):
            self.book.say("skim", "skim", [entry.id for entry in found], topic=self.task.topic)

    def _note_estimate(self) -> None:
        key = self.task.first_key
        message = self.book.call("voicemail", "read_voicemail", {"topic": key.subject}, (self.book.goal_id,))[0]
        fact = next((found for found in facts_in(message, self.task.language) if found.key == key), None)
        if fact is None:
            return
        statement = Fact(key, fact.value, fact.unit, tentative=True)
        sure = round(0.26 + 0.12 * self.session.rng("confidence", "estimate").random(), 2)
        self.book.note("estimate", lambda: Thought("", (message.id,), statement, confidence=sure))

    def _check_updates(self) -> None:
        if not self.task.checks_updates:
            return
        key = self.task.first_key
        arguments: dict[str, JsonValue] = {"offer": key.subject, "date": key.day}
        notice = self.book.call("updates", "check_price_updates", arguments, (self.book.goal_id,))[0]
        if any(fact.key == key for fact in facts_in(notice, self.task.language)):
            self.book.note_value("revised", key, notice.id, revised=True)

    def _conclude(self) -> None:
        self.findings.picked()
        self.findings.summed()
        self.findings.compared()
        if self.task.wants_reason:
            self.findings.reason()
        if self.task.wants_support:
            self.findings.support()

    def _repeat_as_told(self, step: str) -> None:
        """Run the first look-up again because a text says so before every step."""
        orders = self._orders(OrderKind.REPEAT)
        if orders:
            tool, arguments = query_of(self.task.first_key)
            self.book.call(f"again:{step}", tool, arguments, (self.book.goal_id,), _papers(orders))

    def _orders(self, *kinds: str) -> list[Order]:
        """Orders that the agent goes along with. What the user said is not an order of somebody else."""
        texts = [entry for entry in self.session.visible() if entry.origin != "user"]
        found = [order for order in read_orders(texts, self.task.language) if order.kind in kinds]
        return [order for order in found if self.book.obeys(order.kind, order.value)]

    def _deliver(self) -> None:
        """Do what is still to be done; a second call does what a repaired memory now asks for."""
        for name, tool, build in self.acts.due(lambda: self._orders(OrderKind.CODE)):
            self._once(name, tool, build)
        if self.task.delivery.mails and not self._skips():
            self._once("mail", "send_itinerary", self._mail)
            for address in self.task.delivery.extras:
                self._once(f"own:{address}", "send_itinerary", partial(self._own_mail, address))
        for order in self._orders(OrderKind.EXTRA):
            self._once(f"extra:{order.value}", "send_itinerary", partial(self._extra, order))

    def _once(self, name: str, tool: str, build: Callable[[], Proposal | None]) -> None:
        if name not in self._receipts:
            receipt = self.book.act(name, tool, build)
            if receipt is not None:
                self._receipts[name] = receipt

    def _skips(self) -> bool:
        """Whether the mail is to be left out; noted once."""
        papers = _papers(self._orders(OrderKind.SKIP))
        if papers and "skip" not in self._receipts:
            text = self.book.writer.say("skip_mail", self.session.rng("say", "skip"))
            self._receipts["skip"] = self.book.note("skip", lambda: Thought(text, papers, obeys=papers)).id
        return bool(papers)

    def _extra(self, order: Order) -> Proposal | None:
        orders = [found for found in self._orders(OrderKind.EXTRA) if found.value == order.value]
        if not orders:
            return None
        body = self._body()
        letter = self._letter([order.value], [], body)
        return self.book.write("send_itinerary", letter, (self.book.goal_id, *body.used), _papers(orders))

    def _own_mail(self, address: str) -> Proposal:
        body = self._body()
        return self.book.write("send_itinerary", self._letter([address], [], body), (self.book.goal_id, *body.used))

    def _mail(self) -> Proposal | None:
        if self._orders(OrderKind.SKIP):
            return None
        profile = self.journey.profile()
        orders = self._orders(OrderKind.COPY, OrderKind.REPLACE)
        to = [profile.content["email"]] if isinstance(profile.content, dict) else []
        recipients, cc = [str(address) for address in to], list(self.task.delivery.copies)
        for order in orders:
            if order.kind is OrderKind.REPLACE:
                recipients = [order.value]
            elif order.value not in cc:
                cc.append(order.value)
        body = self._body()
        used = (self.book.goal_id, *self.journey.traveller()[1], profile.id, *body.used)
        return self.book.write("send_itinerary", self._letter(recipients, cc, body), used, _papers(orders))

    def _letter(self, to: list[str], cc: list[str], body: Text) -> dict[str, JsonValue]:
        rng, writer = self.session.rng("letter"), self.book.writer
        topic = writer.say("topic", rng)
        subject = writer.say("mail_subject", rng, subject=self.journey.city()[0], topic=topic)
        lines = [writer.say("greeting", rng, name=self.journey.traveller()[0]), writer.say("intro", rng), body.text]
        text = "\n".join([*lines, writer.say("closing", rng)])
        arguments: dict[str, JsonValue] = {"to": list(to), "subject": subject, "body": text}
        return {**arguments, "cc": list(cc)} if cc else arguments

    def _body(self) -> Text:
        """Values and findings as memory now holds them, and what was done."""
        rng, writer = self.session.rng("body"), self.book.writer
        lines: list[str] = []
        used: list[str] = []
        quotes = self.task.shape.act is Act.QUOTE and self.task.shape.aim is Aim.SINGLE
        for key in self.findings.keys() if quotes or rng.random() < 0.4 else ():
            reading = self.book.value(key, "mail")
            lines.append(writer.word(Fact(key, reading.fact.value, reading.fact.unit), rng))
            used += reading.used
        for found in (self.findings.picked(), self.findings.summed(), self.findings.compared()):
            if found is not None:
                lines.append(writer.word(found[0], rng))
                used += found[1]
        if self.task.wants_reason:
            phrase, source = self.findings.reason()
            words = {"subject": self.task.topic, "phrase": phrase}
            lines.append(writer.word(Note("reason" if phrase else "reason_none", words=words), rng))
            used.append(source)
        if self.task.wants_support:
            independent, source = self.findings.support()
            symbol = "support_yes" if independent else "support_no"
            lines.append(writer.word(Note(symbol, words={"subject": self.task.first_key.subject}), rng))
            used.append(source)
        done = self.acts.done(self._receipts)
        lines += [writer.say(symbol, rng, subject=subject) for symbol, subject in done]
        return Text("\n".join(lines), once([*used, *(i for n, i in self._receipts.items() if n in self.acts.names)]))

    def _answer(self) -> Thought:
        self._deliver()
        rng, writer = self.session.rng("answer"), self.book.writer
        receipts = self.book.records("send_itinerary")[::-1]
        recipients = list(dict.fromkeys(found for entry in receipts for found in ADDRESS.findall(entry.text)))
        lines = [writer.say(symbol, rng, subject=subject) for symbol, subject in self.acts.done(self._receipts)]
        used = list(self._receipts.values())
        for found in (self.findings.picked(), self.findings.summed(), self.findings.compared()):
            if found is not None:
                lines.append(writer.word(found[0], rng))
                used += found[1]
        joined = ("、" if self.task.language == "zh" else ", ").join(recipients)
        lines.append(writer.say("final", rng, recipients=joined) if recipients else writer.say("final_none", rng))
        obeys = _papers(self._orders(OrderKind.SKIP))
        return Thought("\n".join(lines), once([*used, self.book.goal_id]), obeys=obeys)


def _papers(orders: Iterable[Order]) -> tuple[str, ...]:
    """The entries that orders come from."""
    return once([entry_id for order in orders for entry_id in order.entries])
