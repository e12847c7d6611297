"""Conclusions that claim more certainty than what they rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from weakref import WeakKeyDictionary

from mage_ml.forking import fork_safe_lock
from mage_ml.memory import DependencyGraph, MemoryEntry, Role, Source
from mage_ml.memory.provenance import Certainty, settle
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.scope import Scope

_WEAK: Final = 0.55
_GAP: Final = 0.2
_HONEST_WEAK: Final = 0.4
_MAX_VALUES: Final = 8
_MAX_HOLDERS: Final = 8
_RECORDED: Final = frozenset({Source.TOOL, Source.USER, Source.SYSTEM})


class LowConfidenceChain:
    """The action rests on an entry that is less certain than it claims.

    The certainty of an entry is the smaller of its own confidence and that of its best parent; only parents that share
    a value with it count, as long as there are any. Where no stated parent holds its values, the earlier entries that
    do count instead, so that a wrong reference hides nothing. Catches: a guess stored again as a fact; a chain of
    conclusions from an uncertain start. An entry whose values also stand in a record of a tool or of the user is
    forgiven. Does not catch: sources whose stated confidence is wrong.
    """

    id = RuleId.LOW_CONFIDENCE_CHAIN
    axis = RiskAxis.DEPENDENCY
    threshold = 0.2
    weight = 1.0

    def __init__(self) -> None:
        self._runs: WeakKeyDictionary[DependencyGraph, _Certainty] = WeakKeyDictionary()
        self._lock = fork_safe_lock()

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        graph = scope.snapshot.graph
        with self._lock:
            run = self._runs.setdefault(graph, _Certainty())
            run.refresh(graph)
            settled = [(entry, run.of(scope, entry)) for entry in scope.support if entry.source not in _RECORDED]
        for entry, real in settled:
            gap = entry.confidence - real.value
            if real.value >= _WEAK or gap < _GAP or _is_recorded(scope, entry):
                continue
            claim = f"Entry {entry.id!r} claims confidence {entry.confidence:.2f}"
            yield Evidence(
                axis=self.axis,
                score=min(1.0, 0.2 + gap),
                found_by=self.id,
                entry_ids=(entry.id, real.cause),
                message=f"{claim} but rests on {real.cause!r} with {real.value:.2f}.",
            )
        if not scope.action.is_consequential:
            return
        for entry in scope.direct:
            if entry.role is Role.DATA and entry.confidence < _HONEST_WEAK and not _is_recorded(scope, entry):
                message = f"The action uses entry {entry.id!r}, whose confidence is only {entry.confidence:.2f}."
                score = 0.5 + (_HONEST_WEAK - entry.confidence) / 2
                yield Evidence(axis=self.axis, score=score, found_by=self.id, entry_ids=(entry.id,), message=message)


class _Certainty:
    """Certainty of the entries of one run, worked out once each and kept from decision to decision.

    An entry's certainty hangs on entries before it only, so new entries leave it as it is; after a revision it is
    worked out again from the revised place on.
    """

    def __init__(self) -> None:
        self._known: dict[str, Certainty] = {}
        self._revisions = 0

    def refresh(self, graph: DependencyGraph) -> None:
        """Forget what hangs on entries that were revised since the last time."""
        fresh = graph.revised[self._revisions :]
        if fresh:
            first = min(fresh)
            self._known = {name: item for name, item in self._known.items() if graph.position(name) < first}
            self._revisions += len(fresh)

    def of(self, scope: Scope, entry: MemoryEntry) -> Certainty:
        """Certainty of an entry, and where the weak chain starts."""
        known = self._known.get(entry.id)
        if known is not None:
            return known
        waiting = [entry]
        drafts: dict[str, list[MemoryEntry]] = {}
        while waiting:
            current = waiting[-1]
            if current.id in self._known or current.source in _RECORDED:
                waiting.pop()
                continue
            if current.id not in drafts:
                drafts[current.id] = scope.known(_bearing_of(scope, current))
                before = [item for item in drafts[current.id] if item.id not in self._known]
                if before:
                    waiting += before
                    continue
            waiting.pop()
            self._known[current.id] = self._settle(current, drafts[current.id])
        return self._known.get(entry.id) or Certainty(entry.confidence, entry.id)

    def _settle(self, entry: MemoryEntry, bearing: list[MemoryEntry]) -> Certainty:
        known = [self._known.get(item.id) or Certainty(item.confidence, item.id) for item in bearing]
        return settle(entry.id, entry.confidence, known)


def _is_recorded(scope: Scope, entry: MemoryEntry) -> bool:
    """Whether every value of the entry also stands in a record of a tool, of the user or of the system."""
    facts = scope.snapshot.facts
    values = facts.values_of(entry.id)
    if not values:
        return False
    for value in values:
        holders = scope.known(facts.entries_with(value, first=16))
        if not any(holder.source in _RECORDED for holder in holders):
            return False
    return True


def _bearing_of(scope: Scope, entry: MemoryEntry) -> tuple[str, ...]:
    """Parents that share a value with an entry; else earlier entries that hold its values; else its data parents.

    Nothing rests on what came later, whatever it says.
    """
    snapshot, own = scope.snapshot, scope.identity(entry)
    place = snapshot.graph.position(entry.id)
    earlier = [name for name in entry.depends_on if name in snapshot and snapshot.graph.position(name) < place]
    parents = [parent for name in earlier if (parent := snapshot.entry(name)).role is Role.DATA]
    sharing = [parent.id for parent in parents if own & scope.identity(parent)]
    if sharing or not own:
        return tuple(sharing or [parent.id for parent in parents])
    holders = {
        name: None
        for value in sorted(snapshot.facts.values_of(entry.id))[:_MAX_VALUES]
        for name in snapshot.facts.entries_with(value, first=_MAX_HOLDERS)
        if name in snapshot and snapshot.graph.position(name) < place
    }
    return tuple(holders) or tuple(parent.id for parent in parents)
