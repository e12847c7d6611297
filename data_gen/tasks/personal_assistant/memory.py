"""How the assistant uses its memory: it finds notes, recalls them in later sittings, checks them, looks things up."""

from __future__ import annotations

from typing import Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Desk, Look, Thought
from data_gen.session import OWN_SOURCES, AgentError, Session
from data_gen.statements import StatementRole
from data_gen.tasks.personal_assistant.environment import Household
from data_gen.tasks.personal_assistant.facts import BRIEF_TOPIC, Fact, Reading, conclude
from data_gen.tasks.personal_assistant.judge import same
from data_gen.tasks.personal_assistant.papers import READERS
from data_gen.tasks.personal_assistant.records import read_record
from data_gen.tasks.personal_assistant.sorts import Noun, Shape
from data_gen.tasks.personal_assistant.task import AssistantTask
from data_gen.tasks.personal_assistant.wording import WRITERS
from data_gen.texts.orders import Order, sentences
from mage_ml.memory.entry import MemoryEntry, Source

MAX_TRIES: Final = 5
OWN_MEMORY: Final = "own memory"


class Memory(Desk):
    """Notes, recalls and look-ups of one run; see `Desk`."""

    def __init__(self, task: AssistantTask, environment: Household, session: Session, profile: Profile) -> None:
        super().__init__(session, environment, WRITERS[task.writer], profile)
        self.task = task
        self.language = task.language
        self._doubted: set[str] = set()

    def fact(self, fact: Fact, *, checks: bool = True) -> Reading:
        """What the assistant believes of a fact: from its notes, or else looked up; now and then compared.

        Raises:
            AgentError: It cannot be looked up.
        """
        found = self.find(fact)
        if found is None:
            return self.look_up(fact)
        look = self.looks_again(fact.key) if checks else Look.TRUST
        if look is Look.TRUST:
            return found
        right = self._reference(fact)
        if fact.sort is not None and not self._said_by_user(right) and (look is Look.REQUERY or right is None):
            right = self._ask(fact, f"again:{fact.key}") or right
        if right is None or same(found, right):
            return found
        return self._keep_fact(f"mismatch:{fact.key}", fact, right, revised=False)

    def find(self, fact: Fact) -> Reading | None:
        """What the newest note says; one from an earlier sitting is recalled first."""
        for entry in reversed(self.session.stored()):
            if entry.source not in OWN_SOURCES or entry.step < self.fresh_from:
                continue
            found = fact.read(entry.text, self.language)
            if found is not None:
                return Reading(found.value, found.unit, (self._in_context(entry, fact).id,))
        return None

    def look_up(self, fact: Fact) -> Reading:
        """Note a fact from what the user said or a tool records, and read the note back.

        Raises:
            AgentError: No tool knows it, or the note does not say it.
        """
        for number in range(MAX_TRIES):
            right = self._reference(fact)
            stale = right is None or self._step(right.used[0]) < self.fresh_from
            if stale and not self._said_by_user(right):
                right = self._ask(fact, f"look:{fact.key}" if number == 0 else f"look:{fact.key}:{number + 1}") or right
            if right is not None:
                return self._keep_fact(f"note:{fact.key}", fact, right)
        raise AgentError(f"cannot find out about {fact.topic}")

    def note_change(self, fact: Fact, record: MemoryEntry) -> None:
        """Note what a record or the user says that has changed."""
        right = self._read(fact, record)
        if right is not None:
            self._keep_fact(f"changed:{fact.key}", fact, right, revised=True)

    def conclusion(self) -> Reading | None:
        """What follows from the facts: read back from the note on it, or concluded and noted; `None` if nothing does.

        Raises:
            AgentError: The note cannot be read back.
        """
        fact = self.task.conclusion
        if fact is None:
            return None
        found = self.find(fact)
        if found is not None:
            return self._rechecked(fact, found)
        return self._conclude(fact, "conclusion")

    def brief(self) -> tuple[str, tuple[str, ...]]:
        """Whom to write to: as the assistant's own restatement has it, or else the user's words."""
        asked = (self.task.recipient, (self.goal_id,))
        found = self.find(brief_fact(self.task))
        if found is None or self.session.distrusts_notes:
            return asked
        if found.value != asked[0] and (self.looks_again("brief") is not Look.TRUST or "brief" in self._doubted):
            if "brief" not in self._doubted:
                self._doubted.add("brief")
                self.say("mismatch:brief", "mismatch_note", (self.goal_id, *found.used), name=asked[0])
            return asked
        return str(found.value), found.used

    def orders(self, *kinds: str) -> list[Order]:
        """The orders in texts of third parties that the assistant follows, each once."""
        found: dict[tuple[str, str], Order] = {}
        for order in READERS[self.language].read(self.session.visible()):
            if not kinds or order.kind in kinds:
                found.setdefault((order.kind, order.value), order)
        return [order for (kind, value), order in found.items() if self.obeys(kind, value)]

    def behind(self, orders: list[Order]) -> tuple[str, ...]:
        """The entries that orders come from; for a recalled text, the stored one too."""
        ids = [entry_id for order in orders for entry_id in order.entries]
        for entry_id in tuple(ids):
            entry = self.entry(entry_id)
            if entry is not None and entry.tool_name == "search_memory":
                ids += entry.depends_on
        return tuple(dict.fromkeys(ids))

    def summary(self, slot: str, facts: tuple[Fact, ...]) -> None:
        """Condense what is known of some facts into one entry."""
        used = [entry_id for fact in facts for entry_id in self.fact(fact, checks=False).used]
        read = [(fact, self.fact(fact, checks=False)) for fact in facts]
        self.condense(slot, lambda: [fact.note(reading) for fact, reading in read], tuple(dict.fromkeys(used)))

    def recall_texts(self) -> None:
        """Recall the messages of earlier sittings."""
        in_context = {found for entry in self.session.visible() for found in (entry.id, *entry.depends_on)}
        texts = [e for e in self.session.stored() if e.tool_name == "read_messages" and e.source is Source.RETRIEVED]
        for number, entry in enumerate(e for e in texts if e.id not in in_context):
            self.session.recall(f"message again:{number + 1}", entry)

    def _rechecked(self, fact: Fact, found: Reading) -> Reading:
        if self.looks_again("conclusion") is Look.TRUST:
            return found
        right = self._concluded()
        if same(found, right):
            return found
        return self._conclude(fact, "mismatch:conclusion")

    def _conclude(self, fact: Fact, slot: str) -> Reading:
        used: list[Reading] = []

        def think() -> Thought:
            right = self._concluded()
            used.append(right)
            return Thought("", right.used, fact.note(right, role=StatementRole.CONCLUSION))

        self.note(slot, think)
        found = self.find(fact)
        if found is None:
            raise AgentError(f"cannot read back what was concluded on {fact.topic}")
        return found

    def _concluded(self) -> Reading:
        figures = self.task.figures
        readings = [self.fact(fact) for fact in figures]
        right = conclude(self.task.plan.pattern, figures, readings, self.task.count)
        used = tuple(dict.fromkeys(entry_id for reading in readings for entry_id in reading.used))
        return Reading(right.value, right.unit, used)

    def _keep_fact(self, slot: str, fact: Fact, right: Reading, *, revised: bool = False) -> Reading:
        self.state(slot, fact.note(right, revised=revised), right.used)
        found = self.find(fact)
        if found is None:
            # A slip made the note unreadable: the record counts.
            return right
        return found

    def _in_context(self, entry: MemoryEntry, fact: Fact) -> MemoryEntry:
        """An entry, or its copy in the context; it is recalled if the context has neither."""
        for seen in reversed(self.session.visible()):
            if seen.id == entry.id or (self._is_recalled(seen) and seen.depends_on == (entry.id,)):
                return seen
        return self.session.recall(f"recall:{fact.key}", entry)

    def _ask(self, fact: Fact, slot: str) -> Reading | None:
        if fact.sort is None or not fact.sort.tool:
            return None
        arguments: dict[str, JsonValue] = {"name": fact.topic}
        return self._read(fact, self.call(slot, fact.sort.tool, arguments, (self.goal_id,))[0])

    def _reference(self, fact: Fact) -> Reading | None:
        """What counts: the user's latest word on it, or else the newest record of a tool."""
        newest_first = sorted(self.session.stored(), key=lambda e: (e.source is Source.USER, e.step), reverse=True)
        return next((found for entry in newest_first if (found := self._read(fact, entry)) is not None), None)

    def _read(self, fact: Fact, entry: MemoryEntry) -> Reading | None:
        if entry.source is Source.USER:
            for sentence in sentences(entry.text):
                found = fact.read(sentence, self.language)
                if found is not None:
                    return Reading(found.value, found.unit, (entry.id,))
            return None
        is_record = entry.source is Source.TOOL and entry.tool_name not in ("get_second_source", "get_contact")
        return read_record(fact, entry, self.language) if is_record else None

    def _said_by_user(self, reading: Reading | None) -> bool:
        if reading is None:
            return False
        return any(e.id == reading.used[0] and e.source is Source.USER for e in self.session.stored())

    def is_own(self, entry: MemoryEntry) -> bool:
        """Whether the assistant wrote an entry, or recalled it from its own notes."""
        recalled = self._is_recalled(entry) and (entry.origin or "").startswith(OWN_MEMORY)
        return entry.source in OWN_SOURCES or recalled

    def _is_recalled(self, entry: MemoryEntry) -> bool:
        return entry.source is Source.RETRIEVED and entry.tool_name == "search_memory" and bool(entry.depends_on)

    def _step(self, entry_id: str) -> int:
        return next((entry.step for entry in self.session.stored() if entry.id == entry_id), 0)


def brief_fact(task: AssistantTask) -> Fact:
    """Whom to write to, as a fact."""
    options = tuple(name for name, _, _ in task.people)
    topic = BRIEF_TOPIC[task.language]
    return Fact("brief", topic, Shape.NAME, task.recipient, noun=str(Noun.PERSON), options=options)
