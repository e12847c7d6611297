"""The dependency graph as a drawing: one column a level of derivation, origins on the left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from mage_ml.memory.graph_export import MISSING, GraphDocument, GraphNode

_WIDTH: Final = 190
_HEIGHT: Final = 44
_GAP_X: Final = 60
_GAP_Y: Final = 18
_MARGIN: Final = 20
_LINE_CHARS: Final = 30
_FILL: Final = {
    "active": "#eef3f8",
    "suspect": "#fff3cd",
    "quarantined": "#f8d7da",
    "superseded": "#e2e3e5",
    MISSING: "#ffffff",
}
_MARKED: Final = "#c0392b"


def to_svg(document: GraphDocument, *, marked: Iterable[str] = ()) -> str:
    """Draw a graph as a self-contained SVG without scripts.

    Args:
        document: The graph.
        marked: Ids of nodes to be outlined: the condemned entry and what it tainted.
    """
    places = dict(_places(document))
    chosen = frozenset(marked)
    width = max((x for x, _ in places.values()), default=0) + _WIDTH + _MARGIN
    height = max((y for _, y in places.values()), default=0) + _HEIGHT + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11">',
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="#667"/></marker></defs>',
    ]
    parts += [_edge(places[edge.source], places[edge.target]) for edge in document.edges]
    parts += [_box(node, *places[node.id], is_marked=node.id in chosen) for node in document.nodes]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _places(document: GraphDocument) -> Iterator[tuple[str, tuple[int, int]]]:
    """Column by level: one more than the highest parent that comes earlier; what closes a cycle does not count."""
    order = {node.id: place for place, node in enumerate(document.nodes)}
    parents: dict[str, list[str]] = {}
    for edge in document.edges:
        parents.setdefault(edge.target, []).append(edge.source)
    level: dict[str, int] = {}
    rows: dict[int, int] = {}
    for node in document.nodes:
        known = [level[parent] for parent in parents.get(node.id, ()) if order[parent] < order[node.id]]
        level[node.id] = 1 + max(known, default=-1)
        row = rows[level[node.id]] = rows.get(level[node.id], -1) + 1
        yield node.id, (_MARGIN + level[node.id] * (_WIDTH + _GAP_X), _MARGIN + row * (_HEIGHT + _GAP_Y))


def _edge(start: tuple[int, int], end: tuple[int, int]) -> str:
    x1, y1 = start[0] + _WIDTH, start[1] + _HEIGHT // 2
    x2, y2 = end[0], end[1] + _HEIGHT // 2
    bend = max(30, abs(x2 - x1) // 2)
    curve = f"M{x1} {y1} C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"
    return f'<path d="{curve}" fill="none" stroke="#667" marker-end="url(#arrow)"/>'


def _box(node: GraphNode, x: int, y: int, *, is_marked: bool) -> str:
    stroke, width = (_MARKED, 3) if is_marked else ("#556", 1)
    dash = ' stroke-dasharray="4 3"' if node.status == MISSING else ""
    kind = node.source if node.status == MISSING else f"{node.source} {node.confidence:.2f} {node.status}"
    return (
        f'<g><title>{_shown(node.text, 400)}</title><rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="5" '
        f'fill="{_FILL.get(node.status, "#ffffff")}" stroke="{stroke}" stroke-width="{width}"{dash}/>'
        f'<text x="{x + 8}" y="{y + 18}" font-weight="bold">{_shown(node.id, _LINE_CHARS)}</text>'
        f'<text x="{x + 8}" y="{y + 34}" fill="#445">{_shown(kind, _LINE_CHARS)}</text></g>'
    )


def _shown(text: str, limit: int) -> str:
    flat = "".join(char if char.isprintable() else " " for char in text)
    return escape(flat if len(flat) <= limit else f"{flat[: limit - 1]}…")
