"""The constraints' state, shared by threads, processes and machines: counts, violations, rejections, switches.

Counts of checks without a violation are collected in memory and written by a background timer, so that they cost the
hot path nothing; violations are written before the ruling is given. `close` writes what is left. Every write is an
addition made by the database, so counts are exact however many processes share it.
"""

from __future__ import annotations

import atexit
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from mage_ml.errors import AuditError
from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.audit.database import Database
from mage_ml.runtime.governor import state_tables as tables
from mage_ml.runtime.governor.ruling import Conflict, Outcome
from mage_ml.runtime.governor.state_types import (
    CountKey,
    CountRow,
    Counts,
    Health,
    Report,
    StateError,
    ViolationRow,
)

_BUSY_S: Final = 30.0


class _StateDatabase(Database):
    """The audit log's way with connections, forks and PostgreSQL, under another name."""

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sa.exc.SQLAlchemyError, sqlite3.Error, OSError) as error:
            cause = str(getattr(error, "orig", None) or error)
            raise StateError(f"governor state {self.name}: cannot be {what}: {cause}") from error


class StateStore:
    """The state on disk. Safe between threads and processes, and over a fork.

    Args:
        place: Path of a SQLite file, `:memory:`, or a `postgresql://` URL.
        clock: Seconds since the epoch.
        bucket_s: Length of a stretch of time that is counted together.
        flush_s: Seconds after which counts are written.

    Raises:
        StateError: It cannot be opened.
        MissingExtraError: PostgreSQL is asked for, and its driver is not installed.
    """

    def __init__(
        self,
        place: Path | str = ":memory:",
        *,
        clock: Callable[[], float] = time.time,
        bucket_s: int = 3600,
        flush_s: float = 0.5,
    ) -> None:
        try:
            self._database = _StateDatabase(place, durable=False, read_only=False, busy_s=_BUSY_S)
        except AuditError as error:
            raise StateError(str(error).replace("audit log", "governor state")) from error
        self.place = self._database.name
        self._clock = clock
        self._bucket_s = bucket_s
        self._flush_s = flush_s
        self._lock = fork_safe_lock()
        self._pending: dict[CountKey, Counts] = {}
        self._timer: threading.Timer | None = None
        self._process = os.getpid()
        with self._database.write() as connection:
            tables.take_turns(connection)
            tables.METADATA.create_all(connection)
        atexit.register(_flush_at_exit, weakref.ref(self))

    @property
    def database(self) -> Database:
        """The connections, for the version history beside it."""
        return self._database

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._clock()

    def count(self, agent_id: str, counts: Mapping[str, Counts]) -> None:
        """Count checks of an agent's output, by constraint; written within moments."""
        bucket = self._bucket()
        with self._lock:
            self._forget_parent()
            for constraint_id, added in counts.items():
                key = CountKey(constraint_id, agent_id, bucket)
                known = self._pending.get(key)
                self._pending[key] = added if known is None else known.plus(added)
            if self._timer is None and self._pending:
                self._start_timer()

    def report(self, report: Report) -> None:
        """Write what a ruling with violations adds, at once.

        Raises:
            StateError: It could not be written; the counts are kept for the next attempt.
        """
        self.count(report.turn.agent_id, report.counts)
        self.flush(report)

    def flush(self, report: Report | None = None) -> None:
        """Write what is still in memory.

        Raises:
            StateError: It could not be written; it is kept.
        """
        with self._lock:
            self._forget_parent()
            pending, self._pending = self._pending, {}
        try:
            if pending or report is not None:
                self._write(pending, report)
        except BaseException:
            with self._lock:
                for key, counts in pending.items():
                    known = self._pending.get(key)
                    self._pending[key] = counts if known is None else known.plus(counts)
            raise

    def health(self, constraint_id: str) -> Health:
        """How a constraint is doing; counts of this process that are not written yet are included."""
        return self.all_health().get(constraint_id, Health())

    def all_health(self) -> dict[str, Health]:
        """How all constraints that were ever checked are doing."""
        self.flush()
        return {
            row["constraint_id"]: Health(_counts_of(row), row["last_checked"])
            for row in self._rows(sa.select(tables.TOTALS).order_by(tables.TOTALS.c.constraint_id))
        }

    def counts(
        self, *, constraint_id: str | None = None, agent_id: str | None = None, since: float = 0.0
    ) -> list[CountRow]:
        """Counters over time, by constraint and agent, in order of time."""
        self.flush()
        table = tables.COUNTS
        query = sa.select(table).where(table.c.bucket > since - self._bucket_s)
        if constraint_id is not None:
            query = query.where(table.c.constraint_id == constraint_id)
        if agent_id is not None:
            query = query.where(table.c.agent_id == agent_id)
        rows = self._rows(query.order_by(table.c.bucket, table.c.constraint_id, table.c.agent_id))
        return [
            CountRow(CountKey(row["constraint_id"], row["agent_id"], int(row["bucket"])), _counts_of(row))
            for row in rows
        ]

    def violations(
        self, *, constraint_id: str | None = None, since: float = 0.0, limit: int = 1000
    ) -> list[ViolationRow]:
        """Recorded violations, the newest first."""
        table = tables.VIOLATIONS
        query = sa.select(table).where(table.c.at >= since)
        if constraint_id is not None:
            query = query.where(table.c.constraint_id == constraint_id)
        return [
            ViolationRow(outcome=Outcome(row.pop("outcome")), **{k: v for k, v in row.items() if k != "id"})
            for row in self._rows(query.order_by(table.c.at.desc(), table.c.id.desc()).limit(limit))
        ]

    def violations_since(self, constraint_id: str, since: float) -> int:
        """How often a constraint was broken since a moment, in all processes."""
        table = tables.VIOLATIONS
        query = sa.select(sa.func.count().label("n")).where(table.c.constraint_id == constraint_id, table.c.at >= since)
        return int(self._rows(query)[0]["n"])

    def conflicts(self, limit: int = 1000) -> list[Conflict]:
        """Recorded conflicts, the newest first."""
        table = tables.CONFLICTS
        columns = (table.c.winner, table.c.loser, table.c.how, table.c.reason)
        rows = self._rows(sa.select(*columns).order_by(table.c.id.desc()).limit(limit))
        return [Conflict.model_validate(row) for row in rows]

    def close(self) -> None:
        """Write what is left and close the connections; a later use opens them again.

        Raises:
            StateError: It could not be written.
        """
        with self._lock:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        self.flush()
        self._database.close()

    def _bucket(self) -> int:
        return int(self._clock() // self._bucket_s) * self._bucket_s

    def _start_timer(self) -> None:
        timer = threading.Timer(self._flush_s, self._flush_later)
        timer.daemon = True
        try:
            timer.start()
        except RuntimeError:  # no thread to be had at shutdown; `close` or the exit writes it
            return
        self._timer = timer

    def _flush_later(self) -> None:
        with self._lock:
            self._timer = None
        try:
            self.flush()
        except StateError:  # kept; the next count starts another attempt, and `close` reports it
            return

    def _forget_parent(self) -> None:
        """In the child of a fork, what waited is the parent's to write."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._pending = {}
            self._timer = None

    def _write(self, pending: Mapping[CountKey, Counts], report: Report | None) -> None:
        now = self._clock()
        rows = [
            {**{name: getattr(key, name) for name in ("constraint_id", "agent_id", "bucket")}, **_as_row(counts)}
            for key, counts in sorted(pending.items(), key=lambda item: (item[0].constraint_id, item[0].agent_id))
        ]
        totals: dict[str, Counts] = {}
        for key, counts in pending.items():
            totals[key.constraint_id] = totals.get(key.constraint_id, Counts()).plus(counts)
        with self._database.write() as connection:
            if rows:
                # Sorted, so that two writers take PostgreSQL's row locks in one order.
                summed = [{"constraint_id": one, "last_checked": now, **_as_row(totals[one])} for one in sorted(totals)]
                tables.add_counts(connection, tables.TOTALS, ("constraint_id",), summed)
                tables.add_counts(connection, tables.COUNTS, ("constraint_id", "agent_id", "bucket"), rows)
            if report is not None:
                _insert_report(connection, report, now)

    def _rows(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        with self._database.read() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]


def _insert_report(connection: sa.Connection, report: Report, now: float) -> None:
    turn = report.turn
    shared = {"at": now, "ruling_id": report.ruling_id, "agent_id": turn.agent_id, "run_id": turn.run_id}
    found = [
        {
            **shared,
            "constraint_id": finding.constraint_id,
            "turn": turn.turn,
            "outcome": report.outcome.value,
            "failed": finding.failed[:500],
        }
        for finding in report.findings
    ]
    if found:
        connection.execute(tables.VIOLATIONS.insert(), found)
    if report.conflicts:
        rows = [{**shared, **conflict.model_dump(mode="json")} for conflict in report.conflicts]
        connection.execute(tables.CONFLICTS.insert(), rows)


def _as_row(counts: Counts) -> dict[str, int]:
    return {name: getattr(counts, name) for name in tables.COUNTED}


def _counts_of(row: Mapping[str, Any]) -> Counts:
    return Counts(*(int(row[name]) for name in tables.COUNTED))


def _flush_at_exit(store: weakref.ref[StateStore]) -> None:
    found = store()
    if found is not None:
        try:
            found.close()
        except StateError:  # the process ends; nobody is left to be told
            return
