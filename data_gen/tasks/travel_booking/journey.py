"""Who travels, where to, what is on offer there and under which rules: as the agent's memory has it."""

from __future__ import annotations

from data_gen.desk import Look, Thought
from data_gen.notes import Lines, Note
from data_gen.randomness import rng_for
from data_gen.session import AgentError
from data_gen.statements import Name, Quantity, StatementRole, Turn
from data_gen.tasks.travel_booking.notebook import Notebook
from data_gen.tasks.travel_booking.reading import Rules, city_in, facts_in, offers_in, read_rules
from data_gen.tasks.travel_booking.statements import Kind, Measure
from data_gen.tasks.travel_booking.systems import SEARCHES
from data_gen.texts.grammar import expand
from data_gen.texts.names import person_in
from mage_ml.memory.entry import MemoryEntry, Source

POLICY_AGENT = "policy_agent"


class Journey:
    """Reads the frame of the task back from memory."""

    def __init__(self, notebook: Notebook) -> None:
        self.book = notebook
        self.task = notebook.task
        self._doubted: set[str] = set()
        self._handover: list[str] = []

    # -- who ---------------------------------------------------------------------------------------------------------

    def note_brief(self) -> None:
        """Restate the task."""
        place = self.task.customer or self.task.inquiry.city
        brief = Note(
            "brief",
            nouns={"name": Name(self.task.traveller.name, Kind.PERSON)},
            words={"city": place},
            kind=StatementRole.GOAL,
        )
        self.book.state("brief", brief, (self.book.goal_id,))

    def traveller(self) -> tuple[str, tuple[str, ...]]:
        """Who travels, as the agent's own restatement has it, or else the user's words."""
        language = self.task.language
        wanted = person_in(self.task.goal, language) or ""
        goal = (wanted, (self.book.goal_id,))
        for entry in reversed(self.book.session.visible()):
            own = entry.source is Source.LLM_REASONING
            found = person_in(entry.text, language) if own else None
            if found is not None and not self.book.session.distrusts_notes:
                if found != wanted and "brief" not in self._doubted:
                    if self.book.looks_again("brief") is Look.TRUST:
                        return found, (entry.id,)
                    self._doubted.add("brief")
                    self.book.say("mismatch:brief", "brief_mismatch", (self.book.goal_id, entry.id), name=wanted)
                return goal if found != wanted else (found, (entry.id,))
        return goal

    def profile(self) -> MemoryEntry:
        """The directory record of the traveller."""
        name, used = self.traveller()
        for entry in self.book.records("find_traveller"):
            if isinstance(entry.content, dict) and entry.content.get("name") == name:
                return entry
        return self.book.call(f"profile:{name}", "find_traveller", {"name": name}, (self.book.goal_id, *used))[0]

    # -- where -------------------------------------------------------------------------------------------------------

    def city(self) -> tuple[str, tuple[str, ...]]:
        """Where the journey leads: as noted from the diary, or as the user says.

        Raises:
            AgentError: The diary does not say.
        """
        if not self.task.customer:
            return self.task.inquiry.city, (self.book.goal_id,)
        for _ in range(3):
            for entry in self.book.own_notes():
                found = city_in(entry.text, self.task.language)
                if found is not None and self.task.customer in entry.text and not self.book.session.distrusts_notes:
                    return self._checked_city(found, entry)
            self._note_city()
            if self.book.session.distrusts_notes:
                record = self.book.records("get_calendar")[0]
                return self._city_of(record), (record.id,)
        raise AgentError("the diary does not say where to go")

    def _note_city(self) -> None:
        if not self.book.records("get_calendar"):
            name, used = self.traveller()
            self.book.call("calendar", "get_calendar", {"traveller": name}, (self.book.goal_id, *used))

        def think() -> Thought:
            record = self.book.records("get_calendar")[0]
            city = Name(self._city_of(record), Kind.CITY)
            return Thought(
                "", (record.id,), Note("where", nouns={"city": city}, words={"customer": self.task.customer})
            )

        self.book.note("where", think)

    def _city_of(self, record: MemoryEntry) -> str:
        content = record.content
        meetings = content.get("meetings") if isinstance(content, dict) else None
        for meeting in meetings if isinstance(meetings, list) else []:
            if isinstance(meeting, dict) and meeting.get("with") == self.task.customer:
                return str(meeting["place"])
        raise AgentError(f"no meeting with {self.task.customer} in the diary")

    def _checked_city(self, found: str, entry: MemoryEntry) -> tuple[str, tuple[str, ...]]:
        record = next(iter(self.book.records("get_calendar")), None)
        if record is None or self.book.looks_again("where") is Look.TRUST:
            return found, (entry.id,)
        true = self._city_of(record)
        if found == true:
            return found, (entry.id,)
        fields = {"customer": self.task.customer}
        self.book.say("mismatch:where", "where_mismatch", (record.id, entry.id), **fields)
        self.book.forget_findings()
        self._note_city()
        return true, (record.id,)

    def offers(self) -> tuple[str, ...]:
        """What is on offer: what the user names, or what a search finds where the journey leads."""
        if self.task.inquiry.given:
            return self.task.inquiry.given
        city, used = self.city()
        tool = SEARCHES[self.task.shape.product]
        listing = next((entry for entry in self.book.records(tool) if city in entry.text), None)
        if listing is None:
            arguments = {"city": city, "date": self.task.inquiry.day}
            listing = self.book.call(f"search:{city}", tool, {**arguments}, (self.book.goal_id, *used))[0]
        return offers_in(listing.text, self.task.language)

    # -- under which rules -------------------------------------------------------------------------------------------

    def receive_rules(self) -> None:
        """Have the policy agent read the rules and state them."""
        session = self.book.session
        with session.acting_as(POLICY_AGENT):
            record = self.book.call("rules", "get_policy", {"place": self.task.inquiry.city}, (self.book.goal_id,))[0]
            sent = self.book.send("handover", "agent", lambda: self._handover_thought(record.id))
        self._handover.append(sent.id)
        if self.task.setting.sits_twice:
            goal = self.book.goal_id
            session.next_sitting()
            by_id = {entry.id: entry for entry in session.stored()}
            self.book.goal_id = session.recall("goal:recalled", by_id[goal]).id
            if sent.id in by_id:
                self._handover.append(session.recall("handover:recalled", by_id[sent.id]).id)

    def rules(self) -> tuple[Rules, tuple[str, ...]]:
        """The rules as handed over; as the record has them where the hand-over is gone or doubted."""
        name = self.traveller()[0]
        for entry_id in reversed(self._handover):
            entry = self.book.entry(entry_id)
            if entry is None or self.book.session.distrusts_notes or "rules" in self._doubted:
                continue
            found = read_rules(entry.text, self.task.language, name)
            if self.book.looks_again("rules") is Look.TRUST:
                return found, (entry.id,)
            record = self._record()
            true = self._as_recorded(record, name)
            if found == true:
                return found, (entry.id,)
            self._doubted.add("rules")
            self.book.say("mismatch:rules", "rules_mismatch", (record.id, entry.id))
            self.book.doubt_verdicts()
            return true, (record.id,)
        record = self._record()
        return self._as_recorded(record, name), (record.id,)

    def _record(self) -> MemoryEntry:
        """The company's own statement of the rules."""
        found = self.book.records("get_policy")
        if found:
            return found[0]
        arguments = {"place": self.task.inquiry.city}
        return self.book.call("rules:again", "get_policy", {**arguments}, (self.book.goal_id,))[0]

    def _as_recorded(self, record: MemoryEntry, name: str) -> Rules:
        key = self.task.inquiry.limit_key
        fact = next((fact for fact in facts_in(record, self.task.language) if fact.key == key), None)
        if fact is None:
            raise AgentError(f"the policy says nothing on {key.measure.value}")
        return Rules(fact.value, fact.unit, name in record.text)

    def _handover_thought(self, record_id: str) -> Thought:
        record = self.book.entry(record_id) or self._record()
        rules = self._as_recorded(record, "")
        city, measure = self.task.inquiry.city, self.task.inquiry.limit_key.measure
        product = "trip" if measure is Measure.BUDGET else self.task.shape.product.value
        assert rules.limit is not None
        limit = Note(
            "limit_rule",
            numbers={"limit": Quantity(rules.limit, rules.unit)},
            words={"thing": expand(self.book.writer.rules, f"thing_{product}", rng_for("thing"), {"city": city})},
            turns={Turn.DROPPED: "limit_gone", Turn.WEAKENED: "limit_soft"},
            kind=StatementRole.RULE,
        )
        holder = next((person.name for person in self.task.world.people if person.name in record.text), None)
        if holder is None:
            return Thought("", (record.id,), Lines((limit,)))
        permit = Note(
            "permit",
            nouns={"person": Name(holder, Kind.PERSON)},
            turns={Turn.WIDENED: "permit_all"},
            kind=StatementRole.RULE,
        )
        return Thought("", (record.id,), Lines((limit, permit)))
