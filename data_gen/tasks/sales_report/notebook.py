"""How the sales agent notes, looks up and reads figures: always through its memory as it is at that moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.session import AgentError, Proposal, Session
from data_gen.statements import Key, Level, Statement
from data_gen.tasks.sales_report.environment import LEVEL_TOOLS, METRIC_TOOLS, SalesEnvironment
from data_gen.tasks.sales_report.judge import same_level
from data_gen.tasks.sales_report.reading import levels_in
from data_gen.tasks.sales_report.task import SalesTask
from data_gen.writers import WRITERS
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.snapshot import ActionType, PendingAction

OWN: Final = (Source.LLM_REASONING, Source.AGENT)
USABLE_CONFIDENCE: Final = 0.5
MAX_TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class Thought:
    """What the agent is about to note."""

    text: str
    used: tuple[str, ...]
    statement: Statement | None = None
    confidence: float | None = None
    obeys: tuple[str, ...] = ()
    only_examines: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure as read from memory, and the entries used for it."""

    level: Level
    used: tuple[str, ...]


class Notebook:
    """How the agent notes, looks up and reads figures. Every read goes through memory as it is at that moment."""

    def __init__(self, task: SalesTask, environment: SalesEnvironment, session: Session, profile: Profile) -> None:
        self.task = task
        self.tools = environment
        self.session = session
        self.profile = profile
        self.writer = WRITERS[task.writer]
        self.language = task.language
        self.goal_id = ""
        self.findings_from = 0
        self.verdict_from = 0
        self._calls = 0
        self._examined: set[str] = set()
        session.run_tool = self.verify
        session.on_warning = self.forget_findings

    def note(self, slot: str, think: Callable[[], Thought]) -> MemoryEntry:
        """Think, and keep the thought."""
        latest: list[Thought] = []

        def build() -> Proposal:
            thought = think()
            latest.append(thought)
            action = PendingAction(
                type=ActionType.INTERNAL_REASONING, content=thought.text, depends_on=once(thought.used)
            )
            return Proposal(action, thought.obeys, thought.only_examines)

        self.session.decide(build)
        thought = latest[-1]
        sure = round(0.66 + 0.24 * self.session.rng("confidence", slot).random(), 2)
        return self.session.remember(
            slot,
            thought.text,
            Source.LLM_REASONING,
            statement=thought.statement,
            redraw=self.writer.word,
            depends_on=thought.used,
            confidence=sure if thought.confidence is None else thought.confidence,
        )

    def say(self, slot: str, symbol: str, used: Sequence[str], **fields: str) -> MemoryEntry:
        """Note a set phrase: a remark about entries, which adopts nothing that they say."""
        text = self.writer.say(symbol, self.session.rng("say", slot), **fields)
        return self.note(slot, lambda: Thought(text, tuple(used), only_examines=True))

    def call(self, slot: str, tool: str, arguments: dict[str, JsonValue], used: Sequence[str]) -> list[MemoryEntry]:
        """Call a reading tool and keep what it returns."""
        action = PendingAction(type=self.tools.kind(tool), tool_name=tool, arguments=arguments, depends_on=once(used))
        self.session.decide(lambda: Proposal(action))
        return self._keep(slot, tool, arguments)

    def act(self, slot: str, tool: str, build: Callable[[], Proposal | None]) -> str | None:
        """Call a writing tool with arguments that are built from memory.

        Returns:
            Id of the receipt; `None` when memory no longer calls for the action.
        """
        proposal = self.session.decide(build)
        if proposal is None:
            return None
        action = proposal.action
        return self._keep(slot, tool, dict(action.arguments), action.depends_on)[0].id

    def verify(self, tool: str, arguments: dict[str, JsonValue]) -> list[MemoryEntry]:
        """Run a reading tool again because a gate asks for it; findings older than its result are derived anew."""
        self._calls += 1
        slot = f"verify:{self._calls}"
        self.forget_findings()
        try:
            if self.tools.kind(tool) is not ActionType.READ:
                raise LookupError(f"{tool} has effects; it is not run again")
            return self._keep(slot, tool, arguments)
        except LookupError as error:
            return [self.session.remember(slot, f"error: {error}", Source.TOOL, tool_name=tool, origin="runtime")]

    def forget_findings(self) -> None:
        """Have every finding derived anew."""
        self.findings_from = self.verdict_from = len(self.session.memory.entries())

    def find(self, key: Key, *, records_only: bool = False) -> Reading | None:
        """The newest usable statement of a figure in visible memory."""
        for entry in reversed(self.session.visible()):
            own = entry.source in OWN
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
            stated = Level(level.key, level.value, level.unit, revised=revised)
            return Thought(self.writer.word(stated, self.session.rng("word", slot)), (record_id,), stated)

        self.note(slot, think)

    def entry(self, entry_id: str) -> MemoryEntry | None:
        """A visible entry."""
        return next((entry for entry in self.session.visible() if entry.id == entry_id), None)

    def draws(self, chance: float, *names: str) -> bool:
        """Whether something that happens with this chance happens in this run."""
        return chance > 0 and self.session.rng(*names).random() < chance

    def _keep(
        self, slot: str, tool: str, arguments: dict[str, JsonValue], used: Sequence[str] = ()
    ) -> list[MemoryEntry]:
        kept = []
        for number, output in enumerate(self.tools.call(tool, arguments)):
            kept.append(
                self.session.remember(
                    slot if number == 0 else f"{slot}:{number + 1}",
                    output.content,
                    output.source,
                    statement=output.statement,
                    redraw=output.redraw,
                    depends_on=used,
                    tool_name=tool,
                    origin=output.origin,
                    confidence=output.confidence,
                )
            )
        return kept

    def _examined_level(self, key: Key, found: Reading, purpose: str) -> Reading:
        """Compare a note with its record, as often as the habit says; the record wins."""
        entry = self.entry(found.used[0])
        name = f"{key.entity}:{key.period}:{key.metric.value}:{purpose}"
        if entry is None or entry.source not in OWN or name in self._examined:
            return found
        self._examined.add(name)
        requery = self.draws(self.profile.requeries, "requery", name)
        if not requery and not self.draws(self.profile.rereads, "reread", name):
            return found
        record = None if requery else self.find(key, records_only=True)
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


def once(ids: Sequence[str]) -> tuple[str, ...]:
    """The ids in order, each once."""
    return tuple(dict.fromkeys(entry_id for entry_id in ids if entry_id))
