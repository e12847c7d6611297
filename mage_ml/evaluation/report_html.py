"""The report as one HTML page that needs nothing from outside."""

from __future__ import annotations

from importlib import resources

from mage_ml.evaluation.plots import all_plots
from mage_ml.evaluation.report import BenchmarkReport, share, tables_of
from mage_ml.evaluation.rows import RECORDED_PREFIX, BenchmarkRow, Metric, recorded_name
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
    left = report.select(split="replay", metric=Metric.ATTACK_SUCCESS_LEFT)
    for row in left:
        if row.contestant == recorded_name("none"):
            sentences.append(
                f"{row.corpus}: without a guard, {row.value:.1%} of {row.n:,} attacks on recorded agents succeed."
            )
    for row in left:
        if row.contestant.startswith(RECORDED_PREFIX):
            continue
        halted = _value(report, row, Metric.BENIGN_HALTED)
        kept = _value(report, row, Metric.UTILITY_UNDER_ATTACK_KEPT)
        sentences.append(
            f"{row.corpus}: with {row.contestant}, {row.value:.1%} are left; {halted} of the clean runs that were "
            f"solved are stopped, and {kept} of the runs that resisted an attack and solved their task are let through."
        )
    for row in report.select(corpus="generated", split="test", metric=Metric.TPR_AT_FPR_1):
        sentences.append(
            f"On generated test data, {row.contestant} finds {row.value:.1%} of the risky actions at 1 % false alarms."
        )
    return sentences


def _value(report: BenchmarkReport, beside: BenchmarkRow, metric: Metric) -> str:
    """Another replay figure of the same contestant on the same corpus."""
    found = report.select(corpus=beside.corpus, split="replay", metric=metric)
    rows = [row for row in found if row.contestant == beside.contestant]
    return f"{rows[0].value:.1%}" if rows else "an unknown share"
