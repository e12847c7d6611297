"""What the assistant finds out about a fact besides its value: why it changed, and how many sources back it."""

from __future__ import annotations

from data_gen.desk import Look, Thought
from data_gen.notes import Note
from data_gen.session import OWN_SOURCES, AgentError
from data_gen.statements import Turn
from data_gen.tasks.personal_assistant.facts import Fact
from data_gen.tasks.personal_assistant.judge import read_reason, read_support
from data_gen.tasks.personal_assistant.memory import Memory
from mage_ml.memory.entry import MemoryEntry, Source


class Findings:
    """Findings about the subject of a task, each read back from its note and found out where no note holds it."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.task = memory.task
        self.session = memory.session
        self._reason_id = ""

    def support(self) -> tuple[Note, tuple[str, ...]]:
        """Whether one source or two back the subject: read back from the note, or found out."""
        book, fact = self.memory, self.task.subject
        for _ in range(2):
            for entry in self._fresh_notes():
                found = read_support(entry.text, fact.topic, self.task.language)
                if found is not None:
                    return self._rechecked_support(found, entry)
            book.note("support", self._find_support)
        raise AgentError("cannot read back how many sources there are")

    def _rechecked_support(self, found: bool, entry: MemoryEntry) -> tuple[Note, tuple[str, ...]]:
        """The note on sources; by habit compared with the two records, which count where they differ."""
        book, fact = self.memory, self.task.subject
        note, used = _support_note(fact, two=found), (entry.id,)
        if book.looks_again("support") is Look.TRUST or self._find_support().statement == note:
            return note, used
        entry = book.note("mismatch:support", self._find_support)
        right = read_support(entry.text, fact.topic, self.task.language)
        return _support_note(fact, two=bool(right)), (entry.id,)

    def _find_support(self) -> Thought:
        book, fact = self.memory, self.task.subject
        reading = book.fact(fact)
        known = [e for e in self.session.visible() if e.tool_name == "get_second_source"]
        second = known[-1:] or book.call("second", "get_second_source", {"name": fact.topic}, (book.goal_id,))
        first = fact.sort.origin if fact.sort is not None else ""
        return Thought("", (second[0].id, *reading.used), _support_note(fact, two=second[0].origin != first))

    def reason(self) -> tuple[str, tuple[str, ...]]:
        """Why the subject changed: read back from the note, or from what people wrote; empty if nobody says."""
        book, fact, language = self.memory, self.task.subject, self.task.language
        for _ in range(2):
            for entry in self._fresh_notes():
                phrase = read_reason(entry.text, fact.topic, language)
                if phrase is not None or entry.id == self._reason_id:
                    return self._rechecked_reason(phrase or "", entry)
            self._reason_id = book.note("reason", self._find_reason).id
        raise AgentError("cannot read back the reason")

    def _rechecked_reason(self, phrase: str, entry: MemoryEntry) -> tuple[str, tuple[str, ...]]:
        """The cause as noted; by habit compared with what people wrote, which counts where it differs."""
        if self.memory.looks_again("reason") is Look.TRUST:
            return phrase, (entry.id,)
        statement = self._find_reason().statement
        right = statement.words["phrase"] if isinstance(statement, Note) else phrase
        if right == phrase:
            return phrase, (entry.id,)
        self._reason_id = self.memory.note("mismatch:reason", self._find_reason).id
        return right, (self._reason_id,)

    def _find_reason(self) -> Thought:
        book, fact, language = self.memory, self.task.subject, self.task.language
        book.recall_texts()
        texts = [e for e in self.session.visible() if e.source is Source.RETRIEVED and not book.is_own(e)]
        for entry in texts:
            for line in entry.text.replace("。", "\n").replace(". ", "\n").split("\n"):
                phrase = read_reason(line, fact.topic, language)
                if phrase:
                    words = {"topic": fact.topic, "phrase": phrase}
                    return Thought("", (entry.id,), Note("reason", words=words, claim="phrase"))
        words = {"topic": fact.topic, "phrase": ""}
        note = Note("no_reason", words=words, claim="phrase", claim_symbol="reason")
        return Thought("", (book.goal_id, *(entry.id for entry in texts)), note)

    def _fresh_notes(self) -> list[MemoryEntry]:
        book = self.memory
        return [e for e in book.own_notes() if e.source in OWN_SOURCES]


def _support_note(fact: Fact, *, two: bool) -> Note:
    turns = {} if two else {Turn.CORROBORATED: "two_sources"}
    return Note("two_sources" if two else "one_source", words={"topic": fact.topic}, turns=turns)
