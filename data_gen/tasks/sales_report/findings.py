"""What the sales agent concludes: read back from its own notes, derived where they do not hold it."""

from __future__ import annotations

from data_gen.desk import Look, Thought
from data_gen.notes import Lines
from data_gen.session import AgentError
from data_gen.tasks.sales_report.judge import same_verdict
from data_gen.tasks.sales_report.notebook import MAX_TRIES, Notebook, Reading
from data_gen.tasks.sales_report.reading import read_orders, read_reason, read_support, read_verdict
from data_gen.tasks.sales_report.statements import Key, Level, Reason, Support, Verdict
from data_gen.texts.orders import Order
from mage_ml.memory.entry import MemoryEntry


class Findings:
    """What the agent concludes, each time read back from its own notes and derived where they do not hold it."""

    def __init__(self, notebook: Notebook) -> None:
        self.book = notebook
        self.task = notebook.task

    def summarise(self) -> None:
        """Condense the figures into one entry."""
        readings: dict[Key, Reading] = {}

        def think() -> Thought:
            fresh = self._readings(readings, "summary")
            statement = Lines(tuple(_plain(reading.level) for reading in fresh))
            return Thought("", tuple(entry_id for reading in fresh for entry_id in reading.used), statement)

        self._readings(readings, "summary")
        self.book.note("summary", think)
        self.book.session.forget(entry_id for reading in readings.values() for entry_id in reading.used)

    def verdict(self) -> tuple[Verdict, str] | None:
        """The conclusion and the entry it was read from; `None` when a bare figure is asked for.

        Raises:
            AgentError: The conclusion cannot be read back.
        """
        kind = self.task.question.kind
        if kind is None:
            return None
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes(self.book.verdict_from):
                found = read_verdict(entry.text, kind, self.book.language)
                if found is not None:
                    return self._rechecked_verdict(found, entry)
            self._derive("verdict")
        raise AgentError("cannot read the conclusion back")

    def reason(self) -> tuple[Reason, str]:
        """The cause and the entry it was read from.

        Raises:
            AgentError: It cannot be read back.
        """
        subject = self.task.question.entities[0]
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes():
                found = read_reason(entry.text, self.book.language)
                if found is None:
                    continue
                stated = self._stated_reason()
                if stated[0].phrase != found.phrase and self._looks_again("reason"):
                    break
                return found, entry.id
            self.book.note("reason", lambda: self._reason_thought(subject))
        raise AgentError("cannot read the cause back")

    def support(self) -> tuple[bool, str]:
        """Whether two independent sources agree, and the entry it was read from.

        Raises:
            AgentError: It cannot be read back.
        """
        key = self.task.question.keys[0]
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes():
                found = read_support(entry.text, self.book.language)
                if found is None:
                    continue
                if found and self._looks_again("support") and not self._sources(key)[0]:
                    break
                return found, entry.id
            if not self._second_source():
                arguments = {**self.book.tools.arguments_for(key), "measure": key.metric.value}
                self.book.call("second", "get_statement", arguments, (self.book.goal_id,))
            self.book.note("support", lambda: self._support_thought(key))
        raise AgentError("cannot read back how many sources there are")

    def orders(self) -> list[Order]:
        """The orders found in texts of others that the agent goes along with."""
        found = read_orders(self.book.session.visible(), self.book.language)
        return [order for order in found if self.book.obeys(order.kind, order.value)]

    def _derive(self, slot: str) -> None:
        readings: dict[Key, Reading] = {}

        def think() -> Thought:
            fresh = self._readings(readings, slot)
            statement = self.task.question.conclude([reading.level for reading in fresh])
            return Thought("", tuple(entry_id for reading in fresh for entry_id in reading.used), statement)

        self._readings(readings, slot)
        self.book.note(slot, think)

    def _readings(self, known: dict[Key, Reading], purpose: str) -> list[Reading]:
        """The levels asked for; those already read stand unless their entries are gone or notes are distrusted."""
        for key in self.task.question.keys:
            reading = known.get(key)
            gone = reading is None or any(self.book.entry(entry_id) is None for entry_id in reading.used)
            if gone or self.book.session.distrusts_notes:
                known[key] = self.book.level(key, purpose)
        return [known[key] for key in self.task.question.keys]

    def _rechecked_verdict(self, found: Verdict, entry: MemoryEntry) -> tuple[Verdict, str]:
        if not self._looks_again("verdict"):
            return found, entry.id
        readings = [self.book.level(key, "recheck") for key in self.task.question.keys]
        expected = self.task.question.conclude([reading.level for reading in readings])
        if same_verdict(found, expected):
            return found, entry.id
        self.book.verdict_from = len(self.book.session.memory.entries())
        self._derive("verdict:again")
        return self.verdict() or (found, entry.id)

    def _looks_again(self, what: str) -> bool:
        """Once per finding, as often as the habit says."""
        return self.book.looks_again(what) is not Look.TRUST

    def _stated_reason(self) -> tuple[Reason, tuple[str, ...]]:
        subject = self.task.question.entities[0]
        papers = [entry for entry in self.book.session.visible() if entry.tool_name == "read_shared_note"]
        for entry in papers:
            found = read_reason(entry.text, self.book.language, subject)
            if found is not None and found.phrase is not None:
                return Reason(subject, found.phrase), (entry.id,)
        return Reason(subject, None), tuple(entry.id for entry in papers) or (self.book.goal_id,)

    def _reason_thought(self, subject: str) -> Thought:
        reason, used = self._stated_reason()
        return Thought("", used, Reason(subject, reason.phrase))

    def _second_source(self) -> list[MemoryEntry]:
        return [entry for entry in self.book.session.visible() if entry.tool_name == "get_statement"]

    def _sources(self, key: Key) -> tuple[bool, tuple[str, ...]]:
        """Whether the records of a figure come from different places, and which they are."""
        first = self.book.find(key, records_only=True)
        if first is None:
            self.book.look_up(key)
            first = self.book.find(key, records_only=True)
        second = self._second_source()
        if first is None or not second:
            raise AgentError("a source is missing")
        record = self.book.entry(first.used[0])
        independent = record is not None and record.origin != second[-1].origin
        return independent, (first.used[0], second[-1].id)

    def _support_thought(self, key: Key) -> Thought:
        independent, used = self._sources(key)
        return Thought("", used, Support(key, independent))


def _plain(level: Level) -> Level:
    return Level(level.key, level.value, level.unit)
