"""Statements on one key, and when two of them cannot both be right."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from mage_ml.memory.facts.layers import Opened
from mage_ml.memory.facts.types import Fact

MAX_COMPARED: Final = 8
MAX_SCANNED: Final = 64
_CORRECTION_REACH: Final = 300


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


@dataclass(slots=True)
class Peers:
    """The statements under one key by the places of their entries, in order."""

    places: list[int] = field(default_factory=list)
    facts: dict[int, tuple[Fact, ...]] = field(default_factory=dict)


def latest_distinct(peers: Peers, before: int) -> Iterator[Fact]:
    """The latest statements under a key, one for each distinct value: an echo cannot crowd out the truth."""
    seen: set[tuple[float | None, str, str, str]] = set()
    stop = bisect_left(peers.places, before)
    for at in range(stop - 1, max(-1, stop - 1 - MAX_SCANNED), -1):
        for fact in peers.facts[peers.places[at]]:
            signature = (fact.number, fact.word, fact.unit, fact.time)
            if signature not in seen:
                seen.add(signature)
                yield fact
                if len(seen) >= MAX_COMPARED:
                    return


def is_corrected(opened: Opened, fact: Fact) -> bool:
    """Whether a word of correction stands near the fact; anywhere, for structured content."""
    if fact.span == (0, 0):
        return bool(opened.corrections)
    return any(abs(place - fact.span[0]) <= _CORRECTION_REACH for place in opened.corrections)
