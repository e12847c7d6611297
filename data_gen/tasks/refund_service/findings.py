"""What the agents of a case find out, each time read back from their notes and derived where these are silent."""

from __future__ import annotations

from collections.abc import Callable

from data_gen.desk import Thought, once
from data_gen.notes import Lines
from data_gen.session import AgentError
from data_gen.statements import Statement, StatementRole, Turn
from data_gen.tasks.refund_service.attributes import SPANS, Attr, Key
from data_gen.tasks.refund_service.casedesk import DIALOGUE, POLICY, SENTIMENT, Found
from data_gen.tasks.refund_service.lexicon import WANTED
from data_gen.tasks.refund_service.reading import (
    facts_in,
    facts_in_text,
    has_any,
    read_about,
    read_cause,
    read_side,
    read_units,
    spans_in,
)
from data_gen.tasks.refund_service.recipes import CHECKED, Settlement
from data_gen.tasks.refund_service.rulebook import Rulebook
from data_gen.tasks.refund_service.statements import (
    About,
    Fact,
    Turned,
    about_note,
    cause_note,
)
from data_gen.texts.orders import sentences
from mage_ml.memory.entry import MemoryEntry


class Findings(Rulebook):
    """The findings of the sentiment and the policy agent."""

    # -- the sentiment agent ----------------------------------------------------------------------------------------

    def message(self) -> MemoryEntry:
        """What the customer wrote."""
        for entry in self.records("read_messages"):
            return entry
        slot = self._slot("message")
        with self.session.acting_as(SENTIMENT):
            return self.call(slot, "read_messages", {"case": self.task.world.case}, (self.goal(),))[0]

    def about(self) -> Found[About]:
        """Which order and items the complaint is about."""

        def source() -> About:
            found = read_about(self.message().text, self.language)
            if found is None:
                raise AgentError("the message does not say what it is about")
            return found

        return self._told(
            "about", POLICY, lambda text: read_about(text, self.language), source, lambda found: about_note(found)
        )

    def upset(self) -> Found[bool]:
        """Whether the customer is upset."""

        def source() -> bool:
            return bool(read_side(self.message().text, "mood", self.language))

        name = self.task.world.customers[0].name
        return self._told(
            "mood",
            DIALOGUE,
            lambda text: read_side(text, "mood", self.language),
            source,
            lambda found: Turned("mood", name, found),
        )

    def deadline(self) -> Found[Fact]:
        """Within how many days the customer hopes for money."""
        key = Key(Attr.DEADLINE, self.task.complaint.order)

        def source() -> Fact:
            for line in sentences(self.message().text):
                spans = spans_in(line)
                if spans and has_any(line, WANTED[self.language]):
                    return Fact(key, spans[0].value, spans[0].unit)
            raise AgentError("the message names no time")

        def derive(slot: str) -> None:
            with self.session.acting_as(SENTIMENT):
                self.note(slot, lambda: Thought("", (self.message().id,), source()))

        return self.finding("deadline", lambda text: _fact(text, key, self.language), derive, source)

    def _told(
        self,
        what: str,
        to: str,
        parse: Callable[[str], object],
        source: Callable[[], object],
        statement: Callable[..., Statement],
    ) -> Found:  # type: ignore[type-arg]  # the caller's parser decides what is found
        """What the sentiment agent tells another agent."""

        def derive(slot: str) -> None:
            with self.session.acting_as(SENTIMENT):
                self.send(slot, to, lambda: Thought("", (self.message().id,), statement(source())))

        return self.finding(what, parse, derive, source)

    # -- the policy agent -------------------------------------------------------------------------------------------

    def keys(self) -> tuple[tuple[Key, ...], tuple[str, ...]]:
        """The figures that settle the complaint, and the entries that say what it is about."""
        about = self.about()
        wanted = self.task.recipe.grievance.items
        items = (*about.value.items, *self.task.complaint.items)[:wanted]
        return self.task.recipe.keys(about.value.order, items, self.task.world.clause), about.used

    def order(self) -> Found[str]:
        """The order complained about."""
        about = self.about()
        return Found(about.value.order, about.used)

    def verdict(self) -> Found[bool]:
        """Whether the claim is in time, the sum below the limit, the item in stock; true where nothing is checked."""
        way = self.task.recipe.settlement
        if way not in CHECKED:
            return Found(True, ())
        topic = "stock" if way is Settlement.REPLACE else way.value

        def work_out() -> Found[bool]:
            if way is Settlement.REPLACE:
                return self._in_stock()
            keys, _ = self.keys()
            limit = self.figure(keys[-1], "verdict")
            sum_due = self.due() if way is Settlement.LIMIT else self.figure(keys[-2], "verdict")
            return Found(sum_due.value.base <= limit.value.base, (*sum_due.used, *limit.used))

        def derive(slot: str) -> None:
            with self.session.acting_as(POLICY):
                order = self.order()

                def think() -> Thought:
                    found = work_out()
                    return Thought("", once((*found.used, *order.used)), Turned(topic, order.value, found.value))

                work_out()
                self.note(slot, think)

        return self.finding("verdict", lambda text: read_side(text, topic, self.language), derive,
                            lambda: work_out().value)  # fmt: skip

    def _in_stock(self) -> Found[bool]:
        about = self.about()
        item = about.value.items[0]
        for entry in self.records("check_stock"):
            units = read_units(entry.text)
            if units is not None and item in entry.text:
                return Found(units > 0, (entry.id,))
        with self.session.acting_as(POLICY):
            record = self.call(self._slot(f"stock:{item}"), "check_stock", {"item": item}, (self.goal(), *about.used))[
                0
            ]
        return Found((read_units(record.text) or 0) > 0, (record.id,))

    def check_updates(self) -> None:
        """Ask for corrections of the order, where that is asked for and has not been done, and note one that came."""
        order = self.order()
        asked = any(order.value in entry.text for entry in self.records("check_updates"))
        if not self.task.checks_updates or asked:
            return
        key = self.keys()[0][0]
        with self.session.acting_as(POLICY):
            used = (self.goal(), *order.used)
            notice = self.call(self._slot("updates"), "check_updates", {"order": order.value}, used)[0]
            if any(fact.key == key for fact in facts_in(notice, self.language)):
                self.note_figure("revised", key, notice.id, revised=True)

    def due(self) -> Found[Fact]:
        """What is due, before any cap."""
        order = self.order()
        key = Key(Attr.DUE, order.value)

        def work_out() -> tuple[Fact, tuple[str, ...]]:
            self.check_updates()
            keys, used = self.keys()
            wanted = [k for k in keys if k.attr not in (Attr.SINCE, Attr.WINDOW, Attr.LIMIT)]
            found = [self.figure(k, "due") for k in wanted]
            units = [f.value.unit for f in found if f.value.unit != "%" and f.value.unit not in SPANS]
            sum_due = self.task.recipe.due([f.value.base for f in found])
            ids = once([entry_id for f in found for entry_id in f.used])
            return Fact(key, sum_due, units[0] if units else self.task.world.currency), (*ids, *used)

        def derive(slot: str) -> None:
            with self.session.acting_as(POLICY):
                work_out()

                def think() -> Thought:
                    fact, used = work_out()
                    return Thought("", used, fact)

                self.note(slot, think)

        return self.finding(
            "due",
            lambda text: _fact(text, key, self.language),
            derive,
            lambda: work_out()[0],
            lambda one, other: one.unit == other.unit and abs(one.value - other.value) < 0.006,
        )

    def summarise(self) -> None:
        """Condense the figures into one entry."""
        keys, _ = self.keys()
        for key in keys:
            self.figure(key, "summary")
        known = [self.find(key) for key in keys]
        used = once([entry_id for found in known if found is not None for entry_id in found.used])

        def lines() -> Lines:
            found = [self.find(key) or self.figure(key, "summary") for key in keys]
            return Lines(tuple(Fact(f.value.key, f.value.value, f.value.unit) for f in found))

        self.note("summary", lambda: Thought("", used, lines()))
        self.session.forget(used)

    def backed(self) -> Found[bool]:
        """Whether two independent sources back the claim."""

        def sources() -> tuple[bool, tuple[str, ...]]:
            records = self.records("get_evidence")[:2]
            if len(records) < 2:
                with self.session.acting_as(POLICY):
                    case = self.task.world.case
                    records = self.call(self._slot("evidence"), "get_evidence", {"case": case}, (self.goal(),))
            return len({record.origin for record in records}) > 1, tuple(record.id for record in records)

        def derive(slot: str) -> None:
            with self.session.acting_as(POLICY):
                sources()

                def think() -> Thought:
                    independent, used = sources()
                    statement = Turned(
                        "support", self.task.world.case, independent, Turn.CORROBORATED, StatementRole.FACT
                    )
                    return Thought("", used, statement)

                self.note(slot, think)

        return self.finding("support", lambda text: read_side(text, "support", self.language), derive,
                            lambda: sources()[0])  # fmt: skip

    # -- the cause ----------------------------------------------------------------------------------------------------

    def cause(self) -> Found[str]:
        """The cause that the papers state; empty if they state none."""
        case = self.task.world.case

        def stated() -> tuple[str, tuple[str, ...]]:
            papers = self.records("read_paper")
            for entry in papers:
                found = read_cause(entry.text, self.language, case)
                if found:
                    return found, (entry.id,)
            return "", tuple(entry.id for entry in papers) or (self.goal(),)

        def derive(slot: str) -> None:
            def think() -> Thought:
                phrase, used = stated()
                return Thought("", used, cause_note(phrase or None, case))

            with self.session.acting_as(DIALOGUE):
                self.note(slot, think)

        return self.finding("cause", lambda text: read_cause(text, self.language, case), derive, lambda: stated()[0])


def _fact(text: str, key: Key, language: str) -> Fact | None:
    return next((fact for fact in facts_in_text(text, language) if fact.key == key and not fact.tentative), None)
