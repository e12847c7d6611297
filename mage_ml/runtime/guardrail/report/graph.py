"""The dependency graph of a decision as a drawing: columns by distance to the action, which is on the right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mage_ml.memory import Snapshot
from mage_ml.runtime.guardrail.diagnosis import ACTION_NODE, Diagnosis
from mage_ml.runtime.guardrail.report.labels import level_of, plain

_MAX_NODES: Final = 60
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 190, 58, 52, 18, 14


@dataclass(frozen=True, slots=True)
class DrawnGraph:
    """What is drawn.

    Attributes:
        nodes: Entry ids in chain order.
        edges: Parent and child; the child may be the action.
        strong: The edges on a path from a finding to the action.
        left_out: How many entries the action rests on and are not drawn.
    """

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    strong: frozenset[tuple[str, str]]
    left_out: int = 0


@dataclass(slots=True)
class _Layout:
    columns: list[list[str]] = field(default_factory=list)
    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    width: float = 0.0
    height: float = 0.0


def graph_of(diagnosis: Diagnosis, snapshot: Snapshot | None) -> DrawnGraph:
    """The entries that a diagnosis touches and, with the snapshot, what else the action rests on, nearest first."""
    touched = [entry.id for entry in diagnosis.entries]
    strong = {pair for finding in diagnosis.findings for pair in zip(finding.path, finding.path[1:], strict=False)}
    if snapshot is None:
        edges = tuple((relation.parent, relation.child) for relation in diagnosis.relations)
        return DrawnGraph(tuple(touched), edges, frozenset(strong))
    nearest = _by_distance(snapshot)
    chosen = list(dict.fromkeys([*touched, *nearest]))[: max(_MAX_NODES, len(touched))]
    nodes = tuple(sorted((name for name in chosen if name in snapshot), key=snapshot.graph.position))
    inside = set(nodes)
    edges = tuple((parent, name) for name in nodes for parent in snapshot.graph.parents(name) if parent in inside)
    to_action = tuple((name, ACTION_NODE) for name in dict.fromkeys(snapshot.action.depends_on) if name in inside)
    return DrawnGraph(nodes, edges + to_action, frozenset(strong), len(set(nearest) - inside))


def draw(
    graph: DrawnGraph,
    *,
    sources: Mapping[str, str],
    scores: Mapping[str, float],
    statuses: Mapping[str, str],
    words: Mapping[str, str],
    action: str,
) -> str:
    """The graph as one SVG element without outside parts. Colours repeat what the words in each box say.

    Args:
        graph: What is drawn.
        sources: Entry id -> what it is, in a word.
        scores: Entry id -> the strongest finding about it.
        statuses: Entry id -> its status.
        words: Words of the page.
        action: The action in a few words.
    """
    layout = _arranged(graph)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width:.0f}" height="{layout.height:.0f}" '
        f'viewBox="0 0 {layout.width:.0f} {layout.height:.0f}" role="img" aria-label="{plain(words["graph"])}">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>',
    ]
    for edge in sorted(dict.fromkeys(graph.edges), key=lambda pair: pair in graph.strong):
        parts.append(_edge(layout, edge, edge in graph.strong))
    on_path = {name for edge in graph.strong for name in edge}
    for number, name in enumerate(graph.nodes):
        score = scores.get(name, 0.0)
        level = level_of(score)
        state = statuses.get(name, "")
        said = f"{words[level]} {score:.2f}" if score else words[level]
        lines = (name, sources.get(name, ""), f"{said} · {state}" if state else said)
        kind = f"node {level}{' path' if name in on_path else ''}"
        parts.append(f'<a href="#entry-{number}">{_box(layout, name, kind, lines)}</a>')
    parts.append(_box(layout, ACTION_NODE, "node action", (words["action"], action, "")))
    return "".join([*parts, "</svg>"])


def _by_distance(snapshot: Snapshot) -> list[str]:
    """Every entry the action rests on (up to 4,096), nearest first."""
    found = dict.fromkeys(name for name in snapshot.action.depends_on if name in snapshot)
    frontier = list(found)
    while frontier and len(found) < 4096:
        parents = [p for child in frontier for p in snapshot.graph.parents(child) if p in snapshot and p not in found]
        frontier = list(dict.fromkeys(parents))
        found.update(dict.fromkeys(frontier))
    return list(found)


def _arranged(graph: DrawnGraph) -> _Layout:
    place = {name: number for number, name in enumerate(graph.nodes)}
    depth = dict.fromkeys(graph.nodes, 1)
    parents: dict[str, list[str]] = {}
    children: dict[str, list[str]] = {}
    for parent, child in graph.edges:
        children.setdefault(parent, []).append(child)
        if child != ACTION_NODE and place[parent] < place[child]:  # a circle is drawn, but has no say in the columns
            parents.setdefault(child, []).append(parent)
    for name in reversed(graph.nodes):
        for parent in parents.get(name, ()):
            depth[parent] = max(depth[parent], depth[name] + 1)
    layout = _Layout(columns=[[ACTION_NODE]])
    for column in range(1, max(depth.values(), default=0) + 1):
        layout.columns.append([name for name in graph.nodes if depth[name] == column])
    rows: dict[str, float] = {ACTION_NODE: 0.0}
    for names in layout.columns[1:]:
        names.sort(key=lambda name: (_mean(rows[c] for c in children.get(name, ()) if c in rows), place[name]))
        rows.update({name: float(number) for number, name in enumerate(names)})
    _place(layout)
    return layout


def _place(layout: _Layout) -> None:
    tallest = max(map(len, layout.columns))
    layout.width = 2 * _MARGIN + len(layout.columns) * _WIDTH + (len(layout.columns) - 1) * _GAP_X
    layout.height = 2 * _MARGIN + tallest * _HEIGHT + (tallest - 1) * _GAP_Y
    for number, names in enumerate(layout.columns):
        x = layout.width - _MARGIN - _WIDTH - number * (_WIDTH + _GAP_X)
        used = len(names) * _HEIGHT + (len(names) - 1) * _GAP_Y
        top = (layout.height - used) / 2
        for row, name in enumerate(names):
            layout.places[name] = (x, top + row * (_HEIGHT + _GAP_Y))


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 1e9


def _edge(layout: _Layout, edge: tuple[str, str], strong: bool) -> str:
    (x1, y1), (x2, y2) = layout.places[edge[0]], layout.places[edge[1]]
    start, end = (x1 + _WIDTH, y1 + _HEIGHT / 2), (x2, y2 + _HEIGHT / 2)
    bend = max(28.0, abs(end[0] - start[0]) / 2)
    curve = f"M{start[0]:.0f} {start[1]:.0f}C{start[0] + bend:.0f} {start[1]:.0f} {end[0] - bend:.0f} {end[1]:.0f} "
    kind = "edge strong" if strong else "edge"
    return f'<path class="{kind}" d="{curve}{end[0] - 1:.0f} {end[1]:.0f}" marker-end="url(#tip)"/>'


def _box(layout: _Layout, name: str, kind: str, lines: Sequence[str]) -> str:
    x, y = layout.places[name]
    written = "".join(
        f'<text x="{x + 10:.0f}" y="{y + 19 + 16 * number:.0f}" class="line{number}">{plain(_short(line))}</text>'
        for number, line in enumerate(lines)
    )
    title = f"<title>{plain(' '.join(lines))}</title>"
    frame = f'<rect x="{x:.0f}" y="{y:.0f}" width="{_WIDTH}" height="{_HEIGHT}" rx="8"/>'
    return f'<g class="{kind}">{title}{frame}{written}</g>'


def _short(text: str, room: int = 25) -> str:
    """A text that fits a box; characters of Chinese, Japanese and Korean take the room of two."""
    used = 0
    flat = " ".join(text.split())
    for number, character in enumerate(flat):
        used += 2 if "\u1100" <= character <= "\uffef" else 1
        if used > room:
            return flat[: max(1, number - 1)] + "…"
    return flat
