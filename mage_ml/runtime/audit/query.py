"""Finds records: every filter is an index range, so a page costs the same in a log of any length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Self

import re2
import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, Field, model_validator

from mage_ml.errors import AuditError
from mage_ml.runtime.audit.links import LinkKind, clean, links_of, reasons_of
from mage_ml.runtime.audit.record import AuditRecord, EventKind, from_row
from mage_ml.runtime.audit.schema import LINKS, RECORDS, TEXTS

MAX_PAGE: Final = 10_000
_MAX_TEXTS: Final = 64
_CHUNK: Final = 200
_FIGURE_LIKE = re2.compile(r"[0-9a-fA-F.,]*[0-9][0-9a-fA-F.,]*|[0-9a-fA-F.,]{12,}|^[0-9a-fA-F.,]+|[0-9a-fA-F.,]+$")


class AuditQuery(BaseModel):
    """What to look for; all that is given must hold. Results come in order of time, equal times in order of the chain.

    Attributes:
        run_id: Records of this run.
        decision_id: Records of this decision.
        kind: Records of this kind.
        action: Decisions with this outcome, or events with this action.
        entry_id: Records that name this memory entry: in evidence, patches, or as a basis of the action.
        rule: Decisions with evidence of this rule or model.
        tool: Decisions about this tool.
        reason: Decisions with a reason of this kind, such as `fail_open`.
        text: Records with this text in the first 400 characters of a reason, upper or lower case.
        since: Not before this time, in seconds since the epoch.
        until: Before this time.
        newest_first: Turn the order round.
        limit: Records on a page.
        cursor: Where the page before ended.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str | None = None
    decision_id: str | None = None
    kind: EventKind | None = None
    action: str | None = None
    entry_id: str | None = None
    rule: str | None = None
    tool: str | None = None
    reason: str | None = None
    text: Annotated[str | None, Field(min_length=1)] = None
    since: float | None = None
    until: float | None = None
    newest_first: bool = False
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 100
    cursor: str | None = None

    @model_validator(mode="after")
    def _range_is_one(self) -> Self:
        if self.since is not None and self.until is not None and self.since >= self.until:
            raise ValueError(f"since ({self.since}) is not before until ({self.until}); no record can match")
        return self

    @property
    def links(self) -> list[tuple[LinkKind, str]]:
        """Filters on what is inside a record, the most selective first."""
        wanted = (
            (LinkKind.ENTRY, self.entry_id),
            (LinkKind.RULE, self.rule),
            (LinkKind.TOOL, self.tool),
            (LinkKind.REASON, self.reason),
        )
        return [(kind, clean(value)) for kind, value in wanted if value is not None]


class AuditPage(BaseModel):
    """Some of the records that match.

    Attributes:
        records: In the order of the query.
        cursor: To be given with the same query for the next page; `None` when this is the last.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    records: tuple[AuditRecord, ...]
    cursor: str | None = None


def fetch_page(connection: sa.Connection, query: AuditQuery) -> AuditPage:
    """One page.

    Raises:
        AuditError: The cursor is none.
    """
    found: list[AuditRecord] = []
    place = _place(query.cursor)
    while True:
        rows = _rows(connection, query, place)
        for record in rows:
            place = (record.recorded_at, record.sequence)
            if not _says(record, query.text):
                continue
            found.append(record)
            if len(found) == query.limit:
                return AuditPage(records=tuple(found), cursor=f"{place[0]!r}:{place[1]}")
        if len(rows) < query.limit:
            return AuditPage(records=tuple(found))


def count_matches(connection: sa.Connection, query: AuditQuery) -> int:
    """How many records match."""
    if query.text is None:
        statement = _statement(query, query.links[:1], None, sa.func.count())
        return int(connection.execute(statement).scalar_one())
    total, place = 0, None
    batch = query.model_copy(update={"limit": 1000})
    while rows := _rows(connection, batch, place):
        total += sum(_says(record, query.text) for record in rows)
        place = (rows[-1].recorded_at, rows[-1].sequence)
    return total


def unlinked(connection: sa.Connection, records: Sequence[AuditRecord]) -> tuple[int, ...]:
    """Those of some records, by sequence, that lack an index entry."""
    keys = [(link.kind.value, link.value, r.recorded_at, r.sequence) for r in records for link in links_of(r)]
    missing: set[int] = set()
    columns = sa.tuple_(LINKS.c.kind, LINKS.c.value, LINKS.c.recorded_at, LINKS.c.sequence)
    for start in range(0, len(keys), _CHUNK):
        chunk = keys[start : start + _CHUNK]
        rows = connection.execute(sa.select(LINKS).where(columns.in_(chunk))).all()
        missing |= {key[3] for key in set(chunk) - {tuple(row) for row in rows}}
    missing |= _without_text(connection, keys)
    return tuple(sorted(missing))


def _rows(connection: sa.Connection, query: AuditQuery, place: tuple[float, int] | None) -> list[AuditRecord]:
    """The next rows that match, but for the exact words of a reason."""
    links = query.links
    texts = _texts(connection, query.text) if query.text is not None else None
    if texts is None or links or len(texts) > _MAX_TEXTS:
        drivers = [links[:1]]
    else:
        drivers = [[(LinkKind.TEXT, text)] for text in texts]
    rows: dict[int, AuditRecord] = {}
    for driver in drivers:
        statement = _statement(query, driver, place, *RECORDS.c)
        rows.update((row["sequence"], from_row(dict(row))) for row in connection.execute(statement).mappings())
    ordered = sorted(rows.values(), key=lambda row: (row.recorded_at, row.sequence), reverse=query.newest_first)
    return ordered[: query.limit]


def _texts(connection: sa.Connection, text: str) -> list[str]:
    """The kinds of sentences that may hold a text."""
    conditions = [TEXTS.c.text.icontains(piece, autoescape=True) for piece in _pieces(text)]
    return list(connection.execute(sa.select(TEXTS.c.text).where(*conditions).limit(_MAX_TEXTS + 1)).scalars())


def _pieces(text: str) -> list[str]:
    """What stands in a sentence without figures wherever the text stands in the sentence.

    Figures are left out, and what may be part of one. So are letters whose case a database may not know.
    """
    plain = "".join(c if c.isascii() or c.lower() == c.upper() else "0" for c in clean(text))
    return [piece for piece in _FIGURE_LIKE.sub("\0", plain).split("\0") if piece]


def _without_text(connection: sa.Connection, keys: Sequence[tuple[str, str, float, int]]) -> set[int]:
    """The sequences of keys whose sentence is not among those that are searched."""
    texts = sorted({value for kind, value, _, _ in keys if kind == LinkKind.TEXT})
    known: set[str] = set()
    for start in range(0, len(texts), _CHUNK):
        wanted = TEXTS.c.text.in_(texts[start : start + _CHUNK])
        known |= set(connection.execute(sa.select(TEXTS.c.text).where(wanted)).scalars())
    return {sequence for kind, value, _, sequence in keys if kind == LinkKind.TEXT and value not in known}


def _statement(
    query: AuditQuery,
    driver: Sequence[tuple[LinkKind, str]],
    place: tuple[float, int] | None,
    *columns: sa.ColumnElement[Any],
) -> sa.Select[Any]:
    """One index range, found by the driver or the most selective column, and the other filters checked row by row."""
    counting = len(columns) == 1
    leads = LINKS if driver else RECORDS
    statement = sa.select(*columns).select_from(
        RECORDS.join(LINKS, LINKS.c.sequence == RECORDS.c.sequence) if driver else RECORDS
    )
    for kind, value in driver:
        statement = statement.where(LINKS.c.kind == kind.value, LINKS.c.value == value)
    for column in ("run_id", "decision_id", "action", "kind"):
        wanted = getattr(query, column)
        if wanted is not None:
            # With a driver the planner must not prefer the index of a column that matches half the log.
            statement = statement.where((RECORDS.c[column].concat("") if driver else RECORDS.c[column]) == wanted)
    for kind, value in query.links[1:]:
        statement = statement.where(_has(kind, value))
    time, sequence = leads.c.recorded_at, leads.c.sequence
    if query.since is not None:
        statement = statement.where(time >= query.since)
    if query.until is not None:
        statement = statement.where(time < query.until)
    if counting:
        return statement
    if place is not None:
        here, there = sa.tuple_(time, sequence), sa.tuple_(*map(sa.literal, place))
        statement = statement.where(here < there if query.newest_first else here > there)
    turned = (time.desc(), sequence.desc()) if query.newest_first else (time, sequence)
    return statement.order_by(*turned).limit(query.limit)


def _has(kind: LinkKind, value: str) -> sa.ColumnElement[bool]:
    other = LINKS.alias()
    same = (other.c.recorded_at == RECORDS.c.recorded_at, other.c.sequence == RECORDS.c.sequence)
    return sa.exists().where(other.c.kind == kind.value, other.c.value == value, *same)


def _says(record: AuditRecord, text: str | None) -> bool:
    return text is None or any(text.casefold() in reason.casefold() for reason in reasons_of(record.payload))


def _place(cursor: str | None) -> tuple[float, int] | None:
    if cursor is None:
        return None
    time, _, sequence = cursor.partition(":")
    try:
        return float(time), int(sequence)
    except ValueError as error:
        raise AuditError(f"cursor {cursor!r}: expected the cursor of an earlier page, time:sequence") from error
