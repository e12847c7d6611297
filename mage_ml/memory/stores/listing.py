"""A store over a host's own list of messages or records."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any

from mage_ml.errors import RecordError
from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.stores.base import HIDDEN_STATUSES, HostStore
from mage_ml.memory.stores.codecs import MessageCodec, RecordCodec


class ListStore(HostStore):
    """Wraps a host's list in place: a patched record is replaced by a changed copy at the same position.

    Args:
        records: The host's list. It stays the host's: append to it freely.
        codec: How records become entries; chat messages by default.
    """

    def __init__(self, records: MutableSequence[Any], *, codec: RecordCodec | None = None) -> None:
        super().__init__()
        self._host = records
        self._codec = codec or MessageCodec()
        self._place: dict[str, int] = {}

    def visible_records(self) -> Sequence[Any]:
        """The host's own records without quarantined and superseded ones: what goes into the prompt."""
        with self._lock:
            return tuple(
                record
                for name, record in self._records().items()
                if self._seen(name, record).status not in HIDDEN_STATUSES
            )

    def _records(self) -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        for position, record in enumerate(tuple(self._host)):
            entry_id = self._codec.id_of(record, position)
            if entry_id in found:
                raise RecordError("two records of the list have this id; ids must be unique", record_id=entry_id)
            found[entry_id] = record
            self._place[entry_id] = position
        return found

    def _record(self, entry_id: str) -> Any | None:  # noqa: ANN401
        place = self._place.get(entry_id, -1)
        if 0 <= place < len(self._host) and self._codec.id_of(self._host[place], place) == entry_id:
            return self._host[place]
        return self._records().get(entry_id)

    def _decoded(self, entry_id: str, record: Any) -> MemoryEntry:  # noqa: ANN401
        return self._codec.decode(record, entry_id, self._place.get(entry_id, 0))

    def _encoded(self, record: Any | None, entry: MemoryEntry) -> Any:  # noqa: ANN401
        return self._codec.encode(record, entry)

    def _write(self, entry_id: str, record: Any, *, only_state: bool) -> None:  # noqa: ANN401
        self._host[self._place[entry_id]] = record

    def _append(self, entry_id: str, record: Any) -> None:  # noqa: ANN401
        self._place[entry_id] = len(self._host)
        self._host.append(record)
