"""Charts as inline SVG: no script, no outside part, readable in the dark, on paper, and by a screen reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mage_ml.runtime.guardrail.report.labels import plain

COLOURS: Final = ("#c0392b", "#2f6db5", "#b7791f", "#2e8b57", "#7d5ba6", "#5b6472")
_WIDTH: Final = 760
_HEIGHT: Final = 220
_LEFT: Final = 46
_BOTTOM: Final = 24
_TOP: Final = 12
_LABEL: Final = 210
_ROW: Final = 26
_MAX_LABEL: Final = 30


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart: a name and a value for each place on the horizontal axis."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a name, its length, and what is written beside it."""

    name: str
    value: float
    note: str


def line_chart(lines: Sequence[Line], places: Sequence[str], title: str) -> str:
    """Lines over time, at most as many as there are colours; the rest would not be told apart.

    Args:
        lines: Each with as many values as there are places.
        places: Names along the horizontal axis; the first, middle and last are written.
        title: For a screen reader.
    """
    shown = lines[: len(COLOURS)]
    highest = max((value for line in shown for value in line.values), default=0.0) or 1.0
    span_x, span_y = _WIDTH - _LEFT - 12, _HEIGHT - _BOTTOM - _TOP
    step = span_x / max(1, len(places) - 1)
    parts = [_grid(highest, span_x, span_y)]
    for number, line in enumerate(shown):
        points = " ".join(
            f"{_LEFT + place * step:.1f},{_TOP + span_y * (1.0 - value / highest):.1f}"
            for place, value in enumerate(line.values)
        )
        parts.append(
            f'<polyline points="{points}" style="fill:none;stroke:{COLOURS[number]};stroke-width:2">'
            f"<title>{plain(line.name)}</title></polyline>"
        )
    for place in sorted({0, len(places) // 2, len(places) - 1}) if places else ():
        anchor = "start" if place == 0 else "end" if place == len(places) - 1 else "middle"
        x = _LEFT + place * step
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 6}" text-anchor="{anchor}">{plain(places[place])}</text>')
    legend = "".join(
        f'<span class="tag" style="border-left:12px solid {COLOURS[number]}">{plain(line.name)}</span> '
        for number, line in enumerate(shown)
    )
    return f"{_svg(_WIDTH, _HEIGHT, title, parts)}<p>{legend}</p>"


def bar_chart(bars: Sequence[Bar], title: str) -> str:
    """Bars one below the other, with their names on the left and a note at their end."""
    longest = max((bar.value for bar in bars), default=0.0) or 1.0
    span = _WIDTH - _LABEL - 150
    parts = []
    for number, bar in enumerate(bars):
        y, width = number * _ROW, span * bar.value / longest
        name = bar.name if len(bar.name) <= _MAX_LABEL else bar.name[: _MAX_LABEL - 1] + "…"
        parts.append(
            f'<text x="{_LABEL - 8}" y="{y + 17}" text-anchor="end">{plain(name)}</text>'
            f'<rect x="{_LABEL}" y="{y + 5}" width="{max(1.0, width):.1f}" height="16" '
            f'style="fill:{COLOURS[0] if bar.value else COLOURS[-1]};stroke:none">'
            f"<title>{plain(bar.name)}</title></rect>"
            f'<text x="{_LABEL + max(1.0, width) + 8:.1f}" y="{y + 17}">{plain(bar.note)}</text>'
        )
    return _svg(_WIDTH, max(1, len(bars)) * _ROW, title, parts)


def _grid(highest: float, span_x: float, span_y: float) -> str:
    lines = []
    for share in (0.0, 0.5, 1.0):
        y = _TOP + span_y * (1.0 - share)
        lines.append(
            f'<line x1="{_LEFT}" x2="{_LEFT + span_x}" y1="{y:.1f}" y2="{y:.1f}" '
            'style="stroke:currentColor;opacity:.2"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{highest * share:,.4g}</text>'
        )
    return "".join(lines)


def _svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{plain(title)}" '
        f'style="width:100%;max-width:{width}px;height:auto">{"".join(parts)}</svg>'
    )
