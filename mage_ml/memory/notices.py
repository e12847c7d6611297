"""How the guard's own messages are told from what the agent found out.

Hosts store the guard's warnings in the agent's memory. They quote the entries they warn about, so that read as facts
they would support exactly what they doubt. Evaluators leave them out. Text from elsewhere gains nothing by imitating
the marks: it loses its weight as a record, and is still searched for orders unless it is the system's.
"""

from __future__ import annotations

from typing import Final

from mage_ml.memory.entry import MemoryEntry, Source

MARK_EN: Final = "[memory guard]"
MARK_ZH: Final = "[记忆守护]"


def carries_mark(entry: MemoryEntry) -> bool:
    """Whether an entry repeats a message of the guard, whoever stored it. Such an entry is evidence of nothing."""
    content = entry.content
    return isinstance(content, str) and content.startswith((MARK_EN, MARK_ZH))


def is_notice(entry: MemoryEntry) -> bool:
    """Whether an entry is a message of the guard, kept by the host as the system's."""
    return entry.source is Source.SYSTEM and carries_mark(entry)
