"""Who changed what: versions of the constraints, switches, and what the audit log says of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from mage_ml.runtime.audit import AuditLog, AuditQuery, EventKind
from mage_ml.runtime.governor.broadcast import ChangeKind
from mage_ml.runtime.governor.state import StateStore
from mage_ml.runtime.governor.switches import Switch, SwitchBoard
from mage_ml.runtime.governor.versions import VersionHistory

_SAME_S: Final = 5.0
"""A switch and its record in the audit log are written one after the other."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change of the constraints.

    Attributes:
        at: Seconds since the epoch.
        what: What was changed, such as `version 3` or `no_gift switched off`.
        author: Who; empty when unknown.
        reason: Why; empty when unknown.
    """

    at: float
    what: str
    author: str = ""
    reason: str = ""


def recorded_changes(state: StateStore, audit: AuditLog | None = None, *, since: float = 0.0) -> tuple[ChangeRow, ...]:
    """Changes of the constraints since a moment, the latest first.

    Args:
        state: The shared state: versions with reason and author, and the last switch of each constraint.
        audit: The audit log, which also has refused files and earlier switches; `None` for none.
        since: Seconds since the epoch.

    Raises:
        StateError: The state cannot be read.
        AuditError: The audit log cannot be read.
    """
    rows = []
    for version in VersionHistory(state).all():
        back = f", brings back {version.restores}" if version.restores is not None else ""
        what = f"version {version.version} (number {version.number}{back})"
        rows.append(ChangeRow(version.at, what, version.author, version.reason))
    switches = SwitchBoard(state).all()
    for name, switch in switches.items():
        rows.append(ChangeRow(switch.at, _switched(name, switch.active), switch.author, switch.reason))
    if audit is not None:
        rows += _only_audited(audit, switches)
    return tuple(sorted((row for row in rows if row.at >= since), key=lambda row: -row.at))


def _only_audited(audit: AuditLog, switches: Mapping[str, Switch]) -> Iterator[ChangeRow]:
    """What the state does not keep: refused files, and switches that were switched again since."""
    for record in audit.matches(AuditQuery(kind=EventKind.CONSTRAINT_CHANGED)):
        name, reason = str(record.payload.get("rule") or ""), str(record.payload.get("reason") or "")
        if record.action == ChangeKind.RELOADED:
            continue
        if record.action == ChangeKind.SWITCHED:
            last = switches.get(name)
            if last is None or abs(last.at - record.recorded_at) > _SAME_S:
                yield ChangeRow(record.recorded_at, _switched(name, bool(record.payload.get("active"))), reason=reason)
            continue
        yield ChangeRow(record.recorded_at, f"{record.action} {name}".strip(), reason=reason)


def _switched(name: str, active: bool) -> str:
    return f"{name} switched {'on' if active else 'off'}"
