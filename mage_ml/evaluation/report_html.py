"""The report as one HTML page that needs nothing from outside."""

from __future__ import annotations

from importlib import resources

from mage_ml.evaluation.plots import all_plots
from mage_ml.evaluation.report import BenchmarkReport, share, tables_of
from mage_ml.evaluation.rows import Metric, recorded_name
from mage_ml.extras import require


def render_html(report: BenchmarkReport) -> str:
    """Render the page.

    Raises:
        MissingExtraError: matplotlib or Jinja2 is missing.
    """
    jinja = require("jinja2", extra="eval", purpose="write the HTML report")
    source = resources.files("mage_ml.evaluation").joinpath("templates/report.html.j2").read_text(encoding="utf-8")
    environment = jinja.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.globals["share"] = share
    page: str = environment.from_string(source).render(
        report=report,
        verdicts=report.verdicts(),
        sentences=plain_words(report),
        tables=tables_of(report.rows),
        plots=all_plots(report),
    )
    return page


def plain_words(report: BenchmarkReport) -> list[str]:
    """The headline figures as sentences."""
    sentences = []
    baseline = {row.contestant: row for row in report.select(split="replay", metric=Metric.ATTACK_SUCCESS_LEFT)}
    none = baseline.get(recorded_name("none"))
    if none is not None:
        sentences.append(f"Without a guard, {none.value:.1%} of {none.n:,} attacks on recorded agents succeed.")
    for row in baseline.values():
        if row.contestant.startswith("recorded:"):
            continue
        halted = _value(report, row.contestant, Metric.BENIGN_HALTED)
        kept = _value(report, row.contestant, Metric.UTILITY_UNDER_ATTACK_KEPT)
        sentences.append(
            f"With {row.contestant}, {row.value:.1%} are left; {halted} of the clean runs that were solved are "
            f"stopped, and {kept} of the runs that resisted an attack and solved their task are let through."
        )
    for row in report.select(corpus="generated", split="test", metric=Metric.TPR_AT_FPR_1):
        sentences.append(
            f"On generated test data, {row.contestant} finds {row.value:.1%} of the risky actions at 1 % false alarms."
        )
    return sentences


def _value(report: BenchmarkReport, contestant: str, metric: Metric) -> str:
    rows = [row for row in report.select(split="replay", metric=metric) if row.contestant == contestant]
    return f"{rows[0].value:.1%}" if rows else "an unknown share"
