"""Index over facts and values: conflicts and provenance without reading the whole chain."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Self

from mage_ml.forking import ForkAwareLock
from mage_ml.memory.entry import MemoryEntry, Status
from mage_ml.memory.facts.conflicts import FactConflict, Peers, is_corrected, latest_distinct
from mage_ml.memory.facts.layers import LONG_ENTRY_CHARS, Glance, Opened, glance_at, open_entry
from mage_ml.memory.facts.types import Fact
from mage_ml.memory.facts.values import ValueScan, values_in

__all__ = ["FactConflict", "FactIndex", "IndexCounts", "values_in"]

MAX_CONFLICTS_PER_ENTRY: Final = 20
MAX_UNOPENED: Final = 64


@dataclass(frozen=True, slots=True)
class IndexCounts:
    """How much of an index was read.

    Attributes:
        entries: Entries known.
        opened: Entries whose facts were read.
        deferred: Entries that were too long to be read at once.
        deferred_opened: Those of them that were read later.
    """

    entries: int
    opened: int
    deferred: int
    deferred_opened: int


@dataclass(slots=True)
class _Known:
    """What is kept of one entry."""

    entry: MemoryEntry
    text: str
    glance: Glance
    active: bool
    opened: Opened | None = None


class FactIndex:
    """Facts by (entity, attribute) and values by entry, built one entry at a time.

    Adding or replacing an entry costs that entry alone, however long the chain is. Long entries are kept at their
    first layer (identifying values, and which names occur) and read only when a question is about them or about
    something they may speak of; at most 64 wait, then the oldest is read. Every answer is the same as if all were read.

    Facts are compared only where entity and attribute meet, and there with the latest distinct statements only.

    Args:
        defer_above: Entries with more characters than this wait to be read; 0 defers all.
    """

    def __init__(self, *, defer_above: int = LONG_ENTRY_CHARS) -> None:
        self._defer_above = defer_above
        self._entries: dict[str, _Known] = {}
        self._order: dict[str, int] = {}
        self._names: list[str] = []
        self._by_key: dict[tuple[str, str], Peers] = {}
        self._by_value: dict[str, dict[str, None]] = {}
        self._waiting: dict[str, None] = {}
        self._deferred = self._deferred_opened = 0
        self._conflicts: dict[str, tuple[FactConflict, ...]] = {}
        # Questions read entries: evaluators that share a snapshot may ask at the same time.
        self._lock = ForkAwareLock("a fact index")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._lock = ForkAwareLock("a fact index")

    @classmethod
    def of(cls, entries: Iterable[MemoryEntry]) -> Self:
        """Index some entries."""
        index = cls()
        for entry in entries:
            index.add(entry)
        return index

    def add(self, entry: MemoryEntry) -> None:
        """Add an entry, or put a new version of it in its place.

        Quarantined and superseded entries keep their values but raise no conflict.
        """
        with self._lock:
            self._add(entry)

    def _add(self, entry: MemoryEntry) -> None:
        active = entry.status in (Status.ACTIVE, Status.SUSPECT)
        text = entry.text
        old = self._entries.get(entry.id)
        if old is not None and old.text == text and old.active == active:
            return
        if old is not None:
            self._conflicts.pop(entry.id, None)
            self._withdraw(entry.id, old)
        if old is not None and old.text == text:
            known = _Known(entry, text, old.glance, active, old.opened)
        else:
            if entry.id not in self._order:
                self._order[entry.id] = len(self._names)
                self._names.append(entry.id)
            known = _Known(entry, text, glance_at(text, is_long=len(text) > self._defer_above), active)
            self._move_values(entry.id, old.glance.scan.values if old else frozenset(), known.glance.scan.values)
        self._entries[entry.id] = known
        if known.opened is not None:
            self._publish(entry.id, known, known.opened)
        elif len(text) > self._defer_above:
            self._waiting[entry.id] = None
            self._deferred += 1
            if len(self._waiting) > MAX_UNOPENED:
                self._open(next(iter(self._waiting)))
        else:
            self._read(entry.id, known)

    def facts_of(self, entry_id: str) -> tuple[Fact, ...]:
        """The facts an entry states."""
        known = self._entries.get(entry_id)
        if known is not None and known.opened is not None:
            return known.opened.facts
        with self._lock:
            opened = self._open(entry_id)
        return opened.facts if opened is not None else ()

    def conflicts_of(self, entry_id: str) -> tuple[FactConflict, ...]:
        """Conflicts of an entry with entries before it."""
        found = self._conflicts.get(entry_id) if not self._waiting else None
        if found is not None:
            return found
        with self._lock:
            return self._conflicts_of(entry_id)

    def _conflicts_of(self, entry_id: str) -> tuple[FactConflict, ...]:
        opened = self._open(entry_id)
        known = self._entries.get(entry_id)
        if opened is None or known is None:
            return ()
        if not known.active or not opened.settled:
            self._conflicts[entry_id] = ()
            return ()
        for entity in {fact.entity for fact in opened.settled} if self._waiting else ():
            self._open_all_naming(entity)
        if entry_id not in self._conflicts:
            found = islice(self._found(entry_id, opened), MAX_CONFLICTS_PER_ENTRY)
            self._conflicts[entry_id] = tuple(found)
        return self._conflicts[entry_id]

    def conflicts(self) -> tuple[FactConflict, ...]:
        """All conflicts, in order of the later entry. Reads every entry."""
        return tuple(conflict for name in self._names for conflict in self.conflicts_of(name))

    def facts_about(self, entity: str, attribute: str, *, latest: int | None = None) -> tuple[Fact, ...]:
        """Active facts on one (entity, attribute) key in order.

        Args:
            entity: Whom or what they are about.
            attribute: Which property.
            latest: Only those of this many latest entries; keeps the cost flat on long chains.
        """
        with self._lock:
            if self._waiting:
                self._open_all_naming(entity)
            peers = self._by_key.get((entity, attribute))
            if peers is None or latest == 0:
                return ()
            places = peers.places if latest is None else peers.places[-latest:]
            return tuple(fact for place in places for fact in peers.facts[place])

    def values_of(self, entry_id: str) -> frozenset[str]:
        """The identifying values in an entry; see `values_in`."""
        known = self._entries.get(entry_id)
        return known.glance.scan.values if known is not None else frozenset()

    def scan_of(self, entry_id: str) -> ValueScan:
        """The identifying values in an entry, and how much of it was read for them.

        Raises:
            KeyError: No entry has this id.
        """
        return self._entries[entry_id].glance.scan

    def entries_with(self, value: str, *, first: int | None = None, latest: int | None = None) -> tuple[str, ...]:
        """Ids of the entries that hold an identifying value, in order.

        Args:
            value: As `values_in` gives it.
            first: With `latest`, only this many from the start, and ...
            latest: ... this many from the end; keeps the cost flat on long chains.
        """
        names = self._by_value.get(value, {})
        if (first is None and latest is None) or len(names) <= (first or 0) + (latest or 0):
            return tuple(names)
        return (*islice(names, first or 0), *reversed(tuple(islice(reversed(names), latest or 0))))

    @property
    def counts(self) -> IndexCounts:
        """How much was read so far."""
        unread = len(self._waiting)
        return IndexCounts(len(self._entries), len(self._entries) - unread, self._deferred, self._deferred_opened)

    def _open_all_naming(self, entity: str) -> None:
        for name in [name for name in self._waiting if self._entries[name].glance.may_name(entity)]:
            self._open(name)

    def _open(self, entry_id: str) -> Opened | None:
        known = self._entries.get(entry_id)
        if known is None:
            return None
        if known.opened is None:
            del self._waiting[entry_id]
            self._deferred_opened += 1
            return self._read(entry_id, known)
        return known.opened

    def _read(self, entry_id: str, known: _Known) -> Opened:
        known.opened = open_entry(known.entry, known.text)
        self._publish(entry_id, known, known.opened)
        return known.opened

    def _found(self, entry_id: str, opened: Opened) -> Iterator[FactConflict]:
        place = self._order[entry_id]
        for fact in opened.settled:
            for other in latest_distinct(self._by_key[fact.key], place):
                if other.disagrees_with(fact):
                    yield FactConflict(other, fact, is_corrected(opened, fact))

    def _publish(self, entry_id: str, known: _Known, opened: Opened) -> None:
        if not known.active:
            return
        by_key: dict[tuple[str, str], list[Fact]] = {}
        for fact in opened.settled:
            by_key.setdefault(fact.key, []).append(fact)
        place = self._order[entry_id]
        if by_key and place < len(self._names) - 1:
            # What comes later was compared without it.
            self._conflicts.clear()
        for key, facts in by_key.items():
            peers = self._by_key.setdefault(key, Peers())
            if peers.places and peers.places[-1] > place:
                peers.places.insert(bisect_left(peers.places, place), place)
            else:
                peers.places.append(place)
            peers.facts[place] = tuple(facts)

    def _withdraw(self, entry_id: str, old: _Known) -> None:
        self._waiting.pop(entry_id, None)
        if old.opened is None or not old.active:
            return
        place = self._order[entry_id]
        for key in {fact.key for fact in old.opened.settled}:
            peers = self._by_key[key]
            del peers.places[bisect_left(peers.places, place)], peers.facts[place]
            if not peers.places:
                del self._by_key[key]
        self._conflicts.clear()

    def _move_values(self, entry_id: str, old: frozenset[str], new: frozenset[str]) -> None:
        for value in old - new:
            self._by_value[value].pop(entry_id, None)
            if not self._by_value[value]:
                del self._by_value[value]
        for value in new - old:
            names = self._by_value.setdefault(value, {})
            is_late = bool(names) and self._order[next(reversed(names))] > self._order[entry_id]
            names[entry_id] = None
            if is_late:  # a revised entry keeps its place
                self._by_value[value] = dict.fromkeys(sorted(names, key=self._order.__getitem__))
