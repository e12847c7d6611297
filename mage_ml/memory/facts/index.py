"""Index over facts and values: conflicts and provenance without reading the whole chain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Self

import re2

from mage_ml.memory.entry import MemoryEntry, Status
from mage_ml.memory.facts.extract import extract_facts
from mage_ml.memory.facts.lexicon import CORRECTIONS
from mage_ml.memory.facts.types import Fact
from mage_ml.memory.facts.values import values_in

__all__ = ["FactConflict", "FactIndex", "values_in"]

MAX_CONFLICTS_PER_ENTRY: Final = 20
MAX_COMPARED: Final = 8
MAX_SCANNED: Final = 64
_CORRECTION_REACH: Final = 300

_CORRECTION: Final = re2.compile(
    "(?i)" + "|".join(rf"\b{re2.escape(word)}\b" if word.isascii() else re2.escape(word) for word in CORRECTIONS)
)


@dataclass(frozen=True, slots=True)
class FactConflict:
    """Two entries that cannot both be right.

    Attributes:
        earlier: What was said first.
        later: What was said afterwards.
        corrected: Whether the later entry announces that it corrects or updates the earlier value.
    """

    earlier: Fact
    later: Fact
    corrected: bool


@dataclass(frozen=True, slots=True)
class _Indexed:
    """What is kept of one entry."""

    text: str
    facts: tuple[Fact, ...]
    settled: tuple[Fact, ...]
    values: frozenset[str]
    corrections: tuple[int, ...]
    active: bool


class FactIndex:
    """Facts by (entity, attribute) and values by entry, built one entry at a time.

    Adding or replacing an entry costs its own facts and conflicts, however long the chain is: facts are compared only
    where entity and attribute meet, and there with the latest distinct statements only.
    """

    def __init__(self) -> None:
        self._entries: dict[str, _Indexed] = {}
        self._order: dict[str, int] = {}
        self._by_key: dict[tuple[str, str], dict[str, tuple[Fact, ...]]] = {}
        self._by_value: dict[str, dict[str, None]] = {}
        # Conflicts by the later entry, and for each entry the later ones that contradict it.
        self._conflicts: dict[str, tuple[FactConflict, ...]] = {}
        self._contradicted_by: dict[str, set[str]] = {}

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
        active = entry.status in (Status.ACTIVE, Status.SUSPECT)
        text = entry.text
        old = self._entries.get(entry.id)
        if old is not None and old.text == text and old.active == active:
            return
        if old is not None and old.active:
            self._withdraw(entry.id, old)
        same = old is not None and old.text == text
        indexed = _index(entry, text, active) if old is None or not same else _with_status(old, active)
        if not same:
            self._move_values(entry.id, old.values if old is not None else frozenset(), indexed.values)
        self._entries[entry.id] = indexed
        self._order.setdefault(entry.id, len(self._order))
        self._conflicts.setdefault(entry.id, ())
        if active:
            self._conflicts[entry.id] = tuple(islice(self._found(entry.id, indexed), MAX_CONFLICTS_PER_ENTRY))
            for conflict in self._conflicts[entry.id]:
                self._contradicted_by.setdefault(conflict.earlier.entry_id, set()).add(entry.id)
            self._publish(entry.id, indexed, replaced=old is not None)

    def facts_of(self, entry_id: str) -> tuple[Fact, ...]:
        """The facts an entry states."""
        indexed = self._entries.get(entry_id)
        return indexed.facts if indexed is not None else ()

    def conflicts_of(self, entry_id: str) -> tuple[FactConflict, ...]:
        """Conflicts of an entry with entries before it."""
        return self._conflicts.get(entry_id, ())

    def conflicts(self) -> tuple[FactConflict, ...]:
        """All conflicts, in order of the later entry."""
        return tuple(conflict for group in self._conflicts.values() for conflict in group)

    def facts_about(self, entity: str, attribute: str) -> tuple[Fact, ...]:
        """All active facts on one (entity, attribute) key in order."""
        return tuple(fact for facts in self._by_key.get((entity, attribute), {}).values() for fact in facts)

    def values_of(self, entry_id: str) -> frozenset[str]:
        """The identifying values in an entry; see `values_in`."""
        indexed = self._entries.get(entry_id)
        return indexed.values if indexed is not None else frozenset()

    def entries_with(self, value: str) -> tuple[str, ...]:
        """Ids of the entries that hold an identifying value, in order."""
        return tuple(self._by_value.get(value, ()))

    def _found(self, entry_id: str, indexed: _Indexed) -> Iterator[FactConflict]:
        place = self._order[entry_id]
        for fact in indexed.settled:
            for other in _latest_distinct(self._by_key.get(fact.key, {}), place, self._order):
                if other.disagrees_with(fact):
                    yield FactConflict(other, fact, _is_corrected(indexed, fact))

    def _publish(self, entry_id: str, indexed: _Indexed, *, replaced: bool) -> None:
        by_key: dict[tuple[str, str], list[Fact]] = {}
        for fact in indexed.settled:
            by_key.setdefault(fact.key, []).append(fact)
        for key, facts in by_key.items():
            peers = self._by_key.setdefault(key, {})
            peers[entry_id] = tuple(facts)
            if replaced:
                self._restore_order(key, entry_id)

    def _restore_order(self, key: tuple[str, str], entry_id: str) -> None:
        """Put a replaced entry back in its place on one key, and compare what came after it with it again."""
        ordered = sorted(self._by_key[key].items(), key=lambda item: self._order[item[0]])
        self._by_key[key] = dict(ordered)
        mine = self._by_key[key][entry_id]
        for later, facts in ordered[[name for name, _ in ordered].index(entry_id) + 1 :][:MAX_SCANNED]:
            found = [
                FactConflict(fact, other, _is_corrected(self._entries[later], other))
                for other in facts
                for fact in mine
                if fact.disagrees_with(other)
            ]
            if found:
                self._conflicts[later] = (*self._conflicts[later], *found)[:MAX_CONFLICTS_PER_ENTRY]
                self._contradicted_by.setdefault(entry_id, set()).add(later)

    def _withdraw(self, entry_id: str, indexed: _Indexed) -> None:
        for key in {fact.key for fact in indexed.settled}:
            self._by_key[key].pop(entry_id, None)
            if not self._by_key[key]:
                del self._by_key[key]
        for conflict in self._conflicts[entry_id]:
            self._contradicted_by.get(conflict.earlier.entry_id, set()).discard(entry_id)
        self._conflicts[entry_id] = ()
        for later in self._contradicted_by.pop(entry_id, ()):
            self._conflicts[later] = tuple(c for c in self._conflicts[later] if c.earlier.entry_id != entry_id)

    def _move_values(self, entry_id: str, old: frozenset[str], new: frozenset[str]) -> None:
        for value in old - new:
            self._by_value[value].pop(entry_id, None)
            if not self._by_value[value]:
                del self._by_value[value]
        for value in new - old:
            self._by_value.setdefault(value, {})[entry_id] = None


def _index(entry: MemoryEntry, text: str, active: bool) -> _Indexed:
    facts = extract_facts(entry)
    corrections = tuple(match.start() for match in islice(_CORRECTION.finditer(text[:20_000]), 50)) if facts else ()
    return _Indexed(text, facts, _settled(facts), values_in(text), corrections, active)


def _with_status(old: _Indexed, active: bool) -> _Indexed:
    return _Indexed(old.text, old.facts, old.settled, old.values, old.corrections, active)


def _settled(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts that can contradict others: those whose entry gives one value for their key and time.

    An entry that lists several (the senders in a channel) shows that the attribute is not single-valued there.
    """
    values: dict[tuple[str, str, str], set[tuple[float | None, str]]] = {}
    for fact in facts:
        values.setdefault((*fact.key, fact.time), set()).add((fact.number, fact.word))
    return tuple(fact for fact in facts if len(values[(*fact.key, fact.time)]) == 1 and not _is_loose(fact))


def _is_loose(fact: Fact) -> bool:
    """Whether a fact is a word in a record that names nothing: the next such record is most likely another one."""
    return not fact.entity and fact.number is None and fact.span == (0, 0)


def _latest_distinct(peers: dict[str, tuple[Fact, ...]], before: int, order: dict[str, int]) -> Iterator[Fact]:
    """The latest statements under a key, one for each distinct value: an echo cannot crowd out the truth."""
    seen: set[tuple[float | None, str, str, str]] = set()
    for entry_id in islice(reversed(peers), MAX_SCANNED):
        if order[entry_id] >= before:
            continue
        for fact in peers[entry_id]:
            signature = (fact.number, fact.word, fact.unit, fact.time)
            if signature not in seen:
                seen.add(signature)
                yield fact
                if len(seen) >= MAX_COMPARED:
                    return


def _is_corrected(indexed: _Indexed, fact: Fact) -> bool:
    """Whether a word of correction stands near the fact; anywhere, for structured content."""
    if fact.span == (0, 0):
        return bool(indexed.corrections)
    return any(abs(place - fact.span[0]) <= _CORRECTION_REACH for place in indexed.corrections)
