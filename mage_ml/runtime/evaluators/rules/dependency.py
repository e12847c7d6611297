"""Dependencies that lead nowhere, in a circle, or into the future."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mage_ml.memory import MemoryEntry, Source
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.reading import identity_of
from mage_ml.runtime.evaluators.rules.scope import Scope, is_in_use

_OWN: Final = (Source.LLM_REASONING, Source.AGENT)
_NAMED_BY_ACTION: Final = 0.6
_MISSING: Final = 0.6
_MISSING_BUT_HELD: Final = 0.25
_CYCLE: Final = 0.7
_FROM_LATER: Final = 0.55
_REMOVED: Final = 0.75
_REMOVED_BUT_THOUGHT: Final = 0.3
_FROM_REMOVED: Final = 0.7


class BrokenDependency:
    """The action rests on an entry whose stated parents do not exist, form a cycle, or came later than it.

    Catches: a conclusion stored with invented, deleted or wrong references; a pair of notes that support each other; an
    action that still uses a quarantined entry. Looks only at what the action rests on. An entry with a missing parent
    is forgiven when another parent, or another entry from outside, holds all its identifying values.
    Does not catch: a wrong parent that exists; `unsupported_claim` sees that the figures are not in it.
    """

    id = RuleId.BROKEN_DEPENDENCY
    axis = RiskAxis.DEPENDENCY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        yield from self._of_action(scope)
        if scope.action.is_consequential:
            yield from self._from_removed(scope)
        out_of_order = False
        for entry in scope.irregular:
            missing, later = _odd_parents(scope, entry)
            if missing or later:
                yield from self._of_entry(scope, entry, missing, later)
            out_of_order = out_of_order or bool(later)
        # A circle needs a parent that was written after its child.
        for group in _cycles(scope) if out_of_order else ():
            names = ", ".join(repr(name) for name in group)
            yield self._evidence(
                _CYCLE, group, f"Entries {names} support each other in a circle and rest on nothing else."
            )

    def _of_action(self, scope: Scope) -> Iterator[Evidence]:
        snapshot = scope.snapshot
        missing = [name for name in scope.action.depends_on if name not in snapshot]
        if missing:
            shown = ", ".join(map(repr, missing[:3]))
            yield self._evidence(_NAMED_BY_ACTION, (), f"The action says it uses {shown}, which memory does not hold.")
        named = [name for name in scope.action.depends_on if name in snapshot]
        removed = [name for name in named if not is_in_use(snapshot.entry(name))]
        if removed:
            status = snapshot.entry(removed[0]).status
            score = _REMOVED if scope.action.is_consequential else _REMOVED_BUT_THOUGHT
            yield self._evidence(score, removed, f"The action uses entry {removed[0]!r}, which is {status}.")

    def _from_removed(self, scope: Scope) -> Iterator[Evidence]:
        """Conclusions that were drawn, after the repair, from an entry that is out of use."""
        snapshot = scope.snapshot
        for entry in scope.irregular:
            if entry.source not in _OWN:
                continue
            for name in entry.depends_on:
                if name not in snapshot or is_in_use(snapshot.entry(name)):
                    continue
                shared = scope.identity(entry) & scope.identity(snapshot.entry(name))
                if shared and not _all_held(scope, shared, {entry.id, name}):
                    message = f"Entry {entry.id!r} repeats what {name!r} says, which is {snapshot.entry(name).status}."
                    yield self._evidence(_FROM_REMOVED, (entry.id,), message)

    def _of_entry(self, scope: Scope, entry: MemoryEntry, missing: list[str], later: list[str]) -> Iterator[Evidence]:
        if missing:
            held = _is_held_elsewhere(scope, entry)
            yield self._evidence(
                _MISSING_BUT_HELD if held else _MISSING,
                (entry.id,),
                f"Entry {entry.id!r} says it was derived from {missing[0]!r}, which memory does not hold.",
            )
        if later:
            message = f"Entry {entry.id!r} says it was derived from {later[0]!r}, which was written after it."
            yield self._evidence(_FROM_LATER, (entry.id, later[0]), message)

    def _evidence(self, score: float, entry_ids: tuple[str, ...] | list[str], message: str) -> Evidence:
        return Evidence(axis=self.axis, score=score, found_by=self.id, entry_ids=tuple(entry_ids), message=message)


def _odd_parents(scope: Scope, entry: MemoryEntry) -> tuple[list[str], list[str]]:
    """The parents of an entry that do not exist, and those that came after it."""
    graph = scope.snapshot.graph
    place = graph.position(entry.id)
    missing: list[str] = []
    later: list[str] = []
    for parent in entry.depends_on:
        try:
            if graph.position(parent) > place:
                later.append(parent)
        except KeyError:
            missing.append(parent)
    return missing, later


def _is_held_elsewhere(scope: Scope, entry: MemoryEntry) -> bool:
    """Whether everything that identifies the entry stands in another entry it did not write itself."""
    facts = scope.snapshot.facts
    values = identity_of(facts, entry.id)
    later = scope.snapshot.graph.descendants(entry.id, max_nodes=64)
    return bool(values) and _all_held(scope, values, {entry.id, *later})


def _all_held(scope: Scope, values: frozenset[str], apart_from: set[str]) -> bool:
    """Whether active entries other than these hold all the values."""
    return all(
        any(holder.id not in apart_from for holder in scope.known(scope.snapshot.facts.entries_with(value, first=16)))
        for value in values
    )


def _cycles(scope: Scope) -> list[tuple[str, ...]]:
    """Groups of entries in the support that reach each other (Tarjan's algorithm, iterative)."""
    graph, members = scope.snapshot.graph, scope.support_ids
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[tuple[str, ...]] = []
    for root in (entry.id for entry in scope.support):
        if root in index:
            continue
        work = [(root, iter(graph.parents(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, parents = work[-1]
            following = next((parent for parent in parents if parent in members and parent not in index), None)
            if following is not None:
                index[following] = low[following] = len(index)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(graph.parents(following))))
                continue
            work.pop()
            low[node] = min([low[node], *(low[p] for p in graph.parents(node) if p in on_stack)])
            if low[node] == index[node]:
                group = _pop_group(stack, on_stack, node)
                if len(group) > 1:
                    found.append(group)
    return found


def _pop_group(stack: list[str], on_stack: set[str], root: str) -> tuple[str, ...]:
    group: list[str] = []
    while not group or group[-1] != root:
        group.append(stack.pop())
        on_stack.discard(group[-1])
    return tuple(reversed(group))
