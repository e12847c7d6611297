"""Constraints switched on and off while the system runs, for all processes that share the state."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.governor import state_tables as tables
from mage_ml.runtime.governor.constraint import Constraint
from mage_ml.runtime.governor.state import StateStore
from mage_ml.runtime.governor.state_types import StateError


@dataclass(frozen=True, slots=True)
class Switch:
    """A constraint that was switched on or off.

    Attributes:
        active: Whether it is on.
        at: Seconds since the epoch.
        author: Who switched it.
        reason: Why.
    """

    active: bool
    at: float
    author: str
    reason: str


class SwitchBoard:
    """Which constraints are on. Read anew from the state every so often; while it cannot be read, the last one holds.

    Args:
        store: The state.
        refresh_s: Seconds after which another process's switch is seen.
        monotonic: Seconds of a clock that never goes back.
    """

    def __init__(
        self, store: StateStore, *, refresh_s: float = 1.0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._refresh_s = refresh_s
        self._monotonic = monotonic
        self._lock = fork_safe_lock()
        self._known: Mapping[str, Switch] = {}
        self._read_at = -refresh_s

    def is_active(self, constraint: Constraint) -> bool:
        """Whether a constraint is on: as switched last, otherwise as its file says."""
        switch = self._known.get(constraint.id)
        return constraint.state.active if switch is None else switch.active

    def refresh(self) -> None:
        """Look at the state when it is time."""
        now = self._monotonic()
        with self._lock:
            if now - self._read_at < self._refresh_s:
                return
            self._read_at = now
        try:
            self._known = self.all()
        except StateError:  # what was switched last holds
            return

    def all(self) -> dict[str, Switch]:
        """Every constraint that was ever switched, with its last switch."""
        table = tables.SWITCHES
        with self._store.database.read() as connection:
            rows = connection.execute(sa.select(table)).mappings().all()
        return {
            row["constraint_id"]: Switch(bool(row["active"]), row["at"], row["author"], row["reason"]) for row in rows
        }

    def set(self, constraint_id: str, active: bool, *, author: str, reason: str) -> Switch:
        """Switch a constraint on or off.

        Raises:
            StateError: It could not be written.
        """
        switch = Switch(active, self._store.now(), author, reason)
        values = {"active": int(active), "at": switch.at, "author": author, "reason": reason}
        with self._store.database.write() as connection:
            insert = tables.insert_into(connection, tables.SWITCHES).values(constraint_id=constraint_id, **values)
            connection.execute(insert.on_conflict_do_update(index_elements=["constraint_id"], set_=values))
        self._known = {**self._known, constraint_id: switch}
        return switch
