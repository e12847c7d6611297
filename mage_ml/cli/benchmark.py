"""`mage-ml benchmark`."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from mage_ml.cli.terminal import (
    ConfigOption,
    FieldsOption,
    Format,
    FormatOption,
    SetOption,
    errors_as_exit_codes,
    out,
    print_fields,
    print_result,
    progress_bars,
)
from mage_ml.config import load_config

if TYPE_CHECKING:
    from mage_ml.evaluation.report import BenchmarkReport
    from mage_ml.evaluation.rows import BenchmarkRow

NAME = "benchmark"

_GENERATED = {
    "auroc": "ROC area",
    "tpr_at_fpr_0.01": "found at 1 %",
    "localisation_top1": "entry first",
    "latency_p50_ms": "ms",
}
_RECORDED = {
    "attack_success_left": "attacks left",
    "benign_halted": "clean halted",
    "utility_under_attack_kept": "utility kept",
}


def command(
    corpus: Annotated[
        str | None, typer.Option("--corpus", help="generated, agentdyn or both. Default: what data and path allow.")
    ] = None,
    data: Annotated[Path | None, typer.Option("--data", "-d", help="Folder written by `mage-ml generate`.")] = None,
    path: Annotated[
        Path | None, typer.Option("--path", "-p", help="Recorded runs in AgentDojo's format: a file or a folder.")
    ] = None,
    artifact: Annotated[
        Path | None, typer.Option("--artifact", "-a", help="Sealed model; by default the one that ships.")
    ] = None,
    folder: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the report.")] = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    form: FormatOption = Format.TEXT,
    fields: FieldsOption = False,
) -> None:
    """Compare rules, classifier, tiers and baselines on the same rows; write report.json, report.md and report.html.

    Example: mage-ml benchmark --corpus agentdyn --path agentdyn/ --data runs/data
    """
    from mage_ml.evaluation.config import BenchmarkConfig

    if fields:
        print_fields(BenchmarkConfig)
        return
    if config is None and corpus is None:
        corpus = _corpus(data, path)
    given = {"corpus": corpus, "data": data, "path": path, "artifact": artifact, "out": folder}
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    with errors_as_exit_codes():
        from mage_ml.evaluation.benchmark import run_benchmark

        settings = load_config(BenchmarkConfig, config, set_ or (), given)
        with progress_bars() as progress:
            report = run_benchmark(settings, progress, created=today)
    if form is Format.TEXT:
        print_headlines(report)
    print_result(f"report: {settings.out / 'report.html'}", report.model_dump(mode="json"), form)


def _corpus(data: Path | None, path: Path | None) -> str | None:
    if data is not None and path is None:
        return "generated"
    if path is not None and data is None:
        return "agentdyn"
    return None


def print_headlines(report: BenchmarkReport) -> None:
    """Print the figures most people ask for: one table a corpus, one line a contestant, 95 % intervals in brackets."""
    for corpus in dict.fromkeys(row.corpus for row in report.rows):
        columns = _GENERATED if corpus == "generated" else _RECORDED
        split = "test" if corpus == "generated" else "replay"
        rows = {
            (row.contestant, str(row.metric)): row for row in report.rows if (row.corpus, row.split) == (corpus, split)
        }
        table = Table("contestant", *columns.values(), title=corpus)
        for name in dict.fromkeys(contestant for contestant, _ in rows):
            table.add_row(name, *(_cell(rows.get((name, metric))) for metric in columns))
        out.print(table)
    if report.tier_stats is not None and report.tier_stats.assessments:
        out.print(f"{report.tier_stats.assessments:,} assessments by the tiers")
        out.print(report.tier_stats.to_text())


def _cell(row: BenchmarkRow | None) -> str:
    if row is None:
        return ""
    if row.ci_low is None:
        return f"{row.value:.2f}"
    # The bracket is escaped, or the terminal library would take it for markup.
    return f"{row.value:.2f} \\[{row.ci_low:.2f}-{row.ci_high:.2f}]"
