"""Which entries a decision is based on: chosen by the graph, never by silent truncation."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mage_ml.memory import MemoryEntry, Snapshot, Status
from mage_ml.memory.facts import values_in

RECENT_ENTRIES: Final = 6
MAX_HOLDERS_PER_VALUE: Final = 4
MAX_ANCESTORS: Final = 64
_READABLE: Final = (Status.ACTIVE, Status.SUSPECT)


def select_entries(snapshot: Snapshot, limit: int) -> tuple[MemoryEntry, ...]:
    """Choose the entries that bear on the pending action, in chain order.

    In order of precedence: what the action names as its basis, entries that hold a value of the action, the latest
    entries, the task, ancestors of those, entries that contradict them, then further recent ones. Quarantined and
    superseded entries are left out. The cost does not grow with the chain.

    Args:
        snapshot: What is judged.
        limit: The most entries to return.
    """
    core = _first(limit, snapshot, _core(snapshot))
    chosen = _first(limit, snapshot, itertools.chain(core, _context(snapshot, core, limit)))
    return tuple(snapshot.entry(entry_id) for entry_id in sorted(chosen, key=snapshot.graph.position))


def _core(snapshot: Snapshot) -> Iterator[str]:
    """What the action stands on directly."""
    yield from snapshot.action.depends_on
    for value in sorted(values_in(snapshot.action.text)):
        yield from snapshot.facts.entries_with(value, first=MAX_HOLDERS_PER_VALUE)
    yield from (entry.id for entry in reversed(snapshot.entries[-RECENT_ENTRIES:]))
    yield from (entry.id for entry in snapshot.entries[:2])


def _context(snapshot: Snapshot, core: Sequence[str], limit: int) -> Iterator[str]:
    """What the core stands on, what contradicts it, and what came lately."""
    above = [found for found in snapshot.graph.ancestors(*core, max_nodes=MAX_ANCESTORS) if found in snapshot]
    yield from sorted(above, key=lambda entry_id: -snapshot.graph.position(entry_id))
    for entry_id in (*core, *above):
        yield from (conflict.earlier.entry_id for conflict in snapshot.facts.conflicts_of(entry_id))
    yield from (entry.id for entry in reversed(snapshot.entries[-2 * limit :]))


def _first(limit: int, snapshot: Snapshot, candidates: Iterable[str]) -> tuple[str, ...]:
    """The first distinct readable entries among candidates."""
    chosen: dict[str, None] = {}
    for entry_id in candidates:
        if len(chosen) == limit:
            break
        if entry_id in snapshot and snapshot.entry(entry_id).status in _READABLE:
            chosen[entry_id] = None
    return tuple(chosen)
