"""How the banking agent notes, looks up and reads: always through its memory as it is at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Desk, Look, Thought
from data_gen.session import OWN_SOURCES, AgentError, Session
from data_gen.tasks.banking.attributes import KIND_OF, RECORD_TOOLS, Attribute, Kind, tool_for
from data_gen.tasks.banking.environment import Bank
from data_gen.tasks.banking.judge import same_figure
from data_gen.tasks.banking.reading import figures_in, read_date, read_number
from data_gen.tasks.banking.task import BankTask
from data_gen.tasks.banking.wording import WRITERS, Figure, Key, amount_note, date_note, number_note
from mage_ml.memory.entry import MemoryEntry

USABLE_CONFIDENCE: Final = 0.5
MAX_TRIES: Final = 4
_ARGUMENTS: Final = {Kind.QUOTE: "bank", Kind.PAYEE: "name"}


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure as read from memory, and the entries used for it."""

    figure: Figure
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameReading:
    """An account number or date as read from memory, and the entries used for it."""

    text: str
    used: tuple[str, ...]


class Notebook(Desk):
    """The desk of a banking agent: it knows how to look up, note and read figures, numbers and dates."""

    def __init__(self, task: BankTask, environment: Bank, session: Session, profile: Profile) -> None:
        super().__init__(session, environment, WRITERS[task.writer], profile)
        self.task = task
        self.language = task.language
        self.labels = tuple(task.world.things)
        self.verdict_from = 0

    def forget_findings(self) -> None:
        """Have every finding derived anew."""
        super().forget_findings()
        self.verdict_from = self.fresh_from

    def arguments_for(self, label: str, attribute: Attribute) -> dict[str, JsonValue]:
        """The arguments with which something is looked up."""
        kind = KIND_OF[attribute]
        return {_ARGUMENTS.get(kind, kind.value): label}

    def find(self, key: Key, *, records_only: bool = False) -> Reading | None:
        """The newest usable statement of a figure in visible memory."""
        for entry in reversed(self.session.visible()):
            if not self._counts(entry, RECORD_TOOLS, records_only=records_only):
                continue
            for figure in figures_in(entry, self.labels, self.language):
                if figure.key == key and not figure.tentative:
                    return Reading(figure, (entry.id,))
        return None

    def figure(self, key: Key, purpose: str) -> Reading:
        """A figure, looked up where memory does not hold it, and checked as the agent's habit has it.

        Raises:
            AgentError: No tool gives it in a readable form.
        """
        for _ in range(MAX_TRIES):
            found = self.find(key)
            if found is not None:
                return self._examined(key, found, purpose)
            self.look_up(key)
        raise AgentError(f"cannot find {key}")

    def look_up(self, key: Key) -> None:
        """Query a figure, unless its record is at hand, and note it."""
        name, tool = f"{key.label}:{key.attribute.value}", tool_for(key.attribute)
        known = self.find(key, records_only=True)
        record_id = known.used[0] if known is not None else ""
        for number in range(MAX_TRIES if known is None else 0):  # a record that is being compiled is asked for again
            slot = f"record:{name}" + (f":{number + 1}" if number else "")
            used = (self.goal_id, record_id) if record_id else (self.goal_id,)
            record = self.call(slot, tool, self.arguments_for(key.label, key.attribute), used)[0]
            record_id = record.id
            if any(figure.key == key for figure in figures_in(record, self.labels, self.language)):
                break
        self.note_figure(f"note:{name}", key, record_id)

    def note_figure(self, slot: str, key: Key, record_id: str, *, revised: bool = False) -> None:
        """Note what a record says about a figure.

        Raises:
            AgentError: The record cannot be read.
        """

        def think() -> Thought:
            record = self.entry(record_id)
            stated = () if record is None else figures_in(record, self.labels, self.language)
            found = next((figure for figure in stated if figure.key == key), None)
            if found is None:
                fresh = self.find(key, records_only=True)
                if fresh is None:
                    raise AgentError(f"cannot read {key} from {record_id}")
                found = fresh.figure
            nearby = tuple(figure.value for figure in stated if figure.key != key)
            before = self._before(key, record_id) if revised else None
            note = amount_note(found, self.task.world.step, before=before, revised=revised, nearby=nearby)
            return Thought("", (record_id,), note)

        self.note(slot, think)

    def number_of(self, payee: str) -> NameReading:
        """Where a payee is paid.

        Raises:
            AgentError: The register does not say.
        """
        for _ in range(MAX_TRIES):
            for entry in reversed(self.session.visible()):
                if self._counts(entry, ("find_payee",)):
                    found = read_number(entry, payee)
                    if found is not None:
                        return self._examined_number(payee, NameReading(found, (entry.id,)))
            self.look_up_number(payee)
        raise AgentError(f"cannot find where {payee} is paid")

    def look_up_number(self, payee: str, slot: str = "") -> None:
        """Query the register of payees, and note the number."""
        name = slot or payee
        record = self.call(f"record:{name}", "find_payee", {"name": payee}, (self.goal_id,))[0]

        def think() -> Thought:
            return Thought("", (record.id,), number_note(payee, read_number(record, payee) or ""))

        self.note(f"number:{name}", think)

    def date_of(self, label: str) -> NameReading:
        """When an invoice falls due.

        Raises:
            AgentError: Its record does not say.
        """
        for _ in range(MAX_TRIES):
            for entry in reversed(self.session.visible()):
                if self._counts(entry, RECORD_TOOLS):
                    found = read_date(entry, label, self.language)
                    if found is not None:
                        return self._examined_date(label, NameReading(found, (entry.id,)))
            self._call_for_date(label)
        raise AgentError(f"cannot find when {label} falls due")

    def note_date(self, label: str) -> None:
        """Note when an invoice falls due."""

        def think() -> Thought:
            found = self._date_record(label)
            if found is None:
                raise AgentError(f"cannot read when {label} falls due")
            return Thought("", found.used, date_note(label, found.text))

        for number in range(MAX_TRIES):  # a record that is being compiled is asked for again
            if self._date_record(label) is not None:
                break
            self._call_for_date(label, number)
        self.note(f"date:{label}", think)

    def _call_for_date(self, label: str, number: int = 0) -> None:
        slot = f"record:{label}:date" + (f":{number + 1}" if number else "")
        self.call(slot, tool_for(Attribute.DATE), self.arguments_for(label, Attribute.DATE), (self.goal_id,))

    def _date_record(self, label: str) -> NameReading | None:
        for entry in reversed(self.session.visible()):
            found = read_date(entry, label, self.language) if entry.tool_name in RECORD_TOOLS else None
            if found is not None and entry.source not in OWN_SOURCES:
                return NameReading(found, (entry.id,))
        return None

    def _counts(self, entry: MemoryEntry, tools: tuple[str, ...], *, records_only: bool = False) -> bool:
        own = entry.source in OWN_SOURCES
        if entry.confidence < USABLE_CONFIDENCE or not (own or entry.tool_name in tools):
            return False
        return not (own and (records_only or self.session.distrusts_notes))

    def _before(self, key: Key, record_id: str) -> float | None:
        """What memory said of a figure before a record."""
        for entry in reversed(self.session.visible()):
            if entry.id != record_id and (entry.source in OWN_SOURCES or entry.tool_name in RECORD_TOOLS):
                for figure in figures_in(entry, self.labels, self.language):
                    if figure.key == key and not figure.tentative:
                        return figure.value
        return None

    def _examined(self, key: Key, found: Reading, purpose: str) -> Reading:
        """Compare a note with its record, as often as the habit says; the record wins."""
        entry = self.entry(found.used[0])
        name = f"{key.label}:{key.attribute.value}:{purpose}"
        if entry is None or entry.source not in OWN_SOURCES:
            return found
        look = self.looks_again(name)
        if look is Look.TRUST:
            return found
        record = None if look is Look.REQUERY else self.find(key, records_only=True)
        for number in range(MAX_TRIES if record is None else 0):
            slot = f"requery:{name}" + (f":{number + 1}" if number else "")
            arguments = self.arguments_for(key.label, key.attribute)
            self.call(slot, tool_for(key.attribute), arguments, (self.goal_id, found.used[0]))
            record = self.find(key, records_only=True)
            if record is not None:
                break
        if record is None:
            raise AgentError(f"cannot read {key} again")
        if same_figure(record.figure, found.figure):
            if self.draws(self.profile.says_so, "says_so", name):
                self.say(f"checked:{name}", "checked", (*record.used, *found.used), entity=key.label)
            return found
        self.say(f"mismatch:{name}", "mismatch", (*record.used, *found.used), entity=key.label)
        self.verdict_from = len(self.session.memory.entries())
        self.note_figure(f"fixed:{name}", key, record.used[0], revised=True)
        return self.find(key) or record

    def _examined_number(self, payee: str, found: NameReading) -> NameReading:
        entry = self.entry(found.used[0])
        if entry is None or entry.source not in OWN_SOURCES or self.looks_again(f"number:{payee}") is Look.TRUST:
            return found
        records = [(read_number(record, payee), record.id) for record in self.records("find_payee")]
        number, record_id = next((pair for pair in records if pair[0] is not None), (None, ""))
        if number is None or number == found.text:
            return found
        self.say(f"mismatch:number:{payee}", "mismatch", (record_id, *found.used), entity=payee)
        return NameReading(number, (self.state(f"fixed:number:{payee}", number_note(payee, number), (record_id,)).id,))

    def _examined_date(self, label: str, found: NameReading) -> NameReading:
        entry = self.entry(found.used[0])
        if entry is None or entry.source not in OWN_SOURCES or self.looks_again(f"date:{label}") is Look.TRUST:
            return found
        record = self._date_record(label)
        if record is None or record.text == found.text:
            return found
        self.say(f"mismatch:date:{label}", "mismatch", (*record.used, *found.used), entity=label)
        fixed = self.state(f"fixed:date:{label}", date_note(label, record.text), record.used)
        return NameReading(record.text, (fixed.id,))
