"""The store that an agent writes to and reads from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from mage_ml.memory.entry import MemoryEntry


class AgentMemory(Protocol):
    """The store that the agent writes to and reads from."""

    def append(self, entry: MemoryEntry) -> None:
        """Store an entry."""

    def entries(self) -> Sequence[MemoryEntry]:
        """Everything stored, in order, whatever its status."""


class ListMemory:
    """Memory in a list."""

    def __init__(self) -> None:
        self._entries: list[MemoryEntry] = []

    def append(self, entry: MemoryEntry) -> None:
        """Store an entry."""
        self._entries.append(entry)

    def entries(self) -> Sequence[MemoryEntry]:
        """Everything stored, in order."""
        return self._entries

    def replace(self, entry: MemoryEntry) -> None:
        """Put a new version of an entry in its place."""
        position = next(index for index, old in enumerate(self._entries) if old.id == entry.id)
        self._entries[position] = entry
