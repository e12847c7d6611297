"""The pictures of a report, as SVG text without any outside reference."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from mage_ml.evaluation.report import BenchmarkReport, ReliabilityCurve, RocCurve
from mage_ml.evaluation.rows import BenchmarkRow, Metric, recorded_name
from mage_ml.extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LOWEST_RATE: Final = 1e-3
_PURPOSE: Final = "draw the plots of a report"
_REPLAY_METRICS: Final = (Metric.ATTACK_SUCCESS_LEFT, Metric.BENIGN_HALTED, Metric.UTILITY_UNDER_ATTACK_KEPT)
_REPLAY_TITLES: Final = (
    "attack success left\n(lower)",
    "clean runs halted\n(lower)",
    "utility kept\n(higher)",
)


def roc_plot(curves: Sequence[RocCurve], title: str) -> str:
    """ROC curves with a logarithmic false positive axis."""
    figure = _figure(5.2, 3.8)
    axes = figure.subplots()
    for curve in curves:
        rates = [max(rate, _LOWEST_RATE) for rate in curve.false_rate]
        axes.step(rates, curve.true_rate, where="post", label=curve.contestant, linewidth=1.4)
    axes.set_xscale("log")
    axes.set(xlim=(_LOWEST_RATE, 1), ylim=(0, 1.02), xlabel="false positive rate", ylabel="found", title=title)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, loc="lower right")
    return _svg(figure)


def reliability_plot(curves: Sequence[ReliabilityCurve], title: str) -> str:
    """Share of positives against mean score."""
    figure = _figure(5.2, 3.8)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="grey", linestyle=":", linewidth=1)
    for curve in curves:
        x = [b.mean_score for b in curve.bins]
        y = [b.positive_share for b in curve.bins]
        axes.plot(x, y, marker="o", markersize=3, label=curve.contestant, linewidth=1.2)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="score", ylabel="share that is risky", title=title)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    return _svg(figure)


def bars_plot(rows: Sequence[BenchmarkRow], title: str) -> str:
    """One group of bars a split, one bar a contestant."""
    splits = list(dict.fromkeys(row.split for row in rows))
    names = list(dict.fromkeys(row.contestant for row in rows))
    values = {(row.split, row.contestant): row.value for row in rows}
    figure = _figure(max(5.2, 0.9 * len(splits) + 2), 3.8)
    axes = figure.subplots()
    width = 0.8 / max(len(names), 1)
    for number, name in enumerate(names):
        places = [i + (number - (len(names) - 1) / 2) * width for i in range(len(splits))]
        axes.bar(places, [values.get((split, name), 0.0) for split in splits], width=width, label=name)
    axes.set_xticks(range(len(splits)), [split.rpartition("=")[2] for split in splits], rotation=30, ha="right")
    axes.tick_params(axis="x", labelsize=7)
    axes.set(ylim=(0, 1.02), title=title)
    axes.legend(fontsize=6)
    return _svg(figure)


def replay_plot(rows: Sequence[BenchmarkRow], title: str) -> str:
    """The three replay figures side by side with their intervals; all rows are of one corpus."""
    names = list(dict.fromkeys(row.contestant for row in rows))[::-1]
    figure = _figure(9.5, 0.35 * len(names) + 1.7)
    figure.suptitle(title, fontsize=9)
    panels: Any = figure.subplots(1, len(_REPLAY_METRICS), sharey=True)
    for panel, metric, heading in zip(panels, _REPLAY_METRICS, _REPLAY_TITLES, strict=True):
        found = {row.contestant: row for row in rows if row.metric is metric}
        for place, name in enumerate(names):
            row = found.get(name)
            if row is None:
                missing = " reference" if name == recorded_name("none") else " not comparable"
                panel.text(0.0, place, missing, fontsize=6, va="center", color="grey")
                continue
            low = row.value - (row.ci_low if row.ci_low is not None else row.value)
            high = (row.ci_high if row.ci_high is not None else row.value) - row.value
            colour = "tab:grey" if name.startswith("recorded:") else "tab:blue"
            panel.barh(place, row.value, xerr=[[low], [high]], color=colour, height=0.6, ecolor="black", capsize=2)
        panel.set_title(heading, fontsize=8)
        panel.set_yticks(range(len(names)), names, fontsize=7)
        panel.grid(axis="x", alpha=0.3)
        panel.tick_params(axis="x", labelsize=7)
    return _svg(figure)


def all_plots(report: BenchmarkReport) -> list[str]:
    """Every plot that the report's data allow, in reading order."""
    plots = []
    replay = [row for row in report.rows if row.split == "replay" and row.metric in _REPLAY_METRICS]
    for name in dict.fromkeys(row.corpus for row in replay):
        plots.append(replay_plot([row for row in replay if row.corpus == name], f"{name}: guarded replay"))
    for corpus, split in dict.fromkeys((curve.corpus, curve.split) for curve in report.roc):
        curves = [curve for curve in report.roc if (curve.corpus, curve.split) == (corpus, split)]
        plots.append(roc_plot(curves, f"{corpus}: {split}"))
    for corpus, split in dict.fromkeys((curve.corpus, curve.split) for curve in report.reliability):
        diagrams = [curve for curve in report.reliability if (curve.corpus, curve.split) == (corpus, split)]
        plots.append(reliability_plot(diagrams, f"{corpus}: {split}, reliability"))
    for name in ("operator", "language"):
        rows = [
            row for row in report.rows if row.split.startswith(f"test/{name}=") and row.metric is Metric.TPR_AT_FPR_1
        ]
        if rows:
            plots.append(bars_plot(rows, f"generated: found at 1 % false alarms, by {name}"))
    return plots


def _figure(width: float, height: float) -> Figure:
    module = require("matplotlib.figure", extra="eval", purpose=_PURPOSE)
    figure: Figure = module.Figure(figsize=(width, height), layout="constrained")
    return figure


def _svg(figure: Figure) -> str:
    matplotlib = require("matplotlib", extra="eval", purpose=_PURPOSE)
    buffer = io.StringIO()
    # A fixed salt and no date: the same figures give the same bytes.
    with matplotlib.rc_context({"svg.hashsalt": "mage-ml", "svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]
