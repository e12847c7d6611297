"""Keeps outcomes of decisions and the adjustments they led to, in SQLite, shared between guards and processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict
from sqlalchemy.pool import StaticPool

from mage_ml.errors import AuditError, ConfigError

_BUSY_MS: Final = 10_000
_METADATA: Final = sa.MetaData()
_OUTCOMES: Final = sa.Table(
    "feedback_outcomes",
    _METADATA,
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("decision_id", sa.Text, nullable=False),
    sa.Column("voice", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("said_by", sa.Text, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("recorded_at", sa.Float, nullable=False),
    sa.UniqueConstraint("decision_id", "voice"),
    sa.Index("feedback_outcomes_voice", "voice", "sequence"),
    sqlite_autoincrement=True,
)
_ADJUSTMENTS: Final = sa.Table(
    "feedback_adjustments",
    _METADATA,
    sa.Column("adjustment_id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("voice", sa.Text, nullable=False),
    sa.Column("before", sa.Float, nullable=False),
    sa.Column("after", sa.Float, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("decision_id", sa.Text, nullable=False),
    sa.Column("judged", sa.Integer, nullable=False),
    sa.Column("made_at", sa.Float, nullable=False),
    sa.Column("reverted_at", sa.Float),
    sa.Column("reverted_by", sa.Text, nullable=False, server_default=""),
    sa.Column("revert_reason", sa.Text, nullable=False, server_default=""),
    sa.Column("reverted_after_sequence", sa.Integer, nullable=False, server_default="0"),
    sa.Index("feedback_adjustments_voice", "voice", "adjustment_id"),
    sqlite_autoincrement=True,
)


class FeedbackOutcome(StrEnum):
    """How a decision turned out."""

    FALSE_ALARM = "false_alarm"
    """It held back or changed something that was right."""
    RIGHT_ALARM = "right_alarm"
    MISSED = "missed"
    """It let something wrong pass."""
    OK = "ok"
    """It rightly let something pass."""


class VoiceTally(BaseModel):
    """Judged decisions in which a voice spoke, since its last reversal.

    Attributes:
        false_alarms: Alarms that were false.
        right_alarms: Alarms that were right.
        missed: Decisions that let something wrong pass although the voice spoke; it was right, and too weak.
        ok: Decisions that rightly let something pass although it spoke; it did no harm.
        judged_at_last_change: How many had been judged when its factor was last changed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    false_alarms: int = 0
    right_alarms: int = 0
    missed: int = 0
    ok: int = 0
    judged_at_last_change: int = 0

    @property
    def right(self) -> int:
        """How often it was right."""
        return self.right_alarms + self.missed

    @property
    def wrong(self) -> int:
        """How often it cried wolf."""
        return self.false_alarms


class Adjustment(BaseModel):
    """One change of a voice's factor.

    Attributes:
        adjustment_id: Its number.
        voice: Id of the rule, or name of the tier.
        before: Factor before.
        after: Factor after.
        reason: One sentence with the counts.
        decision_id: The decision whose outcome led to it.
        made_at: Seconds since the epoch.
        reverted_at: When it was taken back; `None` while it stands.
        reverted_by: Who took it back.
        revert_reason: Why.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    adjustment_id: int
    voice: str
    before: float
    after: float
    reason: str
    decision_id: str
    made_at: float
    reverted_at: float | None = None
    reverted_by: str = ""
    revert_reason: str = ""


class FeedbackStore:
    """Outcomes and adjustments on disk. Safe between threads and processes.

    Args:
        path: The SQLite file, made when it does not exist; it may be the audit log's. `:memory:` for none.
        clock: Seconds since the epoch.

    Raises:
        AuditError: The file cannot be opened.
    """

    def __init__(self, path: Path | str = ":memory:", *, clock: Callable[[], float] = time.time) -> None:
        self.path = str(path)
        self._clock = clock
        self._engine = _open(self.path)
        self._do(lambda connection: _METADATA.create_all(connection))

    def add(
        self, decision_id: str, voices: Sequence[str], outcome: FeedbackOutcome, *, by: str = "", note: str = ""
    ) -> None:
        """Keep the outcome of a decision; an earlier one for it is replaced.

        Raises:
            AuditError: It could not be written.
        """
        shared = {"decision_id": decision_id, "outcome": outcome.value, "said_by": by, "note": note}

        def write(connection: sa.Connection) -> None:
            connection.execute(_OUTCOMES.delete().where(_OUTCOMES.c.decision_id == decision_id))
            for voice in dict.fromkeys(voices or ("",)):
                connection.execute(_OUTCOMES.insert().values(voice=voice, recorded_at=self._clock(), **shared))

        self._do(write)

    def tally(self, voice: str) -> VoiceTally:
        """The judged decisions in which a voice spoke, since its last reversal."""
        since = sa.select(sa.func.coalesce(sa.func.max(_ADJUSTMENTS.c.reverted_after_sequence), 0))
        since = since.where(_ADJUSTMENTS.c.voice == voice)
        counts = (
            sa.select(_OUTCOMES.c.outcome, sa.func.count().label("n"))
            .where(_OUTCOMES.c.voice == voice, _OUTCOMES.c.sequence > since.scalar_subquery())
            .group_by(_OUTCOMES.c.outcome)
        )
        last = (
            sa.select(_ADJUSTMENTS.c.judged)
            .where(_ADJUSTMENTS.c.voice == voice, _ADJUSTMENTS.c.reverted_at.is_(None))
            .order_by(_ADJUSTMENTS.c.adjustment_id.desc())
            .limit(1)
        )
        found = {row["outcome"]: int(row["n"]) for row in self._rows(counts)}
        changed = self._rows(last)
        return VoiceTally(
            false_alarms=found.get(FeedbackOutcome.FALSE_ALARM, 0),
            right_alarms=found.get(FeedbackOutcome.RIGHT_ALARM, 0),
            missed=found.get(FeedbackOutcome.MISSED, 0),
            ok=found.get(FeedbackOutcome.OK, 0),
            judged_at_last_change=int(changed[0]["judged"]) if changed else 0,
        )

    def voices(self) -> tuple[str, ...]:
        """Every voice that was judged."""
        query = sa.select(_OUTCOMES.c.voice).distinct().where(_OUTCOMES.c.voice != "").order_by(_OUTCOMES.c.voice)
        return tuple(str(row["voice"]) for row in self._rows(query))

    def factors(self) -> Mapping[str, float]:
        """The factor of every voice that has been adjusted."""
        query = (
            sa.select(_ADJUSTMENTS.c.voice, _ADJUSTMENTS.c.after)
            .where(_ADJUSTMENTS.c.reverted_at.is_(None))
            .order_by(_ADJUSTMENTS.c.adjustment_id)
        )
        return {str(row["voice"]): float(row["after"]) for row in self._rows(query)}

    def adjust(
        self, voice: str, before: float, after: float, *, reason: str, decision_id: str, judged: int
    ) -> Adjustment:
        """Keep a change of a voice's factor."""
        values = {"voice": voice, "before": before, "after": after, "reason": reason, "decision_id": decision_id}
        made_at = self._clock()

        def write(connection: sa.Connection) -> int:
            done = connection.execute(_ADJUSTMENTS.insert().values(judged=judged, made_at=made_at, **values))
            return int(done.inserted_primary_key[0]) if done.inserted_primary_key else 0

        return Adjustment.model_validate({"adjustment_id": self._do(write), "made_at": made_at, **values})

    def adjustments(self) -> tuple[Adjustment, ...]:
        """All adjustments in order, reverted ones too."""
        rows = self._rows(sa.select(_ADJUSTMENTS).order_by(_ADJUSTMENTS.c.adjustment_id))
        return tuple(Adjustment.model_validate(row) for row in rows)

    def revert(self, adjustment_id: int, *, by: str = "", reason: str = "") -> Adjustment:
        """Take an adjustment back; the outcomes so far no longer count for its voice.

        Raises:
            ConfigError: There is none with this number, it is reverted already, or a later one of the voice stands.
        """
        known = {item.adjustment_id: item for item in self.adjustments()}
        found = known.get(adjustment_id)
        if found is None:
            raise ConfigError(f"no adjustment {adjustment_id}; there are {', '.join(map(str, known)) or 'none'}")
        standing = [i for i, item in known.items() if item.voice == found.voice and item.reverted_at is None]
        if found.reverted_at is not None or standing[-1] != adjustment_id:
            other = "it is reverted already" if found.reverted_at is not None else f"revert {standing[-1]} first"
            raise ConfigError(f"adjustment {adjustment_id} of {found.voice} cannot be reverted: {other}")

        def write(connection: sa.Connection) -> None:
            last = connection.execute(sa.select(sa.func.coalesce(sa.func.max(_OUTCOMES.c.sequence), 0))).scalar_one()
            connection.execute(
                _ADJUSTMENTS.update()
                .where(_ADJUSTMENTS.c.adjustment_id == adjustment_id)
                .values(
                    reverted_at=self._clock(), reverted_by=by, revert_reason=reason, reverted_after_sequence=int(last)
                )
            )

        self._do(write)
        return next(item for item in self.adjustments() if item.adjustment_id == adjustment_id)

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()

    def _do(self, write: Callable[[sa.Connection], Any]) -> Any:  # noqa: ANN401 - whatever the work returns
        try:
            with self._engine.begin() as connection:
                return write(connection)
        except sa.exc.SQLAlchemyError as error:
            raise AuditError(f"feedback store {self.path}: cannot be written: {error}") from error

    def _rows(self, query: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - a SQLAlchemy select
        try:
            with self._engine.connect() as connection:
                return [dict(row) for row in connection.execute(query).mappings()]
        except sa.exc.SQLAlchemyError as error:
            raise AuditError(f"feedback store {self.path}: cannot be read: {error}") from error


def _open(path: str) -> sa.Engine:
    if path == ":memory:":
        return sa.create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_MS / 1000})

    @sa.event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:  # noqa: ANN401 - a driver connection
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        cursor.close()

    return engine
