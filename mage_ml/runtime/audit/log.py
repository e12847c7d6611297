"""The audit log: append-only, hash-chained, durable, in SQLite or PostgreSQL."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import sqlalchemy as sa

from mage_ml.errors import AuditError
from mage_ml.runtime.audit.commit import GroupCommit, Ticket
from mage_ml.runtime.audit.database import Database
from mage_ml.runtime.audit.query import AuditPage, AuditQuery, count_matches, fetch_page, unlinked
from mage_ml.runtime.audit.record import (
    AUDIT_SCHEMA_VERSION,
    AuditEvent,
    AuditRecord,
    canonical,
    chained,
    from_row,
    to_row,
)
from mage_ml.runtime.audit.schema import (
    HEAD,
    RECORDS,
    columns_of,
    format_version,
    insert_records,
    prepare,
    refuse_newer,
)

_BATCH: Final = 1000
BUSY_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class AuditHead:
    """How far a log goes. Kept outside the log, it shows later whether the log was rewritten or cut.

    Attributes:
        sequence: Number of records.
        hash: Hash of the last one.
    """

    sequence: int
    hash: str


class AuditLog:
    """Appends records and reads them back. Safe between threads and processes, and on both sides of a fork.

    A record is on disk when `append` returns (SQLite: write-ahead log, synchronous=FULL); threads that append at the
    same moment share one wait for the disk. Records cannot be changed or deleted through SQL without dropping the
    triggers that forbid it, and `verify` finds it if somebody does.

    Args:
        path: The SQLite file, made when it does not exist; `:memory:` for tests; or the URL of a PostgreSQL database,
            `postgresql+psycopg://user@host/name` (extra `postgres`), in which many processes share one chain.
        clock: Seconds since the epoch.
        durable: With `False` the last records may be lost at power failure, never damaged.
        read_only: Open an existing log and change nothing; a log of an older format stays as it is.
        busy_s: Seconds to wait while another process is writing, before `append` fails.

    Raises:
        AuditError: The log cannot be opened, or a newer version wrote it.
        MissingExtraError: PostgreSQL is asked for, and its driver is not installed.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        clock: Callable[[], float] = time.time,
        durable: bool = True,
        read_only: bool = False,
        busy_s: float = BUSY_S,
    ) -> None:
        self._database = Database(path, durable=durable, read_only=read_only, busy_s=busy_s)
        self.path = self._database.name
        self.is_read_only = read_only
        self._clock = clock
        self._process = os.getpid()
        self._commits = GroupCommit(self._write)
        self._version = AUDIT_SCHEMA_VERSION
        if read_only:
            self._version = self._existing_version(path)
            return
        try:
            with self._database.write() as connection:
                prepare(connection, self.path)
        except AuditError as error:
            if error.__cause__ is None:
                raise
            raise AuditError(str(error).replace("cannot be written", "cannot be opened")) from error.__cause__

    def append(self, event: AuditEvent) -> AuditRecord:
        """Record an event.

        Raises:
            AuditError: It could not be written; nothing was recorded.
        """
        return self._commits.submit(self._ticket(event))

    def append_many(self, events: Sequence[AuditEvent]) -> list[AuditRecord]:
        """Record events in one transaction, all or none: for imports, not for decisions, which come one by one.

        Raises:
            AuditError: They could not be written; nothing was recorded.
        """
        return self._write([self._ticket(event) for event in events]) if events else []

    def records(self, *, run_id: str | None = None, action: str | None = None, after: int = 0) -> Iterator[AuditRecord]:
        """Records in order of the chain.

        Args:
            run_id: Only of this run.
            action: Only with this decision.
            after: Only after this sequence number.
        """
        last = after
        while True:
            query = sa.select(*columns_of(self._version)).where(RECORDS.c.sequence > last)
            rows = self._read(query.order_by(RECORDS.c.sequence).limit(_BATCH))
            for row in rows:
                if run_id in (None, row["run_id"]) and action in (None, row["action"]):
                    yield from_row(row)
            if len(rows) < _BATCH:
                return
            last = rows[-1]["sequence"]

    def query(self, query: AuditQuery) -> AuditPage:
        """One page of the records that match; every filter is indexed.

        Raises:
            AuditError: The log cannot be read, or the cursor is not one of this query's.
        """
        self._needs_links()
        with self._database.read() as connection:
            return fetch_page(connection, query)

    def matches(self, query: AuditQuery) -> Iterator[AuditRecord]:
        """All records that match, page by page; see `query`."""
        while True:
            page = self.query(query)
            yield from page.records
            if page.cursor is None:
                return
            query = query.model_copy(update={"cursor": page.cursor})

    def count(self, query: AuditQuery) -> int:
        """How many records match, whatever the query's limit."""
        self._needs_links()
        with self._database.read() as connection:
            return count_matches(connection, query)

    def find(self, decision_id: str) -> tuple[AuditRecord, ...]:
        """The records of one decision, in order."""
        query = sa.select(*columns_of(self._version)).where(RECORDS.c.decision_id == decision_id)
        return tuple(from_row(row) for row in self._read(query.order_by(RECORDS.c.sequence)))

    def head(self) -> AuditHead:
        """How far the log goes. Keep it elsewhere to notice a rewritten log."""
        row = self._read(sa.select(HEAD.c.sequence, HEAD.c.hash))[0]
        return AuditHead(int(row["sequence"]), str(row["hash"]))

    def unfindable(self, records: Sequence[AuditRecord]) -> tuple[int, ...]:
        """Those of some records, by sequence, that the index does not lead to, as it should."""
        if self._version != AUDIT_SCHEMA_VERSION:
            return ()
        with self._database.read() as connection:
            return unlinked(connection, records)

    def outside(self) -> int:
        """How many records lie before the first place of the chain or behind its head, where none belong."""
        last = sa.select(HEAD.c.sequence).scalar_subquery()
        strange = sa.or_(RECORDS.c.sequence < 1, RECORDS.c.sequence > last)
        return int(self._read(sa.select(sa.func.count().label("n")).select_from(RECORDS).where(strange))[0]["n"])

    def close(self) -> None:
        """Close the log; a later use opens it again."""
        self._database.close()

    def __len__(self) -> int:
        return int(self._read(sa.select(sa.func.count().label("n")).select_from(RECORDS))[0]["n"])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ticket(self, event: AuditEvent) -> Ticket:
        if self.is_read_only:
            raise AuditError(f"audit log {self.path}: it was opened for reading only")
        if self._process != os.getpid():
            self._process = os.getpid()
            self._commits.renew()
        try:
            return Ticket(event, canonical(event.payload))
        except (ValueError, RecursionError, TypeError) as error:
            raise AuditError(f"audit log {self.path}: the event is no JSON: {error}") from error

    def _write(self, group: Sequence[Ticket]) -> list[AuditRecord]:
        with self._database.write() as connection:
            query = sa.select(HEAD.c.sequence, HEAD.c.hash)
            # In PostgreSQL the row lock makes writers take turns; SQLite's write lock is held already.
            head = connection.execute(query.with_for_update()).one()
            sequence, previous = head.sequence, head.hash
            records, rows = [], []
            for ticket in group:
                if ticket.attempt is not None and _is_recorded(connection, ticket.attempt):
                    records.append(ticket.attempt)
                    continue
                sequence += 1
                record = chained(ticket.event, ticket.payload_text, sequence, self._clock(), previous)
                ticket.attempt = record
                records.append(record)
                rows.append(to_row(record, ticket.payload_text))
                previous = record.hash
            if not rows:
                return records
            insert_records(connection, rows, [record for record in records if record.sequence > head.sequence])
            connection.execute(HEAD.update().values(sequence=sequence, hash=previous))
        return records

    def _read(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        with self._database.read() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def _existing_version(self, path: Path | str) -> int:
        if not self._database.is_postgres and not Path(path).is_file():
            raise AuditError(f"audit log {self.path}: not found; expected a SQLite file written by mage-ml")
        with self._database.read() as connection:
            version = format_version(connection)
        if version is None:
            raise AuditError(f"audit log {self.path}: holds no audit log of mage-ml")
        refuse_newer(version, self.path)
        return version

    def _needs_links(self) -> None:
        if self._version != AUDIT_SCHEMA_VERSION:
            raise AuditError(
                f"audit log {self.path}: format {self._version} has no index to search by; "
                "bring it up to date with `mage-ml audit upgrade`, which changes no record"
            )


def _is_recorded(connection: sa.Connection, record: AuditRecord) -> bool:
    found = connection.execute(sa.select(RECORDS.c.hash).where(RECORDS.c.sequence == record.sequence)).scalar()
    return bool(found == record.hash)
