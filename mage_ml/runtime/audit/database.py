"""Connections to the database of an audit log: one that writes, one that reads, closed around a fork."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from mage_ml.errors import AuditError
from mage_ml.extras import require

MEMORY: Final = ":memory:"
_DRIVER: Final = "postgresql+psycopg"


class Database:
    """A SQLite file or a PostgreSQL database. Safe between threads, and usable on both sides of a fork.

    SQLite must not be carried over a fork, so its file is closed before one and opened again on either side when it is
    needed.

    Args:
        place: Path of a SQLite file, `:memory:`, or a `postgresql://` URL.
        durable: Whether a commit waits for the disk.
        read_only: Whether nothing may be written.
        busy_s: Seconds to wait for another process that is writing.

    Raises:
        AuditError: The URL is of no supported database.
        MissingExtraError: PostgreSQL is asked for, and its driver is not installed.
    """

    def __init__(self, place: Path | str, *, durable: bool, read_only: bool, busy_s: float) -> None:
        self.is_postgres = "://" in str(place)
        self.name = _shown(str(place))
        self._options = (durable, read_only, busy_s)
        self._place = str(place) if self.is_postgres else _absolute(place)
        if self.is_postgres:
            _check_url(self._place)
        self._write_lock, self._read_lock = threading.Lock(), threading.Lock()
        self._writer: sa.Engine | None = None
        self._reader: sa.Engine | None = None
        _survive_fork(self)

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction that no other writer of this process shares.

        Raises:
            AuditError: The database refused something.
        """
        with self._write_lock, self._explained("written"):
            if self._writer is None:
                self._writer = self._open(writes=True)
            with self._writer.begin() as connection:
                yield connection

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction that only reads, and holds up no writer.

        Raises:
            AuditError: The database refused something.
        """
        if self._place == MEMORY:
            with self.write() as connection:
                yield connection
            return
        with self._read_lock, self._explained("read"):
            if self._reader is None:
                self._reader = self._open(writes=False)
            with self._reader.begin() as connection:
                yield connection

    def close(self) -> None:
        """Close all connections; a later use opens them again."""
        with self._write_lock, self._read_lock:
            self._dispose()

    def _dispose(self, *, close: bool = True) -> None:
        for engine in (self._reader, self._writer):
            if engine is not None:
                engine.dispose(close=close)
        self._reader = self._writer = None

    def _open(self, *, writes: bool) -> sa.Engine:
        durable, read_only, busy_s = self._options
        if self.is_postgres:
            return _postgres(self._place, durable)
        return _sqlite(self._place, durable, busy_s, writes=writes, read_only=read_only)

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sa.exc.SQLAlchemyError, sqlite3.Error, OSError) as error:
            cause = str(getattr(error, "orig", None) or error)
            raise AuditError(f"audit log {self.name}: cannot be {what}: {cause}") from error

    def _before_fork(self) -> None:
        # A lock that some other thread holds would stay locked in the child for ever.
        self._write_lock.acquire()
        self._read_lock.acquire()
        if not self.is_postgres and self._place != MEMORY:
            self._dispose()

    def _in_parent(self) -> None:
        self._read_lock.release()
        self._write_lock.release()

    def _in_child(self) -> None:
        if self.is_postgres:
            self._dispose(close=False)  # the connections are the parent's
        self._in_parent()


_OPEN: Final[weakref.WeakSet[Database]] = weakref.WeakSet()
_REGISTERED: Final = threading.Event()
_FORKING: Final[list[Database]] = []


def _survive_fork(database: Database) -> None:
    _OPEN.add(database)
    if hasattr(os, "register_at_fork") and not _REGISTERED.is_set():
        _REGISTERED.set()
        os.register_at_fork(
            before=_before_fork,
            after_in_parent=lambda: _after_fork(Database._in_parent),
            after_in_child=lambda: _after_fork(Database._in_child),
        )


def _before_fork() -> None:
    for database in sorted(_OPEN, key=id):
        database._before_fork()
        _FORKING.append(database)


def _after_fork(release: Callable[[Database], None]) -> None:
    while _FORKING:
        release(_FORKING.pop())


def _sqlite(path: str, durable: bool, busy_s: float, *, writes: bool, read_only: bool) -> sa.Engine:
    def connect() -> sqlite3.Connection:
        target = f"file:{quote(path)}?mode=ro{_frozen(path)}" if read_only else path
        connection = sqlite3.connect(
            target, uri=read_only, isolation_level=None, check_same_thread=False, timeout=busy_s
        )
        if not read_only:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
        return connection

    engine = sa.create_engine("sqlite://", poolclass=StaticPool, creator=connect)

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        # A writer takes the write lock first: what it reads is then still true when it writes.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes and not read_only else "BEGIN")

    return engine


def _frozen(path: str) -> str:
    """SQLite needs a file beside a log to read it; where none can be made, the log is read as it lies."""
    beside = Path(f"{path}-wal")
    return "" if beside.exists() or os.access(Path(path).parent, os.W_OK) else "&immutable=1"


def _postgres(url: str, durable: bool) -> sa.Engine:
    require("psycopg", extra="postgres", purpose="keep the audit log in PostgreSQL")
    target = sa.make_url(url).set(drivername=_DRIVER)
    engine = sa.create_engine(target, pool_pre_ping=True, pool_size=2, max_overflow=2)
    if not durable:

        @sa.event.listens_for(engine, "connect")
        def _hurry(connection: Any, _record: object) -> None:  # noqa: ANN401 - a driver connection
            connection.autocommit = True
            connection.execute("SET synchronous_commit = off")
            connection.autocommit = False

    return engine


def _check_url(url: str) -> None:
    scheme = url.partition("://")[0]
    if scheme not in ("postgresql", "postgres", _DRIVER):
        raise AuditError(
            f"audit log: no support for {scheme!r}; give the path of a SQLite file, or {_DRIVER}://user@host/database"
        )


def _shown(place: str) -> str:
    return sa.make_url(place).render_as_string(hide_password=True) if "://" in place else place


def _absolute(place: Path | str) -> str:
    return str(place) if str(place) == MEMORY else str(Path(place).absolute())
