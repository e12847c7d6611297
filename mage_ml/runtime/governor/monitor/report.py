"""The data of a report on the governor, from the state that its processes share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from mage_ml.config import Config
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.governor.constraint import Constraint, ConstraintSet, PressureSettings
from mage_ml.runtime.governor.monitor.alerts import PressureAlert, pressure_alerts
from mage_ml.runtime.governor.monitor.changes import ChangeRow, recorded_changes
from mage_ml.runtime.governor.ruling import Conflict
from mage_ml.runtime.governor.state import StateStore
from mage_ml.runtime.governor.state_types import CountRow, Counts, Health
from mage_ml.runtime.governor.switches import SwitchBoard

_INITIAL_CONFIDENCE: Final = 0.95


class MonitorSettings(Config):
    """What a report covers."""

    days: Annotated[float, Field(gt=0.0, le=3650.0, description="Days up to now that are reported.")] = 7.0
    steps: Annotated[int, Field(ge=2, le=400, description="Stretches into which the time is cut.")] = 28
    max_violations: Annotated[int, Field(ge=100, description="Latest violations that alerts are drawn from.")] = 100_000
    max_conflicts: Annotated[int, Field(ge=1, description="Latest conflicts that are listed.")] = 20


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """One constraint.

    Attributes:
        constraint_id: The constraint.
        severity: As the constraint file says; empty without the file.
        active: Whether it is on.
        counts: Its counters in the time reported.
        confidence: The expected share of checks without a violation, over all time.
        last_checked: Seconds since the epoch; `None` for never.
        earlier: Share of checks with a violation in the first half of the time; `None` without checks.
        later: The same in the second half.
    """

    constraint_id: str
    severity: str
    active: bool
    counts: Counts
    confidence: float
    last_checked: float | None
    earlier: float | None
    later: float | None


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent, over all constraints."""

    agent_id: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class PairRow:
    """One constraint with one agent."""

    constraint_id: str
    agent_id: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class Point:
    """Counters of a stretch of time that starts at `at` (seconds since the epoch)."""

    at: float
    counts: Counts


@dataclass(frozen=True, slots=True)
class Series:
    """A constraint over time; every stretch is there, empty ones too."""

    constraint_id: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class GovernorReport:
    """How the constraints were doing.

    Attributes:
        since: Start of the time reported, in seconds since the epoch.
        until: Its end.
        step_s: Length of the stretches it is cut into.
        constraints: By how often they were broken, then by name.
        agents: By how often they broke constraints, then by name.
        pairs: Constraints by agent, those with violations only.
        series: Over time, in the order of `constraints`.
        alerts: Pressure, the latest first.
        conflicts: The latest first.
        changes: Of the constraints, the latest first.
    """

    since: float
    until: float
    step_s: float
    constraints: tuple[ConstraintRow, ...]
    agents: tuple[AgentRow, ...]
    pairs: tuple[PairRow, ...]
    series: tuple[Series, ...]
    alerts: tuple[PressureAlert, ...]
    conflicts: tuple[Conflict, ...]
    changes: tuple[ChangeRow, ...]


def collect(
    state: StateStore,
    settings: MonitorSettings | None = None,
    *,
    constraints: ConstraintSet | None = None,
    audit: AuditLog | None = None,
) -> GovernorReport:
    """Read a report from the shared state.

    Args:
        state: The state.
        settings: What it covers.
        constraints: The constraint file: severities, what is switched off in it, its bound for pressure, and rows for
            constraints that were never checked. Without it, what the state knows is reported.
        audit: Also read changes from this audit log.

    Raises:
        StateError: The state cannot be read.
        AuditError: The audit log cannot be read.
    """
    wanted = settings or MonitorSettings()
    until = state.now()
    since = until - wanted.days * 86_400.0
    step_s = (until - since) / wanted.steps
    rows = state.counts(since=since)
    pressure = constraints.pressure if constraints is not None else PressureSettings()
    ordered = _constraint_rows(state, rows, constraints, since, until)
    return GovernorReport(
        since=since,
        until=until,
        step_s=step_s,
        constraints=ordered,
        agents=_agent_rows(rows),
        pairs=_pair_rows(rows),
        series=tuple(_series(one.constraint_id, rows, since, step_s, wanted.steps) for one in ordered),
        alerts=pressure_alerts(state.violations(since=since, limit=wanted.max_violations), pressure),
        conflicts=tuple(state.conflicts(wanted.max_conflicts)),
        changes=recorded_changes(state, audit, since=since),
    )


def _constraint_rows(
    state: StateStore, rows: Sequence[CountRow], constraints: ConstraintSet | None, since: float, until: float
) -> tuple[ConstraintRow, ...]:
    known = {one.id: one for one in constraints.constraints} if constraints is not None else {}
    health, switches = state.all_health(), SwitchBoard(state).all()
    names = sorted({*known, *health, *(row.key.constraint_id for row in rows)})
    middle = (since + until) / 2
    found = []
    for name in names:
        own = [row for row in rows if row.key.constraint_id == name]
        constraint, state_of = known.get(name), health.get(name, Health())
        initial = constraint.state.confidence if constraint is not None else _INITIAL_CONFIDENCE
        switch = switches.get(name)
        found.append(
            ConstraintRow(
                constraint_id=name,
                severity=constraint.severity.value if constraint is not None else "",
                active=switch.active if switch is not None else _is_on(constraint),
                counts=_sum(own),
                confidence=state_of.confidence(initial),
                last_checked=state_of.last_checked,
                earlier=_share([row for row in own if row.key.bucket < middle]),
                later=_share([row for row in own if row.key.bucket >= middle]),
            )
        )
    return tuple(sorted(found, key=lambda row: (-row.counts.violated, row.constraint_id)))


def _is_on(constraint: Constraint | None) -> bool:
    return constraint is None or constraint.state.active


def _agent_rows(rows: Sequence[CountRow]) -> tuple[AgentRow, ...]:
    grouped: dict[str, list[CountRow]] = defaultdict(list)
    for row in rows:
        grouped[row.key.agent_id].append(row)
    found = [AgentRow(name, _sum(own)) for name, own in grouped.items()]
    return tuple(sorted(found, key=lambda row: (-row.counts.violated, row.agent_id)))


def _pair_rows(rows: Sequence[CountRow]) -> tuple[PairRow, ...]:
    grouped: dict[tuple[str, str], list[CountRow]] = defaultdict(list)
    for row in rows:
        grouped[row.key.constraint_id, row.key.agent_id].append(row)
    found = [PairRow(constraint, agent, _sum(own)) for (constraint, agent), own in grouped.items()]
    broken = [row for row in found if row.counts.violated]
    return tuple(sorted(broken, key=lambda row: (-row.counts.violated, row.constraint_id, row.agent_id)))


def _series(name: str, rows: Sequence[CountRow], since: float, step_s: float, steps: int) -> Series:
    counted = [Counts()] * steps
    for row in rows:
        if row.key.constraint_id == name:
            # A stretch that began before the time reported, or ends with it, belongs to the nearest one.
            place = min(steps - 1, max(0, int((row.key.bucket - since) / step_s)))
            counted[place] = counted[place].plus(row.counts)
    return Series(name, tuple(Point(since + place * step_s, counts) for place, counts in enumerate(counted)))


def _sum(rows: Sequence[CountRow]) -> Counts:
    total = Counts()
    for row in rows:
        total = total.plus(row.counts)
    return total


def _share(rows: Sequence[CountRow]) -> float | None:
    total = _sum(rows)
    return total.violated / total.triggered if total.triggered else None
