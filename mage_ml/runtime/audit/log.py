"""The audit log: append-only, hash-chained, durable, in SQLite."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, JsonValue
from sqlalchemy.pool import StaticPool

from mage_ml.errors import AuditError

AUDIT_SCHEMA_VERSION: Final = 1
GENESIS: Final = hashlib.sha256(b"mage-ml audit log, version 1").hexdigest()
_BUSY_MS: Final = 10_000
_BATCH: Final = 1000

_METADATA = sa.MetaData()
_RECORDS = sa.Table(
    "audit_records",
    _METADATA,
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("recorded_at", sa.Float, nullable=False),
    sa.Column("run_id", sa.Text, nullable=False),
    sa.Column("decision_id", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("previous_hash", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Index("audit_by_decision", "decision_id"),
    sa.Index("audit_by_run", "run_id", "sequence"),
    sa.Index("audit_by_action", "action", "sequence"),
)
# How far the log goes, kept apart from the records: without it the loss of the last ones could not be seen.
_HEAD = sa.Table(
    "audit_head",
    _METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("schema_version", sa.Integer, nullable=False),
    sa.Column("sequence", sa.Integer, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
)
_GUARDS: Final = tuple(
    f"CREATE TRIGGER IF NOT EXISTS audit_no_{verb} BEFORE {verb.upper()} ON audit_records "
    "BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"
    for verb in ("update", "delete")
)


class AuditEvent(BaseModel):
    """What is to be recorded.

    Attributes:
        run_id: The agent's run.
        decision_id: The decision it is about.
        action: What was decided.
        payload: Everything else: snapshot, scores, evidence, reasons, versions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    decision_id: str
    action: str
    payload: dict[str, JsonValue]


class AuditRecord(AuditEvent):
    """An event in the log.

    Attributes:
        sequence: Place in the log, from 1.
        recorded_at: Seconds since the epoch.
        previous_hash: Hash of the record before it.
        hash: SHA-256 over everything else.
    """

    sequence: int
    recorded_at: float
    previous_hash: str
    hash: str


class AuditLog:
    """Appends records and reads them back. Safe between threads and processes.

    A record is on disk when `append` returns (write-ahead log, synchronous=FULL). Records cannot be changed or deleted
    through SQL without dropping the triggers that forbid it, and `verify` finds it if somebody does.

    Args:
        path: The SQLite file, made when it does not exist; `:memory:` for tests.
        clock: Seconds since the epoch.
        durable: With `False` the last records may be lost at power failure, never damaged.

    Raises:
        AuditError: The file cannot be opened, or a newer version wrote it.
    """

    def __init__(self, path: Path | str, *, clock: Callable[[], float] = time.time, durable: bool = True) -> None:
        self.path = str(path)
        self._clock = clock
        self._lock = threading.Lock()
        self._engine = _open_engine(self.path, durable)
        try:
            with self._lock, self._engine.begin() as connection:
                _METADATA.create_all(connection)
                for guard in _GUARDS:
                    connection.execute(sa.text(guard))
                self._check_version(connection)
        except sa.exc.SQLAlchemyError as error:
            raise AuditError(f"audit log {self.path}: cannot be opened: {_cause(error)}") from error

    def append(self, event: AuditEvent) -> AuditRecord:
        """Record an event.

        Raises:
            AuditError: It could not be written; nothing was recorded.
        """
        try:
            with self._lock, self._engine.begin() as connection:
                head = connection.execute(sa.select(_HEAD.c.sequence, _HEAD.c.hash)).one()
                record = _chained(event, head.sequence + 1, self._clock(), head.hash)
                connection.execute(_RECORDS.insert().values(**_row(record)))
                connection.execute(_HEAD.update().values(sequence=record.sequence, hash=record.hash))
        except sa.exc.SQLAlchemyError as error:
            raise AuditError(f"audit log {self.path}: cannot be written: {_cause(error)}") from error
        return record

    def records(self, *, run_id: str | None = None, action: str | None = None, after: int = 0) -> Iterator[AuditRecord]:
        """Records in order.

        Args:
            run_id: Only of this run.
            action: Only with this decision.
            after: Only after this sequence number.
        """
        last = after
        while True:
            query = sa.select(_RECORDS).where(_RECORDS.c.sequence > last).order_by(_RECORDS.c.sequence).limit(_BATCH)
            if run_id is not None:
                query = query.where(_RECORDS.c.run_id == run_id)
            if action is not None:
                query = query.where(_RECORDS.c.action == action)
            rows = self._read(query)
            for row in rows:
                yield _record(row)
            if len(rows) < _BATCH:
                return
            last = rows[-1]["sequence"]

    def find(self, decision_id: str) -> tuple[AuditRecord, ...]:
        """The records of one decision, in order."""
        query = sa.select(_RECORDS).where(_RECORDS.c.decision_id == decision_id).order_by(_RECORDS.c.sequence)
        return tuple(_record(row) for row in self._read(query))

    def head(self) -> tuple[int, str]:
        """How many records there should be, and the hash of the last. Keep it elsewhere to notice a rewritten log."""
        row = self._read(sa.select(_HEAD.c.sequence, _HEAD.c.hash))[0]
        return int(row["sequence"]), str(row["hash"])

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()

    def __len__(self) -> int:
        return int(self._read(sa.select(sa.func.count().label("n")).select_from(_RECORDS))[0]["n"])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, query: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - a SQLAlchemy select
        try:
            with self._lock, self._engine.connect() as connection:
                return [dict(row) for row in connection.execute(query).mappings()]
        except sa.exc.SQLAlchemyError as error:
            raise AuditError(f"audit log {self.path}: cannot be read: {_cause(error)}") from error

    def _check_version(self, connection: sa.Connection) -> None:
        row = connection.execute(sa.select(_HEAD.c.schema_version)).one_or_none()
        if row is None:
            connection.execute(
                _HEAD.insert().values(id=1, schema_version=AUDIT_SCHEMA_VERSION, sequence=0, hash=GENESIS)
            )
        elif row.schema_version > AUDIT_SCHEMA_VERSION:
            raise AuditError(
                f"audit log {self.path}: format {row.schema_version}; this release reads up to {AUDIT_SCHEMA_VERSION}. "
                "Upgrade mage-ml to use it"
            )


def hash_of(event: AuditEvent, sequence: int, recorded_at: float, previous_hash: str) -> str:
    """The hash of a record: SHA-256 over its canonical JSON and the hash before it."""
    body = {
        "sequence": sequence,
        "recorded_at": recorded_at,
        "run_id": event.run_id,
        "decision_id": event.decision_id,
        "action": event.action,
        "payload": event.payload,
        "previous_hash": previous_hash,
    }
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _chained(event: AuditEvent, sequence: int, recorded_at: float, previous_hash: str) -> AuditRecord:
    return AuditRecord(
        run_id=event.run_id,
        decision_id=event.decision_id,
        action=event.action,
        payload=event.payload,
        sequence=sequence,
        recorded_at=recorded_at,
        previous_hash=previous_hash,
        hash=hash_of(event, sequence, recorded_at, previous_hash),
    )


def _row(record: AuditRecord) -> dict[str, Any]:
    fields = record.model_dump()
    return {**fields, "payload": json.dumps(record.payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)}


def _record(row: dict[str, Any]) -> AuditRecord:
    try:
        return AuditRecord.model_validate({**row, "payload": json.loads(row["payload"])})
    except ValueError as error:
        raise AuditError(f"audit record {row['sequence']} is damaged: {error}") from error


def _open_engine(path: str, durable: bool) -> sa.Engine:
    engine = sa.create_engine(
        f"sqlite:///{path}",
        poolclass=StaticPool,
        connect_args={"check_same_thread": False, "timeout": _BUSY_MS / 1000},
    )

    @sa.event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:  # noqa: ANN401 - a driver connection
        connection.isolation_level = None  # transactions are opened below, so that the write lock is taken first
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
        cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _cause(error: sa.exc.SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error)
