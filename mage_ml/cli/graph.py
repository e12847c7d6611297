"""`mage-ml graph`."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from mage_ml.cli.inspect import is_chain, run_files
from mage_ml.cli.terminal import err, errors_as_exit_codes
from mage_ml.config import nearest
from mage_ml.errors import ConfigError
from mage_ml.memory import DependencyGraph, MemoryEntry
from mage_ml.memory.graph_export import GraphFormat, export_graph, graph_document
from mage_ml.memory.graph_svg import to_svg
from mage_ml.memory.records import read_chain, read_episodes

NAME = "graph"

_SHOWN_NAMES = 10_000


class GraphOutput(enum.StrEnum):
    """Formats of the command."""

    JSON = "json"
    GRAPHML = "graphml"
    CYPHER = "cypher"
    SVG = "svg"


def command(
    path: Annotated[Path, typer.Argument(help="A folder of episodes, an episode file, or a chain (.jsonl).")],
    episode_id: Annotated[str | None, typer.Option("--id", help="Which episode; the first one by default.")] = None,
    form: Annotated[GraphOutput, typer.Option("--format", "-f", help="Format of the graph.")] = GraphOutput.JSON,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write; standard output by default.")] = None,
    mark: Annotated[str | None, typer.Option(help="With svg: outline this entry and all that derives from it.")] = None,
) -> None:
    """Export who derived what from what: for notebooks (json), graph tools (graphml), databases (cypher), eyes (svg).

    Example: mage-ml graph runs/data --format svg --out graph.svg
    """
    with errors_as_exit_codes():
        name, entries, injected = _entries(path, episode_id)
        text = _drawn(name, entries, mark or injected) if form is GraphOutput.SVG else ""
        text = text or export_graph(entries, GraphFormat(form.value), run_id=name)
        if out is None:
            typer.echo(text, nl=False)
        else:
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(text, encoding="utf-8")
            err.print(f"{len(entries)} entries of {name} written to {out}")


def _drawn(name: str, entries: Sequence[MemoryEntry], seed: str | None) -> str:
    graph = DependencyGraph.of(entries)
    if seed is not None and seed not in graph:
        raise ConfigError(f"no entry {seed!r} in {name}; {nearest(seed, [entry.id for entry in entries])}")
    marked = graph.tainted_by([seed]) if seed is not None else ()
    return to_svg(graph_document(entries, run_id=name), marked=marked)


def _entries(path: Path, episode_id: str | None) -> tuple[str, Sequence[MemoryEntry], str | None]:
    if is_chain(path):
        return path.stem, tuple(read_chain(path, allow_dangling=True)), None
    seen: list[str] = []
    for file in run_files(path):
        for episode in read_episodes(file):
            if episode_id in (None, episode.episode_id):
                return episode.episode_id, episode.entries, episode.injected_entry
            seen = [*seen, episode.episode_id] if len(seen) < _SHOWN_NAMES else seen
    if episode_id is None:
        raise ConfigError(f"{path}: no episodes")
    raise ConfigError(f"{path}: no episode {episode_id!r}; {_hint(episode_id, seen)}")


def _hint(wanted: str, seen: Sequence[str]) -> str:
    hint = nearest(wanted, seen[:500])
    return hint if hint.startswith("did you mean") else f"the first ones are {', '.join(seen[:5])}"
