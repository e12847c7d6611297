"""What still stands after entries went out of use: the values and facts that entries in use hold."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from mage_ml.memory import Fact, PendingAction, Snapshot
from mage_ml.memory.facts import values_in
from mage_ml.memory.notices import carries_mark
from mage_ml.runtime.evaluators.rules.scope import arguments_of, facts_of_draft, is_active

_MAX_HOLDERS: Final = 32
_MAX_PEERS: Final = 256


def stands_without(snapshot: Snapshot, removed: frozenset[str]) -> bool:
    """Whether the action rests on nothing that is out of use after a repair, and says nothing that was refuted.

    Args:
        snapshot: What was judged.
        removed: Entries that are out of use after the repair.
    """
    named = frozenset(snapshot.action.depends_on)
    if removed & (named | snapshot.graph.ancestors(*named, max_nodes=512)):
        return False
    texts = [argument.text for argument in arguments_of(snapshot.action)] + [snapshot.action.content]
    whole = snapshot.action.text
    said, lowered = values_in(whole).union(*map(values_in, texts)), whole.lower()
    for value in frozenset().union(*(snapshot.facts.values_of(name) for name in removed)):
        if (value in said or value in lowered) and not is_held(snapshot, value, removed):
            return False
    stated = facts_of_action(snapshot.action)
    refuted = (fact for name in removed for fact in snapshot.facts.facts_of(name) if fact.number is not None)
    return not any(
        any(_agree(fact, other) for other in stated) and not is_backed(snapshot, fact, removed) for fact in refuted
    )


def facts_of_action(action: PendingAction) -> tuple[Fact, ...]:
    """Facts that the action states in its content or in any argument."""
    texts = [*(argument.text for argument in arguments_of(action)), action.content]
    return tuple(fact for text in texts if text for fact in facts_of_draft(text))


def is_held(snapshot: Snapshot, value: str, apart_from: Collection[str]) -> bool:
    """Whether an entry that still counts holds an identifying value, other than these."""
    nearest = snapshot.facts.entries_with(value, first=_MAX_HOLDERS, latest=_MAX_HOLDERS)
    return any(name not in apart_from and _counts(snapshot, name) for name in nearest)


def is_backed(snapshot: Snapshot, fact: Fact, apart_from: Collection[str]) -> bool:
    """Whether an entry that still counts says the same as a fact, other than these."""
    return any(
        peer.entry_id not in apart_from and _agree(peer, fact) and _counts(snapshot, peer.entry_id)
        for peer in snapshot.facts.facts_about(fact.entity, fact.attribute, latest=_MAX_PEERS)
    )


def _counts(snapshot: Snapshot, name: str) -> bool:
    """Whether an entry is evidence: in use, and not the guard's own words, whoever stored them."""
    if name not in snapshot:
        return False
    entry = snapshot.entry(name)
    return is_active(entry) and not carries_mark(entry)


def _agree(one: Fact, other: Fact) -> bool:
    """Whether two facts on one key say the same. A fact without a time is taken to mean the other's."""
    if one.key != other.key or (one.time and other.time and one.time != other.time):
        return False
    return not replace(one, time=other.time).disagrees_with(other)
