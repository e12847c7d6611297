"""Every store under one roof: how the tests build it, and how its host changes an entry behind its back."""

from __future__ import annotations

import json
import shelve
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qdrant_client import QdrantClient, models
from sqlalchemy import select

from mage_ml.memory import MemoryEntry
from mage_ml.memory.stores import EntryCodec, HostStore, ListStore, MappingStore, VectorStore
from mage_ml.memory.stores.qdrant import QdrantCollection
from mage_ml.memory.stores.sql import MEMORY_TABLE, SqlStore

WIDTH = 8


def embed(text: str) -> list[float]:
    """A small vector of letter counts: near texts are near."""
    vector = [1.0] + [0.0] * (WIDTH - 1)
    for char in text.lower():
        vector[1 + ord(char) % (WIDTH - 1)] += 1.0
    return vector


@dataclass(frozen=True)
class Hosted:
    """A store, and its host's own way of changing the content of an entry."""

    store: HostStore
    rewrite: Callable[[str, str], None]


@contextmanager
def hosted(kind: str) -> Iterator[Hosted]:
    """An empty store of a kind."""
    with tempfile.TemporaryDirectory() as folder, KINDS[kind](Path(folder)) as made:
        yield made


@contextmanager
def _messages(_folder: Path) -> Iterator[Hosted]:
    host: list[Any] = []
    yield Hosted(ListStore(host), lambda name, text: _rewrite_list(host, name, text))


@contextmanager
def _records(_folder: Path) -> Iterator[Hosted]:
    host: list[Any] = []
    yield Hosted(ListStore(host, codec=EntryCodec()), lambda name, text: _rewrite_list(host, name, text))


def _rewrite_list(host: list[Any], name: str, text: str) -> None:
    next(record for record in host if record["id"] == name)["content"] = text


@contextmanager
def _dict(_folder: Path) -> Iterator[Hosted]:
    host: dict[str, Any] = {"other": "not ours"}

    def rewrite(name: str, text: str) -> None:
        host[f"mem:{name}"] = json.dumps({**json.loads(host[f"mem:{name}"]), "content": text})

    yield Hosted(MappingStore(host, codec=EntryCodec(as_text=True), prefix="mem:"), rewrite)


@contextmanager
def _shelf(folder: Path) -> Iterator[Hosted]:
    with shelve.open(str(folder / "shelf")) as host:

        def rewrite(name: str, text: str) -> None:
            host[name] = {**host[name], "content": text}

        yield Hosted(MappingStore(host), rewrite)


@contextmanager
def _qdrant(_folder: Path) -> Iterator[Hosted]:
    client = QdrantClient(":memory:")
    client.create_collection("m", models.VectorParams(size=WIDTH, distance=models.Distance.COSINE))
    collection = QdrantCollection(client, "m", embed)

    def rewrite(name: str, text: str) -> None:
        (record,) = collection.get([name])
        collection.update([type(record)(record.id, text, record.metadata)])

    yield Hosted(VectorStore(collection), rewrite)
    client.close()


@contextmanager
def _sql(folder: Path) -> Iterator[Hosted]:
    store = SqlStore(folder / "memory.db", "run")

    def rewrite(name: str, text: str) -> None:
        with store._engine.begin() as connection:
            mine = MEMORY_TABLE.c.entry_id == name
            record = json.loads(connection.execute(select(MEMORY_TABLE.c.record).where(mine)).scalar_one())
            connection.execute(MEMORY_TABLE.update().where(mine).values(record=json.dumps({**record, "content": text})))

    yield Hosted(store, rewrite)
    store.close()


KINDS = {"messages": _messages, "records": _records, "dict": _dict, "shelf": _shelf, "qdrant": _qdrant, "sql": _sql}


def entry(number: int, content: Any = "text", source: str = "tool") -> MemoryEntry:
    """An entry at a step, derived from the one before it."""
    parents = (f"e{number - 1}",) if number else ()
    return MemoryEntry(id=f"e{number}", content=content, source=source, step=number, depends_on=parents)
