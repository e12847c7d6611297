"""Reads facts from one entry: by keys where the content is structured, by clause where it is prose."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.facts.content import blanked, segments_in
from mage_ml.memory.facts.names import canonical_attribute
from mage_ml.memory.facts.prose import ProseReader
from mage_ml.memory.facts.structured import facts_in, parse_structured
from mage_ml.memory.facts.types import Fact

__all__ = ["MAX_FACTS_PER_ENTRY", "MAX_PROSE_CHARS", "canonical_attribute", "extract_facts"]

MAX_FACTS_PER_ENTRY: Final = 200
MAX_PROSE_CHARS: Final = 20_000


def extract_facts(entry: MemoryEntry) -> tuple[Fact, ...]:
    """The facts an entry states, at most 200, tables and records before prose.

    JSON content, and text that is JSON or a Python literal, is read by its keys. In other text, Markdown tables, rows
    of separated values and `key: value` records are read by their headers and keys, the rest as prose. Text longer
    than 20,000 characters is read up to there.
    """
    content = entry.content
    structured = parse_structured(content) if isinstance(content, str) else content
    if isinstance(structured, dict | list):
        facts = facts_in(entry.id, structured)
    elif isinstance(content, str):
        facts = _text_facts(entry.id, content[:MAX_PROSE_CHARS])
    else:
        return ()
    unique: dict[Fact, None] = {}
    for fact in islice(facts, 4 * MAX_FACTS_PER_ENTRY):
        unique[fact] = None
        if len(unique) == MAX_FACTS_PER_ENTRY:
            break
    return tuple(unique)


def _text_facts(entry_id: str, text: str) -> Iterator[Fact]:
    blocks = [segment.block for segment in segments_in(entry_id, text)]
    for block in blocks:
        yield from block.facts
    yield from ProseReader(entry_id).read(blanked(text, blocks))
