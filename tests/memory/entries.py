"""Short ways to write memory for the tests in this folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from mage_ml.memory import DependencyGraph, MemoryEntry, Source, Status


def said(
    entry_id: str,
    content: JsonValue = "x",
    *parents: str,
    source: Source = Source.TOOL,
    origin: str | None = None,
    status: Status = Status.ACTIVE,
) -> MemoryEntry:
    """An entry with the given parents."""
    return MemoryEntry(id=entry_id, content=content, source=source, origin=origin, depends_on=parents, status=status)


def graph_of(parents: Mapping[str, Iterable[str]]) -> DependencyGraph:
    """The graph of entries that each come from an origin of their own."""
    return DependencyGraph.of(said(name, "x", *above, origin=f"origin {name}") for name, above in parents.items())
