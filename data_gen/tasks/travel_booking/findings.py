"""What the travel agent concludes: read back from its own notes, derived where they do not hold it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from data_gen.desk import Look, Thought
from data_gen.notes import Lines, Note
from data_gen.session import AgentError
from data_gen.statements import Turn
from data_gen.tasks.travel_booking.journey import Journey
from data_gen.tasks.travel_booking.judge import same_verdict
from data_gen.tasks.travel_booking.logic import add_up, compare, foreign, pick
from data_gen.tasks.travel_booking.notebook import MAX_TRIES, Notebook, Reading
from data_gen.tasks.travel_booking.reading import read_reason, read_support, read_verdict
from data_gen.tasks.travel_booking.setting import Gate
from data_gen.tasks.travel_booking.shapes import SUMS, Aim
from data_gen.tasks.travel_booking.statements import Key, Verdict, VerdictKind
from mage_ml.memory.entry import MemoryEntry, Source

_DIRECT = (Aim.TRANSFER, Aim.BUFFER, Aim.BAG)


class Findings:
    """What the agent concludes, each time read back from its own notes and derived where they do not hold it."""

    def __init__(self, notebook: Notebook, journey: Journey) -> None:
        self.book = notebook
        self.journey = journey
        self.task = notebook.task
        self._refuted: set[str] = set()

    def keys(self) -> tuple[Key, ...]:
        """What has to be known first: of the offers that a search found, or that the user named."""
        return self.task.inquiry.first_keys(self.journey.offers())

    def gather(self) -> None:
        """Look up what has to be known, as far as memory does not hold it."""
        for key in self.keys():
            if self.book.find(key) is None or self._only_in_record(key):
                self.book.look_up(key)
        if self.task.setting.gate is Gate.RECORD and self.book.find(self.task.inquiry.limit_key) is None:
            self.book.look_up(self.task.inquiry.limit_key)

    def summarise(self) -> None:
        """Condense the values into one entry."""

        def readings() -> list[Reading]:
            return [self.book.value(key, "summary") for key in self.keys()]

        def think() -> Thought:
            fresh = readings()
            lines = Lines(tuple(replace(reading.fact, can_swap=False) for reading in fresh))
            return Thought("", tuple(entry_id for reading in fresh for entry_id in reading.used), lines)

        found = readings()
        self.book.note("summary", think)
        notes = {entry.id for entry in self.book.own_notes(0)}
        self.book.session.forget(i for reading in found for i in reading.used if i in notes)

    def picked(self) -> tuple[Verdict, tuple[str, ...]] | None:
        """The offer that comes out best; `None` where none is to be chosen."""
        if not self.task.shape.picks:
            return None
        return self._concluded(VerdictKind.PICK, self.task.shape.aim.value, self._pick)

    def summed(self) -> tuple[Verdict, tuple[str, ...]] | None:
        """The sum of a trip, change, refund or claim; `None` where there is none."""
        if self.task.shape.aim not in SUMS:
            return None
        return self._concluded(VerdictKind.SUM, self.task.shape.aim.value, self._sum)

    def compared(self) -> tuple[Verdict, tuple[str, ...]] | None:
        """How the amount lies to the limit; `None` where no limit applies, or none is known to."""
        if self.task.setting.gate is Gate.NONE or self._limit()[0] is None:
            return None
        return self._concluded(VerdictKind.LIMIT, self.task.inquiry.limit_key.measure.value, self._compare)

    def is_above(self) -> tuple[bool, tuple[str, ...]]:
        """Whether the limit is exceeded, and what says so."""
        found = self.compared()
        return (False, ()) if found is None else (found[0].above, found[1])

    def target(self) -> tuple[str, tuple[str, ...]]:
        """The offer to act on, and what says so."""
        picked = self.picked()
        if picked is not None:
            return picked[0].subject, picked[1]
        given = self.task.inquiry.given
        if self.task.shape.aim in (Aim.TRANSFER, Aim.BUFFER):
            above, used = self.is_above()
            return given[0 if above else 1], used
        return given[0], (self.book.goal_id,)

    def reason(self) -> tuple[str, str]:
        """The reason of the price as noted, empty for none, and the entry it was read from."""
        for _ in range(MAX_TRIES):
            for entry in self._conclusions():
                speaks, phrase = read_reason(entry.text, self.book.language)
                if speaks and not self._doubts("reason", phrase == self._stated_reason()[0], entry):
                    return phrase, entry.id
            self.book.note("reason", self._reason_thought)
        raise AgentError("cannot read the reason back")

    def support(self) -> tuple[bool, str]:
        """Whether two independent sources agree, as noted, and the entry it was read from."""
        for _ in range(MAX_TRIES):
            for entry in self._conclusions():
                found = read_support(entry.text, self.book.language)
                if found is not None and not self._doubts("support", found is self._sources()[0], entry):
                    return found, entry.id
            self.book.note("support", self._support_thought)
        raise AgentError("cannot read the statement on sources back")

    def _only_in_record(self, key: Key) -> bool:
        found = self.book.find(key)
        entry = None if found is None else self.book.entry(found.used[0])
        return entry is not None and entry.source is Source.TOOL

    def _conclusions(self, since: int | None = None) -> list[MemoryEntry]:
        return [entry for entry in self.book.own_notes(since) if entry.source is Source.LLM_REASONING]

    def _concluded(
        self, kind: VerdictKind, sense: str, derive: Callable[[], Thought]
    ) -> tuple[Verdict, tuple[str, ...]]:
        for number in range(MAX_TRIES):
            for entry in self._conclusions(self.book.verdicts_from):
                found = read_verdict(entry.text, kind, sense, self.book.language)
                if found is not None:
                    return self._rechecked(self._named(found), entry, derive)
            self.book.note(kind.value if number == 0 else f"{kind.value}:{number + 1}", derive)
        raise AgentError(f"cannot read the {kind.value} back")

    def _named(self, found: Verdict) -> Verdict:
        """A conclusion with its subject in full: a text says of a sum only which place or booking it is about."""
        of_sum = self.task.shape.aim in SUMS and found.kind is not VerdictKind.PICK
        return replace(found, subject=self.task.inquiry.sum_subject()) if of_sum else found

    def _rechecked(
        self, found: Verdict, entry: MemoryEntry, derive: Callable[[], Thought]
    ) -> tuple[Verdict, tuple[str, ...]]:
        if self.book.looks_again(f"verdict:{found.kind.value}") is Look.TRUST:
            return found, (entry.id,)
        expected = derive().statement
        assert isinstance(expected, Verdict)
        if same_verdict(found, expected):
            return found, (entry.id,)
        self.book.say(f"mismatch:{found.kind.value}", "verdict_mismatch", (entry.id,))
        self.book.doubt_verdicts()
        return self._concluded(found.kind, found.sense, derive)

    def _pick(self) -> Thought:
        readings = [self.book.value(key, "pick") for key in self.keys()]
        facts = [reading.fact for reading in readings]
        used = [entry_id for reading in readings for entry_id in reading.used]
        rates = {}
        for key in foreign(self.task.inquiry, facts):
            rate = self.book.value(key, "pick")
            rates[key.subject[:3]] = rate.fact.value
            used += rate.used
        return Thought("", tuple(used), pick(self.task.inquiry, facts, rates))

    def _sum(self) -> Thought:
        readings = [self.book.value(key, "sum") for key in self.keys()]
        used = tuple(entry_id for reading in readings for entry_id in reading.used)
        return Thought("", used, add_up(self.task.inquiry, [reading.fact for reading in readings]))

    def _compare(self) -> Thought:
        limit, used = self._limit()
        if limit is None:
            raise AgentError("no limit is known")
        inquiry, summed = self.task.inquiry, self.summed()
        if summed is not None:
            verdict, more = summed
            return Thought("", (*more, *used), compare(inquiry, verdict.subject, verdict.figure, verdict.unit, limit))
        if self.task.shape.aim in _DIRECT:
            key, more = self.keys()[0], ()
        else:
            target, more = self.target()
            key = inquiry.price_key(target)
        reading = self.book.value(key, "limit")
        statement = compare(inquiry, key.subject, reading.fact.value, reading.fact.unit, limit)
        return Thought("", (*reading.used, *more, *used), statement)

    def _limit(self) -> tuple[float | None, tuple[str, ...]]:
        """The limit as the hand-over or the record has it, and where it was read."""
        if self.task.setting.gate is Gate.HANDOVER:
            rules, used = self.journey.rules()
            return rules.limit, used
        reading = self.book.value(self.task.inquiry.limit_key, "limit")
        return reading.fact.value, reading.used

    def _doubts(self, what: str, holds: bool, entry: MemoryEntry) -> bool:
        """Whether the agent compared a note with what it read, and saw that it is wrong."""
        if holds or entry.id in self._refuted:
            return not holds
        if self.book.looks_again(what) is Look.TRUST:
            return False
        self._refuted.add(entry.id)
        self.book.say(f"mismatch:{what}", f"{what}_mismatch", (entry.id,))
        return True

    def _stated_reason(self) -> tuple[str, tuple[str, ...]]:
        """The reason that the papers state, empty for none, and where they do."""
        papers = [entry for entry in self.book.session.visible() if entry.tool_name == "read_travel_note"]
        for entry in papers:
            phrase = read_reason(entry.text, self.book.language, self.task.topic)[1]
            if phrase:
                return phrase, (entry.id,)
        return "", tuple(entry.id for entry in papers) or (self.book.goal_id,)

    def _reason_thought(self) -> Thought:
        phrase, used = self._stated_reason()
        words = {"subject": self.task.topic, "phrase": phrase}
        if phrase:
            return Thought("", used, Note("reason", words=words, claim="phrase"))
        return Thought("", used, Note("reason_none", words=words, claim="phrase", claim_symbol="reason"))

    def _sources(self) -> tuple[bool, tuple[str, ...]]:
        """Whether the records of the first price come from different places, and which they are."""
        key = self.task.first_key
        record, second = self.book.find(key, records_only=True), self.book.records("get_agency_quote")
        if record is None:
            self.book.look_up(key)
            record = self.book.find(key, records_only=True)
        if record is None or not second:
            raise AgentError("a source is missing")
        first = self.book.entry(record.used[0])
        return first is not None and first.origin != second[0].origin, (record.used[0], second[0].id)

    def _support_thought(self) -> Thought:
        independent, used = self._sources()
        words = {"subject": self.task.first_key.subject}
        one = Note("support_no", words=words, turns={Turn.CORROBORATED: "support_yes"})
        return Thought("", used, Note("support_yes", words=words) if independent else one)
