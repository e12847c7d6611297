"""The two layers in which an entry is known: what it is at a glance, and the facts it states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import re2

from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.facts.extract import extract_facts
from mage_ml.memory.facts.lexicon import CORRECTIONS
from mage_ml.memory.facts.names import fold
from mage_ml.memory.facts.types import Fact
from mage_ml.memory.facts.values import ValueScan, scan_values

LONG_ENTRY_CHARS: Final = 1_500
"""Entries longer than this are opened on demand; for shorter ones a glance costs as much as reading."""
_CORRECTION_CHARS: Final = 20_000
_CORRECTION: Final = re2.compile(
    "(?i)" + "|".join(rf"\b{re2.escape(word)}\b" if word.isascii() else re2.escape(word) for word in CORRECTIONS)
)


@dataclass(frozen=True, slots=True)
class Glance:
    """Layer 1 of an entry: enough to tell whether it can conflict with another.

    Attributes:
        scan: Its identifying values, with how much was read.
        folded: Its text in lower case, if names can be looked up in it; empty when only reading it can tell.
    """

    scan: ValueScan
    folded: str

    def may_name(self, entity: str) -> bool:
        """Whether the entry can state a fact about an entity; false only if it cannot."""
        return not self.folded or all(word in self.folded for word in entity.split())


@dataclass(frozen=True, slots=True)
class Opened:
    """Layer 2 of an entry.

    Attributes:
        facts: What it states.
        settled: The facts that can contradict others.
        corrections: Where words of correction stand.
    """

    facts: tuple[Fact, ...]
    settled: tuple[Fact, ...]
    corrections: tuple[int, ...]


def glance_at(text: str, *, is_long: bool) -> Glance:
    """Layer 1 of a text."""
    scan = scan_values(text)
    if not is_long:
        return Glance(scan, "")
    lowered = text.lower()
    # Escapes hide names, and a text that changes when folded may hold them in another form.
    plain = "\\" not in text and "&" not in text and "Σ" not in text and fold(lowered) == lowered.strip()
    return Glance(scan, lowered if plain else "")


def open_entry(entry: MemoryEntry, text: str) -> Opened:
    """Layer 2 of an entry."""
    facts = extract_facts(entry)
    found: Iterator[int] = (match.start() for match in islice(_CORRECTION.finditer(text[:_CORRECTION_CHARS]), 50))
    return Opened(facts, _settled(facts), tuple(found) if facts else ())


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
