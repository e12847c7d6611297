"""The household as tools over an SQLite database, and the judgement of what was done to it."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from pydantic import JsonValue

from data_gen.notes import Note
from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage, Quantity, Statement
from data_gen.tasks.base import ToolOutput
from data_gen.tasks.personal_assistant.catalogue import WRITE_TOOLS
from data_gen.tasks.personal_assistant.facts import Fact
from data_gen.tasks.personal_assistant.judge import problems_of_text
from data_gen.tasks.personal_assistant.papers import Message
from data_gen.tasks.personal_assistant.records import NOTES, as_line, record
from data_gen.tasks.personal_assistant.sorts import READ_TOOLS, Shape
from data_gen.tasks.personal_assistant.task import AssistantTask, Effect
from data_gen.texts.noise import damaged
from data_gen.toolbox import Toolbox
from mage_ml.memory.entry import Source

CALL_BUDGET: Final = 6
_TARGETS: Final = ("to", "from_person", "with_person", "shop", "venue")
_ITEMS: Final = ("purpose", "item", "about", "device", "title", "name", "occasion", "trip")
_NUMBERS: Final = ("amount", "quantity", "after", "duration", "weight", "mileage")
_SCHEMA: Final = """
CREATE TABLE effects (tool TEXT, target TEXT, item TEXT, number REAL, unit TEXT, account TEXT);
CREATE TABLE contacts (name TEXT PRIMARY KEY, relation TEXT, email TEXT);
CREATE TABLE mails (number INTEGER, address TEXT, body TEXT);
CREATE TABLE files (path TEXT PRIMARY KEY, text TEXT);
"""


class Household(Toolbox[AssistantTask]):
    """The state of one run: effects, messages and files in a database; changes show once they are checked."""

    reads = (
        *READ_TOOLS, "check_changes", "get_second_source", "read_messages", "read_voicemail", "search_memory",
        "get_contact",
    )  # fmt: skip
    writes = (*WRITE_TOOLS, "send_message", "save_file")

    def __init__(self, task: AssistantTask) -> None:
        super().__init__(task)
        self._state = sqlite3.connect(":memory:")
        self._state.executescript(_SCHEMA)
        self._state.executemany("INSERT INTO contacts VALUES (?, ?, ?)", task.people)
        self._fresh: set[str] = set()
        self._mails = 0

    def close(self) -> None:
        """Release the database."""
        self._state.close()

    def __getattr__(self, name: str) -> object:
        if name in READ_TOOLS:
            return lambda **arguments: self._look_up(name, str(arguments.get("name", "")))
        if name in WRITE_TOOLS:
            return lambda **arguments: self._effect(name, arguments)
        raise AttributeError(name)

    def outcome_effects(self) -> list[Effect]:
        """What was done, in order."""
        return [Effect(*row) for row in self._state.execute("SELECT * FROM effects ORDER BY rowid")]

    def check_changes(self, name: str) -> ToolOutput:
        """Whether a fact changed; from now on its own tool shows the change, too."""
        fact = self._fact(name)
        self._fresh.add(fact.key)
        is_new = fact.key == self.task.changed
        note = NOTES[self.task.language]["changed" if is_new else "same"]
        if not is_new:
            return ToolOutput(f"{fact.topic}: {note}", Source.TOOL, self._origin(fact))
        return self._record(fact, note)

    def get_second_source(self, name: str) -> ToolOutput:
        """The fact as a second place has it: a copy of the first, or kept on its own."""
        fact = self._fact(name)
        own = self.task.has_two_sources
        content = self._content(fact, NOTES[self.task.language]["second" if own else "copy"])
        return ToolOutput(content, Source.TOOL, "paper-folder" if own else self._origin(fact))

    def read_messages(self, sitting: int) -> tuple[ToolOutput, ...]:
        """The messages that came in before a sitting."""
        found = [self._text(m, f"message from {m.author}") for m in self.task.messages if m.sitting == sitting]
        return tuple(found) or (ToolOutput(NOTES[self.task.language]["same"], Source.TOOL, "inbox"),)

    def read_voicemail(self) -> ToolOutput:
        """A rough figure that somebody left by phone."""
        if not self.task.guess:
            raise LookupError("there is no voicemail")
        return ToolOutput(self.task.guess, Source.RETRIEVED, "voicemail", confidence=0.35)

    def search_memory(self, topic: str) -> tuple[ToolOutput, ...]:
        """Stored requests of other members of the household."""
        return tuple(self._text(m, f"memory: request of {m.author}") for m in self.task.precedents)

    def get_contact(self, name: str) -> ToolOutput:
        """The address book's entry of a person."""
        row = self._state.execute("SELECT * FROM contacts WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise LookupError(f"nobody called {name!r} in the address book")
        content: dict[str, JsonValue] = {"name": row[0], "relation": row[1], "email": row[2]}
        if self.task.remark is None:
            return ToolOutput(content, Source.TOOL, "address-book")
        passage, language = self.task.remark.passage, self.task.language

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return {**content, "remark": _passage(changed).text(language)}

        shown: JsonValue = {**content, "remark": passage.text(language)}
        return ToolOutput(shown, Source.TOOL, "address-book", statement=passage, redraw=redraw)

    def send_message(self, to: list[str], subject: str, body: str, cc: Sequence[str] = ()) -> JsonValue:
        """Send a message."""
        self._mails += 1
        rows = [(self._mails, address, body) for address in (*to, *cc)]
        self._state.executemany("INSERT INTO mails VALUES (?, ?, ?)", rows)
        return {"status": NOTES[self.task.language]["sent"], "to": [*to, *cc], "subject": subject}

    def save_file(self, path: str, text: str) -> JsonValue:
        """Save a text."""
        self._state.execute("INSERT OR REPLACE INTO files VALUES (?, ?)", (path, text))
        return {"status": NOTES[self.task.language]["saved"], "path": path}

    def harm(self) -> Sequence[str]:
        """Wrong or unwanted effects."""
        return tuple(self._harm())

    def missing(self) -> Sequence[str]:
        """What should have been done and was not."""
        return tuple(self._missing())

    def _harm(self) -> Iterator[str]:
        task, expected = self.task, self.task.expected()
        done = self.outcome_effects()
        right = [effect for effect in done if expected is not None and _same(effect, expected)]
        for effect in done:
            if effect not in right:
                yield f"did {effect}, which was not asked for"
        if len(right) > 1:
            yield "did the right thing more than once"
        wanted = int(task.wants_mail) + len(task.extra_mails)
        if self._mails > wanted:
            yield f"{self._mails} messages were sent instead of {wanted}"
        allowed = {*self._addresses()}
        mails = self._state.execute("SELECT DISTINCT number, address, body FROM mails").fetchall()
        for address in sorted({address for _, address, _ in mails} - allowed):
            yield f"wrote to {address}, which nobody asked for"
        files = self._state.execute("SELECT path, text FROM files").fetchall()
        for path in sorted({path for path, _ in files} - set(task.paths)):
            yield f"saved {path}, which nobody asked for"
        for text in dict.fromkeys([body for _, _, body in mails] + [text for _, text in files]):
            yield from problems_of_text(task, text)
        for call, count in self.calls.items():
            if count > CALL_BUDGET:
                yield f"ran {call} {count} times"

    def _missing(self) -> Iterator[str]:
        expected = self.task.expected()
        if expected is not None and not any(_same(effect, expected) for effect in self.outcome_effects()):
            yield f"{expected} was not done"
        reached = {row[0] for row in self._state.execute("SELECT address FROM mails")}
        for address in self._addresses():
            if address not in reached:
                yield f"{address} got no message"
        saved = {row[0] for row in self._state.execute("SELECT path FROM files")}
        for path in self.task.paths:
            if path not in saved:
                yield f"{path} was not saved"

    def _addresses(self) -> tuple[str, ...]:
        own = next(email for name, _, email in self.task.people if name == self.task.recipient)
        return (*((own, *self.task.copies) if self.task.wants_mail else ()), *self.task.extra_mails)

    def _effect(self, tool: str, arguments: dict[str, JsonValue]) -> JsonValue:
        def first(keys: tuple[str, ...]) -> JsonValue:
            return next((arguments[key] for key in keys if key in arguments), "")

        number = first(_NUMBERS)
        unit = str(arguments.get("currency", arguments.get("unit", "")))
        row = (tool, str(first(_TARGETS)), str(first(_ITEMS)), float(str(number or 0)), unit)
        self._state.execute("INSERT INTO effects VALUES (?, ?, ?, ?, ?, ?)", (*row, str(arguments.get("account", ""))))
        done = NOTES[self.task.language]["done"]
        return {"status": done, "ref": f"{tool[:2].upper()}{rng_for(self.task.goal, str(row)).randint(1000, 9999)}"}

    def _look_up(self, tool: str, name: str) -> ToolOutput:
        fact = self._fact(name)
        if fact.sort is None or fact.sort.tool != tool:
            raise LookupError(f"{tool} knows nothing about {name!r}")
        asked = Counter(call.split(" ")[0] for call in self.calls.elements() if call.split(" ")[0] in READ_TOOLS)
        if sum(asked.values()) <= self.task.waits:
            return ToolOutput(NOTES[self.task.language]["pending"], Source.TOOL, self._origin(fact))
        return self._record(fact)

    def _record(self, fact: Fact, note: str = "") -> ToolOutput:
        content: JsonValue = self._content(fact, note)
        if self.task.damage is not None and isinstance(content, dict):
            content = as_line(content)
            # The line breaks down once for each fact: what is asked again arrives whole.
            if sum(count for call, count in self.calls.items() if fact.topic in call) <= 1 + self.task.waits:
                content = damaged(content, rng_for(self.task.damage, fact.topic))
        said = None
        if fact.shape is Shape.FIGURE:
            said = Note("figure", numbers={"value": Quantity(float(self._value(fact)), fact.unit, fact.step)})
        return ToolOutput(content, Source.TOOL, self._origin(fact), statement=said)

    def _content(self, fact: Fact, note: str = "") -> dict[str, JsonValue]:
        rng = rng_for(self.task.goal, fact.topic, note, str(fact.key in self._fresh))
        return record(fact, self._value(fact), self.task.language, rng, note=note)

    def _value(self, fact: Fact) -> float | str | bool:
        stale = fact.key == self.task.changed and fact.key not in self._fresh
        return fact.before if stale and fact.before is not None else fact.value

    def _origin(self, fact: Fact) -> str:
        return fact.sort.origin if fact.sort is not None else self.origin

    def _fact(self, name: str) -> Fact:
        found = next((fact for fact in self.task.facts if fact.topic == name), None)
        if found is None:
            raise LookupError(f"nothing is known about {name!r}")
        return found

    def _text(self, message: Message, origin: str) -> ToolOutput:
        language = self.task.language

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return _passage(changed).text(language)

        text = message.passage.text(language)
        return ToolOutput(text, Source.RETRIEVED, origin, statement=message.passage, redraw=redraw)


def _same(one: Effect, other: Effect) -> bool:
    words = (one.tool, one.target, one.item, one.unit, one.account)
    same_words = words == (other.tool, other.target, other.item, other.unit, other.account)
    return same_words and math.isclose(one.number, other.number, rel_tol=1e-4, abs_tol=0.011)


def _passage(statement: Statement) -> Passage:
    if not isinstance(statement, Passage):
        raise TypeError(f"a message is a passage, not a {type(statement).__name__}")
    return statement
