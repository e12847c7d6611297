"""Tables of the governor's shared state, in SQLite and PostgreSQL."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as insert_postgres
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

CREATION_LOCK: Final = 0x6D616766  # any number that every process agrees on
METADATA: Final = sa.MetaData()
_NUMBER: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TIME: Final[sa.Double[float]] = sa.Double()
COUNTED: Final = ("triggered", "violated", "held_back", "warned", "waived", "failed")


def _counters() -> list[sa.Column[int]]:
    return [sa.Column(name, _NUMBER, nullable=False, server_default="0") for name in COUNTED]


COUNTS: Final = sa.Table(
    "governor_counts",
    METADATA,
    sa.Column("constraint_id", sa.Text, primary_key=True),
    sa.Column("agent_id", sa.Text, primary_key=True),
    sa.Column("bucket", _NUMBER, primary_key=True, autoincrement=False),
    *_counters(),
)
TOTALS: Final = sa.Table(
    "governor_totals",
    METADATA,
    sa.Column("constraint_id", sa.Text, primary_key=True),
    sa.Column("last_checked", _TIME, nullable=False),
    *_counters(),
)
VIOLATIONS: Final = sa.Table(
    "governor_violations",
    METADATA,
    sa.Column("id", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("at", _TIME, nullable=False),
    sa.Column("ruling_id", sa.Text, nullable=False),
    sa.Column("constraint_id", sa.Text, nullable=False),
    sa.Column("agent_id", sa.Text, nullable=False),
    sa.Column("run_id", sa.Text, nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("failed", sa.Text, nullable=False),
    sa.Index("governor_violations_constraint", "constraint_id", "at"),
    sa.Index("governor_violations_time", "at"),
)
CONFLICTS: Final = sa.Table(
    "governor_conflicts",
    METADATA,
    sa.Column("id", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("at", _TIME, nullable=False),
    sa.Column("ruling_id", sa.Text, nullable=False),
    sa.Column("agent_id", sa.Text, nullable=False),
    sa.Column("run_id", sa.Text, nullable=False),
    sa.Column("winner", sa.Text, nullable=False),
    sa.Column("loser", sa.Text, nullable=False),
    sa.Column("how", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
REJECTIONS: Final = sa.Table(
    "governor_rejections",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("agent_id", sa.Text, primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("constraints", sa.Text, nullable=False),
    sa.Column("at", _TIME, nullable=False),
    sa.Index("governor_rejections_time", "at"),
)
SWITCHES: Final = sa.Table(
    "governor_switches",
    METADATA,
    sa.Column("constraint_id", sa.Text, primary_key=True),
    sa.Column("active", sa.Integer, nullable=False),
    sa.Column("at", _TIME, nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
VERSIONS: Final = sa.Table(
    "governor_versions",
    METADATA,
    sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("at", _TIME, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("restores", _NUMBER, nullable=True),
    sa.Column("text", sa.Text, nullable=False),
)


def insert_into(connection: sa.Connection, table: sa.Table) -> Any:  # noqa: ANN401 - of one dialect or the other
    """An insert that can say what to do about a row that exists."""
    return (insert_postgres if connection.dialect.name == "postgresql" else insert_sqlite)(table)


def add_counts(connection: sa.Connection, table: sa.Table, keys: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
    """Add counters to rows, which are made where they do not exist."""
    insert = insert_into(connection, table)
    changed = {name: table.c[name] + insert.excluded[name] for name in COUNTED}
    if "last_checked" in table.c:
        latest = sa.case(
            (insert.excluded.last_checked > table.c.last_checked, insert.excluded.last_checked),
            else_=table.c.last_checked,
        )
        changed["last_checked"] = latest
    connection.execute(insert.on_conflict_do_update(index_elements=list(keys), set_=changed), rows)


def take_turns(connection: sa.Connection) -> None:
    """Let one transaction at a time go on: SQLite's writers do anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(CREATION_LOCK)))
