"""`mage-ml inspect`."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

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
    index: Annotated[int, typer.Option("--index", "-i", help="Which of the matching triples, from 0.", min=0)] = 0,
    group: Annotated[str | None, typer.Option("--id", help="The triple with this id (group or episode).")] = None,
    operator: Annotated[str | None, typer.Option(help="Only triples with this operator.")] = None,
    domain: Annotated[str | None, typer.Option(help="Only triples of this domain.")] = None,
    language: Annotated[str | None, typer.Option(help="Only triples in this language (en or zh).")] = None,
    any_: Annotated[bool, typer.Option("--random", help="Any of the matching triples.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a self-contained page to this file.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show a triple side by side, with the edited entry and what it tainted; or a chain with its dependencies.

    Example: mage-ml inspect runs/data --operator value_flip --language zh --random --html triple.html
    """
    with errors_as_exit_codes():
        if is_chain(path):
            _show_chain(read_chain(path, allow_dangling=True), form)
            return
        matching = _Filter(group, operator, domain, language).of(run_files(path))
        found = _any(matching) if any_ else next(itertools.islice(matching, index, None), None)
        if found is None:
            raise ConfigError(_nothing(index, group))
        if html is not None:
            from data_gen.triple_page import triple_page

            html.write_text(triple_page(found), encoding="utf-8")
            err.print(f"written to {html}")
        if form is Format.JSON:
            print_result("", [episode.model_dump(mode="json") for episode in found], form)
        elif html is None:
            _show_group(found)


@dataclass(frozen=True, slots=True)
class _Filter:
    """Which groups are wanted."""

    group: str | None
    operator: str | None
    domain: str | None
    language: str | None

    def of(self, files: Sequence[Path]) -> Iterator[list[Episode]]:
        """The wanted groups in order of their files."""
        return (group for group in _groups(files) if self._wants(group))

    def _wants(self, group: Sequence[Episode]) -> bool:
        first = group[0]
        return (
            (self.group is None or self.group in {first.group_id, *(episode.episode_id for episode in group)})
            and (self.operator is None or any(episode.operator == self.operator for episode in group))
            and (self.domain is None or first.domain == self.domain)
            and (self.language is None or first.language == self.language)
        )


def _any(groups: Iterator[list[Episode]]) -> list[Episode] | None:
    """One of the groups, each as likely as another, without keeping them all."""
    draws = random.SystemRandom()
    chosen = None
    for number, group in enumerate(groups, start=1):
        if draws.randrange(number) == 0:
            chosen = group
    return chosen


def _nothing(index: int, group: str | None) -> str:
    if group is not None:
        return f"no triple with the id {group!r} matches; `--random` shows how ids look"
    return f"no triple number {index} matches; use a smaller --index or fewer filters"


def is_chain(path: Path) -> bool:
    """Whether a path is a file of entries, not of episodes."""
    if path.suffix != ".jsonl" or not path.is_file():
        return False
    with path.open(encoding="utf-8") as file:
        return '"episode_id"' not in file.readline()


def run_files(path: Path) -> Sequence[Path]:
    """The episode files at a path.

    Raises:
        ConfigError: There are none.
    """
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
    for row in range(max(len(episode.moments) for episode in ordered)):
        table.add_row(f"action {row + 1}", *[_action(episode, row) for episode in ordered])
    out.print(table)
    for episode in ordered:
        outcome = episode.outcome
        out.print(Text(f"{episode.arm}: task solved {outcome.task_solved}, {outcome.detail}"))
        if episode.proof is not None:
            counts = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in episode.proof.model_dump().items())
            out.print(Text(f"proof ({'consequential' if episode.consequential else 'hard negative'}): {counts}"))
    err.print("marked: [bold red]edited, at risk[/bold red], [yellow]tainted[/yellow], [green]reworded[/green]")


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
    return Text(f"{_LABELS.get(style, '')}{_line(entry)}", style=style)


_LABELS: Final = {"bold red": "EDITED ", "yellow": "TAINTED ", "green": "REWORDED "}


def _action(episode: Episode, row: int) -> Text:
    if row >= len(episode.moments):
        return Text("")
    moment = episode.moments[row]
    risky = moment.label.is_risky
    head = f"AT RISK: {', '.join(moment.label.axes)} " if risky else ""
    basis = f" <- {', '.join(moment.action.depends_on)}" if moment.action.depends_on else ""
    text = f"{head}[{moment.action.type} after {moment.visible} entries{basis}]\n{_short(moment.action.text)}"
    return Text(text, style="bold red" if risky else "")


def _line(entry: MemoryEntry) -> str:
    who = f"{entry.source}{f' {entry.tool_name}' if entry.tool_name else ''}"
    basis = f" <- {', '.join(entry.depends_on)}" if entry.depends_on else ""
    return f"[{who}, {entry.confidence:.2f}{basis}]\n{_short(entry.text)}"


def _short(text: str) -> str:
    return text if len(text) <= 400 else f"{text[:400]} ..."


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
