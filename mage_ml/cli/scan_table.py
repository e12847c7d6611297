"""What `mage-ml scan` prints."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mage_ml.cli.terminal import out
from mage_ml.runtime.guardrail import DecisionAction
from mage_ml.scan import Culprit, Location, ScanReport
from mage_ml.scan.groups import StepGroup, grouped

_STYLES = {
    DecisionAction.HALT: "bold red",
    DecisionAction.REDIRECT: "magenta",
    DecisionAction.REPAIR: "yellow",
    DecisionAction.WARN: "cyan",
}
_PIPED_WIDTH = 120
_ACTION, _QUOTE = 160, 160


def print_report(report: ScanReport, rows: int) -> None:
    """Print the findings, the gravest first, and the counts."""
    groups = grouped(report.steps)
    if groups and rows:
        table = Table(show_lines=True)
        for name in ("would", "risk", "step", "because of"):
            table.add_column(name, overflow="fold")
        for group in groups[:rows]:
            table.add_row(*_row(group))
        Console(highlight=False, width=None if out.is_terminal else _PIPED_WIDTH).print(table)
        if len(groups) > rows:
            out.print(f"and {_count(len(groups) - rows, 'more finding')}; see --html, --json or --rows")
    for line in summary(report):
        out.print(Text(_visible(line)))


def _row(group: StepGroup) -> tuple[Text, Text, Text, Text]:
    step = group.gravest
    risk = Text(f"{step.axis.value}\n{step.score:.2f}")
    place = Text(_visible(f"{step.trace_id}, step {step.step}"), style="bold")
    place.append(_visible(f"\n{_short(step.location)}"), style="dim")
    place.append(_visible(f"\n{_cut(step.action, _ACTION)}"), style="not bold")
    if group.others:
        steps = ", ".join(str(item.step) for item in group.others[:8]) + (" ..." if len(group.others) > 8 else "")
        place.append(f"\nand {_count(len(group.others), 'more step')}: {steps}", style="dim")
    cause = Text(_visible(step.rule), style="bold")
    if group.culprit is not None:
        cause.append(_visible(f"\n{group.culprit.message}"), style="not bold")
        cause.append(_behind(group.culprit))
    return Text(step.decision.value, style=_STYLES.get(step.decision, "")), risk, place, cause


def _behind(item: Culprit) -> Text:
    if not item.entry_id:
        return Text()
    place = "" if item.location is None else f", {item.location.inside}"
    origin = f" from {_cut(item.origin, 60)}" if item.origin else ""
    told = Text(_visible(f"\n{item.entry_id}: {item.source}{origin}{place}\n"), style="dim")
    told.append(_visible(f"“{_cut(' '.join(item.quote.split()), _QUOTE)}”"), style="not dim underline")
    return told


def summary(report: ScanReport) -> list[str]:
    """The counts, line by line."""
    files = ", ".join(f"{form} ({count:,})" for form, count in report.files.items())
    actions = sum(report.actions.values())
    share = f" ({report.risky / actions:.1%})" if actions else ""
    lines = [
        f"format: {files or 'nothing was read'}",
        f"{report.traces:,} traces, {actions:,} actions, {report.entries:,} entries; "
        f"{report.risky:,} risky steps{share}" + _listed(report.decisions),
    ]
    if report.by_rule:
        lines.append("found by: " + ", ".join(f"{rule} {count:,}" for rule, count in report.by_rule.items()))
    lines += [
        f"  {item.outcome}: {item.traces:,} traces, {item.flagged:,} with a risky step, {item.stopped:,} with one held "
        f"back, {item.halted:,} halted"
        for item in report.by_outcome
    ]
    if report.mode == "off":
        lines.append("the policy is switched off: nothing was checked")
    if report.empty:
        lines.append(f"{_count(report.empty, 'trace')} without a single message")
    if report.failed_checks:
        lines.append(f"NOT FULLY CHECKED: for {report.failed_checks:,} actions a tier failed")
    if report.malformed_count:
        lines.append(f"COULD NOT BE READ: {report.malformed_count:,} records, left out")
        lines += [f"  {text}" for text in report.malformed[:5]]
    if report.left_out:
        lines.append(f"{report.left_out:,} milder steps are counted, but not in the reports (--max-steps)")
    lines.append(f"policy {report.policy_version} ({report.mode}), {report.model_version}")
    return lines


def _listed(decisions: object) -> str:
    counts = ", ".join(f"{action} {count:,}" for action, count in dict(decisions).items())  # type: ignore[call-overload]
    return f": {counts}" if counts else ""


def _short(location: Location) -> str:
    name = Path(location.path).name
    return f"{name} {location.inside}" if location.line is None else f"{name}:{location.line} {location.inside}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"


def _visible(text: str) -> str:
    """Text without characters that steer a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
