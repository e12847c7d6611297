"""Values that are still used although a newer record replaced them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from mage_ml.memory import Fact, MemoryEntry, Source
from mage_ml.memory.facts.lexicon import ATTRIBUTES
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.scope import Scope, is_evidence

_OWN: Final = frozenset({Source.LLM_REASONING, Source.AGENT})
_STANDING: Final = {
    Source.SYSTEM: 2, Source.USER: 2, Source.TOOL: 2, Source.RETRIEVED: 1, Source.LLM_REASONING: 0, Source.AGENT: 0,
}  # fmt: skip
_WORDS: Final = frozenset({"recipient", "email", "account", "manager", "currency", "deadline"})
_LEXICON: Final = frozenset(ATTRIBUTES)

_ACTION: Final = 0.68
_LATER_NOTE: Final = 0.62
_EARLIER_NOTE: Final = 0.55
_INDIRECT: Final = 0.9
_UNNAMED: Final = 0.6
_MAX_ENTRIES: Final = 64
_MAX_FACTS: Final = 32
_MAX_PEERS: Final = 24
_MAX_FINDINGS: Final = 8


class StaleFact:
    """The action, or a conclusion it rests on, uses a value that a newer record of equal or better standing replaced.

    The same entity, attribute and period are meant; records of tools, users and the system outrank documents, which
    outrank the agent's own notes. Catches: an old figure in an action after its correction is in memory; a note written
    after the correction that repeats the old value; a note from before it that nobody renewed. Saying both values
    ("corrected from 100 to 110") is honest, and so is a new value.
    Does not catch: what follows from an old value without repeating it, unless the note is derived from the old record
    itself; facts that the extractor does not read.
    """

    id = RuleId.STALE_FACT
    axis = RiskAxis.CONSISTENCY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        yield from islice(chain(self._in_action(scope), self._in_notes(scope)), _MAX_FINDINGS)

    def _in_action(self, scope: Scope) -> Iterator[Evidence]:
        if not scope.action.is_consequential:
            return
        for fact in scope.action_facts[:_MAX_FACTS]:
            pair = _replaced(scope, fact)
            if pair is None or _says(scope.action_facts, pair[1]):
                continue
            old, new = pair
            notes = [e for f, e in _holders(scope, fact) if e.source in _OWN and _agrees(f, fact)]
            blamed = notes[-1].id if notes else old.entry_id
            yield Evidence(
                axis=self.axis,
                score=_ACTION * (1.0 if fact.entity else _UNNAMED),
                found_by=self.id,
                entry_ids=(blamed, new.entry_id),
                message=f"The action says {_say(fact)}; since then entry {new.entry_id!r} says {new.value_text}.",
            )

    def _in_notes(self, scope: Scope) -> Iterator[Evidence]:
        direct = {entry.id for entry in scope.direct}
        for entry in scope.support[:_MAX_ENTRIES]:
            if entry.source not in _OWN:
                continue
            facts = scope.snapshot.facts.facts_of(entry.id)
            found = next(self._of_note(scope, entry, facts), None)
            if found is not None:
                score = found.score * (1.0 if entry.id in direct else _INDIRECT)
                yield found if score == found.score else found.model_copy(update={"score": score})

    def _of_note(self, scope: Scope, entry: MemoryEntry, facts: tuple[Fact, ...]) -> Iterator[Evidence]:
        for fact in facts[:_MAX_FACTS]:
            pair = _replaced(scope, fact)
            if pair is None or _says(facts, pair[1]):
                continue
            old, new = pair
            after = _is_later(scope, entry, scope.snapshot.entry(new.entry_id))
            if not after and (_is_renewed(scope, entry, new) or _says(scope.action_facts, new)):
                continue
            yield Evidence(
                axis=self.axis,
                score=(_LATER_NOTE if after else _EARLIER_NOTE) * (1.0 if fact.entity else _UNNAMED),
                found_by=self.id,
                entry_ids=(entry.id, new.entry_id),
                message=(
                    f"Entry {entry.id!r} says {_say(fact)}, as {old.entry_id!r} did; "
                    f"{'before that' if after else 'since then'} entry {new.entry_id!r} says {new.value_text}."
                ),
                span=fact.span if fact.span != (0, 0) else None,
            )


def _replaced(scope: Scope, fact: Fact) -> tuple[Fact, Fact] | None:
    """The fact of the source that a fact agrees with, and the newer one that replaced it; `None` when it is current."""
    if not _is_telling(fact):
        return None
    held = [(f, e) for f, e in _holders(scope, fact) if f.time == fact.time and e.source not in _OWN]
    agreeing = [(f, e) for f, e in held if _agrees(f, fact)]
    rivals = [(f, e) for f, e in held if f.disagrees_with(fact)]
    if not agreeing or not rivals:
        return None
    latest, latest_entry = agreeing[0]
    old_entry = latest_entry
    for f, e in agreeing:
        if _is_later(scope, e, latest_entry) and _STANDING[e.source] >= _STANDING[latest_entry.source]:
            latest, latest_entry = f, e
    newer = [
        (f, e)
        for f, e in rivals
        if _is_later(scope, e, latest_entry) and _STANDING[e.source] >= _STANDING[latest_entry.source]
    ]
    if not newer:
        return None
    new, new_entry = newer[-1]
    # Two systems that differ are a contradiction; only a source that speaks again replaces what it said.
    same = (new_entry.tool_name, new_entry.origin) == (old_entry.tool_name, old_entry.origin)
    corrected = new_entry.origin and new_entry.origin == old_entry.origin
    better = _STANDING[new_entry.source] > _STANDING[latest_entry.source] or new_entry.is_trusted
    return (latest, new) if same or corrected or better else None


def _holders(scope: Scope, fact: Fact) -> list[tuple[Fact, MemoryEntry]]:
    peers = scope.snapshot.facts.facts_about(fact.entity, fact.attribute, latest=_MAX_PEERS)
    held = [(peer, scope.snapshot.entry(peer.entry_id)) for peer in peers if peer.entry_id in scope.snapshot]
    return [(peer, entry) for peer, entry in held if is_evidence(entry)]


def _is_telling(fact: Fact) -> bool:
    """Whether another value of this fact means that the first no longer holds: status words change all the time."""
    if fact.number is not None:
        return fact.attribute in _LEXICON and fact.attribute != "growth"
    return fact.attribute in _WORDS


def _agrees(one: Fact, other: Fact) -> bool:
    return one.time == other.time and not one.disagrees_with(other) and (one.number is None) == (other.number is None)


def _says(facts: Iterable[Fact], wanted: Fact) -> bool:
    """Whether some facts also give this value, for whatever key: an honest correction names both."""
    if wanted.number is None:
        return any(fact.word == wanted.word for fact in facts)
    return any(
        fact.number is not None and abs(fact.number - wanted.number) <= 1e-6 * abs(wanted.number) for fact in facts
    )


def _is_later(scope: Scope, one: MemoryEntry, other: MemoryEntry) -> bool:
    if one.timestamp and other.timestamp and one.timestamp != other.timestamp:
        return one.timestamp > other.timestamp
    place = scope.snapshot.graph.position
    return place(one.id) > place(other.id)


def _is_renewed(scope: Scope, entry: MemoryEntry, new: Fact) -> bool:
    """Whether the action also rests on the newer record, or on a note that gives the newer value."""
    if new.entry_id in scope.support_ids:
        return True
    return any(_says(scope.snapshot.facts.facts_of(other.id), new) for other in scope.support if other.id != entry.id)


def _say(fact: Fact) -> str:
    what = " ".join(part for part in (fact.attribute, f"of {fact.entity}" if fact.entity else "", fact.time) if part)
    return f"{what} is {fact.value_text}"
