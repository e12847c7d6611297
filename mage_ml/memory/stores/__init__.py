"""Where an agent's memory lives: adapters that let a guard repair it in place.

Each satisfies the `MemoryStore` protocol of the guard, changes several entries all or none, keeps what it does not
understand, and refuses to write over an entry that its host has changed meanwhile.
"""

from mage_ml.memory.stores.base import (
    HIDDEN_STATUSES,
    EntryChange,
    HostStore,
    OutsideChange,
    OutsideKind,
    TransactionalStore,
)
from mage_ml.memory.stores.codecs import EntryCodec, MessageCodec, RecordCodec
from mage_ml.memory.stores.listing import ListStore
from mage_ml.memory.stores.mapping import MappingStore
from mage_ml.memory.stores.vector import STATUS_KEY, VectorCollection, VectorRecord, VectorStore

__all__ = [
    "HIDDEN_STATUSES",
    "STATUS_KEY",
    "EntryChange",
    "EntryCodec",
    "HostStore",
    "ListStore",
    "MappingStore",
    "MessageCodec",
    "OutsideChange",
    "OutsideKind",
    "RecordCodec",
    "TransactionalStore",
    "VectorCollection",
    "VectorRecord",
    "VectorStore",
]
