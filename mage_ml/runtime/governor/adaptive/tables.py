"""Tables that adaptation keeps beside the governor's state."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

METADATA: Final = sa.MetaData()
_NUMBER: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_FLOAT: Final[sa.Double[float]] = sa.Double()
LABELS: Final = sa.Table(
    "governor_labels",
    METADATA,
    sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("at", _FLOAT, nullable=False),
    sa.Column("constraint_id", sa.Text, nullable=False, index=True),
    sa.Column("is_violation", sa.Integer, nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("score", _FLOAT, nullable=True),
    sa.Column("flagged", sa.Integer, nullable=False),
    sa.Column("threshold", _FLOAT, nullable=True),
    sa.Column("severity", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)
TUNINGS: Final = sa.Table(
    "governor_tunings",
    METADATA,
    sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("at", _FLOAT, nullable=False),
    sa.Column("constraint_id", sa.Text, nullable=False),
    sa.Column("before", sa.Text, nullable=False),
    sa.Column("after", sa.Text, nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("labels", sa.Integer, nullable=False),
    sa.Column("reverts", _NUMBER, nullable=True),
)
