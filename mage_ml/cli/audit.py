"""`mage-ml audit`: verify, search, export and replay the record of what was decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from mage_ml.cli.pages import recorded_page, write_page
from mage_ml.cli.terminal import (
    EXIT_FINDINGS,
    Format,
    FormatOption,
    errors_as_exit_codes,
    figures,
    print_result,
    progress_bars,
)
from mage_ml.config import nearest
from mage_ml.errors import AuditError, ConfigError
from mage_ml.runtime.audit import (
    AuditLog,
    AuditQuery,
    AuditRecord,
    EventKind,
    export_log,
    is_export,
    read_export,
    verify,
    verify_export,
)

app = typer.Typer(
    name="audit",
    no_args_is_help=True,
    help="The audit log: every decision of the guard, in a chain in which an edit or a loss shows. LOG is the SQLite "
    "file given to the guard, or a postgresql:// URL; `verify` and `replay` read exports, too.",
)

LogArgument = Annotated[str, typer.Argument(metavar="LOG", help="SQLite file, or postgresql:// URL.")]
SourceArgument = Annotated[str, typer.Argument(metavar="LOG", help="SQLite file, postgresql:// URL, or an export.")]
RunOption = Annotated[str | None, typer.Option("--run", help="Only this run.")]
DecisionOption = Annotated[str | None, typer.Option("--decision", help="Only this decision.")]
KindOption = Annotated[str | None, typer.Option("--kind", help="Only events of this kind, such as decision.")]
ActionOption = Annotated[str | None, typer.Option("--action", help="Only this outcome, such as halt.")]
EntryOption = Annotated[str | None, typer.Option("--entry", help="Only where this memory entry is named.")]
RuleOption = Annotated[str | None, typer.Option("--rule", help="Only with evidence of this rule or model.")]
ToolOption = Annotated[str | None, typer.Option("--tool", help="Only about this tool.")]
ReasonOption = Annotated[str | None, typer.Option("--reason", help="Only with this kind of reason, such as fail_open.")]
TextOption = Annotated[str | None, typer.Option("--text", help="Only with this text in a reason.")]
SinceOption = Annotated[str | None, typer.Option("--since", help="Not before, such as 2026-01-31T08:00 (UTC).")]
UntilOption = Annotated[str | None, typer.Option("--until", help="Before, in the same form.")]


@app.command("verify")
def verify_command(
    log: SourceArgument,
    head: Annotated[str | None, typer.Option(help="A hash noted earlier with `head`; it must occur.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check that no record was edited, lost or moved. Exit code 1 when one was.

    Example: mage-ml audit verify audit.sqlite
    """
    with errors_as_exit_codes(), progress_bars() as progress:
        if is_export(Path(log)):
            report = verify_export(Path(log), expected_head=head, progress=progress)
        else:
            with _opened(log) as opened:
                report = verify(opened, expected_head=head, progress=progress)
    lines = [f"{'WHOLE' if report.is_whole else 'DAMAGED'}: {report.records:,} records, head {report.head}"]
    print_result("\n".join([*lines, *report.problems]), report.model_dump(mode="json"), form)
    if not report.is_whole:
        raise typer.Exit(EXIT_FINDINGS)


@app.command("head")
def head_command(log: LogArgument, form: FormatOption = Format.TEXT) -> None:
    """Print how far the log goes. Note it elsewhere: with it `verify --head` finds a log that was rewritten.

    Example: mage-ml audit head audit.sqlite
    """
    with errors_as_exit_codes(), _opened(log) as opened:
        head = opened.head()
    print_result(f"{head.sequence} {head.hash}", {"sequence": head.sequence, "hash": head.hash}, form)


@app.command("query")
def query_command(
    log: LogArgument,
    run: RunOption = None,
    decision: DecisionOption = None,
    kind: KindOption = None,
    action: ActionOption = None,
    entry: EntryOption = None,
    rule: RuleOption = None,
    tool: ToolOption = None,
    reason: ReasonOption = None,
    text: TextOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    newest_first: Annotated[bool, typer.Option("--newest-first", help="The latest first.")] = False,
    limit: Annotated[int, typer.Option(help="Records to show.", min=1, max=10_000)] = 20,
    cursor: Annotated[str | None, typer.Option(help="Go on where the page before ended.")] = None,
    count: Annotated[bool, typer.Option("--count", help="Only print how many there are.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """List records; all filters that are given must hold.

    Example: mage-ml audit query audit.sqlite --action halt --newest-first
    Example: mage-ml audit query audit.sqlite --reason fail_open --count
    """
    with errors_as_exit_codes(), _opened(log) as opened:
        query = _query(
            run_id=run, decision_id=decision, kind=kind, action=action, entry_id=entry, rule=rule, tool=tool,
            reason=reason, text=text, since=_time(since, "--since"), until=_time(until, "--until"),
            newest_first=newest_first, limit=limit, cursor=cursor,
        )  # fmt: skip
        if count:
            number = opened.count(query)
            print_result(str(number), {"count": number}, form)
            return
        page = opened.query(query)
    more = [] if page.cursor is None else [f"more: --cursor {page.cursor}"]
    shown = [_line(record) for record in page.records] or ["no record matches"]
    print_result("\n".join([*shown, *more]), page.model_dump(mode="json"), form)


@app.command("show")
def show_command(
    log: LogArgument,
    decision: Annotated[str, typer.Argument(metavar="DECISION_ID", help="As in the decision or in `query`.")],
    page: Annotated[Path | None, typer.Option("--html", help="Also write it as a page for a browser.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show everything recorded about one decision.

    Example: mage-ml audit show audit.sqlite 3f0c9a
    """
    with errors_as_exit_codes():
        with _opened(log) as opened:
            records = opened.find(decision)
        if not records:
            raise AuditError(f"audit log {log}: no decision {decision!r}; `mage-ml audit query` lists what there is")
        if page is not None:
            write_page(page, recorded_page(records))
    data = [record.model_dump(mode="json") for record in records]
    print_result("\n\n".join(_described(record) for record in records), data, form)


@app.command("export")
def export_command(
    log: LogArgument,
    target: Annotated[Path, typer.Argument(metavar="FILE", help="A .jsonl file, or .jsonl.gz for a compressed one.")],
    run: RunOption = None,
    kind: KindOption = None,
    action: ActionOption = None,
    rule: RuleOption = None,
    tool: ToolOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Write records as JSON Lines. An export of the whole log can be verified like the log itself.

    Example: mage-ml audit export audit.sqlite audit.jsonl.gz
    """
    with errors_as_exit_codes(), progress_bars() as progress:
        if not is_export(target):
            raise ConfigError(f"{target}: expected a name that ends in .jsonl or .jsonl.gz")
        filters = {"run_id": run, "kind": kind, "action": action, "rule": rule, "tool": tool}
        times = {"since": _time(since, "--since"), "until": _time(until, "--until")}
        given = {name: value for name, value in {**filters, **times}.items() if value is not None}
        with _opened(log) as opened:
            summary = export_log(opened, target, _query(**given) if given else None, progress=progress)
    data = {"records": summary.records, **summary.header.model_dump(mode="json")}
    print_result(f"{target}: {summary.records:,} records, head {summary.header.head}", data, form)


@app.command("upgrade")
def upgrade_command(log: LogArgument, form: FormatOption = Format.TEXT) -> None:
    """Bring a log of an older release to the present format. Records and their hashes stay as they are.

    Example: mage-ml audit upgrade audit.sqlite
    """
    with errors_as_exit_codes():
        _opened(log).close()  # refuses what is no log
        with AuditLog(log) as opened:
            head = opened.head()
    print_result(f"up to date: {head.sequence:,} records", {"records": head.sequence}, form)


def _opened(log: str) -> AuditLog:
    return AuditLog(log, read_only=True)


def source_records(log: str) -> Iterator[AuditRecord]:
    """The records of a log or an export."""
    if is_export(Path(log)):
        yield from read_export(Path(log))
        return
    with _opened(log) as opened:
        yield from opened.records()


def source_length(log: str) -> int:
    """How many records a log has; 0 for an export, where it is not known beforehand."""
    if is_export(Path(log)):
        return 0
    with _opened(log) as opened:
        return opened.head().sequence


def _query(**fields: Any) -> AuditQuery:  # noqa: ANN401 - the fields of AuditQuery
    known = [kind.value for kind in EventKind]
    if fields.get("kind") is not None and fields["kind"] not in known:
        raise ConfigError(f"--kind {fields['kind']!r}: no such kind of event; {nearest(fields['kind'], known)}")
    try:
        return AuditQuery(**fields)
    except ValidationError as error:
        raise ConfigError("; ".join(str(item["msg"]) for item in error.errors(include_url=False))) from error


def _time(text: str | None, option: str) -> float | None:
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise ConfigError(f"{option} {text!r}: expected a time such as 2026-01-31 or 2026-01-31T08:00") from error
    return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()


def _when(record: AuditRecord) -> str:
    try:
        return datetime.fromtimestamp(record.recorded_at, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return f"{record.recorded_at:g} s"


def _line(record: AuditRecord) -> str:
    what = record.action if record.kind is EventKind.DECISION else f"{record.kind}: {record.action}"
    about = record.payload.get("pending_action")
    tool = (about.get("tool_name") or about.get("type") or "") if isinstance(about, dict) else ""
    why = next(iter(_reasons(record)), "")
    return f"{record.sequence:>8}  {_when(record)}  {what:<9}  {record.decision_id}  run {record.run_id}  {tool}  {why}"


def _reasons(record: AuditRecord) -> Iterable[str]:
    decision = record.payload.get("decision")
    reasons = decision.get("reasons") if isinstance(decision, dict) else None
    if isinstance(reasons, list):
        yield from (str(item.get("text", "")) for item in reasons if isinstance(item, dict))
    elif isinstance(record.payload.get("reason"), str):
        yield str(record.payload["reason"])


def _described(record: AuditRecord) -> str:
    rows = {
        "record": f"{record.sequence}, {_when(record)} UTC",
        "kind": record.kind.value,
        "outcome": record.action,
        "run": record.run_id,
        "decision": record.decision_id,
        "hash": record.hash,
    }
    lines = [figures(rows), *(f"why: {reason}" for reason in islice(_reasons(record), 16))]
    for name, value in record.payload.items():
        lines.append(f"{name}:")
        lines += _tree(value, "  ")
    return "\n".join(lines)


def _tree(value: object, indent: str) -> Iterator[str]:
    """JSON as indented lines; what is empty is left out."""
    items: Iterable[tuple[object, object]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = (("-", item) for item in value)
    else:
        yield f"{indent}{value}"
    for name, item in items:
        if item in (None, "", [], {}):
            continue
        if isinstance(item, dict | list):
            yield f"{indent}{name}" if name == "-" else f"{indent}{name}:"
            yield from _tree(item, f"{indent}  ")
        else:
            yield f"{indent}{name}{'' if name == '-' else ':'} {item}"
