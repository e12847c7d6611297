"""`mage-ml scan`."""

from __future__ import annotations

import enum
import json
import os
from pathlib import Path
from typing import Annotated

import typer

from mage_ml.cli.pages import write_page
from mage_ml.cli.scan_table import print_report
from mage_ml.cli.terminal import EXIT_FINDINGS, errors_as_exit_codes, progress_bars
from mage_ml.errors import ConfigError
from mage_ml.runtime.guardrail import DecisionAction
from mage_ml.scan import ScanReport, ScanSettings, Tiers, TraceFormat, scan

NAME = "scan"
_STDOUT = "-"


class FailOn(enum.StrEnum):
    """Decisions that can make a scan fail."""

    WARN = DecisionAction.WARN.value
    REPAIR = DecisionAction.REPAIR.value
    REDIRECT = DecisionAction.REDIRECT.value
    HALT = DecisionAction.HALT.value


_Paths = Annotated[
    list[Path],
    typer.Argument(
        help="Files or folders: OpenAI, Anthropic, LangChain, LangSmith, OpenTelemetry, Inspect, benchmarks."
    ),
]
_Form = Annotated[
    TraceFormat | None, typer.Option("--format", "-f", help="The format of all files; by default told from each.")
]
_Corpus = Annotated[
    str | None, typer.Option(help="Read a published corpus with its importer and labels; see `mage-ml data list`.")
]
_Tiers = Annotated[Tiers, typer.Option(help="rules alone, or full: rules and classifier.")]
_Policy = Annotated[
    str | None, typer.Option(help="Policy file, or a preset: permissive, balanced (the default), strict.")
]
_Artifact = Annotated[Path | None, typer.Option("--artifact", "-a", help="Sealed model; default: shipped.")]
_Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Processes; 0 for one a core.", min=0)]
_Skip = Annotated[bool, typer.Option("--skip-malformed", help="Count what cannot be read and go on; else stop.")]
_MaxSteps = Annotated[int, typer.Option(help="Risky steps kept in the reports, the gravest.", min=0)]
_Rows = Annotated[int, typer.Option(help="Findings listed in the terminal.", min=0)]
_FailOn = Annotated[FailOn | None, typer.Option(help="Exit code 1 if any step calls for this or a stricter decision.")]
_Page = Annotated[Path | None, typer.Option("--html", help="Also write a page for a browser to this file.")]
_Json = Annotated[str | None, typer.Option("--json", help="Also write JSON to this file; - for stdout.")]
_Sarif = Annotated[str | None, typer.Option(help="Also write SARIF 2.1.0 to this file; - for stdout.")]
_Secrets = Annotated[bool, typer.Option("--show-secrets", help="Leave keys, mail addresses, cards in the reports.")]


def command(
    paths: _Paths,
    form: _Form = None,
    corpus: _Corpus = None,
    tiers: _Tiers = Tiers.FULL,
    policy: _Policy = None,
    artifact: _Artifact = None,
    jobs: _Jobs = 1,
    skip_malformed: _Skip = False,
    max_steps: _MaxSteps = 1000,
    rows: _Rows = 20,
    fail_on: _FailOn = None,
    page: _Page = None,
    as_json: _Json = None,
    sarif: _Sarif = None,
    show_secrets: _Secrets = False,
) -> None:
    """Find the risky steps in recorded runs, and the memory entries behind them. Nothing is sent anywhere.

    Example: mage-ml scan traces/ --html report.html --fail-on halt
    """
    with errors_as_exit_codes():
        if as_json == _STDOUT and sarif == _STDOUT:
            raise ConfigError("--json - and --sarif -: only one of them can go to stdout")
        settings = ScanSettings(
            policy=policy,
            tiers=tiers,
            artifact=artifact,
            format=form,
            corpus=corpus,
            skip_malformed=skip_malformed,
            max_steps=max_steps,
            jobs=jobs or os.cpu_count() or 1,
            show_secrets=show_secrets,
        )
        with progress_bars() as progress:
            report = scan(paths, settings, progress)
        _write(report, page, as_json, sarif)
    if _STDOUT not in (as_json, sarif):
        print_report(report, rows)
    if fail_on is not None and report.reaches(DecisionAction(fail_on.value)):
        raise typer.Exit(EXIT_FINDINGS)


def _write(report: ScanReport, page: Path | None, as_json: str | None, sarif: str | None) -> None:
    if page is not None:
        from mage_ml.scan.page import render_page

        write_page(page, render_page(report))
    if as_json is not None:
        _put("--json", as_json, report.model_dump_json(indent=2))
    if sarif is not None:
        from mage_ml.scan.sarif import to_sarif

        _put("--sarif", sarif, json.dumps(to_sarif(report), ensure_ascii=False, indent=2))


def _put(option: str, target: str, text: str) -> None:
    if target == _STDOUT:
        typer.echo(text)
        return
    try:
        Path(target).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{option} {target}: cannot be written: {error}") from error
