"""What all stores share: compare before writing, write all or nothing, notice what the host changed."""

from __future__ import annotations

import builtins
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from enum import StrEnum
from typing import Any, Final, Protocol, runtime_checkable

from mage_ml.errors import ChangedEntryError, PatchError, RecordError
from mage_ml.forking import ForkAwareLock
from mage_ml.memory.entry import MemoryEntry, Status

HIDDEN_STATUSES: Final = frozenset({Status.QUARANTINED, Status.SUPERSEDED})
"""Entries of these statuses stay in the store, and the agent should not read them."""


@dataclass(frozen=True, slots=True)
class EntryChange:
    """One entry before and after a change.

    Attributes:
        before: The version that the change was made for.
        after: The version to be stored.
    """

    before: MemoryEntry
    after: MemoryEntry


@runtime_checkable
class TransactionalStore(Protocol):
    """A store that can change several entries at once."""

    def swap(self, changes: Sequence[EntryChange]) -> None:
        """Store the later version of each entry, if every entry still is as it was before; otherwise change nothing.

        Raises:
            ChangedEntryError: An entry is not what it was.
            KeyError: An entry is not in the store.
        """
        ...


class OutsideKind(StrEnum):
    """What the host did to an entry without telling the store."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class OutsideChange:
    """A change that the host made behind the store's back.

    Attributes:
        kind: Added, changed or removed.
        entry_id: The entry.
        entry: As it is now; `None` when it was removed.
    """

    kind: OutsideKind
    entry_id: str
    entry: MemoryEntry | None


class HostStore(ABC):
    """Base of stores over memory that a host owns and may change at any time.

    The store remembers a digest of every record it has handed out or written. A record that no longer has its digest
    was changed by the host: `changes` tells, and no write touches it until `acknowledge` is called. Records are read
    from the host on every call, nothing is cached. Calls from several threads are ordered by a lock; several processes
    need a store whose host offers transactions (`SqlStore`).
    """

    def __init__(self) -> None:
        self._lock = ForkAwareLock("a memory store")
        self._known: dict[str, str] = {}

    # What an adapter provides.

    @abstractmethod
    def _records(self) -> Mapping[str, Any]:
        """All host records by entry id, in order."""

    @abstractmethod
    def _record(self, entry_id: str) -> Any | None:  # noqa: ANN401 - the host's own record
        """One host record, or `None`."""

    @abstractmethod
    def _decoded(self, entry_id: str, record: Any) -> MemoryEntry:  # noqa: ANN401
        """The entry that a host record stands for."""

    @abstractmethod
    def _encoded(self, record: Any | None, entry: MemoryEntry) -> Any:  # noqa: ANN401
        """A new host record for an entry, keeping what else the old one holds."""

    @abstractmethod
    def _write(self, entry_id: str, record: Any, *, only_state: bool) -> None:  # noqa: ANN401
        """Put a record in its place; `only_state` when the content is unchanged."""

    @abstractmethod
    def _append(self, entry_id: str, record: Any) -> None:  # noqa: ANN401
        """Add a record at the end."""

    # What a guard and a host use.

    def get(self, entry_id: str) -> MemoryEntry | None:
        """The current version of an entry, or `None`.

        Raises:
            RecordError: The host's record is no valid entry.
        """
        with self._lock:
            record = self._record(entry_id)
            return None if record is None else self._seen(entry_id, record)

    def list(self) -> Sequence[MemoryEntry]:
        """All entries in order, quarantined ones included.

        Raises:
            RecordError: A record of the host is no valid entry.
        """
        with self._lock:
            return tuple(self._seen(entry_id, record) for entry_id, record in self._records().items())

    def add(self, entry: MemoryEntry) -> None:
        """Append an entry.

        Raises:
            KeyError: The id is taken.
        """
        with self._lock:
            if self._record(entry.id) is not None:
                raise KeyError(entry.id)
            self._append(entry.id, self._encoded(None, entry))
            self._known[entry.id] = self._digest_of(entry.id)

    def replace(self, entry: MemoryEntry) -> None:
        """Put a new version of an entry in its place.

        Raises:
            KeyError: No entry has this id.
            ChangedEntryError: The host changed the entry since the store last handed it out.
        """
        with self._lock:
            record = self._record(entry.id)
            if record is None:
                raise KeyError(entry.id)
            self.swap([EntryChange(self._seen(entry.id, record), entry)])

    def swap(self, changes: Sequence[EntryChange]) -> None:
        """Store the later version of each entry, all or none; see `TransactionalStore.swap`."""
        with self._lock:
            old = {change.after.id: self._checked(change) for change in changes}
            done: builtins.list[EntryChange] = []
            try:
                for change in changes:
                    done.append(change)
                    new = self._encoded(old[change.after.id], change.after)
                    self._write(change.after.id, new, only_state=change.before.content == change.after.content)
            except BaseException:  # an interrupt, too, must not leave half of a change
                self._put_back(done, old)
                raise
            for change in changes:
                self._known[change.after.id] = self._digest_of(change.after.id)

    def visible(self) -> Sequence[MemoryEntry]:
        """What the agent may read: entries that are neither quarantined nor superseded."""
        return tuple(entry for entry in self.list() if entry.status not in HIDDEN_STATUSES)

    def quarantined(self) -> Sequence[MemoryEntry]:
        """Entries in quarantine, for inspection and release."""
        return tuple(entry for entry in self.list() if entry.status is Status.QUARANTINED)

    def changes(self) -> Sequence[OutsideChange]:
        """What the host changed since the store last saw it, in the order of the records; removals last.

        Hand changed entries to `ShadowMemory.revise` and added ones to `observe`, then `acknowledge` them.
        """
        with self._lock:
            records = self._records()
            found = []
            for entry_id, record in records.items():
                known = self._known.get(entry_id)
                if known != digest_of(record):
                    kind = OutsideKind.ADDED if known is None else OutsideKind.CHANGED
                    found.append(OutsideChange(kind, entry_id, self._decoded(entry_id, record)))
            gone = (entry_id for entry_id in self._known if entry_id not in records)
            return (*found, *(OutsideChange(OutsideKind.REMOVED, entry_id, None) for entry_id in gone))

    def acknowledge(self, entry_ids: Iterable[str]) -> None:
        """Accept the host's present version of some entries: they may be changed again."""
        with self._lock:
            for entry_id in entry_ids:
                record = self._record(entry_id)
                if record is None:
                    self._known.pop(entry_id, None)
                else:
                    self._known[entry_id] = digest_of(record)

    def _seen(self, entry_id: str, record: Any) -> MemoryEntry:  # noqa: ANN401
        try:
            entry = self._decoded(entry_id, record)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            reason = f"the host's record is no memory entry: {type(error).__name__}: {error}"
            raise RecordError(reason, record_id=entry_id) from error
        self._known.setdefault(entry_id, digest_of(record))
        return entry

    def _checked(self, change: EntryChange) -> Any:  # noqa: ANN401
        entry_id = change.after.id
        record = self._record(entry_id)
        if record is None:
            raise KeyError(entry_id)
        if self._known.setdefault(entry_id, digest_of(record)) != digest_of(record):
            raise ChangedEntryError(
                f"entry {entry_id!r} was changed by its host; nothing was written. Read it again: "
                "store.changes() shows the change, store.acknowledge() accepts it"
            )
        if self._decoded(entry_id, record) != change.before:
            raise ChangedEntryError(
                f"entry {entry_id!r} is not the version that the change was made for; read it again"
            )
        return record

    def _put_back(self, done: Sequence[EntryChange], old: Mapping[str, Any]) -> None:
        doubtful = []
        for change in reversed(done):
            try:
                same = change.before.content == change.after.content
                self._write(change.after.id, old[change.after.id], only_state=same)
            except Exception:
                doubtful.append(change.after.id)
        if doubtful:
            raise PatchError(
                f"the store failed and could not be put back; entries in doubt: {', '.join(doubtful)}",
                in_doubt=tuple(doubtful),
            )

    def _digest_of(self, entry_id: str) -> str:
        return digest_of(self._record(entry_id))


def digest_of(record: Any) -> str:  # noqa: ANN401 - the host's own record
    """SHA-256 of a host record; equal records have equal digests whatever the order of their keys."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(value: Any) -> Any:  # noqa: ANN401
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return dict(value) if isinstance(value, Mapping) else repr(value)
