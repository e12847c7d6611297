"""What the commands share: progress on stderr, results on stdout, errors as one message and an exit code."""

from __future__ import annotations

import enum
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from mage_ml.errors import MageError
from mage_ml.progress import Progress

EXIT_FINDINGS: Final = 1
EXIT_ERROR: Final = 2
_LINE_EVERY_S: Final = 30.0

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False)


class Format(enum.StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"


ConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help="YAML file with settings; without it the defaults are used.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", help="Override one setting: field=value, or section.field=value. Repeatable."),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="text for people, json for programs.")]
FieldsOption = Annotated[bool, typer.Option("--fields", help="List every setting with its default and stop.")]


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Progress bars on stderr; without a terminal, one line for each finished stage."""
    if not err.is_terminal:
        yield _lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Bars(*columns, console=err) as bars:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None)
            bars.update(tasks[stage], completed=done, total=total or None)

        yield show


class _Rate(ProgressColumn):
    """Units a second."""

    def render(self, task: Task) -> Text:
        """The rate, once it is known."""
        return Text("" if task.speed is None else f"{task.speed:,.1f}/s")


def _lines() -> Progress:
    finished: set[str] = set()
    started: dict[str, tuple[float, int]] = {}
    told: dict[str, float] = {}

    def show(stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        since, first = started.setdefault(stage, (now, done))
        if total and done >= total and stage not in finished:
            finished.add(stage)
            err.print(f"{stage}: {total:,} done")
        elif done > first and now - told.setdefault(stage, since) >= _LINE_EVERY_S:
            told[stage] = now
            rate = (done - first) / (now - since)
            left = f", {(total - done) / rate:,.0f} s left" if total else ""
            whole = f" of {total:,}" if total else ""
            err.print(f"{stage}: {done:,}{whole}, {rate:,.1f}/s{left}")

    return show


@contextmanager
def errors_as_exit_codes() -> Iterator[None]:
    """Turn an error raised on purpose into its message, anything unforeseen into a traceback, both into exit code 2."""
    try:
        yield
    except MageError as error:
        err.print(f"[bold red]error[/bold red] {_escaped(error)}", soft_wrap=True)
        raise typer.Exit(EXIT_ERROR) from error
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        # Exit code 1 means findings; a crash must not look like one.
        err.print_exception()
        raise typer.Exit(EXIT_ERROR) from error


def print_result(text: str, data: object, form: Format) -> None:
    """Print a result in the wanted form."""
    if form is Format.JSON:
        typer.echo(json.dumps(data, ensure_ascii=False, indent=2, default=str))
    else:
        out.print(text)


def print_fields(model: type[BaseModel]) -> None:
    """List the settings of a configuration: name, default, meaning."""
    table = Table("setting", "default", "meaning", show_lines=False)
    for name, default, meaning in _fields(model, ""):
        table.add_row(name, default, meaning)
    out.print(table)


def figures(rows: Mapping[str, str]) -> str:
    """Two aligned columns: what, and its value."""
    width = max(map(len, rows), default=0)
    return "\n".join(f"  {name.ljust(width)}  {value}" for name, value in rows.items())


def _fields(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, str, str]]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _fields(field.annotation, f"{prefix}{name}.")
        else:
            default = "required" if field.is_required() else str(field.get_default(call_default_factory=True))
            yield prefix + name, default, field.description or ""


def _escaped(error: Exception) -> str:
    return str(error).replace("[", r"\[")
