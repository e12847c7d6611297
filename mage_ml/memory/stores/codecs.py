"""How a host's own records become memory entries and back, without losing what else they hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, Protocol

from mage_ml.memory.entry import MemoryEntry, Source

STATE_KEY: Final = "mage"
"""Under this key of a message the host finds status, confidence, opposing entries and notes."""
_STATE: Final = ("status", "confidence", "contradicts_with", "annotations", "depends_on", "origin", "timestamp", "role")
_SOURCES: Final = {
    "user": Source.USER,
    "human": Source.USER,
    "assistant": Source.LLM_REASONING,
    "ai": Source.LLM_REASONING,
    "tool": Source.TOOL,
    "function": Source.TOOL,
    "system": Source.SYSTEM,
    "developer": Source.SYSTEM,
}
_ROLES: Final = {
    Source.USER: "user",
    Source.LLM_REASONING: "assistant",
    Source.AGENT: "assistant",
    Source.TOOL: "tool",
    Source.RETRIEVED: "tool",
    Source.SYSTEM: "system",
}


class RecordCodec(Protocol):
    """Turns host records into entries and back."""

    def id_of(self, record: Any, position: int) -> str:  # noqa: ANN401 - the host's own record
        """The entry id of a record."""
        ...

    def decode(self, record: Any, entry_id: str, position: int) -> MemoryEntry:  # noqa: ANN401
        """The entry that a record stands for.

        Raises:
            ValueError: The record is none.
        """
        ...

    def encode(self, record: Any | None, entry: MemoryEntry) -> Any:  # noqa: ANN401
        """A new record for an entry; unknown fields of the old record are kept, the old record is not changed."""
        ...


class EntryCodec:
    """Records that are entries: a dict with the fields of `MemoryEntry`, or the same as JSON text or bytes.

    Args:
        as_text: Write JSON text (what Redis and shelves on disk keep) instead of dicts.
    """

    def __init__(self, *, as_text: bool = False) -> None:
        self._as_text = as_text

    def id_of(self, record: Any, position: int) -> str:  # noqa: ANN401
        """See `RecordCodec.id_of`."""
        return str(_fields(record)["id"])

    def decode(self, record: Any, entry_id: str, position: int) -> MemoryEntry:  # noqa: ANN401
        """See `RecordCodec.decode`."""
        known = {name: value for name, value in _fields(record).items() if name in MemoryEntry.model_fields}
        return MemoryEntry.model_validate({**known, "id": entry_id})

    def encode(self, record: Any | None, entry: MemoryEntry) -> Any:  # noqa: ANN401
        """See `RecordCodec.encode`."""
        merged = {**({} if record is None else _fields(record)), **entry.model_dump(mode="json")}
        return json.dumps(merged, ensure_ascii=False) if self._as_text else merged


class MessageCodec:
    """Chat messages: `{"role": ..., "content": ..., "name": ...}`, with or without an `id`.

    The role gives the source. What the guard adds stands under the key `mage`. A message without an `id` is named by
    its place (`m0`, `m1`, ...).
    """

    def id_of(self, record: Any, position: int) -> str:  # noqa: ANN401
        """See `RecordCodec.id_of`."""
        return str(record.get("id") or record.get(STATE_KEY, {}).get("id") or f"m{position}")

    def decode(self, record: Any, entry_id: str, position: int) -> MemoryEntry:  # noqa: ANN401
        """See `RecordCodec.decode`."""
        role = str(record.get("role", "")).lower()
        if role not in _SOURCES:
            expected = ", ".join(_SOURCES)
            raise ValueError(f"a message has the role {role!r}; expected one of {expected}")
        state = dict(record.get(STATE_KEY, {}))
        source = Source(state.pop("source", _SOURCES[role]))
        tool = record.get("name") if source is Source.TOOL else None
        content = record.get("content")
        fields = {"tool_name": tool, "step": position, **state, "content": "" if content is None else content}
        return MemoryEntry.model_validate({**fields, "id": entry_id, "source": source})

    def encode(self, record: Any | None, entry: MemoryEntry) -> Any:  # noqa: ANN401
        """See `RecordCodec.encode`."""
        dumped = entry.model_dump(mode="json")
        if record is None:
            record = {"id": entry.id, "role": _ROLES[entry.source]}
            record |= {"name": entry.tool_name} if entry.tool_name else {}
            kept = (*_STATE, "source", "step", "agent_id")
            state = {name: dumped[name] for name in kept if dumped[name] is not None}
        else:
            old = record.get(STATE_KEY, {})
            told = [name for name in _STATE if name in old or name == "confidence" or dumped[name]]
            state = {**old, **{name: dumped[name] for name in told}}
        if entry.tool_name and entry.source is not Source.TOOL:
            state["tool_name"] = entry.tool_name
        # A message that only calls tools has the content `None`.
        is_unchanged = "content" in record and record["content"] is None and dumped["content"] == ""
        return {**record, "content": None if is_unchanged else dumped["content"], STATE_KEY: state}


def _fields(record: Any) -> Mapping[str, Any]:  # noqa: ANN401
    if isinstance(record, bytes | str):
        record = json.loads(record)
    if not isinstance(record, Mapping):
        raise ValueError(f"a record is a {type(record).__name__}; expected an object with the fields of an entry")
    return record
