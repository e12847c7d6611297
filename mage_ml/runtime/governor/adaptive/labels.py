"""What people said about outputs: whether they broke a constraint. Kept in the shared state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from mage_ml.errors import ConfigError
from mage_ml.runtime.governor.adaptive.tables import LABELS, METADATA
from mage_ml.runtime.governor.constraint import Severity
from mage_ml.runtime.governor.state import StateStore

_MAX_TEXT: Final = 20_000


@dataclass(frozen=True, slots=True)
class Label:
    """What a person, or an agent that a person trusts, said about an output.

    Attributes:
        constraint_id: The constraint.
        is_violation: Whether the output breaks it.
        author: Who said so.
        score: What the validator gave it, 0 to 1; `None` for validators without a score.
        flagged: Whether the setting in force at the time found a violation.
        threshold: Threshold in force; `None` for none.
        severity: Severity in force.
        text: The output.
        at: Seconds since the epoch.
    """

    constraint_id: str
    is_violation: bool
    author: str
    score: float | None
    flagged: bool
    threshold: float | None
    severity: Severity
    text: str = ""
    at: float = 0.0

    @property
    def is_missed(self) -> bool:
        """Whether a violation was not found."""
        return self.is_violation and not self.flagged


class LabelBook:
    """The labels in the shared state; they are added and never changed.

    Args:
        store: The state.

    Raises:
        StateError: Its tables cannot be made.
    """

    def __init__(self, store: StateStore) -> None:
        self._store = store
        with store.database.write() as connection:
            METADATA.create_all(connection)

    def add(self, label: Label) -> Label:
        """Keep a label, with the time of the state's clock.

        Raises:
            ConfigError: It has no author.
            StateError: It could not be written.
        """
        if not label.author.strip():
            raise ConfigError("a label needs an author; what is learnt from it has to be traced back")
        at = self._store.now()
        values = {
            "at": at,
            "constraint_id": label.constraint_id,
            "is_violation": int(label.is_violation),
            "author": label.author,
            "score": label.score,
            "flagged": int(label.flagged),
            "threshold": label.threshold,
            "severity": label.severity.value,
            "text": label.text[:_MAX_TEXT],
        }
        with self._store.database.write() as connection:
            connection.execute(LABELS.insert().values(**values))
        return _label(values)

    def all(self, constraint_id: str | None = None) -> Sequence[Label]:
        """The labels, the oldest first.

        Raises:
            StateError: They cannot be read.
        """
        query = sa.select(LABELS).order_by(LABELS.c.number)
        if constraint_id is not None:
            query = query.where(LABELS.c.constraint_id == constraint_id)
        with self._store.database.read() as connection:
            return [_label(dict(row)) for row in connection.execute(query).mappings()]


def _label(row: dict[str, Any]) -> Label:
    return Label(
        constraint_id=row["constraint_id"],
        is_violation=bool(row["is_violation"]),
        author=row["author"],
        score=row["score"],
        flagged=bool(row["flagged"]),
        threshold=row["threshold"],
        severity=Severity(row["severity"]),
        text=row["text"],
        at=row["at"],
    )
