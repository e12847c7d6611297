"""How the sales agent notes, looks up and reads figures: always through its memory as it is at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from data_gen.agents import Profile
from data_gen.desk import Desk, Look, Thought
from data_gen.session import OWN_SOURCES, AgentError, Session
from data_gen.tasks.sales_report.environment import LEVEL_TOOLS, METRIC_TOOLS, SalesEnvironment
from data_gen.tasks.sales_report.judge import same_level
from data_gen.tasks.sales_report.reading import levels_in
from data_gen.tasks.sales_report.statements import Key, Level
from data_gen.tasks.sales_report.task import SalesTask
from data_gen.tasks.sales_report.wording import WRITERS

USABLE_CONFIDENCE: Final = 0.5
MAX_TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure as read from memory, and the entries used for it."""

    level: Level
    used: tuple[str, ...]


class Notebook(Desk):
    """The desk of a sales agent: it knows how to look up, note and read figures."""

    def __init__(self, task: SalesTask, environment: SalesEnvironment, session: Session, profile: Profile) -> None:
        super().__init__(session, environment, WRITERS[task.writer], profile)
        self.task = task
        self.tools = environment
        self.language = task.language
        self.verdict_from = 0

    def forget_findings(self) -> None:
        """Have every finding derived anew."""
        super().forget_findings()
        self.verdict_from = self.fresh_from

    def find(self, key: Key, *, records_only: bool = False) -> Reading | None:
        """The newest usable statement of a figure in visible memory."""
        for entry in reversed(self.session.visible()):
            own = entry.source in OWN_SOURCES
            if entry.confidence < USABLE_CONFIDENCE or not (own or entry.tool_name in LEVEL_TOOLS):
                continue
            if own and (records_only or self.session.distrusts_notes):
                continue
            for level in levels_in(entry, self.language):
                if level.key == key and not level.tentative:
                    return Reading(level, (entry.id,))
        return None

    def level(self, key: Key, purpose: str) -> Reading:
        """A figure, looked up where memory does not hold it, and checked as the agent's habit has it.

        Raises:
            AgentError: No tool gives it in a readable form.
        """
        for _ in range(MAX_TRIES):
            found = self.find(key)
            if found is not None:
                return self._examined_level(key, found, purpose)
            self.look_up(key)
        raise AgentError(f"cannot find {key}")

    def look_up(self, key: Key) -> None:
        """Query a figure and note it."""
        tool = METRIC_TOOLS[key.metric]
        name = f"{key.entity}:{key.period}:{key.metric.value}"
        records = self.call(f"record:{name}", tool, self.tools.arguments_for(key), (self.goal_id,))
        for number in range(MAX_TRIES):  # a ledger that is still being compiled says so; it is asked again
            if any(level.key == key for level in levels_in(records[0], self.language)):
                break
            slot = f"record:{name}:{number + 2}"
            records = self.call(slot, tool, self.tools.arguments_for(key), (self.goal_id, records[0].id))
        self.note_level(f"note:{name}", key, records[0].id)

    def note_level(self, slot: str, key: Key, record_id: str, *, revised: bool = False) -> None:
        """Note what a record says about a figure.

        Raises:
            AgentError: The record cannot be read.
        """

        def think() -> Thought:
            record = self.entry(record_id)
            level = (
                None if record is None else next((v for v in levels_in(record, self.language) if v.key == key), None)
            )
            if level is None:
                fresh = self.find(key, records_only=True)
                if fresh is None:
                    raise AgentError(f"cannot read {key} from {record_id}")
                level = fresh.level
            nearby = () if record is None else tuple(v.value for v in levels_in(record, self.language) if v.key != key)
            before = self._before(key, record_id) if revised else None
            stated = Level(level.key, level.value, level.unit, revised=revised, before=before, nearby=nearby)
            return Thought("", (record_id,), stated)

        self.note(slot, think)

    def _before(self, key: Key, record_id: str) -> float | None:
        """What memory said of a figure before a record."""
        for entry in reversed(self.session.visible()):
            if entry.id != record_id and (entry.source in OWN_SOURCES or entry.tool_name in LEVEL_TOOLS):
                for level in levels_in(entry, self.language):
                    if level.key == key and not level.tentative:
                        return level.value
        return None

    def _examined_level(self, key: Key, found: Reading, purpose: str) -> Reading:
        """Compare a note with its record, as often as the habit says; the record wins."""
        entry = self.entry(found.used[0])
        name = f"{key.entity}:{key.period}:{key.metric.value}:{purpose}"
        if entry is None or entry.source not in OWN_SOURCES:
            return found
        look = self.looks_again(name)
        if look is Look.TRUST:
            return found
        record = None if look is Look.REQUERY else self.find(key, records_only=True)
        if record is None:
            tool = METRIC_TOOLS[key.metric]
            self.call(f"requery:{name}", tool, self.tools.arguments_for(key), (self.goal_id, found.used[0]))
            record = self.find(key, records_only=True)
        if record is None:
            raise AgentError(f"cannot read {key} again")
        fields = {"entity": key.entity, "period": self.writer.period(key.period, self.session.rng("period", name))}
        if same_level(record.level, found.level):
            if self.draws(self.profile.says_so, "says_so", name):
                self.say(f"checked:{name}", "checked", (*record.used, *found.used), **fields)
            return found
        self.say(f"mismatch:{name}", "mismatch", (*record.used, *found.used), **fields)
        self.verdict_from = len(self.session.memory.entries())
        self.note_level(f"fixed:{name}", key, record.used[0], revised=True)
        return self.find(key) or record
