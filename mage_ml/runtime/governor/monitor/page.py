"""The report as one HTML page without scripts or outside parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mage_ml.runtime.governor.monitor.charts import Bar, Line, bar_chart, line_chart
from mage_ml.runtime.governor.monitor.report import ConstraintRow, GovernorReport
from mage_ml.runtime.governor.monitor.text import COUNTERS, alert_line, totals_line
from mage_ml.runtime.governor.monitor.words import moment, percent, words_in
from mage_ml.runtime.governor.state_types import Counts
from mage_ml.runtime.guardrail.report.labels import plain, shown
from mage_ml.runtime.guardrail.report.page import page
from mage_ml.runtime.guardrail.wording import Language


def render_page(report: GovernorReport, language: Language = Language.ENGLISH) -> str:
    """The report as HTML. Names and reasons are shown as text, whatever they hold."""
    words = words_in(language)
    total = Counts()
    for row in report.agents:
        total = total.plus(row.counts)
    span = words["span"].format(since=moment(report.since), until=moment(report.until))
    state = "halt" if report.alerts else "proceed"
    parts = [
        f'<div class="verdict"><span class="badge {state}">{plain(str(len(report.alerts)))} {plain(words["alerts"])}'
        f'</span><strong>{plain(totals_line(total, words))}</strong><span class="dim">{plain(span)}</span></div>',
        _section(words["alerts"], _alerts(report, words)),
        _section(words["over_time"], _over_time(report, words)),
        _section(words["constraints"], _constraints(report, words)),
        _section(words["agents"], _agents(report, words)),
        _section(words["pairs"], _pairs(report, words)),
        _section(words["conflicts"], _conflicts(report)),
        _section(words["changes"], _changes(report, words)),
    ]
    return page(words["title"], "\n".join(part for part in parts if part), language)


def _section(title: str, content: str) -> str:
    return f"<section><h2>{plain(title)}</h2>{content}</section>" if content else ""


def _alerts(report: GovernorReport, words: Mapping[str, str]) -> str:
    if not report.alerts:
        return f"<p>{plain(words['no_alerts'])}</p>"
    cards = (f'<div class="card high"><p>{shown(alert_line(alert, words))}</p></div>' for alert in report.alerts)
    return "".join(cards)


def _over_time(report: GovernorReport, words: Mapping[str, str]) -> str:
    broken = [one for one in report.series if any(point.counts.violated for point in one.points)]
    if not broken:
        return ""
    lines = [Line(one.constraint_id, tuple(float(p.counts.violated) for p in one.points)) for one in broken]
    places = [moment(point.at) for point in broken[0].points]
    note = words["peak"].format(
        count=max(int(max(line.values)) for line in lines), hours=f"{report.step_s / 3600.0:,.3g}"
    )
    return f'{line_chart(lines, places, words["over_time"])}<p class="dim">{plain(note)}</p>'


def _constraints(report: GovernorReport, words: Mapping[str, str]) -> str:
    if not report.constraints:
        return f"<p>{plain(words['nothing'])}</p>"
    head = [words[name] for name in ("constraint", "severity", "checked", *COUNTERS, "confidence", "trend")]
    return _table(head, [_constraint_cells(row, words) for row in report.constraints])


def _constraint_cells(row: ConstraintRow, words: Mapping[str, str]) -> list[str]:
    severity = row.severity or "–"
    return [
        row.constraint_id,
        severity if row.active else f"{severity}, {words['off']}",
        f"{row.counts.triggered:,}",
        *(f"{getattr(row.counts, name):,}" for name in COUNTERS),
        f"{row.confidence:.3f}",
        f"{percent(row.earlier)}, {percent(row.later)}",
    ]


def _agents(report: GovernorReport, words: Mapping[str, str]) -> str:
    bars = [
        Bar(
            row.agent_id or words["unknown"],
            float(row.counts.violated),
            f"{row.counts.violated:,} / {row.counts.triggered:,}",
        )
        for row in report.agents
    ]
    return bar_chart(bars, words["agents"]) if bars else ""


def _pairs(report: GovernorReport, words: Mapping[str, str]) -> str:
    head = [words[name] for name in ("constraint", "agent", "checked", *COUNTERS)]
    rows = [
        [one.constraint_id, one.agent_id or words["unknown"], f"{one.counts.triggered:,}"]
        + [f"{getattr(one.counts, name):,}" for name in COUNTERS]
        for one in report.pairs
    ]
    return _table(head, rows) if rows else ""


def _conflicts(report: GovernorReport) -> str:
    lines = (f"{one.winner} > {one.loser} ({one.how.value}): {one.reason}" for one in report.conflicts)
    items = "".join(f"<li>{shown(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def _changes(report: GovernorReport, words: Mapping[str, str]) -> str:
    rows = [
        f"<dt>{plain(moment(one.at))}</dt><dd>{shown(one.what)} · {shown(one.author or words['unknown'])}"
        f"{': ' + shown(one.reason) if one.reason else ''}</dd>"
        for one in report.changes
    ]
    return f"<dl>{''.join(rows)}</dl>" if rows else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col" style="{_CELL}">{plain(cell)}</th>' for cell in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{shown(cell)}</td>' for cell in row) + "</tr>" for row in rows
    )
    table = f'<table style="border-collapse:collapse"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div style="overflow-x:auto" tabindex="0">{table}</div>'


_CELL = "padding:3px 12px 3px 0;text-align:left;border-bottom:1px solid var(--line);white-space:nowrap"
