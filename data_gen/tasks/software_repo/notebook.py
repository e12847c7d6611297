"""How the repository agent looks up, notes, reads back and concludes: always through its memory as it is then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from data_gen.agents import Profile
from data_gen.desk import Desk, Look, Thought, once
from data_gen.notes import Lines
from data_gen.session import OWN_SOURCES, AgentError, Session
from data_gen.statements import Statement
from data_gen.tasks.software_repo.attributes import MEANINGS
from data_gen.tasks.software_repo.attributes import Measure as MeasureKind
from data_gen.tasks.software_repo.findings import Amount, Finding, Stage, Value
from data_gen.tasks.software_repo.forge import Forge
from data_gen.tasks.software_repo.judge import same_value
from data_gen.tasks.software_repo.nouns import NameKind, find_names
from data_gen.tasks.software_repo.reading import neighbours, read_finding, read_record
from data_gen.tasks.software_repo.recipes import Infer, Job, conclude
from data_gen.tasks.software_repo.recipes import Look as LookUp
from data_gen.tasks.software_repo.task import RepoTask
from data_gen.tasks.software_repo.tools import SHELVES
from data_gen.tasks.software_repo.wording import BRIEF_LEADS, WRITERS
from data_gen.texts.names import person_in
from mage_ml.memory.entry import MemoryEntry

USABLE_CONFIDENCE: Final = 0.5
MAX_TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """A value as read from memory, and the entries used for it."""

    value: Value
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A name as the agent understands its task, and the entry that it has it from."""

    text: str
    used: str


class Notebook(Desk):
    """The desk of a repository agent: it knows how to look up, note and read findings."""

    def __init__(self, task: RepoTask, environment: Forge, session: Session, profile: Profile) -> None:
        super().__init__(session, environment, WRITERS[task.writer], profile)
        self.task = task
        self.language = task.language
        self.concluded_from = 0
        self._doubted: set[str] = set()

    def forget_findings(self) -> None:
        """Have every conclusion drawn anew."""
        super().forget_findings()
        self.concluded_from = self.fresh_from

    # -- the task as the agent understands it -------------------------------------------------------------------------

    def recipient(self) -> Named:
        """Who is to be told."""
        wanted = self.task.world.members[0].name
        return self._restated("name", wanted, lambda text: person_in(text, self.language) or "")

    def environment_name(self) -> Named:
        """The environment that the work is about; empty if none matters."""
        wanted = self.task.environment
        if not wanted:
            return Named("", self.goal_id)

        def find(text: str) -> str:
            return next(iter(find_names(text, NameKind.ENVIRONMENT, self.language)), "")

        return self._restated("env", wanted, find)

    def _restated(self, what: str, wanted: str, find: object) -> Named:
        """What the agent's own restatement says, or else the user's words."""
        assert callable(find)
        for entry in reversed(self.session.visible()):
            if entry.source not in OWN_SOURCES or not entry.text.startswith(BRIEF_LEADS[self.language]):
                continue
            found = str(find(entry.text))
            if not found or self.session.distrusts_notes:
                break
            if found != wanted and self._doubts(what, wanted, entry.id):
                break
            return Named(found, entry.id)
        return Named(wanted, self.goal_id)

    def _doubts(self, what: str, wanted: str, entry_id: str) -> bool:
        """Whether the agent compared its restatement with the user's words, and saw that it is wrong."""
        if what not in self._doubted and self.looks_again(f"brief:{what}") is not Look.TRUST:
            self._doubted.add(what)
            self.say(f"mismatch:brief:{what}", "brief_mismatch", (self.goal_id, entry_id), said=wanted)
        return what in self._doubted

    def jobs(self) -> tuple[Job, ...]:
        """The jobs, as the agent understands them."""
        environment = self.environment_name().text
        if environment == self.task.environment:
            return self.task.jobs
        return tuple(part.job(self.language, environment) for part in self.task.parts)

    # -- facts --------------------------------------------------------------------------------------------------------

    def find(self, look: LookUp, *, records_only: bool = False) -> Reading | None:
        """The newest usable statement of something in visible memory."""
        tool = SHELVES[look.area].tool
        for entry in reversed(self.session.visible()):
            own = entry.source in OWN_SOURCES
            if entry.confidence < USABLE_CONFIDENCE or (own and (records_only or self.session.distrusts_notes)):
                continue
            if own:
                value = read_finding(entry.text, look.topic, self.language)
            elif entry.tool_name in (tool, "check_corrections") and look.item in entry.text:
                value = self._in_record(entry, look)
            else:
                continue
            if value is not None:
                return Reading(value, (entry.id,))
        return None

    def _in_record(self, entry: MemoryEntry, look: LookUp) -> Value | None:
        content = entry.content
        if entry.tool_name == "check_corrections" and isinstance(content, str) and look.path not in content:
            return None
        return read_record(content, look.path, look.topic.attribute, self.language)

    def fact(self, slot: str, look: LookUp) -> Reading:
        """A fact, looked up where memory does not hold it, and checked as the agent's habit has it.

        Raises:
            AgentError: No tool gives it in a readable form.
        """
        for _ in range(MAX_TRIES):
            found = self.find(look)
            if found is not None:
                return self._examined(slot, look, found)
            self.look_up(slot, look)
        raise AgentError(f"cannot find {look.topic.name}")

    def is_noted(self, look: LookUp) -> bool:
        """Whether the agent has a usable note on something."""
        notes = (entry for entry in self.own_notes() if entry.confidence >= USABLE_CONFIDENCE)
        return any(read_finding(entry.text, look.topic, self.language) is not None for entry in notes)

    def look_up(self, slot: str, look: LookUp) -> None:
        """Call the tool for something and note what it says; a record that is there already is read again."""
        record = self.find(look, records_only=True)
        found = None if record is None else self.entry(record.used[0])
        if found is None:
            found = self._ask(f"record:{slot}", look, (self.goal_id,))
        self.note_fact(f"note:{slot}", look, found.id)

    def _ask(self, slot: str, look: LookUp, used: tuple[str, ...]) -> MemoryEntry:
        """Call the tool for something; what is still running says so, and is asked again."""
        shelf, place = SHELVES[look.area], self.environment_name().used
        found = self.call(slot, shelf.tool, {shelf.argument: look.item}, once((*used, place)))[0]
        for number in range(MAX_TRIES):
            if self._in_record(found, look) is not None:
                break
            again = once((*used, found.id))
            found = self.call(f"{slot}:{number + 2}", shelf.tool, {shelf.argument: look.item}, again)[0]
        return found

    def note_fact(self, slot: str, look: LookUp, record_id: str, *, is_revised: bool = False) -> None:
        """Note what a record says.

        Raises:
            AgentError: The record cannot be read.
        """

        def think() -> Thought:
            record = self.entry(record_id)
            value = None if record is None else self._in_record(record, look)
            if record is None or value is None:
                fresh = self.find(look, records_only=True)
                record = None if fresh is None else self.entry(fresh.used[0])
                if fresh is None or record is None:
                    raise AgentError(f"cannot read {look.topic.name} from {record_id}")
                value = fresh.value
            nearby: tuple[float, ...] = ()
            if isinstance(MEANINGS[look.topic.attribute].kind, MeasureKind):
                nearby = neighbours(record.content, look.path, look.topic.attribute, self.language)
            before = self._before(look, record_id) if is_revised else None
            stage = Stage.REVISED if is_revised else Stage.LEVEL
            return Thought("", (record.id,), Finding(look.topic, value, stage, before, nearby))

        self.note(slot, think)

    def _before(self, look: LookUp, record_id: str) -> float | None:
        """What memory said of a number before a record."""
        for entry in reversed(self.session.visible()):
            if entry.id == record_id:
                continue
            own = entry.source in OWN_SOURCES
            is_record = entry.tool_name == SHELVES[look.area].tool and look.item in entry.text
            value = read_finding(entry.text, look.topic, self.language) if own else None
            value = self._in_record(entry, look) if is_record else value
            if isinstance(value, Amount):
                return value.number
        return None

    def _examined(self, slot: str, look: LookUp, found: Reading) -> Reading:
        """Compare a note with its record, as often as the habit says; the record wins."""
        entry = self.entry(found.used[0])
        if entry is None or entry.source not in OWN_SOURCES:
            return found
        habit = self.looks_again(slot)
        if habit is Look.TRUST:
            return found
        record = None if habit is Look.REQUERY else self.find(look, records_only=True)
        if record is None:
            self._ask(f"requery:{slot}", look, (self.goal_id, found.used[0]))
            record = self.find(look, records_only=True)
        if record is None:
            raise AgentError(f"cannot read {look.topic.name} again")
        topic = look.topic.named(self.language)
        if same_value(record.value, found.value):
            if self.draws(self.profile.says_so, "says_so", slot):
                self.say(f"same:{slot}", "same", (*record.used, *found.used), topic=topic)
            return found
        self.say(f"mismatch:{slot}", "mismatch", (*record.used, *found.used), topic=topic)
        self.concluded_from = len(self.session.memory.entries())
        self.note_fact(f"fixed:{slot}", look, record.used[0], is_revised=True)
        return self.find(look) or record

    # -- conclusions --------------------------------------------------------------------------------------------------

    def value(self, index: int, key: str) -> Reading:
        """A finding of a job."""
        found = self.jobs()[index].finding(key)
        return self.fact(f"{index}:{key}", found) if isinstance(found, LookUp) else self._conclusion(index, key, found)

    def _conclusion(self, index: int, key: str, infer: Infer) -> Reading:
        """A conclusion, drawn where the agent's notes do not hold it.

        Raises:
            AgentError: It cannot be read back.
        """
        for _ in range(MAX_TRIES):
            for entry in self.own_notes(self.concluded_from):
                value = read_finding(entry.text, infer.topic, self.language)
                if value is not None:
                    return self._rechecked(index, key, infer, Reading(value, (entry.id,)))
            self.note(f"derived:{index}:{key}", lambda: self._derived(index, infer))
        raise AgentError(f"cannot read back {infer.topic.name}")

    def _derived(self, index: int, infer: Infer) -> Thought:
        inputs = [self.value(index, key) for key in infer.inputs]
        names = [self.jobs()[index].finding(key).topic.subject[0] for key in infer.inputs]
        value = conclude(infer.rule, names, [reading.value for reading in inputs])
        used = once([entry_id for reading in inputs for entry_id in reading.used])
        return Thought("", used, Finding(infer.topic, value, Stage.DERIVED))

    def _rechecked(self, index: int, key: str, infer: Infer, found: Reading) -> Reading:
        """Draw a conclusion again, as often as the habit says."""
        if self.looks_again(f"derived:{index}:{key}") is Look.TRUST:
            return found
        thought = self._derived(index, infer)
        assert isinstance(thought.statement, Finding)
        if same_value(thought.statement.value, found.value):
            return found
        topic = infer.topic.named(self.language)
        self.say(f"mismatch:derived:{index}:{key}", "mismatch", (*thought.used, *found.used), topic=topic)
        fixed = self.note(f"redrawn:{index}:{key}", lambda: self._derived(index, infer))
        value = read_finding(fixed.text, infer.topic, self.language)
        return found if value is None else Reading(value, (fixed.id,))

    def summarise(self) -> None:
        """Condense the facts into one entry."""
        looks = [(f"{i}:{k.key}", k) for i, job in enumerate(self.jobs()) for k in job.looks]
        latest: list[str] = []

        def think() -> Thought:
            readings = [self.fact(slot, look) for slot, look in looks]
            latest[:] = once([entry_id for reading in readings for entry_id in reading.used])
            lines: list[Statement] = [
                Finding(look.topic, reading.value) for (_, look), reading in zip(looks, readings, strict=True)
            ]
            return Thought("", tuple(latest), Lines(tuple(lines)) if len(lines) > 1 else lines[0])

        self.note("summary", think)
        self.session.forget(latest)
