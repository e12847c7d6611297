"""A Qdrant collection as the home of an agent's memory."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any, Final

from mage_ml.extras import require
from mage_ml.memory.stores.base import HIDDEN_STATUSES
from mage_ml.memory.stores.vector import STATUS_KEY, VectorRecord

_NAMES: Final = uuid.UUID("6f1d2b1e-3a55-4a0e-9d0d-7f3a2d1c5b90")
_PAGE: Final = 256


class QdrantCollection:
    """A collection of a Qdrant client, local or remote, for `VectorStore`.

    Entry ids become point ids by UUID 5; the id itself and the text are kept in the payload.

    Args:
        client: A `qdrant_client.QdrantClient`.
        name: An existing collection with one unnamed vector.
        embed: Gives the vector of a text.

    Raises:
        MissingExtraError: The client library is not installed.
    """

    def __init__(self, client: Any, name: str, embed: Callable[[str], Sequence[float]]) -> None:  # noqa: ANN401
        self._models = require("qdrant_client", extra="qdrant", purpose="keep memory in Qdrant").models
        self._client = client
        self._name = name
        self._embed = embed

    def add(self, records: Sequence[VectorRecord]) -> None:
        """See `VectorCollection.add`."""
        points = [
            self._models.PointStruct(
                id=_point(record.id), vector=list(self._embed(record.text)), payload=_payload(record)
            )
            for record in records
        ]
        self._client.upsert(self._name, points, wait=True)

    def get(self, ids: Sequence[str] | None = None) -> Sequence[VectorRecord]:
        """See `VectorCollection.get`."""
        if ids is not None:
            points = self._client.retrieve(self._name, [_point(name) for name in ids], with_payload=True)
            return [_record(point) for point in points]
        found: list[VectorRecord] = []
        offset = None
        while True:
            points, offset = self._client.scroll(self._name, limit=_PAGE, offset=offset, with_payload=True)
            found += [_record(point) for point in points]
            if offset is None:
                return found

    def update_metadata(self, records: Sequence[VectorRecord]) -> None:
        """See `VectorCollection.update_metadata`."""
        for record in records:
            self._client.overwrite_payload(self._name, _payload(record), points=[_point(record.id)], wait=True)

    def update(self, records: Sequence[VectorRecord]) -> None:
        """See `VectorCollection.update`."""
        self.add(records)

    def delete(self, ids: Sequence[str]) -> None:
        """See `VectorCollection.delete`."""
        self._client.delete(self._name, self._models.PointIdsList(points=[_point(name) for name in ids]), wait=True)

    def similar(self, text: str, *, limit: int = 10) -> Sequence[VectorRecord]:
        """The items nearest to a text, without quarantined and superseded ones."""
        hidden = self._models.MatchAny(any=sorted(status.value for status in HIDDEN_STATUSES))
        visible = self._models.Filter(must_not=[self._models.FieldCondition(key=STATUS_KEY, match=hidden)])
        found = self._client.query_points(
            self._name, query=list(self._embed(text)), query_filter=visible, limit=limit, with_payload=True
        )
        return [_record(point) for point in found.points]


def _point(entry_id: str) -> str:
    return str(uuid.uuid5(_NAMES, entry_id))


def _payload(record: VectorRecord) -> dict[str, Any]:
    return {**record.metadata, "mage_id": record.id, "text": record.text}


def _record(point: Any) -> VectorRecord:  # noqa: ANN401
    payload = dict(point.payload or {})
    entry_id = str(payload.pop("mage_id", point.id))
    return VectorRecord(entry_id, str(payload.pop("text", "")), payload)
