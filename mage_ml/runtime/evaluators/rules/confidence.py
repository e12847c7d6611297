"""Conclusions that claim more certainty than what they rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mage_ml.memory import MemoryEntry, Role, Source
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

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        certainty = _Certainty(scope)
        for entry in scope.support:
            if entry.source in _RECORDED:
                continue
            real = certainty.of(entry)
            gap = entry.confidence - real
            if real >= _WEAK or gap < _GAP or certainty.is_recorded(entry):
                continue
            weakest = certainty.cause(entry)
            claim = f"Entry {entry.id!r} claims confidence {entry.confidence:.2f}"
            message = f"{claim} but rests on {weakest.id!r} with {real:.2f}."
            yield Evidence(
                axis=self.axis,
                score=min(1.0, 0.2 + gap),
                found_by=self.id,
                entry_ids=(entry.id, weakest.id),
                message=message,
            )
        if not scope.action.is_consequential:
            return
        for entry in scope.direct:
            if entry.role is Role.DATA and entry.confidence < _HONEST_WEAK and not certainty.is_recorded(entry):
                message = f"The action uses entry {entry.id!r}, whose confidence is only {entry.confidence:.2f}."
                score = 0.5 + (_HONEST_WEAK - entry.confidence) / 2
                yield Evidence(axis=self.axis, score=score, found_by=self.id, entry_ids=(entry.id,), message=message)


class _Certainty:
    """Certainty of the entries in the support, worked out once each, parents before children."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._known: dict[str, float] = {}
        self._cause: dict[str, MemoryEntry] = {}
        for entry in sorted(scope.support, key=lambda item: scope.snapshot.graph.position(item.id)):
            self._settle(entry)

    def of(self, entry: MemoryEntry) -> float:
        """Certainty of an entry. A parent that comes later, or is too far away, counts with its own confidence."""
        return self._known.get(entry.id, entry.confidence)

    def cause(self, entry: MemoryEntry) -> MemoryEntry:
        """The entry at the start of the weak chain."""
        return self._cause.get(entry.id, entry)

    def _settle(self, entry: MemoryEntry) -> None:
        if entry.source in _RECORDED:
            return
        # Not cached with the reading: it depends on the other entries of this run, and engines are shared.
        bearing = self._scope.known(_bearing_of(self._scope, entry))
        if not bearing:
            return
        best = max(bearing, key=self.of)
        if self.of(best) < entry.confidence:
            self._known[entry.id] = self.of(best)
            self._cause[entry.id] = self.cause(best)

    def is_recorded(self, entry: MemoryEntry) -> bool:
        """Whether every value of the entry also stands in a record of a tool, of the user or of the system."""
        snapshot = self._scope.snapshot
        values = snapshot.facts.values_of(entry.id)
        if not values:
            return False
        for value in values:
            holders = self._scope.known(snapshot.facts.entries_with(value)[:16])
            if not any(holder.source in _RECORDED for holder in holders):
                return False
        return True


def _bearing_of(scope: Scope, entry: MemoryEntry) -> tuple[str, ...]:
    """Parents that share a value with an entry; else earlier entries that hold its values; else its data parents."""
    snapshot, own = scope.snapshot, scope.identity(entry)
    parents = [p for name in entry.depends_on if name in snapshot and (p := snapshot.entry(name)).role is Role.DATA]
    sharing = [parent.id for parent in parents if own & scope.identity(parent)]
    if sharing or not own:
        return tuple(sharing or [parent.id for parent in parents])
    place = snapshot.graph.position(entry.id)
    holders = {
        name: None
        for value in sorted(snapshot.facts.values_of(entry.id))[:_MAX_VALUES]
        for name in snapshot.facts.entries_with(value)[:_MAX_HOLDERS]
        if name in snapshot and snapshot.graph.position(name) < place
    }
    return tuple(holders) or tuple(parent.id for parent in parents)
