"""Support that is only an echo: one origin counted twice, or the agent's own words taken for a source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mage_ml.memory import MemoryEntry, Role, Source
from mage_ml.memory.graph import origin_of
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.likeness import NEARLY_SAME, likeness
from mage_ml.runtime.evaluators.rules.scope import Scope

_OWN: Final = frozenset({Source.LLM_REASONING, Source.AGENT})
_COUNTED_TWICE: Final = 0.64
_RECALLED: Final = 0.62
_CONFIRMED_BY_ITSELF: Final = 0.6
_INDIRECT: Final = 0.9
_SURER: Final = 0.15
_MAX_ENTRIES: Final = 64
_MAX_LINEAGE: Final = 64
_MAX_VALUES: Final = 8
_MAX_HOLDERS: Final = 8
_HELD_WORDS: Final = 0.7


class SelfCorroboration:
    """An entry counts as new support for what is only its own echo.

    Catches: a note that claims two independent sources while what it rests on has one origin, or the second record says
    that it is a copy of the first; the agent's own text that comes back as retrieved or tool text and is used as a
    source; a statement of the agent alone that a later entry of the agent calls confirmed or states with more
    confidence. A value that a record or document from outside holds is never an echo.
    Does not catch: two origins that are one behind the scenes; a paraphrase without a value in common.
    """

    id = RuleId.SELF_CORROBORATION
    axis = RiskAxis.DEPENDENCY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        own_texts: dict[int, list[MemoryEntry]] | None = None
        for entry in scope.support[:_MAX_ENTRIES]:
            if entry.role is not Role.DATA:
                continue
            found: Evidence | None = None
            if entry.source in _OWN:
                found = self._counted_twice(scope, entry) or self._confirmed_by_itself(scope, entry)
            elif isinstance(entry.content, str):  # a structured record is nobody's sentence
                own_texts = _by_key(scope) if own_texts is None else own_texts
                found = self._recalled(scope, entry, own_texts) if own_texts else None
            if found is not None:
                yield found

    def _counted_twice(self, scope: Scope, entry: MemoryEntry) -> Evidence | None:
        claim = scope.read(entry).claimed_sources
        if claim is None or not entry.depends_on:
            return None
        span, origins = claim.span, _origins(scope, entry)
        if len(origins) >= claim.number:
            return None
        named = ", ".join(sorted(origins)) or "no source from outside"
        shown = scope.read(entry).text[slice(*span)]
        return self._evidence(
            scope,
            entry,
            (),
            _COUNTED_TWICE,
            f"Entry {entry.id!r} claims {shown!r}, but it rests on {named} alone.",
            span,
        )

    def _recalled(self, scope: Scope, entry: MemoryEntry, own: dict[int, list[MemoryEntry]]) -> Evidence | None:
        """Text from outside that repeats what the agent wrote before, and nothing else supports."""
        shingles, place = scope.read(entry).shingles, scope.snapshot.graph.position
        rivals = {other.id: other for key in scope.read(entry).echo_keys for other in own.get(key, ())}
        for other in rivals.values():
            earlier = place(other.id) < place(entry.id)
            if not earlier or likeness(shingles, scope.read(other).shingles) < NEARLY_SAME:
                continue
            if entry.id in scope.snapshot.graph.ancestors(other.id, max_nodes=_MAX_LINEAGE):
                continue
            if not scope.identity(other) and len(scope.read(other).words) < _MAX_VALUES:
                return None
            if _is_held_outside(scope, other, {entry.id}):
                return None
            message = f"Entry {entry.id!r} ({entry.source}) only repeats what the agent wrote in {other.id!r}."
            return self._evidence(scope, entry, (other.id,), _RECALLED, message)
        return None

    def _confirmed_by_itself(self, scope: Scope, entry: MemoryEntry) -> Evidence | None:
        reading, place = scope.read(entry), scope.snapshot.graph.position(entry.id)
        if not scope.snapshot.facts.values_of(entry.id):
            return None
        says = reading.says_confirmed
        earlier = [
            other
            for other in _sharing(scope, entry)
            if scope.snapshot.graph.position(other.id) < place
            and other.source in _OWN
            and (says or entry.confidence >= other.confidence + _SURER)
        ]
        if not earlier or _is_held_outside(scope, entry, set()):
            return None
        other = earlier[0]
        how = "calls confirmed" if says else "states with more confidence"
        message = f"Entry {entry.id!r} {how} what only the agent itself said before, in {other.id!r}."
        return self._evidence(scope, entry, (other.id,), _CONFIRMED_BY_ITSELF, message)

    def _evidence(
        self,
        scope: Scope,
        entry: MemoryEntry,
        others: tuple[str, ...],
        score: float,
        message: str,
        span: tuple[int, int] | None = None,
    ) -> Evidence:
        direct = any(item.id == entry.id for item in scope.direct)
        return Evidence(
            axis=self.axis,
            score=score if direct else score * _INDIRECT,
            found_by=self.id,
            entry_ids=(entry.id, *others),
            message=message,
            span=span,
        )


def _origins(scope: Scope, entry: MemoryEntry) -> frozenset[str]:
    """Independent origins from outside in the lineage of an entry; a record that calls itself a copy adds none."""
    lineage = scope.snapshot.graph.ancestors(entry.id, max_nodes=_MAX_LINEAGE)
    outside = [item for item in scope.known(sorted(lineage)) if item.source not in _OWN and item.role is Role.DATA]
    first = {origin_of(item) for item in outside if not scope.read(item).is_copy}
    return frozenset(first) or frozenset(origin_of(item) for item in outside[:1])


def _by_key(scope: Scope) -> dict[int, list[MemoryEntry]]:
    found: dict[int, list[MemoryEntry]] = {}
    for reading in scope.readings:
        if reading.entry.source in _OWN:
            for key in reading.echo_keys:
                found.setdefault(key, []).append(reading.entry)
    return found


def _sharing(scope: Scope, entry: MemoryEntry) -> list[MemoryEntry]:
    """Entries that hold all the identifying values of an entry, in order."""
    facts = scope.snapshot.facts
    values = sorted(facts.values_of(entry.id))[:_MAX_VALUES]
    names = dict.fromkeys(facts.entries_with(values[0], first=_MAX_HOLDERS))
    wanted = frozenset(values)
    return [e for e in scope.known(names) if e.id != entry.id and wanted <= facts.values_of(e.id)]


def _is_held_outside(scope: Scope, entry: MemoryEntry, apart_from: set[str]) -> bool:
    """Whether something from outside, or the request, holds what an entry says: its values, or else its words."""
    facts, request = scope.snapshot.facts, scope.request
    values = sorted(facts.values_of(entry.id))[:_MAX_VALUES]
    for value in values:
        nearest = facts.entries_with(value, first=_MAX_HOLDERS, latest=_MAX_HOLDERS)
        holders = scope.known(name for name in nearest if name not in apart_from and name != entry.id)
        if any(holder.source not in _OWN for holder in holders) or request.mentions(value):
            return True
    if values:
        return False
    words = scope.read(entry).words
    if len(words & request.words) >= _HELD_WORDS * len(words):
        return True
    outside = [item for item in scope.outside if item.id not in apart_from]
    return any(len(words & scope.read(item).words) >= _HELD_WORDS * len(words) for item in outside)
