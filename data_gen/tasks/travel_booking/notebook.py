"""How the travel agent notes, looks up and reads values: always through its memory as it is at that moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from data_gen.agents import Profile
from data_gen.desk import Desk, Look, Thought
from data_gen.session import OWN_SOURCES, AgentError, Session
from data_gen.tasks.travel_booking.environment import TravelEnvironment
from data_gen.tasks.travel_booking.judge import same_fact
from data_gen.tasks.travel_booking.reading import facts_in
from data_gen.tasks.travel_booking.shapes import Aim
from data_gen.tasks.travel_booking.statements import Fact, Key, Measure
from data_gen.tasks.travel_booking.systems import FACT_TOOLS, query_of
from data_gen.tasks.travel_booking.task import TravelTask
from data_gen.tasks.travel_booking.wording import WRITERS, word_item
from mage_ml.memory.entry import MemoryEntry

USABLE_CONFIDENCE: Final = 0.5
MAX_TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """A value as read from memory, and the entries used for it."""

    fact: Fact
    used: tuple[str, ...]


class Notebook(Desk):
    """The desk of a travel agent: it knows how to look up, note and read values."""

    def __init__(self, task: TravelTask, environment: TravelEnvironment, session: Session, profile: Profile) -> None:
        super().__init__(session, environment, WRITERS[task.writer], profile)
        self.task = task
        self.language = task.language
        self.verdicts_from = 0

    def forget_findings(self) -> None:
        """Have every finding derived anew."""
        super().forget_findings()
        self.verdicts_from = self.fresh_from

    def doubt_verdicts(self) -> None:
        """Have conclusions derived anew, from the values as they are noted now."""
        self.verdicts_from = len(self.session.memory.entries())

    def find(self, key: Key, *, records_only: bool = False) -> Reading | None:
        """The newest usable statement of a value in visible memory."""
        for entry in reversed(self.session.visible()):
            own = entry.source in OWN_SOURCES
            if entry.confidence < USABLE_CONFIDENCE or not (own or entry.tool_name in FACT_TOOLS):
                continue
            if own and (records_only or self.session.distrusts_notes):
                continue
            for fact in facts_in(entry, self.language):
                if fact.key == key and not fact.tentative:
                    return Reading(fact, (entry.id,))
        return None

    def value(self, key: Key, purpose: str) -> Reading:
        """A value, looked up where memory does not hold it, and checked as the agent's habit has it.

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
        """Query a value and note it, unless a record that shows it is still there."""
        name = slot_of(key)
        known = self.find(key, records_only=True)
        if known is not None and self.find(key) == known and not self.session.distrusts_notes:
            self.note_value(f"note:{name}", key, known.used[0])
            return
        records = self._query(f"record:{name}", key, (self.goal_id,))
        self.note_value(f"note:{name}", key, records[0].id)

    def _query(self, slot: str, key: Key, used: tuple[str, ...]) -> list[MemoryEntry]:
        """Ask the system that knows a value; while it is still refreshing its prices, ask again."""
        tool, arguments = query_of(key)
        records = self.call(slot, tool, arguments, used)
        for number in range(MAX_TRIES):
            if any(fact.key == key for fact in facts_in(records[0], self.language)):
                break
            records = self.call(f"{slot}:{number + 2}", tool, arguments, (*used, records[0].id))
        return records

    def note_value(self, slot: str, key: Key, record_id: str, *, revised: bool = False) -> None:
        """Note what a record says.

        Raises:
            AgentError: The record cannot be read.
        """

        def think() -> Thought:
            record = self.entry(record_id)
            shown = () if record is None else facts_in(record, self.language)
            fact = next((fact for fact in shown if fact.key == key), None)
            if fact is None:
                fresh = self.find(key, records_only=True)
                if fresh is None:
                    raise AgentError(f"cannot read {key} from {record_id}")
                fact = fresh.fact
            nearby = self._nearby(key, fact.unit, shown)
            before = self._before(key, record_id) if revised else None
            swaps = self.task.shape.picks
            return Thought(
                "",
                (record_id,),
                Fact(key, fact.value, fact.unit, revised=revised, before=before, nearby=nearby, can_swap=swaps),
            )

        self.note(slot, think)

    def _nearby(self, key: Key, unit: str, shown: Sequence[Fact]) -> tuple[float, ...]:
        """Other numbers of a record that could be taken for the right one, and would leave something to act on."""
        if self.task.shape.aim in (Aim.REFUND, Aim.REFUND_IF) and key.measure in (Measure.PAID, Measure.FEE):
            return ()
        return tuple(other.value for other in shown if other.key != key and other.unit == unit)

    def _before(self, key: Key, record_id: str) -> float | None:
        """What memory said of a value before a record."""
        for entry in reversed(self.session.visible()):
            if entry.id != record_id and (entry.source in OWN_SOURCES or entry.tool_name in FACT_TOOLS):
                for fact in facts_in(entry, self.language):
                    if fact.key == key and not fact.tentative:
                        return fact.value
        return None

    def _examined(self, key: Key, found: Reading, purpose: str) -> Reading:
        """Compare a note with its record, as often as the habit says; the record wins."""
        entry = self.entry(found.used[0])
        name = f"{slot_of(key)}:{purpose}"
        if entry is None or entry.source not in OWN_SOURCES:
            return found
        look = self.looks_again(name)
        if look is Look.TRUST:
            return found
        record = None if look is Look.REQUERY else self.find(key, records_only=True)
        if record is None:
            self._query(f"requery:{name}", key, (self.goal_id, found.used[0]))
            record = self.find(key, records_only=True)
        if record is None:
            raise AgentError(f"cannot read {key} again")
        item = word_item(key, self.writer, self.session.rng("item", name))
        if same_fact(record.fact, found.fact):
            if self.draws(self.profile.says_so, "says_so", name):
                self.say(f"checked:{name}", "checked", (*record.used, *found.used), item=item)
            return found
        self.say(f"mismatch:{name}", "mismatch", (*record.used, *found.used), item=item)
        self.doubt_verdicts()
        self.note_value(f"fixed:{name}", key, record.used[0], revised=True)
        return self.find(key) or record


def slot_of(key: Key) -> str:
    """The name of a key in slots."""
    return f"{key.subject}:{key.measure.value}" + (f":{key.day}" if key.day else "")
