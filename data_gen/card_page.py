"""The data card as one HTML page, with its plots as inline SVG."""

from __future__ import annotations

from collections.abc import Mapping

from data_gen.card import DataCard, proven_share
from data_gen.markup import Markup, page, tag
from data_gen.probes import ProbeRow

_LABEL = 190
_PLOT = 220
_ROW = 22


def card_page(card: DataCard) -> str:
    """The page."""
    state = "Probes passed." if card.accepted else "Probes FAILED: the data was not kept."
    intro = (
        f"{card.triples:,} triples: {card.episodes:,} episodes, {card.moments:,} moments, "
        f"{card.risky_moments:,} risky; {card.consequential:,} with proven consequence, {card.hard_negatives:,} hard "
        f"negatives. Seed {card.seed}. {state}"
    )
    operators = {name: sum(kinds.values()) for name, kinds in card.by_operator.items()}
    counts = {
        "Split": card.by_split,
        "Domain": card.by_domain,
        "Language": card.by_language,
        "Operator": operators,
        "Entries in memory": card.by_entries,
        "Risky moments by axis": card.by_axis,
        f"Rejected attempts (of {card.attempts:,})": card.rejections,
    }
    return page(
        "Data card",
        tag("p", intro),
        tag("div", *[tag("section", tag("h2", name), _bars(rows)) for name, rows in counts.items()], class_="cards"),
        tag("h2", "Contaminated runs with proven consequence"),
        _consequences(card),
        tag("h2", "Probes"),
        tag("p", "AUROC on paired data; the interval is drawn as a line, the share expected by chance as 0.5."),
        tag("div", _probes(card.probes), class_="scroll"),
        tag("h2", "Held out"),
        tag("ul", *[tag("li", f"{place}: {', '.join(names)}") for place, names in card.held_out.items()]),
        tag("h2", "Examples"),
        *[tag("pre", example) for example in card.examples],
        tag("h2", "Digests"),
        tag("pre", "\n".join(f"{split}: {digest}" for split, digest in card.digests.items())),
    )


def _bars(rows: Mapping[str, int]) -> Markup:
    return _chart([(name, float(count), f"{count:,}") for name, count in rows.items()], max([1, *rows.values()]))


def _consequences(card: DataCard) -> Markup:
    rows = [
        (name, proven_share(kinds), f"{proven_share(kinds):.0%} of {sum(kinds.values())}")
        for name, kinds in card.consequences.items()
    ]
    rare = ", ".join(card.rarely_matter)
    return tag("div", _chart(rows, 1), tag("p", f"Operators that rarely matter (under 50 %): {rare or 'none'}."))


def _chart(rows: list[tuple[str, float, str]], top: float) -> Markup:
    """Horizontal bars with their names and values."""
    shapes = []
    for number, (name, value, shown) in enumerate(rows):
        y = number * _ROW
        width = max(1.0, _PLOT * value / top)
        shapes.append(tag("text", name, x=_LABEL - 8, y=y + 15, text_anchor="end"))
        shapes.append(tag("rect", x=_LABEL, y=y + 4, width=f"{width:.1f}", height=14, class_="bar"))
        shapes.append(tag("text", shown, x=f"{_LABEL + width + 6:.1f}", y=y + 15))
    return _svg(_LABEL + _PLOT + 90, max(1, len(rows)) * _ROW, shapes)


def _probes(rows: tuple[ProbeRow, ...]) -> Markup:
    """One line a probe: interval, point, and the line of chance."""

    def x(share: float) -> str:
        return f"{450 + 300 * min(max(share, 0.0), 1.0):.1f}"

    height = len(rows) * _ROW
    shapes = [tag("line", x1=x(0.5), x2=x(0.5), y1=0, y2=height, class_="limit")]
    for number, row in enumerate(rows):
        y = number * _ROW + 11
        shapes.append(tag("text", f"{row.probe}, {row.contrast}", x=440, y=y + 4, text_anchor="end"))
        shapes.append(tag("line", x1=x(row.low), x2=x(row.high), y1=y, y2=y, class_="axis", stroke_width=5))
        shapes.append(tag("rect", x=f"{float(x(row.auroc)) - 4:.1f}", y=y - 4, width=8, height=8, class_="bar"))
        shapes.append(tag("text", f"{row.auroc:.3f} {row.status} ({row.pairs})", x=760, y=y + 4))
    return _svg(930, height, shapes)


def _svg(width: int, height: int, shapes: list[Markup]) -> Markup:
    return tag("svg", *shapes, viewBox=f"0 0 {width} {height}", width=width, role="img")
