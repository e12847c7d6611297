"""How the agents of a case share memory: reading back, recalling the next day, checking, looking up figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Desk, Look, Thought
from data_gen.session import OWN_SOURCES, AgentError, Session
from data_gen.tasks.refund_service.attributes import SPANS, TOOL_OF, Attr, Key
from data_gen.tasks.refund_service.environment import RefundEnvironment
from data_gen.tasks.refund_service.reading import RECORD_TOOLS, facts_in
from data_gen.tasks.refund_service.statements import Fact
from data_gen.tasks.refund_service.task import RefundTask
from data_gen.tasks.refund_service.wording import WRITERS
from mage_ml.memory.entry import MemoryEntry, Source

USABLE_CONFIDENCE: Final = 0.5
MAX_TRIES: Final = 5
SENTIMENT: Final = "sentiment_agent"
POLICY: Final = "policy_agent"
DIALOGUE: Final = "dialogue_agent"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Found(Generic[_T]):
    """What was read from memory, and the entries used for it."""

    value: _T
    used: tuple[str, ...]


class CaseDesk(Desk):
    """The shared desk of the agents of a case."""

    def __init__(self, task: RefundTask, environment: RefundEnvironment, session: Session, profile: Profile) -> None:
        super().__init__(session, environment, WRITERS[task.writer], profile)
        self.task = task
        self.language = task.language
        self._recalls = 0
        self._renewed = 0

    def notes(self) -> Iterator[MemoryEntry]:
        """What the agents noted or told each other, newest first; recalled notes included."""
        for entry in reversed(self.session.visible()):
            if entry.step >= self.fresh_from and is_note(entry):
                yield entry

    def read(self, parse: Callable[[str], _T | None]) -> Found[_T] | None:
        """The newest note that a parser understands; on a later day one that can be recalled."""
        for entry in self.notes():
            found = parse(entry.text)
            if found is not None:
                return Found(found, (entry.id,))
        recalled = self._stored(lambda stored: parse(stored.text) is not None)
        found = None if recalled is None else parse(recalled.text)
        return None if recalled is None or found is None else Found(found, (recalled.id,))

    def held(self, entry_id: str) -> MemoryEntry | None:
        """An entry in the context, or what was recalled of it, or else recalled now; `None` if it is gone."""
        for entry in reversed(self.session.visible()):
            if entry.id == entry_id or (is_recalled(entry) and entry.depends_on == (entry_id,)):
                return entry
        stored = next((entry for entry in self.session.stored() if entry.id == entry_id), None)
        return None if stored is None else self._recall(stored)

    def finding(
        self,
        what: str,
        parse: Callable[[str], _T | None],
        derive: Callable[[str], object],
        expected: Callable[[], _T],
        same: Callable[[_T, _T], bool] = lambda one, other: one == other,
    ) -> Found[_T]:
        """What the notes say on something: derived where they say nothing, checked as the habit has it.

        Args:
            what: Name of the finding.
            parse: Reads it from a note.
            derive: Notes it under a slot.
            expected: Works it out from its sources.
            same: Whether two findings agree.

        Raises:
            AgentError: It cannot be read back.
        """
        for _ in range(MAX_TRIES):
            found = self.read(parse)
            if found is None:
                derive(self._slot(what))
                continue
            if self.looks_again(what) is Look.TRUST or same(found.value, expected()):
                return found
            self.say(f"mismatch:{what}", "mismatch", found.used, what=self.task.world.case)
            derive(self._slot(what))
        raise AgentError(f"cannot read {what} back")

    def _slot(self, what: str) -> str:
        """The slot of a first note is its name; later ones are numbered."""
        taken = {write.slot for write in self.session.writes}
        if what not in taken:
            return what
        self._renewed += 1
        return f"again:{what}:{self._renewed}"

    # -- figures ----------------------------------------------------------------------------------------------------

    def find(self, key: Key, *, records_only: bool = False) -> Found[Fact] | None:
        """The newest usable statement of a figure."""

        def usable(entry: MemoryEntry) -> Fact | None:
            own = is_note(entry)
            if entry.confidence < USABLE_CONFIDENCE or not (own or entry.tool_name in RECORD_TOOLS):
                return None
            if own and (records_only or self.session.distrusts_notes):
                return None
            return next((f for f in facts_in(entry, self.language) if f.key == key and not f.tentative), None)

        for entry in reversed(self.session.visible()):
            fact = usable(entry)
            if fact is not None:
                return Found(fact, (entry.id,))
        stored = None if records_only else self._stored(lambda found: usable(found) is not None)
        fact = None if stored is None else usable(stored)
        return None if stored is None or fact is None else Found(fact, (stored.id,))

    def noted(self, key: Key) -> bool:
        """Whether a note, not only a record, states a figure as settled."""
        found = self.find(key)
        entry = None if found is None else self.entry(found.used[0])
        return entry is not None and is_note(entry)

    def figure(self, key: Key, purpose: str = "use") -> Found[Fact]:
        """A figure, looked up where memory does not hold it, and checked as the habit has it.

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
        with self.session.acting_as(POLICY):
            record = self.find(key, records_only=True)
            if record is None:
                self._query(key, f"record:{key.attr}:{key.subject}", (self.goal_id,))
                record = self.find(key, records_only=True)
            if record is not None:
                self.note_figure(f"note:{key.attr}:{key.subject}", key, record.used[0])

    def arguments_for(self, key: Key) -> dict[str, JsonValue]:
        """The arguments with which a figure is looked up."""
        tool = TOOL_OF[key.attr]
        if tool == "get_clause":
            return {"clause": key.subject}
        if tool == "get_offer":
            return {"item": key.subject}
        order = key.subject
        if key.attr is Attr.PRICE:
            purchases = self.task.world.purchases
            order = next((found.order for found in purchases if key.subject in found.items), order)
        return {"order": order}

    def note_figure(self, slot: str, key: Key, record_id: str, *, revised: bool = False) -> None:
        """Note what a record says about a figure.

        Raises:
            AgentError: The record cannot be read.
        """

        def think() -> Thought:
            record = self.held(record_id)
            stated = () if record is None else facts_in(record, self.language)
            fact = next((found for found in stated if found.key == key), None)
            if fact is None:
                fresh = self.find(key, records_only=True)
                if fresh is None:
                    raise AgentError(f"cannot read {key} from {record_id}")
                fact = fresh.value
            nearby = tuple(f.value for f in stated if f.key != key and f.unit == fact.unit)
            before = self._before(key, record_id) if revised else None
            return Thought("", (record_id,), Fact(key, fact.value, fact.unit, revised=revised, before=before,
                                                  nearby=nearby))  # fmt: skip

        self.note(self._slot(slot), think)

    def _before(self, key: Key, record_id: str) -> float | None:
        """What memory said of a figure before a record."""
        for entry in reversed(self.session.visible()):
            if entry.id != record_id and (is_note(entry) or entry.tool_name in RECORD_TOOLS):
                for fact in facts_in(entry, self.language):
                    if fact.key == key and not fact.tentative:
                        return fact.value
        return None

    def _query(self, key: Key, slot: str, used: tuple[str, ...]) -> None:
        """Run the tool that gives a figure; a busy system is asked again."""
        tool = TOOL_OF[key.attr]
        for number in range(MAX_TRIES):
            name = self._slot(slot if number == 0 else f"{slot}:{number + 1}")
            record = self.call(name, tool, self.arguments_for(key), used)[0]
            if any(fact.key == key for fact in facts_in(record, self.language)):
                return
            used = (self.goal_id, record.id)

    def _examined(self, key: Key, found: Found[Fact], purpose: str) -> Found[Fact]:
        """Compare a note with its record, as often as the habit says; the record wins."""
        entry, name = self.entry(found.used[0]), f"{key.attr}:{key.subject}:{purpose}"
        look = Look.TRUST if entry is None or not is_note(entry) else self.looks_again(name)
        if look is Look.TRUST:
            return found
        with self.session.acting_as(POLICY):
            record = None if look is Look.REQUERY else self.find(key, records_only=True)
            if record is None:
                self._query(key, f"requery:{name}", (self.goal_id, *found.used))
                record = self.find(key, records_only=True)
            if record is None:
                raise AgentError(f"cannot read {key} again")
            if same_fact(record.value, found.value):
                if self.draws(self.profile.says_so, "says_so", name):
                    self.say(self._slot(f"checked:{name}"), "checked", (*record.used, *found.used), what=key.subject)
                return found
            self.say(self._slot(f"mismatch:{name}"), "mismatch", (*record.used, *found.used), what=key.subject)
            self.note_figure(f"fixed:{name}", key, record.used[0], revised=True)
        return self.find(key) or record

    # -- the next day -----------------------------------------------------------------------------------------------

    def _stored(self, fits: Callable[[MemoryEntry], bool]) -> MemoryEntry | None:
        """On a later day: the newest stored note that fits, recalled."""
        if self.session.sitting == 1 or self.session.distrusts_notes:
            return None
        for entry in reversed(self.session.stored()):
            if entry.source in OWN_SOURCES and entry.step >= self.fresh_from and fits(entry):
                return self._recall(entry)
        return None

    def _recall(self, entry: MemoryEntry) -> MemoryEntry:
        self._recalls += 1
        return self.session.recall(f"recall:{self._recalls}", entry)


def is_recalled(entry: MemoryEntry) -> bool:
    """Whether an entry brings back something of the agents' own memory."""
    return entry.tool_name == "search_memory" and not (entry.origin or "").startswith("memory:")


def is_note(entry: MemoryEntry) -> bool:
    """Whether an agent wrote it, now or the day before."""
    if entry.source in OWN_SOURCES:
        return True
    return entry.source is Source.RETRIEVED and (entry.origin or "").startswith("own memory")


def same_fact(one: Fact, other: Fact) -> bool:
    """Whether two statements of a figure agree."""
    alike = one.unit == other.unit or (one.unit in SPANS and other.unit in SPANS)
    return alike and math.isclose(one.base, other.base, rel_tol=1e-4, abs_tol=0.006)
