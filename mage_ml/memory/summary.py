"""Typed summaries of an entry in two layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import re2

from mage_ml.memory.entry import MemoryEntry, Source, Status
from mage_ml.memory.facts import ContentType, Fact, ValueScan, content_type
from mage_ml.memory.facts.lexicon import ATTRIBUTES, STOP_WORDS
from mage_ml.memory.facts.names import entity_name
from mage_ml.memory.facts.structured import named_entity, parse_structured

MAX_KEY_ENTITIES: Final = 16
_READ_CHARS: Final = 4_000
_NAMED_BEFORE: Final = "|".join(sorted({w for words in ATTRIBUTES.values() for w in words if not w.isascii()}))
_NAME: Final = re2.compile(rf"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b|(\p{{Han}}{{2,4}}?)(?:的|大区|地区)?(?:{_NAMED_BEFORE})")


@dataclass(frozen=True, slots=True)
class GlanceSummary:
    """Layer 1: what an entry is, without what it says.

    Attributes:
        id: Entry id.
        type: How its content is read.
        source: Who produced it.
        status: Standing in memory.
        confidence: As the entry states it.
        key_entities: Names, codes and addresses that occur in it, at most 16.
        chars_read: Characters that were looked at for values.
        chars_total: Characters of the content.
    """

    id: str
    type: ContentType
    source: Source
    status: Status
    confidence: float
    key_entities: tuple[str, ...]
    chars_read: int
    chars_total: int


@dataclass(frozen=True, slots=True)
class FactSummary:
    """Layer 2: the facts an entry states.

    Attributes:
        glance: Layer 1.
        facts: (action, entity, attribute, value, unit, time), at most 200.
    """

    glance: GlanceSummary
    facts: tuple[Fact, ...]


def glance_summary(entry: MemoryEntry, scan: ValueScan) -> GlanceSummary:
    """Layer 1 of an entry."""
    found: dict[str, None] = dict.fromkeys(name for name in _names_in(entry) if name)
    found |= dict.fromkeys(sorted(value for value in scan.values if not value.replace(".", "").lstrip("-").isdigit()))
    return GlanceSummary(
        id=entry.id,
        type=content_type(entry.content),
        source=entry.source,
        status=entry.status,
        confidence=entry.confidence,
        key_entities=tuple(found)[:MAX_KEY_ENTITIES],
        chars_read=scan.chars_read,
        chars_total=scan.chars_total,
    )


def _names_in(entry: MemoryEntry) -> Iterator[str]:
    content = entry.content
    node = parse_structured(content) if isinstance(content, str) else content
    if isinstance(node, dict | list):
        records = [node] if isinstance(node, dict) else node[:MAX_KEY_ENTITIES]
        yield from (named_entity(record) for record in records if isinstance(record, dict))
        return
    for match in _NAME.finditer(entry.text[:_READ_CHARS].encode()):
        written = (match.group(1) or match.group(0)).decode()
        name = entity_name(written)
        if name and name not in STOP_WORDS:
            yield name
