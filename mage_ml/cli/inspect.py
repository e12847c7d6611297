"""`mage-ml inspect`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from mage_ml.cli.terminal import Format, FormatOption, err, errors_as_exit_codes, out, print_result
from mage_ml.errors import ConfigError
from mage_ml.memory import Arm, DependencyGraph, Episode, MemoryChain, MemoryEntry
from mage_ml.memory.records import read_chain, read_episodes

NAME = "inspect"

_ARM_ORDER = (Arm.CLEAN, Arm.SHAM, Arm.CONTAMINATED)


def command(
    path: Annotated[Path, typer.Argument(help="A folder of episodes, an episode file, or a chain (.jsonl).")],
    index: Annotated[int, typer.Option("--index", "-i", help="Which triple, from 0.", min=0)] = 0,
    operator: Annotated[str | None, typer.Option(help="Only triples with this operator.")] = None,
    language: Annotated[str | None, typer.Option(help="Only triples in this language (en or zh).")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show a triple side by side, with the edited entry and what it tainted; or a chain with its dependencies.

    Example: mage-ml inspect runs/data --index 3 --language zh
    """
    with errors_as_exit_codes():
        if _is_chain(path):
            _show_chain(read_chain(path, allow_dangling=True), form)
            return
        group = _find(_episode_files(path), index, operator, language)
        if form is Format.JSON:
            print_result("", [episode.model_dump(mode="json") for episode in group], form)
        else:
            _show_group(group)


def _is_chain(path: Path) -> bool:
    if path.suffix != ".jsonl" or not path.is_file():
        return False
    with path.open(encoding="utf-8") as file:
        return '"episode_id"' not in file.readline()


def _episode_files(path: Path) -> Sequence[Path]:
    if path.is_dir():
        files = sorted([*path.glob("*.parquet"), *path.glob("*.jsonl")])
        if not files:
            raise ConfigError(f"{path}: no .parquet or .jsonl files; expected a folder written by `mage-ml generate`")
        return files
    if not path.is_file():
        raise ConfigError(f"{path}: not found")
    return [path]


def _groups(files: Sequence[Path]) -> Iterator[list[Episode]]:
    for file in files:
        for _, episodes in itertools.groupby(read_episodes(file), key=lambda episode: episode.group_id):
            yield list(episodes)


def _find(files: Sequence[Path], index: int, operator: str | None, language: str | None) -> list[Episode]:
    matching = (
        group
        for group in _groups(files)
        if (operator is None or any(episode.operator == operator for episode in group))
        and (language is None or group[0].language == language)
    )
    found = next(itertools.islice(matching, index, None), None)
    if found is None:
        raise ConfigError(f"no triple number {index} matches; use a smaller --index or fewer filters")
    return found


def _show_group(group: Sequence[Episode]) -> None:
    first = group[0]
    ordered = sorted(group, key=lambda e: _ARM_ORDER.index(e.arm) if e.arm in _ARM_ORDER else 9)
    out.print(
        f"[bold]{first.group_id}[/bold]  {first.domain}/{first.template}, {first.language}, writer {first.writer}"
    )
    out.print(Text(f"task: {first.goal}"))
    table = Table("entry", show_lines=True)
    for episode in ordered:
        # Fold, so that Chinese, which has no spaces to break at, is shown whole.
        table.add_column(_heading(episode), overflow="fold")
    tainted = {e.episode_id: _tainted(e) for e in ordered}
    for row in range(max(len(episode.entries) for episode in ordered)):
        cells = [_cell(e, row, tainted[e.episode_id]) for e in ordered]
        name = next(e.entries[row].id for e in ordered if row < len(e.entries))
        table.add_row(name, *cells)
    out.print(table)
    for episode in ordered:
        outcome = episode.outcome
        out.print(Text(f"{episode.arm}: task solved {outcome.task_solved}, {outcome.detail}"))
    err.print("marked: [bold red]edited entry[/bold red], [yellow]tainted by it[/yellow]")


def _heading(episode: Episode) -> str:
    return f"{episode.arm} ({episode.operator})" if episode.operator else str(episode.arm)


def _tainted(episode: Episode) -> frozenset[str]:
    if episode.injected_entry is None:
        return frozenset()
    return DependencyGraph.of(episode.entries).tainted_by([episode.injected_entry])


def _cell(episode: Episode, row: int, tainted: frozenset[str]) -> Text:
    if row >= len(episode.entries):
        return Text("")
    entry = episode.entries[row]
    style = "bold red" if entry.id == episode.injected_entry else "yellow" if entry.id in tainted else ""
    if episode.arm is Arm.SHAM and style:
        style = "green" if entry.id == episode.injected_entry else ""
    return Text(_line(entry), style=style)


def _line(entry: MemoryEntry) -> str:
    who = f"{entry.source}{f' {entry.tool_name}' if entry.tool_name else ''}"
    basis = f" <- {', '.join(entry.depends_on)}" if entry.depends_on else ""
    text = entry.text if len(entry.text) <= 400 else f"{entry.text[:400]} ..."
    return f"[{who}, {entry.confidence:.2f}{basis}]\n{text}"


def _show_chain(chain: MemoryChain, form: Format) -> None:
    graph = DependencyGraph.of(chain)
    if form is Format.JSON:
        print_result("", [entry.model_dump(mode="json") for entry in chain], form)
        return
    table = Table("entry", "says", "status", "rests on")
    for entry in chain:
        origins = ", ".join(sorted(graph.independent_origins(entry.id)))
        table.add_row(entry.id, Text(_line(entry)), entry.status, origins)
    out.print(table)
    for entry_id, missing in graph.dangling().items():
        out.print(Text(f"{entry_id} depends on {', '.join(missing)}, which does not exist"))
    for cycle in graph.cycles():
        out.print(Text(f"{', '.join(sorted(cycle))} depend on each other"))
