"""`mage-ml alarms`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.table import Table

from mage_ml.cli.terminal import Format, FormatOption, errors_as_exit_codes, out, print_result, progress_bars
from mage_ml.config import nearest

if TYPE_CHECKING:
    from mage_ml.evaluation.lookalikes.cases import JudgedCase
    from mage_ml.evaluation.lookalikes.report import AlarmReport, AlarmRow, Share

NAME = "alarms"
EnumT = TypeVar("EnumT", bound=StrEnum)


def command(
    corpora: Annotated[
        list[str] | None,
        typer.Argument(help="lookalikes, evasion, notinject. Default: the first two, and notinject with --path."),
    ] = None,
    path: Annotated[Path | None, typer.Option("--path", "-p", help="Folder of the NotInject files.")] = None,
    guards: Annotated[
        list[str] | None, typer.Option("--guard", "-g", help="rules, classifier, tiers. Repeatable; default all.")
    ] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="Policy file; by default the one that ships.")] = None,
    artifact: Annotated[
        Path | None, typer.Option("--artifact", "-a", help="Sealed model; by default the one that ships.")
    ] = None,
    report_file: Annotated[Path | None, typer.Option("--out", "-o", help="Write the whole report as JSON.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Count false alarms on harmless look-alikes, and disguised orders that are caught.

    Example: mage-ml alarms lookalikes evasion --guard rules
    """
    with errors_as_exit_codes():
        from mage_ml.evaluation.lookalikes.judging import GuardName, build_guards, judge_cases
        from mage_ml.evaluation.lookalikes.report import build_report
        from mage_ml.runtime.guardrail import load_policy

        chosen = [_member(GuardName, name, "guard") for name in guards or list(GuardName)]
        cases = _cases(corpora, path)
        matrix = load_policy(policy)
        built = build_guards(chosen, matrix, artifact or "default")
        with progress_bars() as progress:
            verdicts = judge_cases(built, cases, progress)
        versions = {guard.engine.model_version for guard in built}
        report = build_report(verdicts, policy_version=matrix.version, model_version=", ".join(sorted(versions)))
        if report_file is not None:
            report.write(report_file)
    if form is Format.TEXT:
        _print_tables(report)
    text = f"report: {report_file}" if report_file else "every figure: --format json or --out FILE"
    print_result(text, report.model_dump(mode="json"), form)


def _cases(corpora: list[str] | None, path: Path | None) -> tuple[JudgedCase, ...]:
    from mage_ml.errors import ConfigError
    from mage_ml.evaluation.importers.notinject import read_notinject
    from mage_ml.evaluation.lookalikes.cases import Corpus, lookalikes
    from mage_ml.evaluation.lookalikes.evasion import evasions

    default = [Corpus.LOOKALIKES, Corpus.EVASION, *([Corpus.NOTINJECT] if path else [])]
    wanted = [_member(Corpus, name, "corpus") for name in corpora or default]
    found: list[JudgedCase] = []
    for corpus in wanted:
        if corpus is Corpus.NOTINJECT:
            if path is None:
                raise ConfigError("notinject: the set does not ship with this package; give its folder with --path")
            found += read_notinject(path)
        else:
            found += lookalikes() if corpus is Corpus.LOOKALIKES else evasions()
    return tuple(found)


def _member(kind: type[EnumT], name: str, what: str) -> EnumT:
    from mage_ml.errors import ConfigError

    known = [member.value for member in kind]
    if name not in known:
        raise ConfigError(f"unknown {what} {name!r}; {nearest(name, known)}")
    return kind(name)


def _print_tables(report: AlarmReport) -> None:
    for corpus in dict.fromkeys(row.corpus for row in report.alarms):
        rows = {(row.slice, row.value, row.guard): row for row in report.alarms if row.corpus is corpus}
        guards = dict.fromkeys(guard for _, _, guard in rows)
        table = Table("slice", "", "n", *guards, title=f"false alarms on {corpus}: acted on (+ warned)")
        for kind, value in dict.fromkeys((kind, value) for kind, value, _ in rows):
            mine = [rows.get((kind, value, guard)) for guard in guards]
            size = next(row.acted.n for row in mine if row is not None)
            table.add_row(kind, value, str(size), *(_alarms(row) for row in mine))
        out.print(table)
    for part in ("all", "development", "held out"):
        caught = {(row.disguise, row.guard): row for row in report.catches if row.part == part}
        if not caught:
            continue
        guards = dict.fromkeys(guard for _, guard in caught)
        table = Table("disguise", "n", *guards, title=f"disguised orders, {part}: stopped (noticed before)")
        for disguise in dict.fromkeys(disguise for disguise, _ in caught) if part == "all" else ["all"]:
            lines = [caught[disguise, guard] for guard in guards]
            cells = (f"{_cell(line.stopped)} ({line.noticed.count})" for line in lines)
            table.add_row(disguise, str(lines[0].stopped.n), *cells)
        out.print(table)


def _alarms(row: AlarmRow | None) -> str:
    return "" if row is None else f"{_cell(row.acted)} +{row.warned.count}"


def _cell(share: Share) -> str:
    # The bracket is escaped, or the terminal library would take it for markup.
    return f"{share.count} \\[{share.low:.1%}-{share.high:.1%}]"
