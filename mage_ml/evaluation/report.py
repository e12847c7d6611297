"""The benchmark report: one typed value, written as JSON, Markdown and one self-contained HTML page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.evaluation.rows import BenchmarkRow, Metric
from mage_ml.evaluation.targets import Verdict, judge_targets
from mage_ml.runtime.evaluators.tier_stats import TierStats

REPORT_SCHEMA_VERSION: Final = 1


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RocCurve(_Frozen):
    """Points of a ROC curve, thinned for drawing."""

    corpus: str
    split: str
    contestant: str
    false_rate: tuple[float, ...]
    true_rate: tuple[float, ...]


class ReliabilityBin(_Frozen):
    """Mean score and realised share of positives of one bin."""

    mean_score: float
    positive_share: float
    n: int


class ReliabilityCurve(_Frozen):
    """Reliability diagram of one contestant."""

    corpus: str
    split: str
    contestant: str
    bins: tuple[ReliabilityBin, ...]


class ReplayCounts(_Frozen):
    """Absolute counts of a guarded replay, or of a recorded defence, for the table under the figures.

    Attributes:
        corpus: Where.
        contestant: Who.
        attacked: Attacked runs.
        attacks_left: Attacks that succeed.
        solved_under_attack: Attacked runs in which the attack fails and the user's task is solved.
        clean: Clean runs.
        clean_solved: Clean runs with the task solved.
    """

    corpus: str
    contestant: str
    attacked: int
    attacks_left: int
    solved_under_attack: int
    clean: int
    clean_solved: int


class ReportMetadata(_Frozen):
    """Where the figures come from.

    Attributes:
        created: Date, as given by the caller; empty when none was.
        mage_ml_version: Release.
        versions: Library -> version.
        digests: Input -> SHA-256 or count line that identifies it.
        notes: What a reader must know: exclusions, failures, label problems.
        config: The resolved configuration as YAML.
    """

    created: str
    mage_ml_version: str
    versions: Mapping[str, str] = Field(default_factory=dict)
    digests: Mapping[str, str] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()
    config: str = ""


class BenchmarkReport(_Frozen):
    """All figures of one benchmark run. `tier_stats` says what each tier did over all its assessments of the run."""

    rows: tuple[BenchmarkRow, ...]
    metadata: ReportMetadata
    roc: tuple[RocCurve, ...] = ()
    reliability: tuple[ReliabilityCurve, ...] = ()
    replay_counts: tuple[ReplayCounts, ...] = ()
    tier_stats: TierStats | None = None
    schema_version: int = REPORT_SCHEMA_VERSION

    def select(
        self, *, corpus: str | None = None, split: str | None = None, metric: Metric | None = None
    ) -> tuple[BenchmarkRow, ...]:
        """The rows that match, in order."""
        return tuple(
            row
            for row in self.rows
            if (corpus is None or row.corpus == corpus)
            and (split is None or row.split == split)
            and (metric is None or row.metric is metric)
        )

    def verdicts(self) -> tuple[Verdict, ...]:
        """How the figures compare with the targets of the project."""
        return judge_targets(self.rows)


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The files of a written report."""

    json: Path
    markdown: Path
    html: Path


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the report: a split, its contestants as lines and its metrics as columns."""

    title: str
    metrics: tuple[str, ...]
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    protocol: str


def write_report(report: BenchmarkReport, folder: Path) -> ReportFiles:
    """Write `report.json`, `report.md` and `report.html` into a folder, which is made if need be.

    Raises:
        MissingExtraError: matplotlib or Jinja2 is missing.
    """
    from mage_ml.evaluation.report_html import render_html

    folder.mkdir(parents=True, exist_ok=True)
    files = ReportFiles(folder / "report.json", folder / "report.md", folder / "report.html")
    content = report.model_dump(mode="json")
    files.json.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    files.markdown.write_text(render_markdown(report), encoding="utf-8")
    files.html.write_text(render_html(report), encoding="utf-8")
    return files


def read_report(path: Path) -> BenchmarkReport:
    """Read a `report.json`."""
    return BenchmarkReport.model_validate_json(path.read_text(encoding="utf-8"))


def tables_of(rows: Sequence[BenchmarkRow]) -> tuple[Table, ...]:
    """One table a split, in order of appearance."""
    by_split: dict[tuple[str, str], list[BenchmarkRow]] = {}
    for row in rows:
        by_split.setdefault((row.corpus, row.split), []).append(row)
    return tuple(_table(f"{corpus}: {split}", found) for (corpus, split), found in by_split.items())


def render_markdown(report: BenchmarkReport) -> str:
    """The report as Markdown."""
    lines = ["# Benchmark report", ""]
    meta = report.metadata
    lines += [f"MAGE-ML {meta.mage_ml_version}" + (f", {meta.created}" if meta.created else ""), ""]
    verdicts = report.verdicts()
    if verdicts:
        lines += ["## Against the targets", "", "| target | wanted | found | met |", "|---|---|---|---|"]
        lines += [
            f"| {v.label} ({v.contestant}) | {v.wanted} | {v.found} | {'yes' if v.met else 'NO'} |" for v in verdicts
        ]
        lines.append("")
    if meta.notes:
        lines += ["## What to know", "", *(f"- {note}" for note in meta.notes), ""]
    for table in tables_of(report.rows):
        lines += [f"## {table.title}", ""]
        lines += ["| contestant | " + " | ".join(table.metrics) + " |", "|---" * (len(table.metrics) + 1) + "|"]
        lines += [f"| {name} | " + " | ".join(values) + " |" for name, values in table.lines]
        lines += ["", f"Protocol: {table.protocol}", ""]
    if report.replay_counts:
        lines += ["## Guarded replay, absolute counts", "", *_counts_table(report.replay_counts), ""]
    lines += ["## Inputs", "", *(f"- {name}: `{digest}`" for name, digest in meta.digests.items()), ""]
    return "\n".join(lines)


def _counts_table(counts: Iterable[ReplayCounts]) -> list[str]:
    lines = [
        "| corpus | contestant | attacked runs | attacks left | solved under attack | clean runs | clean solved |",
        "|---|---|---|---|---|---|---|",
    ]
    return lines + [
        f"| {c.corpus} | {c.contestant} | {c.attacked} | {share(c.attacks_left, c.attacked)} | "
        f"{share(c.solved_under_attack, c.attacked)} | {c.clean} | {share(c.clean_solved, c.clean)} |"
        for c in counts
    ]


def share(part: int, whole: int) -> str:
    """A count with its percentage."""
    return f"{part} ({100 * part / whole:.1f} %)" if whole else f"{part}"


def _table(title: str, rows: Sequence[BenchmarkRow]) -> Table:
    metrics = [metric for metric in Metric if any(row.metric is metric for row in rows)]
    names = dict.fromkeys(row.contestant for row in rows)
    cells = {(row.contestant, row.metric): format_row(row) for row in rows}
    lines = tuple((name, tuple(cells.get((name, metric), "") for metric in metrics)) for name in names)
    protocols = dict.fromkeys(row.protocol for row in rows if row.protocol)
    return Table(title, tuple(metric.value for metric in metrics), lines, " / ".join(protocols))


def format_row(row: BenchmarkRow) -> str:
    """A figure with its interval, as a person reads it."""
    if row.metric in (Metric.LATENCY_P50_MS, Metric.LATENCY_P99_MS, Metric.SIZE_MB):
        return f"{row.value:.2f}"
    text = f"{row.value:.3f}"
    if row.ci_low is not None and row.ci_high is not None:
        text += f" [{row.ci_low:.3f}, {row.ci_high:.3f}]"
    return text
