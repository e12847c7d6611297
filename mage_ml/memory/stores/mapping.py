"""A store over anything that behaves like a dict: a dict, a shelf, a Redis wrapper."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.stores.base import HostStore
from mage_ml.memory.stores.codecs import EntryCodec, RecordCodec


class MappingStore(HostStore):
    """Wraps a mapping from key to record. Entries are ordered by step, then as the mapping gives them.

    A changed record is assigned, never changed in place, as shelves and remote stores need it.

    Args:
        records: The host's mapping.
        codec: How records become entries; dicts with the fields of an entry by default.
        prefix: Only keys that begin with it belong to this memory; the rest of the key is the entry id.
    """

    def __init__(
        self, records: MutableMapping[str, Any], *, codec: RecordCodec | None = None, prefix: str = ""
    ) -> None:
        super().__init__()
        self._host = records
        self._codec = codec or EntryCodec()
        self._prefix = prefix

    def _records(self) -> Mapping[str, Any]:
        keys = [key for key in tuple(self._host) if key.startswith(self._prefix)]
        found = {key.removeprefix(self._prefix): self._host[key] for key in keys}
        return dict(sorted(found.items(), key=lambda item: self._seen(*item).step))

    def _record(self, entry_id: str) -> Any | None:  # noqa: ANN401
        return self._host.get(self._prefix + entry_id)

    def _decoded(self, entry_id: str, record: Any) -> MemoryEntry:  # noqa: ANN401
        return self._codec.decode(record, entry_id, 0)

    def _encoded(self, record: Any | None, entry: MemoryEntry) -> Any:  # noqa: ANN401
        return self._codec.encode(record, entry)

    def _write(self, entry_id: str, record: Any, *, only_state: bool) -> None:  # noqa: ANN401
        self._host[self._prefix + entry_id] = record

    def _append(self, entry_id: str, record: Any) -> None:  # noqa: ANN401
        self._host[self._prefix + entry_id] = record
