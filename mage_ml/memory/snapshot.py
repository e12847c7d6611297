"""The unit that is judged: a read-only view of a chain at one step, and what the agent is about to do."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.facts import FactIndex
from mage_ml.memory.graph import DependencyGraph


class ActionType(StrEnum):
    """The action types every policy knows. A policy may name further ones of its own."""

    INTERNAL_REASONING = "internal_reasoning"
    READ = "call_tool:read"
    WRITE = "call_tool:write"
    FINAL_OUTPUT = "final_output"


ACTION_TYPE_PATTERN: Final = r"^[a-z][a-z0-9_]*(:[a-z][a-z0-9_]*)?$"


class PendingAction(BaseModel):
    """What the agent is about to do.

    Attributes:
        type: One of `ActionType`, or a type of the host's own that its policy names.
        tool_name: The tool to be called, for tool calls.
        arguments: The tool's arguments.
        content: The text to be given out or thought, for other actions.
        agent_id: The agent that wants to act.
        depends_on: Ids of the entries the agent used, as far as the host knows them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Annotated[str, Field(pattern=ACTION_TYPE_PATTERN)]
    tool_name: str | None = None
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    content: str = ""
    agent_id: str = "agent"
    depends_on: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The action as one string: tool name, arguments, content."""
        parts = [self.tool_name or ""]
        if self.arguments:
            parts.append(json.dumps(self.arguments, ensure_ascii=False, separators=(", ", ": ")))
        parts.append(self.content)
        return " ".join(part for part in parts if part)

    @property
    def is_consequential(self) -> bool:
        """Whether it leaves the agent: a write or the final output. Unknown types count, to be on the safe side."""
        return self.type not in (ActionType.INTERNAL_REASONING, ActionType.READ)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A read-only view of a chain at one step, and the pending action.

    Attributes:
        entries: The entries in order. Quarantined ones are included; evaluators skip them by status.
        action: What the agent is about to do.
        goal: The user's task in their own words; empty when unknown.
        graph: Dependencies between the entries.
        facts: Facts found in the entries.
    """

    entries: tuple[MemoryEntry, ...]
    action: PendingAction
    goal: str
    graph: DependencyGraph
    facts: FactIndex

    @classmethod
    def of(cls, entries: Iterable[MemoryEntry], action: PendingAction, *, goal: str = "") -> Snapshot:
        """Build a snapshot from scratch. A live guard uses `ShadowMemory`, which does this incrementally."""
        kept = tuple(entries)
        return cls(kept, action, goal, DependencyGraph.of(kept), FactIndex.of(kept))

    def entry(self, entry_id: str) -> MemoryEntry:
        """The entry with this id, in constant time.

        Raises:
            KeyError: No entry of this snapshot has this id.
        """
        position = self.graph.position(entry_id)
        if position >= len(self.entries):
            raise KeyError(entry_id)
        return self.entries[position]

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self.graph and self.graph.position(str(entry_id)) < len(self.entries)
