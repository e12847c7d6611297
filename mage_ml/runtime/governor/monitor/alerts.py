"""When a constraint was under pressure: broken often within a short time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from mage_ml.runtime.governor.constraint import PressureSettings
from mage_ml.runtime.governor.state_types import ViolationRow


@dataclass(frozen=True, slots=True)
class PressureAlert:
    """A time in which a constraint was broken often.

    Attributes:
        constraint_id: The constraint.
        since: Its first violation, in seconds since the epoch.
        until: Its last one.
        violations: How many there were in between.
        peak: The most within one window.
        agent_ids: Who broke it, by name.
        runs: In how many runs.
    """

    constraint_id: str
    since: float
    until: float
    violations: int
    peak: int
    agent_ids: tuple[str, ...]
    runs: int


def pressure_alerts(violations: Iterable[ViolationRow], settings: PressureSettings) -> tuple[PressureAlert, ...]:
    """The times in which a constraint was broken at least `settings.violations` times within `settings.window_s`.

    Windows that overlap are one alert. Checks that failed count, as they do for the governor's own alarm.

    Args:
        violations: In any order.
        settings: How often is often.

    Returns:
        The latest first.
    """
    by_constraint: dict[str, list[ViolationRow]] = defaultdict(list)
    for row in violations:
        by_constraint[row.constraint_id].append(row)
    found = []
    for rows in by_constraint.values():
        found += _of_one(sorted(rows, key=lambda row: row.at), settings)
    return tuple(sorted(found, key=lambda alert: (-alert.until, alert.constraint_id)))


def _of_one(rows: list[ViolationRow], settings: PressureSettings) -> list[PressureAlert]:
    """Alerts of one constraint, whose violations are in order of time."""
    stretches: list[tuple[int, int, int]] = []
    first = 0
    for last, row in enumerate(rows):
        while row.at - rows[first].at > settings.window_s:
            first += 1
        count = last - first + 1
        if count < settings.violations:
            continue
        if stretches and first <= stretches[-1][1]:
            start, _, peak = stretches[-1]
            stretches[-1] = (start, last, max(peak, count))
        else:
            stretches.append((first, last, count))
    return [_alert(rows[start : end + 1], peak) for start, end, peak in stretches]


def _alert(rows: list[ViolationRow], peak: int) -> PressureAlert:
    return PressureAlert(
        constraint_id=rows[0].constraint_id,
        since=rows[0].at,
        until=rows[-1].at,
        violations=len(rows),
        peak=peak,
        agent_ids=tuple(sorted({row.agent_id for row in rows})),
        runs=len({row.run_id for row in rows}),
    )
