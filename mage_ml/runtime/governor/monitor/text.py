"""The report for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len

from mage_ml.runtime.governor.monitor.alerts import PressureAlert
from mage_ml.runtime.governor.monitor.report import GovernorReport, Series
from mage_ml.runtime.governor.monitor.words import moment, percent, words_in
from mage_ml.runtime.governor.state_types import Counts
from mage_ml.runtime.guardrail.wording import Language

_BLOCKS: Final = " ▁▂▃▄▅▆▇█"
COUNTERS: Final = ("violated", "held_back", "warned", "waived", "failed")


def render_text(report: GovernorReport, language: Language = Language.ENGLISH) -> str:
    """The report as plain text, for a terminal or a log."""
    words = words_in(language)
    total = Counts()
    for row in report.agents:
        total = total.plus(row.counts)
    lines = [
        words["span"].format(since=moment(report.since), until=moment(report.until)),
        totals_line(total, words),
        "",
        f"{words['alerts']}:",
        *(f"  {alert_line(alert, words)}" for alert in report.alerts),
        *([f"  {words['no_alerts']}"] if not report.alerts else []),
        "",
        *_constraints(report, words),
        "",
        *_agents(report, words),
    ]
    if report.conflicts:
        lines += ["", f"{words['conflicts']}:"]
        lines += [f"  {one.winner} > {one.loser} ({one.how.value}): {one.reason}" for one in report.conflicts]
    if report.changes:
        lines += ["", f"{words['changes']}:"]
        for change in report.changes:
            who = change.author or words["unknown"]
            lines.append(f"  {moment(change.at)}  {change.what}  {who}: {change.reason}".rstrip(": "))
    return "\n".join(lines)


def totals_line(total: Counts, words: Mapping[str, str]) -> str:
    """What was counted in all."""
    return words["totals"].format(
        checks=f"{total.triggered:,}",
        violated=f"{total.violated:,}",
        held=f"{total.held_back:,}",
        failed=f"{total.failed:,}",
    )


def alert_line(alert: PressureAlert, words: Mapping[str, str]) -> str:
    """An alert in a sentence."""
    return words["alert"].format(
        name=alert.constraint_id,
        count=alert.violations,
        since=moment(alert.since),
        until=moment(alert.until),
        peak=alert.peak,
        agents=", ".join(alert.agent_ids),
        runs=alert.runs,
    )


def _constraints(report: GovernorReport, words: Mapping[str, str]) -> list[str]:
    if not report.constraints:
        return [words["nothing"]]
    names = ("constraint", "severity", "checked", *COUNTERS, "confidence", "trend")
    rows = [[words[name] for name in names]]
    drawn = {series.constraint_id: sparkline(series) for series in report.series}
    for row in report.constraints:
        severity = row.severity or "–"
        rows.append(
            [
                row.constraint_id,
                severity if row.active else f"{severity}, {words['off']}",
                f"{row.counts.triggered:,}",
                *(f"{getattr(row.counts, name):,}" for name in COUNTERS),
                f"{row.confidence:.3f}",
                f"{percent(row.earlier)}, {percent(row.later)}  {drawn[row.constraint_id]}".rstrip(),
            ]
        )
    return aligned(rows)


def _agents(report: GovernorReport, words: Mapping[str, str]) -> list[str]:
    if not report.agents:
        return []
    rows = [[words[name] for name in ("agent", "checked", *COUNTERS)]]
    for row in report.agents:
        counted = (f"{getattr(row.counts, name):,}" for name in ("triggered", *COUNTERS))
        rows.append([row.agent_id or words["unknown"], *counted])
    return aligned(rows)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their columns one below the other; a Chinese character is two cells wide."""
    widths = [max(cell_len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def sparkline(series: Series) -> str:
    """Violations over time as one line of blocks, the highest as a full one; empty without violations."""
    values = [point.counts.violated for point in series.points]
    highest = max(values, default=0)
    if not highest:
        return ""
    return "".join(_BLOCKS[-(-value * (len(_BLOCKS) - 1) // highest)] for value in values)
