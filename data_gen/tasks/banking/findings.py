"""What the banking agent concludes: read back from its own notes, derived where they do not hold it."""

from __future__ import annotations

from dataclasses import dataclass

from data_gen.desk import Look, Thought
from data_gen.notes import Lines, Note
from data_gen.session import OWN_SOURCES, AgentError
from data_gen.tasks.banking.attributes import RECORD_TOOLS
from data_gen.tasks.banking.deeds import conclude
from data_gen.tasks.banking.judge import same_conclusion
from data_gen.tasks.banking.letters import READERS
from data_gen.tasks.banking.notebook import MAX_TRIES, Notebook, Reading
from data_gen.tasks.banking.reading import read_conclusion, read_reason, read_support
from data_gen.tasks.banking.wording import (
    Conclusion,
    Figure,
    Key,
    amount_note,
    conclusion_note,
    reason_note,
    support_note,
)
from data_gen.texts.orders import Order
from mage_ml.memory.entry import MemoryEntry


@dataclass(frozen=True, slots=True)
class Found:
    """A conclusion and the entry it was read from."""

    conclusion: Conclusion
    entry_id: str


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause, `None` for none on file, and the entries it was read from."""

    phrase: str | None
    used: tuple[str, ...]


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
            statement = Lines(tuple(self._plain(reading.figure) for reading in fresh))
            return Thought("", tuple(entry_id for reading in fresh for entry_id in reading.used), statement)

        self._readings(readings, "summary")
        self.book.note("summary", think)
        used = [self.book.entry(entry_id) for reading in readings.values() for entry_id in reading.used]
        self.book.session.forget([entry.id for entry in used if entry is not None and entry.source in OWN_SOURCES])

    def conclusion(self) -> Found | None:
        """The conclusion and the entry it was read from; `None` when figures themselves are asked for.

        Raises:
            AgentError: The conclusion cannot be read back.
        """
        kind = self.task.spec.verdict
        if kind is None:
            return None
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes(self.book.verdict_from):
                found = read_conclusion(entry.text, kind, self.book.labels, self.book.language)
                if found is not None:
                    return self._rechecked(found, entry)
            self._derive("verdict")
        raise AgentError("cannot read the conclusion back")

    def figures(self, purpose: str) -> list[Reading]:
        """The figures asked for, as memory now holds them."""
        return [self.book.figure(key, purpose) for key in self.task.keys]

    def reason(self) -> Cause:
        """The cause.

        Raises:
            AgentError: It cannot be read back.
        """
        label = self.task.keys[0].label
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes():
                found = read_reason(entry.text, label, self.book.language)
                if found is None:
                    continue
                phrase = found[0] if found else None
                if self._stated_reason().phrase != phrase and self._looks_again("reason"):
                    break
                return Cause(phrase, (entry.id,))
            self.book.note("reason", lambda: self._reason_thought(label))
        raise AgentError("cannot read the cause back")

    def support(self) -> tuple[bool, str]:
        """Whether two independent sources agree, and the entry it was read from.

        Raises:
            AgentError: It cannot be read back.
        """
        key = self.task.keys[0]
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes():
                found = read_support(entry.text, self.book.language)
                if found is None:
                    continue
                if found and self._looks_again("support") and not self._sources(key)[0]:
                    break
                return found, entry.id
            if not self.book.records("second_source"):
                self.book.call("second", "second_source", {"item": key.label}, (self.book.goal_id,))
            self.book.note("support", lambda: self._support_thought(key))
        raise AgentError("cannot read back how many sources there are")

    def orders(self) -> list[Order]:
        """The orders found in texts of others that the agent goes along with."""
        found = READERS[self.book.language].read(self.book.session.visible())
        return [order for order in found if self.book.obeys(order.kind, order.value)]

    def _derive(self, slot: str) -> None:
        readings: dict[Key, Reading] = {}

        def think() -> Thought:
            fresh = self._readings(readings, slot)
            figures = tuple(reading.figure for reading in fresh)
            found = conclude(self.task.spec, self.task.terms, figures)
            assert found is not None
            rng = self.book.session.rng("sides", slot)
            note = conclusion_note(found, figures, self.task.world.step, self.book.language, rng)
            return Thought("", tuple(entry_id for reading in fresh for entry_id in reading.used), note)

        self._readings(readings, slot)
        self.book.note(slot, think)

    def _readings(self, known: dict[Key, Reading], purpose: str) -> list[Reading]:
        """The figures asked for; those already read stand unless their entries are gone or notes are distrusted."""
        for key in self.task.keys:
            reading = known.get(key)
            gone = reading is None or any(self.book.entry(entry_id) is None for entry_id in reading.used)
            if gone or self.book.session.distrusts_notes:
                known[key] = self.book.figure(key, purpose)
        return [known[key] for key in self.task.keys]

    def _rechecked(self, found: Conclusion, entry: MemoryEntry) -> Found:
        if not self._looks_again("verdict"):
            return Found(found, entry.id)
        figures = [reading.figure for reading in self.figures("recheck")]
        expected = conclude(self.task.spec, self.task.terms, figures)
        if expected is None or same_conclusion(found, expected):
            return Found(found, entry.id)
        self.book.verdict_from = len(self.book.session.memory.entries())
        self._derive("verdict:again")
        return self.conclusion() or Found(found, entry.id)

    def _looks_again(self, what: str) -> bool:
        """Once per finding, as often as the habit says."""
        return self.book.looks_again(what) is not Look.TRUST

    def _plain(self, figure: Figure) -> Note:
        return amount_note(Figure(figure.key, figure.value, figure.unit), self.task.world.step)

    def _stated_reason(self) -> Cause:
        label = self.task.keys[0].label
        letters = [entry for entry in self.book.session.visible() if entry.tool_name == "read_letter"]
        for entry in letters:
            found = read_reason(entry.text, label, self.book.language)
            if found:
                return Cause(found[0], (entry.id,))
        return Cause(None, tuple(entry.id for entry in letters) or (self.book.goal_id,))

    def _reason_thought(self, label: str) -> Thought:
        cause = self._stated_reason()
        return Thought("", cause.used, reason_note(label, cause.phrase))

    def _sources(self, key: Key) -> tuple[bool, tuple[str, ...]]:
        """Whether the records of a figure come from different places, and which they are."""
        visible = self.book.session.visible()
        first = [entry for entry in visible if entry.tool_name in RECORD_TOOLS and key.label in entry.text]
        if not first:
            self.book.look_up(key)
            return self._sources(key)
        second = self.book.records("second_source")
        if not second:
            raise AgentError("a source is missing")
        return first[0].origin != second[0].origin, (first[0].id, second[0].id)

    def _support_thought(self, key: Key) -> Thought:
        independent, used = self._sources(key)
        return Thought("", used, support_note(key.label, independent=independent))
