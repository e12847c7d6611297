"""`mage-ml audit replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mage_ml.cli.audit import SourceArgument, source_length, source_records
from mage_ml.cli.terminal import EXIT_FINDINGS, Format, FormatOption, errors_as_exit_codes, print_result, progress_bars
from mage_ml.runtime.guardrail import load_policy
from mage_ml.runtime.replay import ReplayedDecision, ReplayReport, replay

NAME = "replay"


def command(
    log: SourceArgument,
    policy: Annotated[Path, typer.Option("--policy", "-p", help="The other policy: a YAML file.")],
    limit: Annotated[int, typer.Option(help="Changed decisions to list.", min=0)] = 20,
    fail_on_change: Annotated[
        bool, typer.Option("--fail-on-change", help="Exit code 1 when any decision would be different or unknown.")
    ] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Recompute every recorded decision under another policy, and show what would have been different.

    Scores and evidence are taken as recorded; rules and models are not run again. What cannot be told from the log is
    said to be unknown.

    Example: mage-ml audit replay audit.sqlite --policy new.yaml
    """
    with errors_as_exit_codes():
        matrix = load_policy(policy)
        with progress_bars() as progress:
            report = replay(source_records(log), matrix, total=source_length(log), progress=progress)
    print_result(_text(report, limit), report.model_dump(mode="json"), form)
    if fail_on_change and (report.changed_count or report.unknown_count):
        raise typer.Exit(EXIT_FINDINGS)


def _text(report: ReplayReport, limit: int) -> str:
    known = report.decisions - report.unknown_count
    lines = [
        f"policy {report.policy_version}: {report.decisions:,} decisions, {known:,} recomputed, "
        f"{report.changed_count:,} different, {report.unknown_count:,} unknown",
        f"  {'was':<10}{'would be':<12}{'decisions':>10}",
    ]
    lines += [f"  {item.old:<10}{item.new or 'unknown':<12}{item.count:>10,}" for item in report.transitions]
    lines += [f"unknown, {count:,}: {why}" for why, count in report.unknown.items()]
    if report.scored_otherwise:
        lines.append(
            f"{report.scored_otherwise:,} were scored with other or unrecorded settings of rules and tiers; their "
            "scores are taken as recorded"
        )
    if report.revised:
        lines.append(f"{report.revised:,} became stricter afterwards, because carrying them out failed; left aside")
    shown = report.changed[:limit]
    if shown:
        lines.append("different:")
        lines += [_line(item) for item in shown]
    if report.changed_count > len(shown):
        lines.append(f"  and {report.changed_count - len(shown):,} more")
    return "\n".join(lines)


def _line(item: ReplayedDecision) -> str:
    new = item.new or "unknown"
    allowed = "" if item.new_allowed == item.old_allowed else f" ({'allowed' if item.new_allowed else 'held back'} now)"
    return f"  {item.sequence:>8}  {item.decision_id}  run {item.run_id}  {item.subject}: {item.old} -> {new}{allowed}"
