"""A store over a vector collection: content as text, everything else as flat metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.stores.base import HostStore

STATUS_KEY: Final = "mage_status"
"""Metadata key of the status. Similarity search filters on it: see `HIDDEN_STATUSES`."""
_PREFIX: Final = "mage_"
_FLAT: Final = ("status", "confidence", "source", "role", "tool_name", "origin", "agent_id", "step", "timestamp")
_LISTS: Final = ("depends_on", "contradicts_with", "annotations")
_IS_JSON: Final = "mage_content_is_json"


@dataclass(frozen=True, slots=True)
class VectorRecord:
    """One item of a vector collection, without its vector.

    Attributes:
        id: Name of the item.
        text: What the vector was made from.
        metadata: Flat values: text, numbers, booleans.
    """

    id: str
    text: str
    metadata: Mapping[str, str | int | float | bool]


class VectorCollection(Protocol):
    """What the store needs of a vector database. Most clients come close; a thin class bridges the rest."""

    def add(self, records: Sequence[VectorRecord]) -> None:
        """Add items; the collection makes their vectors."""
        ...

    def get(self, ids: Sequence[str] | None = None) -> Sequence[VectorRecord]:
        """The items with these ids that exist, or all of them."""
        ...

    def update_metadata(self, records: Sequence[VectorRecord]) -> None:
        """Replace the metadata of some items. Their vectors stay untouched."""
        ...

    def update(self, records: Sequence[VectorRecord]) -> None:
        """Replace text and metadata of some items; the collection makes new vectors."""
        ...

    def delete(self, ids: Sequence[str]) -> None:
        """Remove items."""
        ...


class VectorStore(HostStore):
    """Wraps a vector collection. A patch that leaves the content alone leaves the vector alone.

    Quarantined entries stay in the collection; a search leaves them out by a filter on `STATUS_KEY`. Entries are
    ordered by step, then as the collection gives them. Metadata of the host stays as it is.

    Args:
        collection: The host's collection.
    """

    def __init__(self, collection: VectorCollection) -> None:
        super().__init__()
        self._host = collection

    def purge(self, entry_id: str) -> None:
        """Remove an entry for good.

        Raises:
            KeyError: No entry has this id.
        """
        with self._lock:
            if self._record(entry_id) is None:
                raise KeyError(entry_id)
            self._host.delete([entry_id])
            self._known.pop(entry_id, None)

    def _records(self) -> Mapping[str, VectorRecord]:
        found = sorted(self._host.get(None), key=lambda record: float(record.metadata.get("mage_step", 0)))
        return {record.id: record for record in found}

    def _record(self, entry_id: str) -> VectorRecord | None:
        return next(iter(self._host.get([entry_id])), None)

    def _decoded(self, entry_id: str, record: Any) -> MemoryEntry:  # noqa: ANN401
        metadata = record.metadata
        fields: dict[str, Any] = {
            name: metadata[_PREFIX + name] for name in _FLAT if metadata.get(_PREFIX + name) not in (None, "")
        }
        fields |= {name: json.loads(str(metadata.get(_PREFIX + name, "[]"))) for name in _LISTS}
        content = json.loads(record.text) if metadata.get(_IS_JSON) else record.text
        return MemoryEntry.model_validate({"source": "retrieved", **fields, "id": entry_id, "content": content})

    def _encoded(self, record: Any | None, entry: MemoryEntry) -> Any:  # noqa: ANN401
        dumped = entry.model_dump(mode="json")
        metadata = dict(record.metadata) if record is not None else {}
        metadata |= {_PREFIX + name: "" if dumped[name] is None else dumped[name] for name in _FLAT}
        metadata |= {_PREFIX + name: json.dumps(dumped[name], ensure_ascii=False) for name in _LISTS}
        is_text = isinstance(entry.content, str)
        metadata[_IS_JSON] = not is_text
        text = str(entry.content) if is_text else json.dumps(dumped["content"], ensure_ascii=False)
        return VectorRecord(entry.id, text, metadata)

    def _write(self, entry_id: str, record: Any, *, only_state: bool) -> None:  # noqa: ANN401
        if only_state:
            self._host.update_metadata([record])
        else:
            self._host.update([record])

    def _append(self, entry_id: str, record: Any) -> None:  # noqa: ANN401
        self._host.add([replace(record, id=entry_id)])
