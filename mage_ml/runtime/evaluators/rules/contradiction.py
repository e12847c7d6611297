"""Entries, or the action and an entry, that cannot both be right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mage_ml.memory import Fact, FactConflict, MemoryEntry, Source
from mage_ml.memory.facts.arithmetic import is_derivable, is_same
from mage_ml.memory.facts.figures import Figure
from mage_ml.memory.facts.lexicon import ATTRIBUTES
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.scope import Scope, is_evidence

_RECORD: Final = frozenset({Source.TOOL, Source.USER, Source.SYSTEM})
_NOTE: Final = frozenset({Source.LLM_REASONING, Source.AGENT})
_IDENTIFYING: Final = frozenset({"recipient", "email", "account", "manager", "currency", "deadline"})
_LEXICON: Final = frozenset(ATTRIBUTES)
_MAX_CONFLICTS: Final = 32
_MAX_PEERS: Final = 16
_MAX_DRAFT_PEERS: Final = 8

_NOTE_AGAINST_RECORD: Final = 0.9
_NOTE_AGAINST_NOTE: Final = 0.6
_RETRIEVED_AGAINST_RECORD: Final = 0.6
_SAME_TOOL_AGAIN: Final = 0.3
_OLD_VALUE_USED: Final = 0.6
_VAGUE: Final = 0.5
_UNUSED: Final = 0.4


class Contradiction:
    """Two entries say different things about the same property at the same time, and the action rests on one of them.

    Catches: a note that departs from the record it was taken from; two notes that disagree; a draft that departs from
    memory. Weighs who says it: a side that a record of a tool or of the user backs outweighs one that none backs, and
    a later record an earlier one. Where records back both sides the value was corrected or changed: that is no
    contradiction, but using the old value is. Units, periods and changes against levels are told apart by the fact
    index, and figures computed from an entry's parents are no rival values.
    Does not catch: contradictions in prose without a number, an address, a direction or a name.
    """

    id = RuleId.CONTRADICTION
    axis = RiskAxis.CONSISTENCY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        facts = scope.snapshot.facts
        count = 0
        for entry in scope.relevant:
            for conflict in facts.conflicts_of(entry.id):
                if count >= _MAX_CONFLICTS:
                    return
                evidence = self._weigh(scope, conflict)
                if evidence is not None:
                    count += 1
                    yield evidence
        if scope.action.is_consequential:
            yield from self._draft(scope)

    def _weigh(self, scope: Scope, conflict: FactConflict) -> Evidence | None:
        sides = _sides(scope, conflict)
        if sides is None or not _is_telling(conflict.later):
            return None
        loser, winner = sides
        strength = _strength(scope, loser, winner)
        if strength <= 0.0 or _is_computed(scope, loser) or _is_computed(scope, winner):
            return None
        used = _used(scope, loser.entry, loser.fact)
        strength *= (1.0 if used else _UNUSED) * (1.0 if loser.fact.entity else _VAGUE)
        strength *= 0.6 + 0.4 * max(loser.entry.confidence, winner.entry.confidence)
        return Evidence(
            axis=self.axis,
            score=min(1.0, strength),
            found_by=self.id,
            entry_ids=(loser.entry.id, winner.entry.id),
            message=(
                f"Entry {loser.entry.id!r} ({loser.entry.source}) says {_say(loser.fact)}; "
                f"entry {winner.entry.id!r} ({winner.entry.source}) says {winner.fact.value_text}."
            ),
            span=loser.fact.span if loser.fact.span != (0, 0) else None,
        )

    def _draft(self, scope: Scope) -> Iterator[Evidence]:
        for fact in scope.action_facts:
            if not _is_telling(fact):
                continue
            known = scope.snapshot.facts.facts_about(fact.entity, fact.attribute, latest=_MAX_DRAFT_PEERS)
            holders = [(f, e) for f in known if (e := _entry(scope, f)) is not None and is_evidence(e)]
            against = [(f, e) for f, e in holders if e.source in _RECORD and f.disagrees_with(fact)]
            backed = any(e.source in _RECORD and f.time == fact.time and not f.disagrees_with(fact) for f, e in holders)
            if not against or backed or _is_computed_from(fact, [scope.read(e).figures for e in scope.outside]):
                continue
            record_fact, record = against[-1]
            notes = [
                e for f, e in holders if e.source not in _RECORD and not f.disagrees_with(fact) and f.time == fact.time
            ]
            named = tuple(note.id for note in notes[-1:])
            yield Evidence(
                axis=self.axis,
                score=(0.85 if fact.entity else 0.85 * _VAGUE),
                found_by=self.id,
                entry_ids=(*named, record.id),
                message=f"The action says {_say(fact)}, but entry {record.id!r} says {record_fact.value_text}.",
            )


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a conflict, and the place of the latest record that says the same; -1 without one."""

    fact: Fact
    entry: MemoryEntry
    backing: int


def _sides(scope: Scope, conflict: FactConflict) -> tuple[_Side, _Side] | None:
    """The side to doubt and the side to believe; records outweigh notes, and later records earlier ones."""
    sides = []
    for fact in (conflict.earlier, conflict.later):
        entry = _entry(scope, fact)
        if entry is None or not is_evidence(entry):
            return None
        sides.append(_Side(fact, entry, _backing(scope, fact, entry)))
    earlier, later = sides
    if earlier.backing != later.backing:
        return (earlier, later) if earlier.backing < later.backing else (later, earlier)
    return (earlier, later) if earlier.entry.confidence < later.entry.confidence else (later, earlier)


def _backing(scope: Scope, fact: Fact, entry: MemoryEntry) -> int:
    place = scope.snapshot.graph.position
    best = place(entry.id) if entry.source in _RECORD else _copied_from(scope, fact, entry)
    for other in scope.snapshot.facts.facts_about(fact.entity, fact.attribute, latest=_MAX_PEERS):
        holder = _entry(scope, other)
        if holder is None or holder.source not in _RECORD or not is_evidence(holder) or other.time != fact.time:
            continue
        if not other.disagrees_with(fact):
            best = max(best, place(holder.id))
    return best


def _copied_from(scope: Scope, fact: Fact, entry: MemoryEntry) -> int:
    """Place of the latest record among a note's parents that holds its figure, whatever the record calls it."""
    if fact.number is None:
        return -1
    figure = Figure(fact.number, fact.unit, fact.span)
    records = [parent for parent in scope.known(entry.depends_on) if parent.source in _RECORD]
    holding = [p for p in records if any(is_same(figure, other) for other in scope.read(p).figures)]
    return max((scope.snapshot.graph.position(parent.id) for parent in holding), default=-1)


def _strength(scope: Scope, loser: _Side, winner: _Side) -> float:
    if loser.backing >= 0:
        # Both rest on records: the world changed, or was corrected. Only the use of the old value is a risk.
        newer = winner.entry.id in scope.support_ids or _acts_on(scope, winner.fact)
        same_tool = loser.entry.source is winner.entry.source and loser.entry.tool_name == winner.entry.tool_name
        if newer or not _acts_on(scope, loser.fact):
            return 0.0
        return _SAME_TOOL_AGAIN if same_tool else _OLD_VALUE_USED
    if winner.backing >= 0:
        return _NOTE_AGAINST_RECORD if loser.entry.source in _NOTE else _RETRIEVED_AGAINST_RECORD
    return _NOTE_AGAINST_NOTE


def _is_computed(scope: Scope, side: _Side) -> bool:
    """Whether a note's figure was computed, and only looks as if it were a value of the property it mentions."""
    if side.fact.number is None or side.entry.source not in _NOTE:
        return False
    return _is_computed_from(side.fact, [scope.read(e).figures for e in scope.known(side.entry.depends_on)])


def _is_computed_from(fact: Fact, groups: list[tuple[Figure, ...]]) -> bool:
    if fact.number is None:
        return False
    return is_derivable(Figure(fact.number, fact.unit, fact.span), groups)


def _is_telling(fact: Fact) -> bool:
    """Whether a disagreement on this fact means something: structured records are full of words that change freely."""
    if fact.number is not None:
        return fact.attribute in _LEXICON or fact.attribute.removeprefix("previous ") in _LEXICON
    return fact.attribute in _IDENTIFYING or fact.attribute.startswith("direction of ")


def _entry(scope: Scope, fact: Fact) -> MemoryEntry | None:
    return scope.snapshot.entry(fact.entry_id) if fact.entry_id in scope.snapshot else None


def _used(scope: Scope, entry: MemoryEntry, fact: Fact) -> bool:
    return (entry.id in scope.support_ids and entry.source not in _RECORD) or _acts_on(scope, fact)


def _acts_on(scope: Scope, fact: Fact) -> bool:
    """Whether the action repeats the value of a fact."""
    if fact.number is None:
        return bool(fact.word) and len(fact.word) > 3 and fact.word in scope.said.lower()
    return any(abs(figure.number - fact.number) <= 0.006 * abs(fact.number) for figure in scope.action_figures)


def _say(fact: Fact) -> str:
    what = " ".join(part for part in (fact.attribute, f"of {fact.entity}" if fact.entity else "", fact.time) if part)
    return f"{what} is {fact.value_text}"
