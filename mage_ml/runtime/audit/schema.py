"""Tables of the audit log, in SQLite and PostgreSQL, and the way up from older formats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as insert_postgres
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from mage_ml.errors import AuditError
from mage_ml.runtime.audit.links import LinkKind, links_of
from mage_ml.runtime.audit.record import AUDIT_SCHEMA_VERSION, FIRST_VERSION, GENESIS, AuditRecord, from_row

_NUMBER: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TIME: Final[sa.Double[float]] = sa.Double()
_BATCH: Final = 1000
_CREATION_LOCK: Final = 0x6D616765  # any number that every writer of the log agrees on
METADATA: Final = sa.MetaData()
RECORDS: Final = sa.Table(
    "audit_records",
    METADATA,
    sa.Column("sequence", _NUMBER, primary_key=True, autoincrement=False),
    sa.Column("recorded_at", _TIME, nullable=False),
    sa.Column("run_id", sa.Text, nullable=False),
    sa.Column("decision_id", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("previous_hash", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    # Default 1: records of the first format have no version and no kind.
    sa.Column("version", sa.Integer, nullable=False, server_default="1"),
    sa.Column("kind", sa.Text, nullable=False, server_default="decision"),
    sa.Index("audit_by_decision", "decision_id", "sequence"),
    sa.Index("audit_run_time", "run_id", "recorded_at", "sequence"),
    sa.Index("audit_action_time", "action", "recorded_at", "sequence"),
    sa.Index("audit_kind_time", "kind", "recorded_at", "sequence"),
    sa.Index("audit_time", "recorded_at", "sequence"),
)
# How far the log goes, kept apart from the records: without it the loss of the last ones could not be seen.
HEAD: Final = sa.Table(
    "audit_head",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("schema_version", sa.Integer, nullable=False),
    sa.Column("sequence", _NUMBER, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
)
# An index by what is inside the payload. Derived, so it is not chained; `verify` compares it with the payloads.
LINKS: Final = sa.Table(
    "audit_links",
    METADATA,
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, primary_key=True),
    sa.Column("recorded_at", _TIME, primary_key=True),
    sa.Column("sequence", _NUMBER, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
# The different sentences that reasons are made of, without figures: few, however long the log is.
TEXTS: Final = sa.Table("audit_texts", METADATA, sa.Column("text", sa.Text, primary_key=True))

_MESSAGE: Final = "the audit log is append-only"
_SQLITE_GUARDS: Final = tuple(
    f"CREATE TRIGGER IF NOT EXISTS audit_no_{verb} BEFORE {verb.upper()} ON audit_records "
    f"BEGIN SELECT RAISE(ABORT, '{_MESSAGE}'); END"
    for verb in ("update", "delete")
)
_POSTGRES_GUARDS: Final = (
    "CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{_MESSAGE}'; END $$",
    "CREATE OR REPLACE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit_records "
    "FOR EACH ROW EXECUTE FUNCTION audit_refuse()",
    "CREATE OR REPLACE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_records "
    "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()",
)


def prepare(connection: sa.Connection, name: str) -> None:
    """Make the tables, or bring them to the present format.

    Args:
        connection: In a transaction that no other writer can enter at the same moment (SQLite), or any (PostgreSQL).
        name: The log in messages.

    Raises:
        AuditError: A newer release wrote the log.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_CREATION_LOCK)))
    version = format_version(connection)
    if version is not None:
        refuse_newer(version, name)
        if version == FIRST_VERSION:
            _from_first(connection)
        return
    METADATA.create_all(connection)
    for guard in _POSTGRES_GUARDS if connection.dialect.name == "postgresql" else _SQLITE_GUARDS:
        connection.execute(sa.text(guard))
    connection.execute(HEAD.insert().values(id=1, schema_version=AUDIT_SCHEMA_VERSION, sequence=0, hash=GENESIS))


def format_version(connection: sa.Connection) -> int | None:
    """The format of the log, or `None` where there is none."""
    if not sa.inspect(connection).has_table(HEAD.name):
        return None
    version = connection.execute(sa.select(HEAD.c.schema_version)).scalar_one_or_none()
    return None if version is None else int(version)


def refuse_newer(version: int, name: str) -> None:
    """Raise when this release cannot read a format.

    Raises:
        AuditError: The format is newer.
    """
    if version > AUDIT_SCHEMA_VERSION:
        raise AuditError(
            f"audit log {name}: format {version}; this release reads up to {AUDIT_SCHEMA_VERSION}. "
            "Upgrade mage-ml to use it"
        )


def columns_of(version: int) -> list[sa.ColumnElement[Any]]:
    """The columns of a record in a format, under their present names."""
    if version > FIRST_VERSION:
        return list(RECORDS.c)
    old = [column for column in RECORDS.c if column.name not in ("version", "kind")]
    return [*old, sa.literal(FIRST_VERSION).label("version"), sa.literal("decision").label("kind")]


def insert_records(connection: sa.Connection, rows: Sequence[dict[str, Any]], records: Iterable[AuditRecord]) -> None:
    """Write rows, with everything they can be found by."""
    connection.execute(RECORDS.insert(), rows)
    insert_links(connection, records)


def insert_links(connection: sa.Connection, records: Iterable[AuditRecord]) -> None:
    """Write what records can be found by."""
    rows = [
        {"kind": link.kind.value, "value": link.value, "recorded_at": r.recorded_at, "sequence": r.sequence}
        for r in records
        for link in links_of(r)
    ]
    if not rows:
        return
    connection.execute(LINKS.insert(), rows)
    # Sorted, so that two writers of different logs in one database take row locks in one order.
    texts = [{"text": text} for text in sorted({row["value"] for row in rows if row["kind"] == LinkKind.TEXT.value})]
    if texts:
        make = insert_postgres if connection.dialect.name == "postgresql" else insert_sqlite
        connection.execute(make(TEXTS).on_conflict_do_nothing(), texts)


def _from_first(connection: sa.Connection) -> None:
    """From format 1, which had no kinds and no links. Records stay as they are: their hashes cover them."""
    for statement in (
        "ALTER TABLE audit_records ADD COLUMN version INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE audit_records ADD COLUMN kind TEXT NOT NULL DEFAULT 'decision'",
        "DROP INDEX IF EXISTS audit_by_run",
        "DROP INDEX IF EXISTS audit_by_action",
        "DROP INDEX IF EXISTS audit_by_decision",
    ):
        connection.execute(sa.text(statement))
    METADATA.create_all(connection)
    for index in RECORDS.indexes:
        index.create(connection, checkfirst=True)
    last = 0
    while True:
        query = sa.select(RECORDS).where(RECORDS.c.sequence > last).order_by(RECORDS.c.sequence).limit(_BATCH)
        rows = connection.execute(query).mappings().all()
        if not rows:
            break
        insert_links(connection, _readable(rows))
        last = rows[-1]["sequence"]
    connection.execute(HEAD.update().values(schema_version=AUDIT_SCHEMA_VERSION))


def _readable(rows: Iterable[Any]) -> list[AuditRecord]:
    """Records that can be read; a damaged one stays for `verify` to find."""
    found = []
    for row in rows:
        try:
            found.append(from_row(row))
        except AuditError:
            continue
    return found
