"""Names for doubts: the same doubt has the same name, whichever entry it comes up with again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import JsonValue

from mage_ml.memory import Fact, MemoryEntry, Snapshot, Source
from mage_ml.memory.facts import values_in
from mage_ml.memory.facts.words import content_words
from mage_ml.risk import Evidence
from mage_ml.runtime.guardrail.standing import facts_of_action

_OWN: Final = (Source.LLM_REASONING, Source.AGENT)
_MAX_PARTS: Final = 24


def doubt_id(snapshot: Snapshot, doubt: Evidence, tool_name: str, arguments: Mapping[str, JsonValue]) -> str:
    """Name of a doubt: what found it, what it is about, and the tool call that goes with it.

    Entry ids and figures of the agent's own are left out on purpose: an agent that writes the same note again, or draws
    another figure for the same fact, is in the same doubt as before.

    Args:
        snapshot: What was judged.
        doubt: The evidence.
        tool_name: The tool that would settle it, or the one that is held back.
        arguments: The arguments of that call.
    """
    key = json.dumps(
        [doubt.found_by, doubt.axis, _subject(snapshot, doubt), tool_name, dict(arguments)], sort_keys=True
    )
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def _subject(snapshot: Snapshot, doubt: Evidence) -> list[str]:
    """What a doubt is about: the facts in dispute, else the words of the agent's own text, else values, else words."""
    entries = [snapshot.entry(name) for name in doubt.entry_ids if name in snapshot]
    if not entries:
        stated = facts_of_action(snapshot.action)
        return _keys(stated) or _words(snapshot.action.content or snapshot.action.text)
    disputed = _disputed(snapshot, entries)
    if disputed:
        return _keys(disputed)
    first = entries[0]
    if first.source in _OWN:
        return _keys(snapshot.facts.facts_of(first.id)) or _words(first.text)
    text = first.text[slice(*doubt.span)] if doubt.span is not None else first.text
    return sorted(values_in(text))[:_MAX_PARTS] or _words(text)


def _disputed(snapshot: Snapshot, entries: list[MemoryEntry]) -> list[Fact]:
    """Facts on which the entries in question disagree with each other."""
    first, *others = (snapshot.facts.facts_of(entry.id) for entry in entries[:4])
    return [fact for fact in first if any(fact.disagrees_with(peer) for facts in others for peer in facts)]


def _keys(facts: Iterable[Fact]) -> list[str]:
    return sorted({f"{fact.entity}|{fact.attribute}|{fact.time}" for fact in facts})[:_MAX_PARTS]


def _words(text: str) -> list[str]:
    return sorted(content_words(text))[:_MAX_PARTS]
