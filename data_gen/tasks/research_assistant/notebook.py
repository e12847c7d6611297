"""How the research agent looks up, notes and reads figures: always through its memory as it is at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Desk, Look, Thought
from data_gen.session import OWN_SOURCES, AgentError, Session
from data_gen.tasks.research_assistant.environment import ResearchDesk
from data_gen.tasks.research_assistant.judge import same_value
from data_gen.tasks.research_assistant.reading import figures_in
from data_gen.tasks.research_assistant.statements import Figure, Key, Mood, finding
from data_gen.tasks.research_assistant.task import ResearchTask
from data_gen.tasks.research_assistant.wording import WRITERS
from mage_ml.memory.entry import MemoryEntry

USABLE_CONFIDENCE: Final = 0.5
MAX_TRIES: Final = 4
FIGURE_TOOLS: Final = ("read_study", "lookup_table", "check_citation")


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure as read from memory, and the entries used for it."""

    figure: Figure
    used: tuple[str, ...]


class Notebook(Desk):
    """The desk of a research agent: it knows how to look up, note and read figures."""

    def __init__(self, task: ResearchTask, desk: ResearchDesk, session: Session, profile: Profile) -> None:
        super().__init__(session, desk, WRITERS[task.writer], profile)
        self.task = task
        self.language = task.language
        self.measure = task.world.topic.measure
        self.verdict_from = 0

    def forget_findings(self) -> None:
        """Have every finding derived anew."""
        super().forget_findings()
        self.verdict_from = self.fresh_from

    def find(self, key: Key, *, records_only: bool = False) -> Reading | None:
        """The newest usable statement of a figure in visible memory."""
        for entry in reversed(self.session.visible()):
            own = entry.source in OWN_SOURCES
            if entry.confidence < USABLE_CONFIDENCE or not (own or entry.tool_name in FIGURE_TOOLS):
                continue
            if own and (records_only or self.session.distrusts_notes):
                continue
            for figure in figures_in(entry, self.language):
                if figure.key == key and not figure.tentative:
                    return Reading(figure, (entry.id,))
        return None

    def reading(self, key: Key, purpose: str) -> Reading:
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
        """Get a figure's record, unless memory holds one that can be read, and note the figure."""
        known = self.find(key, records_only=True)
        record_id = known.used[0] if known is not None else self._record(key).id
        self.note_figure(f"note:{self._name(key)}", key, record_id)

    def _record(self, key: Key) -> MemoryEntry:
        """The record of a figure; what arrives illegible is asked for once more."""
        slot = f"record:{self._name(key)}"
        record = self.query(slot, key)
        if any(figure.key == key for figure in figures_in(record, self.language)):
            return record
        return self.query(f"{slot}:2", key, (record.id,))

    def query(self, slot: str, key: Key, used: tuple[str, ...] = ()) -> MemoryEntry:
        """Run the tool that gives a figure."""
        tool = "lookup_table" if self.task.recipe.table else "read_study"
        return self.call(slot, tool, self.arguments_for(key), (self.goal_id, *used))[0]

    def arguments_for(self, key: Key) -> dict[str, JsonValue]:
        """The arguments with which a figure is looked up."""
        return {"study": key.study, "group": key.group} if self.task.recipe.table else {"study": key.study}

    def note_figure(self, slot: str, key: Key, record_id: str, *, revised: bool = False) -> None:
        """Note what a record says about a figure.

        Raises:
            AgentError: The record cannot be read.
        """

        def think() -> Thought:
            record = self.entry(record_id)
            figures = () if record is None else figures_in(record, self.language)
            figure = next((found for found in figures if found.key == key), None)
            if figure is None:
                fresh = self.find(key, records_only=True)
                if fresh is None:
                    raise AgentError(f"cannot read {key} from {record_id}")
                figure = fresh.figure
            nearby = tuple(found.value for found in figures if found.key != key)
            mood = Mood.REVISED if revised else Mood.FINDING
            before = self._before(key, record_id) if revised else None
            return Thought("", (record_id,), finding(figure, self.measure, mood, before=before, nearby=nearby))

        self.note(slot, think)

    def _before(self, key: Key, record_id: str) -> float | None:
        """What memory said of a figure before a record."""
        for entry in reversed(self.session.visible()):
            if entry.id != record_id and (entry.source in OWN_SOURCES or entry.tool_name in FIGURE_TOOLS):
                for figure in figures_in(entry, self.language):
                    if figure.key == key and not figure.tentative:
                        return figure.value
        return None

    def _examined(self, key: Key, found: Reading, purpose: str) -> Reading:
        """Compare a note with its record, as often as the habit says; the record wins."""
        entry, name = self.entry(found.used[0]), f"{self._name(key)}:{purpose}"
        if entry is None or entry.source not in OWN_SOURCES:
            return found
        look = self.looks_again(name)
        if look is Look.TRUST:
            return found
        record = None if look is Look.REQUERY else self.find(key, records_only=True)
        if record is None:
            self.query(f"requery:{name}", key, found.used)
            record = self.find(key, records_only=True)
        if record is None:
            raise AgentError(f"cannot read {key} again")
        fields = {"study": key.study, "group": key.group}
        if same_value(record.figure, found.figure):
            if self.draws(self.profile.says_so, "says_so", name):
                self.say(f"checked:{name}", "checked", (*record.used, *found.used), **fields)
            return found
        self.say(f"mismatch:{name}", "mismatch", (*record.used, *found.used), **fields)
        self.verdict_from = len(self.session.memory.entries())
        self.note_figure(f"fixed:{name}", key, record.used[0], revised=True)
        return self.find(key) or record

    @staticmethod
    def _name(key: Key) -> str:
        return f"{key.study}:{key.group}:{key.aspect.value}"
