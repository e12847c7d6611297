"""The words the model reads for an entry or an action."""

from __future__ import annotations

from mage_ml.memory import MemoryEntry, PendingAction


def entry_text(entry: MemoryEntry, *, use_provenance: bool) -> str:
    """An entry as one line: who says it, then what it says."""
    if not use_provenance:
        return entry.text
    speaker = entry.source.value.replace("_", " ")
    if entry.tool_name:
        speaker = f"{speaker} {entry.tool_name}"
    return f"{speaker} {entry.role.value}: {entry.text}"


def action_text(action: PendingAction) -> str:
    """An action as one line: its type, then what it does."""
    kind = action.type.replace("_", " ").replace(":", " ")
    return f"next {kind}: {action.text}"
