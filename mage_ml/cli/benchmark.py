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
    """Print the figures most people ask for: one table a corpus, one line a contestant."""
    for corpus, metrics in (
        ("generated", ("auroc", "tpr_at_fpr_0.01", "localisation_top1", "latency_p50_ms")),
        ("agentdyn", ("attack_success_left", "benign_halted", "utility_under_attack_kept")),
    ):
        rows = [row for row in report.rows if row.corpus == corpus and row.metric in metrics]
        names = list(dict.fromkeys(row.contestant for row in rows))
        if not names:
            continue
        table = Table("contestant", *metrics, title=corpus)
        for name in names:
            found: dict[str, BenchmarkRow] = {}
            for row in rows:
                if row.contestant == name:
                    found.setdefault(str(row.metric), row)
            cells = []
            for metric in metrics:
                row_ = found.get(metric)
                if row_ is None:
                    cells.append("")
                    continue
                interval = f" [{row_.ci_low:.3f}, {row_.ci_high:.3f}]" if row_.ci_low is not None else ""
                cells.append(f"{row_.value:.3f}{interval}".replace("[", r"\["))
            table.add_row(name, *cells)
        out.print(table)
