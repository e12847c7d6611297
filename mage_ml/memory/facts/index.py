"""Index over facts and values: conflicts and provenance without reading the whole chain."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import re2

from mage_ml.memory.entry import MemoryEntry, Status
from mage_ml.memory.facts.extract import extract_facts
from mage_ml.memory.facts.lexicon import CORRECTIONS
from mage_ml.memory.facts.quantities import find_quantities, parse_period
from mage_ml.memory.facts.types import Fact

MAX_CONFLICTS_PER_ENTRY: Final = 20
MAX_VALUES_PER_ENTRY: Final = 400

# Values that identify: addresses, links, paths, codes, long numbers.
_VALUE = re2.compile(
    r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,}"
    r"|https?://[^\s'\"<>）)，。]+|www\.[^\s'\"<>）)，。]+"
    r"|(?:[A-Za-z0-9_.\-]+)?(?:/[A-Za-z0-9_.\-]+)+"
    r"|\b[A-Z]{2}\d{2}[A-Z0-9]{8,30}\b"
    r"|\b[A-Za-z]+[\-_]?\d[A-Za-z0-9\-_]*\b"
)
_CORRECTION = re2.compile("(?i)" + "|".join(CORRECTIONS))


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


class FactIndex:
    """Facts by (entity, attribute) and values by entry, built one entry at a time.

    Adding an entry costs its own facts; facts are compared only where entity and attribute meet.
    """

    def __init__(self) -> None:
        self._facts: dict[str, tuple[Fact, ...]] = {}
        self._values: dict[str, frozenset[str]] = {}
        self._by_key: dict[tuple[str, str], list[Fact]] = {}
        self._by_value: dict[str, list[str]] = {}
        self._conflicts: dict[str, tuple[FactConflict, ...]] = {}

    @classmethod
    def of(cls, entries: Iterable[MemoryEntry]) -> Self:
        """Index some entries."""
        index = cls()
        for entry in entries:
            index.add(entry)
        return index

    def add(self, entry: MemoryEntry) -> None:
        """Add or replace an entry. Quarantined and superseded entries keep their values but raise no conflict."""
        if entry.id in self._facts:
            self._remove(entry.id)
        facts = extract_facts(entry)
        corrected = bool(_CORRECTION.search(entry.text))
        active = entry.status in (Status.ACTIVE, Status.SUSPECT)
        conflicts: list[FactConflict] = []
        for fact in facts if active else ():
            # Only the latest statement on each key is compared: one wrong value gives one conflict, not one per echo.
            for other in self._by_key.get(fact.key, [])[-8:]:
                if other.entry_id != entry.id and other.disagrees_with(fact):
                    conflicts.append(FactConflict(other, fact, corrected))
        for fact in facts if active else ():
            self._by_key.setdefault(fact.key, []).append(fact)
        self._facts[entry.id] = facts
        self._conflicts[entry.id] = tuple(conflicts[:MAX_CONFLICTS_PER_ENTRY])
        self._values[entry.id] = values_in(entry.text)
        for value in self._values[entry.id]:
            self._by_value.setdefault(value, []).append(entry.id)

    def facts_of(self, entry_id: str) -> tuple[Fact, ...]:
        """The facts an entry states."""
        return self._facts.get(entry_id, ())

    def conflicts_of(self, entry_id: str) -> tuple[FactConflict, ...]:
        """Conflicts of an entry with entries before it."""
        return self._conflicts.get(entry_id, ())

    def conflicts(self) -> tuple[FactConflict, ...]:
        """All conflicts, in order of the later entry."""
        return tuple(conflict for group in self._conflicts.values() for conflict in group)

    def facts_about(self, entity: str, attribute: str) -> tuple[Fact, ...]:
        """All active facts on one (entity, attribute) key in order."""
        return tuple(self._by_key.get((entity, attribute), ()))

    def values_of(self, entry_id: str) -> frozenset[str]:
        """The identifying values in an entry; see `values_in`."""
        return self._values.get(entry_id, frozenset())

    def entries_with(self, value: str) -> tuple[str, ...]:
        """Ids of the entries that hold an identifying value, in order."""
        return tuple(self._by_value.get(value, ()))

    def _remove(self, entry_id: str) -> None:
        for fact in self._facts.pop(entry_id):
            peers = self._by_key.get(fact.key)
            if peers and fact in peers:
                peers.remove(fact)
        for value in self._values.pop(entry_id):
            self._by_value[value].remove(entry_id)
        self._conflicts.pop(entry_id)
        for other, group in self._conflicts.items():
            if any(conflict.earlier.entry_id == entry_id for conflict in group):
                self._conflicts[other] = tuple(c for c in group if c.earlier.entry_id != entry_id)


def values_in(text: str) -> frozenset[str]:
    """The values in a text that identify something: addresses, links, paths, codes and numbers of three digits or more.

    Common words and small numbers are left out, so that two texts sharing a value most likely share its origin.
    """
    folded = unicodedata.normalize("NFKC", text[:20_000])
    found: dict[str, None] = {}
    for match in _VALUE.finditer(folded):
        value = match.group(0).lower().rstrip(".,;:/")
        if not parse_period(value):
            found[value] = None
        if len(found) >= MAX_VALUES_PER_ENTRY:
            break
    for quantity in find_quantities(folded)[:MAX_VALUES_PER_ENTRY]:
        if abs(quantity.number) >= 100 or quantity.number != int(quantity.number):
            found[f"{quantity.number:.10g}"] = None
    return frozenset(found)
