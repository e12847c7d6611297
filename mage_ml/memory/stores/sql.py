"""A store in SQLite or any database that SQLAlchemy reaches: memory that outlives the process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Engine, Integer, MetaData, String, Table, Text, create_engine, event, func, select
from sqlalchemy.exc import IntegrityError

from mage_ml.errors import ChangedEntryError
from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.stores.base import EntryChange, HostStore, digest_of
from mage_ml.memory.stores.codecs import EntryCodec

_SCHEMA = MetaData()
MEMORY_TABLE = Table(
    "mage_memory",
    _SCHEMA,
    Column("run_id", String(256), primary_key=True),
    Column("entry_id", String(256), primary_key=True),
    Column("position", Integer, nullable=False, index=True),
    Column("status", String(32), nullable=False, index=True),
    Column("record", Text, nullable=False),
)
"""One row an entry; `record` is its JSON. A host may read and write it with its own tools."""


class SqlStore(HostStore):
    """Keeps a run's memory in a database table. Several processes may use it at once.

    All entries of a patch change in one transaction, and only if each row still is what the patch was made for.

    Args:
        target: A SQLite file, a database URL, or an engine of the host.
        run_id: Which run's memory.
    """

    def __init__(self, target: Path | str | Engine, run_id: str) -> None:
        super().__init__()
        self._engine = target if isinstance(target, Engine) else _engine(target)
        self._run_id = run_id
        self._codec = EntryCodec(as_text=True)
        _SCHEMA.create_all(self._engine)

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def purge(self, entry_id: str) -> None:
        """Remove an entry for good.

        Raises:
            KeyError: No entry has this id.
        """
        with self._lock, self._engine.begin() as connection:
            if connection.execute(MEMORY_TABLE.delete().where(*self._where(entry_id))).rowcount == 0:
                raise KeyError(entry_id)
            self._known.pop(entry_id, None)

    def swap(self, changes: Sequence[EntryChange]) -> None:
        """Store the later version of each entry, all or none; see `TransactionalStore.swap`."""
        with self._lock:
            old = {change.after.id: self._checked(change) for change in changes}
            new = {change.after.id: self._encoded(old[change.after.id], change.after) for change in changes}
            with self._engine.begin() as connection:
                for change in changes:
                    name = change.after.id
                    update = MEMORY_TABLE.update().where(*self._where(name), MEMORY_TABLE.c.record == old[name])
                    values = {"record": new[name], "status": change.after.status.value}
                    if connection.execute(update.values(**values)).rowcount != 1:
                        raise ChangedEntryError(f"entry {name!r} was changed by another process; nothing was written")
            self._known |= {name: digest_of(record) for name, record in new.items()}

    def _where(self, entry_id: str) -> tuple[Any, Any]:
        return MEMORY_TABLE.c.run_id == self._run_id, MEMORY_TABLE.c.entry_id == entry_id

    def _records(self) -> Mapping[str, Any]:
        columns = select(MEMORY_TABLE.c.entry_id, MEMORY_TABLE.c.record)
        query = columns.where(MEMORY_TABLE.c.run_id == self._run_id).order_by(MEMORY_TABLE.c.position)
        with self._engine.connect() as connection:
            return {row.entry_id: row.record for row in connection.execute(query)}

    def _record(self, entry_id: str) -> Any | None:  # noqa: ANN401
        with self._engine.connect() as connection:
            return connection.execute(select(MEMORY_TABLE.c.record).where(*self._where(entry_id))).scalar()

    def _decoded(self, entry_id: str, record: Any) -> MemoryEntry:  # noqa: ANN401
        return self._codec.decode(record, entry_id, 0)

    def _encoded(self, record: Any | None, entry: MemoryEntry) -> Any:  # noqa: ANN401
        return self._codec.encode(record, entry)

    def _write(self, entry_id: str, record: Any, *, only_state: bool) -> None:  # noqa: ANN401
        status = self._decoded(entry_id, record).status.value
        with self._engine.begin() as connection:
            connection.execute(MEMORY_TABLE.update().where(*self._where(entry_id)).values(record=record, status=status))

    def _append(self, entry_id: str, record: Any) -> None:  # noqa: ANN401
        with self._engine.begin() as connection:
            taken = select(func.count()).where(*self._where(entry_id))
            last = select(func.max(MEMORY_TABLE.c.position)).where(MEMORY_TABLE.c.run_id == self._run_id)
            if connection.execute(taken).scalar():
                raise KeyError(entry_id)
            place = connection.execute(last).scalar()
            row = {"run_id": self._run_id, "entry_id": entry_id, "position": 0 if place is None else place + 1}
            status = self._decoded(entry_id, record).status.value
            try:
                connection.execute(MEMORY_TABLE.insert().values(**row, status=status, record=record))
            except IntegrityError as error:
                raise KeyError(entry_id) from error


def _engine(target: Path | str) -> Engine:
    url = target if isinstance(target, str) and "://" in target else f"sqlite:///{target}"
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: Any, _record: Any) -> None:  # noqa: ANN401 - the driver's own types
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()
