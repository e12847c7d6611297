"""`mage-ml quarantine`: look into the quarantine of a stored memory, release and purge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from mage_ml.cli.terminal import Format, FormatOption, errors_as_exit_codes, print_result
from mage_ml.errors import ConfigError
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guarding import QuarantinedEntry

NAME = "quarantine"

app = typer.Typer(
    no_args_is_help=True,
    help="List, release and purge quarantined entries of a memory kept in a database (`SqlStore`). Not while a guard "
    "is at work on that run: it would not know; use its own methods there.",
)

StoreArgument = Annotated[Path, typer.Argument(metavar="STORE", help="SQLite file of the memory.")]
RunArgument = Annotated[str, typer.Argument(metavar="RUN_ID", help="Which run's memory.")]
EntryArgument = Annotated[str, typer.Argument(metavar="ENTRY_ID", help="Which entry.")]
AuditOption = Annotated[Path | None, typer.Option(help="Audit log in which releases and purges are recorded.")]
ByOption = Annotated[str, typer.Option(help="Who decides this.")]
ReasonOption = Annotated[str, typer.Option(help="Why.")]


@app.command("list")
def list_entries(store: StoreArgument, run: RunArgument, form: FormatOption = Format.TEXT) -> None:
    """List what is in quarantine.

    Example: mage-ml quarantine list memory.sqlite run-7
    """
    with errors_as_exit_codes(), _opened(store, run, None) as guard:
        found = guard.quarantined()
    text = "\n".join(map(_line, found)) or "nothing is in quarantine"
    print_result(text.replace("[", r"\["), [item.model_dump(mode="json") for item in found], form)


@app.command()
def release(
    store: StoreArgument,
    run: RunArgument,
    entry: EntryArgument,
    by: ByOption,
    reason: ReasonOption,
    audit: AuditOption = None,
) -> None:
    """Put an entry back into use.

    Example: mage-ml quarantine release memory.sqlite run-7 e4 --by ana --reason "checked with the owner"
    """
    with errors_as_exit_codes(), _opened(store, run, audit) as guard:
        guard.release(entry, by=by, reason=reason)
    typer.echo(f"{entry} is in use again")


@app.command()
def purge(
    store: StoreArgument,
    run: RunArgument,
    entry: EntryArgument,
    by: ByOption,
    reason: ReasonOption,
    audit: AuditOption = None,
) -> None:
    """Remove the content of a quarantined entry for good; the entry stays, with the SHA-256 of what it said.

    Example: mage-ml quarantine purge memory.sqlite run-7 e4 --by ana --reason "personal data"
    """
    with errors_as_exit_codes(), _opened(store, run, audit) as guard:
        left = guard.purge(entry, by=by, reason=reason)
    typer.echo(f"{entry} is purged; what is left: {left.entry.text}")


@contextmanager
def _opened(store: Path, run: str, audit: Path | None) -> Iterator[MageGuard]:
    from mage_ml.memory.stores.sql import SqlStore

    if not store.is_file():
        raise ConfigError(f"{store}: no such file; expected the SQLite file of a stored memory")
    memory = SqlStore(store, run)
    try:
        if not memory.list():
            raise ConfigError(f"{store}: holds no memory of run {run!r}")
        yield MageGuard.create(store=memory, run_id=run, audit=audit, notifiers=())
    finally:
        memory.close()


def _line(item: QuarantinedEntry) -> str:
    entry = item.entry
    flat = " ".join(entry.text[:400].split())
    origin = f", from {entry.origin}" if entry.origin else ""
    notes = f" ({'; '.join(entry.annotations)})" if entry.annotations else ""
    return f"{entry.id} ({entry.source.value}{origin}){' PURGED' if item.purged else ''}: {flat[:160]}{notes}"
