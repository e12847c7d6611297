"""What the rules look at for one decision: a bounded part of memory around the pending action."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pydantic import JsonValue

from mage_ml.lazy import lazy_property
from mage_ml.memory import Fact, MemoryEntry, PendingAction, Snapshot, Source, Status
from mage_ml.memory.entry import MAX_JSON_DEPTH
from mage_ml.memory.facts import extract_facts, values_in
from mage_ml.memory.facts.figures import Figure, figures_in
from mage_ml.memory.facts.words import stem
from mage_ml.memory.notices import carries_mark, is_notice
from mage_ml.runtime.evaluators.rules.order_verbs import action_kinds, tool_tokens
from mage_ml.runtime.evaluators.rules.reading import EntryReading, ReadingCache, identity_of
from mage_ml.runtime.evaluators.rules.request import Request, read_request

ACTION_ID: Final = "pending-action"
_MAX_HOLDERS: Final = 8
_MAX_VALUES: Final = 32
_EARLY: Final = 6
_MAX_KEPT: Final = 2000


@dataclass(frozen=True, slots=True)
class Limits:
    """How far rules look, so that the cost of a decision does not depend on the length of the chain.

    Attributes:
        ancestors: Entries on which the action rests, nearest first.
        recent: Latest entries, whether the action names them or not.
    """

    ancestors: int = 128
    recent: int = 32


@dataclass(frozen=True, slots=True)
class Argument:
    """One value that the action passes on: its key and its text."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class _Lineage:
    """What the action rests on, and which of it has odd parents."""

    support: tuple[MemoryEntry, ...]
    irregular: tuple[MemoryEntry, ...]


class Scope:
    """The part of a snapshot that rules read, worked out once for all of them.

    Quarantined and superseded entries are left out everywhere.

    Args:
        snapshot: What is judged.
        readings: Cache of entry readings.
        limits: How far to look.
    """

    def __init__(self, snapshot: Snapshot, readings: ReadingCache, limits: Limits) -> None:
        self.snapshot = snapshot
        self.action = snapshot.action
        self._readings = readings
        self._limits = limits
        self.read: Callable[[MemoryEntry], EntryReading] = readings.of
        """The reading of an entry."""

    def identity(self, entry: MemoryEntry) -> frozenset[str]:
        """What ties an entry to others: its identifying values and the values of its facts."""
        reading = self.read(entry)
        if reading.identity is None:
            reading.identity = identity_of(self.snapshot.facts, entry.id)
        return reading.identity

    def known(self, entry_ids: Iterable[str]) -> list[MemoryEntry]:
        """The active entries with these ids, in the order given."""
        find, found = self.snapshot.entry, []
        for entry_id in entry_ids:
            try:
                entry = find(entry_id)
            except KeyError:
                continue
            if is_active(entry):
                found.append(entry)
        return found

    @lazy_property
    def direct(self) -> tuple[MemoryEntry, ...]:
        """The entries the action says it uses; without any, the latest holders of the values it carries."""
        named = self.known(self.action.depends_on)
        if named or self.action.depends_on:
            return tuple(named)
        return self.holders

    @lazy_property
    def holders(self) -> tuple[MemoryEntry, ...]:
        """Entries that hold a value the action carries."""
        found: dict[str, None] = {}
        for value in sorted(self.action_values)[:_MAX_VALUES]:
            names = self.snapshot.facts.entries_with(value, first=2, latest=_MAX_HOLDERS)
            found.update(dict.fromkeys(names))
        return tuple(self.known(found))

    @property
    def support(self) -> tuple[MemoryEntry, ...]:
        """Everything the action rests on, nearest first."""
        return self._lineage.support

    @property
    def irregular(self) -> tuple[MemoryEntry, ...]:
        """The entries of `support` with a parent that does not exist, came later, or is out of use."""
        return self._lineage.irregular

    @lazy_property
    def _lineage(self) -> _Lineage:
        entries, parents_of, places = self.snapshot.entries, self.snapshot.graph.parents, self.snapshot.graph.positions
        known = len(entries)
        found = {entry.id: entry for entry in self.direct}
        room = self._limits.ancestors - len(found)
        irregular = []
        waiting = deque(found.values())
        while waiting:
            entry = waiting.popleft()
            here, is_regular = places[entry.id], True
            for name in parents_of(entry.id):
                place = places.get(name, known)
                if place >= here:
                    is_regular = False
                if name in found or place >= known:
                    continue
                parent = entries[place]
                if not is_in_use(parent):
                    is_regular = False
                elif room > 0 and not is_notice(parent):
                    room -= 1
                    found[name] = parent
                    waiting.append(parent)
            if not is_regular:
                irregular.append(entry)
        return _Lineage(tuple(found.values()), tuple(irregular))

    @lazy_property
    def support_ids(self) -> frozenset[str]:
        """Ids of `support`."""
        return frozenset(entry.id for entry in self.support)

    @lazy_property
    def recent(self) -> tuple[MemoryEntry, ...]:
        """The latest entries, newest first."""
        latest = self.snapshot.entries[-self._limits.recent :] if self._limits.recent else ()
        return tuple(entry for entry in reversed(latest) if is_active(entry))

    @lazy_property
    def relevant(self) -> tuple[MemoryEntry, ...]:
        """Support, then holders of the action's values, then the latest entries; each once."""
        merged = {entry.id: entry for entry in (*self.support, *self.holders, *self.recent)}
        return tuple(merged.values())

    @lazy_property
    def readings(self) -> tuple[EntryReading, ...]:
        """Readings of `relevant`, in the same order."""
        return tuple(self._readings.of(entry) for entry in self.relevant)

    @lazy_property
    def quarantined(self) -> tuple[MemoryEntry, ...]:
        """Quarantined entries at hand: the agent may still know them from before they were taken away."""
        snapshot, facts = self.snapshot, self.snapshot.facts
        names = [
            name for value in sorted(self.action_values)[:_MAX_VALUES] for name in facts.entries_with(value, first=2)
        ]
        named = [snapshot.entry(name) for name in (*self.action.depends_on, *names) if name in snapshot]
        latest = snapshot.entries[-self._limits.recent :] if self._limits.recent else ()
        merged = {entry.id: entry for entry in (*named, *latest) if entry.status is Status.QUARANTINED}
        return tuple(merged.values())

    @lazy_property
    def outside(self) -> tuple[MemoryEntry, ...]:
        """The relevant entries that bring something in from outside, and the first few of the run."""
        early = [entry for entry in self.snapshot.entries[:_EARLY] if is_active(entry)]
        merged = {entry.id: entry for entry in (*self.relevant, *early)}
        return tuple(entry for entry in merged.values() if entry.source not in (Source.LLM_REASONING, Source.AGENT))

    @lazy_property
    def request(self) -> Request:
        """What the user asked for: the goal and what the user said in the entries at hand."""
        said = [e for e in self.snapshot.entries[:_EARLY] if e.source is Source.USER and e.is_trusted]
        said += [e for e in reversed(self.recent) if e.source is Source.USER and e.is_trusted and e not in said]
        texts = [self.snapshot.goal, *(self.read(entry).text for entry in said)]
        return read_request("\n".join(dict.fromkeys(text for text in texts if text)))

    @lazy_property
    def action_values(self) -> frozenset[str]:
        """Identifying values that the action carries."""
        return values_in(self.said) | frozenset(
            argument.text.lower()
            for argument in self.arguments
            if 3 <= len(argument.text) <= 80 and " " not in argument.text
        )

    @lazy_property
    def arguments(self) -> tuple[Argument, ...]:
        """The action's arguments, one for each value, nested ones included."""
        return arguments_of(self.action)

    @lazy_property
    def said(self) -> str:
        """What the action says: its content and the values of its arguments."""
        return "\n".join([*(argument.text for argument in self.arguments), self.action.content])

    @lazy_property
    def action_facts(self) -> tuple[Fact, ...]:
        """Facts that the action states in prose or arguments."""
        texts = [argument.text for argument in self.arguments if len(argument.text) > 20]
        return tuple(fact for text in (*texts, self.action.content) if text for fact in facts_of_draft(text))

    @lazy_property
    def action_figures(self) -> tuple[Figure, ...]:
        """Numbers that the action states."""
        return figures_in(self.said)

    @lazy_property
    def kinds(self) -> frozenset[str]:
        """What the action's tool does, by the verbs in its name."""
        return action_kinds(self.action.tool_name or "")

    @lazy_property
    def tool_words(self) -> frozenset[str]:
        """Words of the tool's name without endings."""
        return frozenset(stem(token) for token in tool_tokens(self.action.tool_name or "") if len(token) > 2)


def facts_of_draft(text: str) -> tuple[Fact, ...]:
    """Facts that a text of the pending action states."""
    return _facts_of_short(text) if len(text) <= _MAX_KEPT else _read_draft(text)


def _read_draft(text: str) -> tuple[Fact, ...]:
    return extract_facts(MemoryEntry(id=ACTION_ID, content=text, source=Source.AGENT))


_facts_of_short = lru_cache(maxsize=512)(_read_draft)  # a draft is read by rules, by the engine, and on every retry


def is_active(entry: MemoryEntry) -> bool:
    """Whether an entry still counts: in use, and not a message of the guard itself."""
    return is_in_use(entry) and not is_notice(entry)


def is_evidence(entry: MemoryEntry) -> bool:
    """Whether an entry can speak for or against another: in use, and no message of the guard, whoever stored it."""
    return is_in_use(entry) and not carries_mark(entry)


def is_in_use(entry: MemoryEntry) -> bool:
    """Whether an entry is neither quarantined nor superseded."""
    return entry.status is Status.ACTIVE or entry.status is Status.SUSPECT


def arguments_of(action: PendingAction) -> tuple[Argument, ...]:
    """An action's arguments, one for each value, nested ones included. What lies deeper than 32 levels is one text."""
    return tuple(_leaves(action.arguments, ""))


def _leaves(value: JsonValue, key: str, depth: int = 0) -> Iterable[Argument]:
    if depth > MAX_JSON_DEPTH and isinstance(value, dict | list):
        yield Argument(key, json.dumps(value, ensure_ascii=False))
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, str(name), depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, key, depth + 1)
    elif value is not None and not isinstance(value, bool):
        yield Argument(key, str(value))
