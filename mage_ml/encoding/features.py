"""Provenance as numbers: one feature row per item, one relation matrix per snapshot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from mage_ml.encoding.columns import COLUMN, FEATURE_NAMES, RELATION_NAMES
from mage_ml.encoding.support import OWN_SOURCES, can_vouch, grounds_of, support_of, words_of
from mage_ml.memory import ActionType, FactConflict, MemoryEntry, Role, Snapshot, Source, Status
from mage_ml.memory.facts import values_in
from mage_ml.memory.graph import origin_of

MAX_LINEAGE: Final = 128
MAX_HOLDERS: Final = 16
WEAK_CONFIDENCE: Final = 0.6
RECENT_BASIS: Final = 6
_ACTION_TYPES: Final = tuple(ActionType)


def entry_features(
    snapshot: Snapshot,
    entry: MemoryEntry,
    lineage: frozenset[str],
    later_conflicts: Sequence[FactConflict],
    *,
    with_support: bool = True,
) -> npt.NDArray[np.float32]:
    """Feature row of one entry, shape (len(FEATURE_NAMES),).

    Args:
        snapshot: What is judged.
        entry: An entry of it.
        lineage: Ids of the entries from which the action derives.
        later_conflicts: Conflicts in which this entry is the earlier side.
        with_support: Work out the columns of version 2, too.
    """
    row = np.zeros(len(FEATURE_NAMES), dtype=np.float32)
    graph, action = snapshot.graph, snapshot.action
    row[COLUMN[f"source_is_{entry.source.value}"]] = 1.0
    row[COLUMN["is_instruction"]] = entry.role is Role.INSTRUCTION
    row[COLUMN["is_suspect"]] = entry.status is Status.SUSPECT
    parents = graph.parents(entry.id)
    known = [parent for parent in parents if parent in snapshot]
    above = graph.ancestors(entry.id, max_nodes=MAX_LINEAGE)
    support = [snapshot.entry(ancestor).confidence for ancestor in above if ancestor in snapshot]
    weakest = min(support, default=1.0)
    row[COLUMN["confidence"]] = entry.confidence
    row[COLUMN["weakest_support"]] = weakest
    row[COLUMN["confidence_above_support"]] = max(0.0, entry.confidence - weakest)
    row[COLUMN["age"]] = math.log1p(len(snapshot.entries) - 1 - graph.position(entry.id)) / 5
    row[COLUMN["position"]] = math.log1p(graph.position(entry.id)) / 5
    row[COLUMN["parents"]] = math.log1p(len(parents)) / 2
    row[COLUMN["missing_parents"]] = len(parents) - len(known)
    row[COLUMN["in_cycle"]] = any(entry.id in graph.ancestors(parent, max_nodes=MAX_LINEAGE) for parent in known)
    row[COLUMN["origins"]] = (
        math.log1p(len(graph.independent_origins(entry.id))) / 2 if len(above) < MAX_LINEAGE else 1.0
    )
    row[COLUMN["is_basis_of_action"]] = entry.id in action.depends_on
    row[COLUMN["is_ancestor_of_action"]] = entry.id in lineage
    _conflict_features(snapshot, entry, later_conflicts, row)
    # Two parents from one origin are one voice, however often it is repeated.
    row[COLUMN["echoing_parents"]] = len(known) - len({origin_of(snapshot.entry(parent)) for parent in known})
    _value_features(snapshot, entry, row)
    if with_support:
        _support_features(snapshot, entry, row)
    return row


def action_features(snapshot: Snapshot, *, with_support: bool = True) -> npt.NDArray[np.float32]:
    """Feature row of the pending action, shape (len(FEATURE_NAMES),).

    Args:
        snapshot: What is judged.
        with_support: Work out the columns of version 2, too.
    """
    row = np.zeros(len(FEATURE_NAMES), dtype=np.float32)
    action = snapshot.action
    kind = ActionType(action.type) if action.type in _ACTION_TYPES else None
    row[COLUMN["is_action"]] = 1.0
    row[COLUMN[f"action_is_{kind.name.lower()}" if kind else "action_is_other"]] = 1.0
    row[COLUMN["position"]] = math.log1p(len(snapshot.entries)) / 5
    row[COLUMN["parents"]] = math.log1p(len(action.depends_on)) / 2
    row[COLUMN["missing_parents"]] = sum(parent not in snapshot for parent in action.depends_on)
    if with_support:
        _action_support(snapshot, row)
    values = values_in(action.text)
    if not values:
        return row
    goal_values = values_in(snapshot.goal)
    user = untrusted = nowhere = 0
    for value in values:
        holders = [entry for entry in _holders(snapshot, value, 4 * MAX_HOLDERS) if can_vouch(entry)]
        if value in goal_values or any(holder.is_trusted for holder in holders):
            user += 1
        elif holders:
            untrusted += 1
        else:
            nowhere += 1
    row[COLUMN["action_values_from_user"]] = user / len(values)
    row[COLUMN["action_values_from_untrusted_only"]] = untrusted / len(values)
    row[COLUMN["action_values_from_nowhere"]] = nowhere / len(values)
    return row


def _conflict_features(
    snapshot: Snapshot, entry: MemoryEntry, later_conflicts: Sequence[FactConflict], row: npt.NDArray[np.float32]
) -> None:
    own = snapshot.facts.conflicts_of(entry.id)
    row[COLUMN["conflicts_as_later"]] = math.log1p(sum(not conflict.corrected for conflict in own))
    row[COLUMN["conflicts_as_earlier"]] = math.log1p(sum(not conflict.corrected for conflict in later_conflicts))
    row[COLUMN["corrects"]] = any(conflict.corrected for conflict in own)
    row[COLUMN["was_corrected"]] = any(conflict.corrected for conflict in later_conflicts)
    row[COLUMN["unit_disagrees"]] = _unit_disagrees(snapshot, entry)


def relations(snapshot: Snapshot, item_entries: Sequence[MemoryEntry | None]) -> npt.NDArray[np.float32]:
    """Relations between items, shape (items, items, len(RELATION_NAMES)), 0 or 1.

    Args:
        snapshot: What is judged.
        item_entries: The entry each item is a piece of; `None` for the action.
    """
    size = len(item_entries)
    matrix = np.zeros((size, size, len(RELATION_NAMES)), dtype=np.float32)
    positions: dict[str, list[int]] = {}
    for index, entry in enumerate(item_entries):
        if entry is not None:
            positions.setdefault(entry.id, []).append(index)
    for entry_id, items in positions.items():
        _relate_entry(matrix, snapshot, entry_id, items, positions)
    _relate_action(matrix, snapshot, [index for index, entry in enumerate(item_entries) if entry is None], positions)
    return matrix


def _relate_entry(
    matrix: npt.NDArray[np.float32],
    snapshot: Snapshot,
    entry_id: str,
    items: Sequence[int],
    positions: Mapping[str, Sequence[int]],
) -> None:
    _mark(matrix, items, items, "same_entry", "same_entry")
    for parent in snapshot.graph.parents(entry_id):
        _mark(matrix, items, positions.get(parent, ()), "derives_from", "supports")
    for conflict in snapshot.facts.conflicts_of(entry_id):
        if not conflict.corrected:
            _mark(matrix, items, positions.get(conflict.earlier.entry_id, ()), "conflicts", "conflicts")
    for value in snapshot.facts.values_of(entry_id):
        for other in snapshot.facts.entries_with(value, first=MAX_HOLDERS):
            if other != entry_id:
                _mark(matrix, items, positions.get(other, ()), "shares_value", "shares_value")


def _relate_action(
    matrix: npt.NDArray[np.float32],
    snapshot: Snapshot,
    items: Sequence[int],
    positions: Mapping[str, Sequence[int]],
) -> None:
    for basis in snapshot.action.depends_on:
        _mark(matrix, items, positions.get(basis, ()), "basis_of_action", "basis_of_action")
    for value in values_in(snapshot.action.text):
        for holder in snapshot.facts.entries_with(value, first=MAX_HOLDERS):
            _mark(matrix, items, positions.get(holder, ()), "shares_value", "shares_value")


def _value_features(snapshot: Snapshot, entry: MemoryEntry, row: npt.NDArray[np.float32]) -> None:
    facts = snapshot.facts
    own = facts.values_of(entry.id)
    if not own:
        return
    wanted = values_in(snapshot.action.text)
    shared = own & wanted
    row[COLUMN["values_shared_with_action"]] = len(shared) / max(1, len(wanted))
    row[COLUMN["sole_holder_of_action_value"]] = any(len(facts.entries_with(value, first=2)) == 1 for value in shared)
    position = snapshot.graph.position(entry.id)
    if entry.source in OWN_SOURCES:
        new = [value for value in own if not _held_before(snapshot, value, position)]
        row[COLUMN["values_without_support"]] = len(new) / len(own)
        row[COLUMN["numbers_without_support"]] = sum(value[0].isdigit() for value in new) / len(own)
        weak = [value for value in own if value not in new and _is_weakly_held(snapshot, value, position)]
        row[COLUMN["values_from_weak_only"]] = len(weak) / len(own)


def _support_features(snapshot: Snapshot, entry: MemoryEntry, row: npt.NDArray[np.float32]) -> None:
    wanted = words_of(snapshot.action.text)
    row[COLUMN["words_shared_with_action"]] = len(wanted & words_of(entry.text)) / max(1, len(wanted))
    if entry.source in OWN_SOURCES:
        support = support_of(entry.text, grounds_of(snapshot, snapshot.graph.parents(entry.id)), snapshot.goal)
        row[COLUMN["figures_without_support"]] = support.unheld_figures
        row[COLUMN["words_without_support"]] = support.unheld_words


def _action_support(snapshot: Snapshot, row: npt.NDArray[np.float32]) -> None:
    # An action that names no basis is held against what came last.
    basis = snapshot.action.depends_on or tuple(entry.id for entry in snapshot.entries[-RECENT_BASIS:])
    # Own conclusions are no grounds here: what was made up once would support whatever repeats it.
    grounds = [entry for entry in grounds_of(snapshot, basis) if entry.source not in OWN_SOURCES]
    support = support_of(snapshot.action.text, grounds, snapshot.goal)
    row[COLUMN["action_figures_without_support"]] = support.unheld_figures
    row[COLUMN["action_words_without_support"]] = support.unheld_words


def _unit_disagrees(snapshot: Snapshot, entry: MemoryEntry) -> bool:
    """Whether an earlier entry states the same figure of the same thing in another unit: a slip, not a conflict."""
    for fact in snapshot.facts.facts_of(entry.id):
        for other in snapshot.facts.facts_about(*fact.key, latest=MAX_HOLDERS)[-MAX_HOLDERS:] if fact.unit else ():
            same = other.entry_id != entry.id and other.time == fact.time and other.action == fact.action
            if same and other.unit and other.unit != fact.unit:
                return True
    return False


def _is_weakly_held(snapshot: Snapshot, value: str, position: int) -> bool:
    """Whether a value rests on nothing better than guesses and texts of third parties."""
    for entry in _holders(snapshot, value):
        before = snapshot.graph.position(entry.id) < position and can_vouch(entry)
        if before and entry.confidence >= WEAK_CONFIDENCE and entry.source in (Source.TOOL, Source.USER, Source.SYSTEM):
            return False
    return True


def _held_before(snapshot: Snapshot, value: str, position: int) -> bool:
    holders = _holders(snapshot, value)
    return any(snapshot.graph.position(entry.id) < position and can_vouch(entry) for entry in holders)


def _holders(snapshot: Snapshot, value: str, first: int = MAX_HOLDERS) -> list[MemoryEntry]:
    found = snapshot.facts.entries_with(value, first=first)
    return [snapshot.entry(entry_id) for entry_id in found if entry_id in snapshot]


def _mark(
    matrix: npt.NDArray[np.float32], first: Sequence[int], second: Sequence[int], forward: str, backward: str
) -> None:
    for i in first:
        for j in second:
            matrix[i, j, RELATION_NAMES.index(forward)] = 1.0
            matrix[j, i, RELATION_NAMES.index(backward)] = 1.0
