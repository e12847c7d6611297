"""Several tiers' assessments of one snapshot as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis, RiskVector
from mage_ml.runtime.evaluators.scale import rescale


class TierRun(BaseModel):
    """One tier's part in an assessment.

    Attributes:
        tier: Name of the tier.
        raw: Its own scores, before rescaling and combination.
        latency_ms: How long it took.
        settled: Whether its answer was final.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tier: str
    raw: RiskVector
    latency_ms: Annotated[float, Field(ge=0.0)]
    settled: bool


class TieredAssessment(Assessment):
    """An assessment with each tier's part in it.

    Attributes:
        tiers: In the order they were asked.
    """

    tiers: tuple[TierRun, ...] = ()

    @property
    def settled_by(self) -> str:
        """The tier whose answer was final; empty when every tier failed."""
        return next((run.tier for run in reversed(self.tiers) if run.settled), "")


def combine(
    known: Sequence[Assessment],
    runs: Sequence[TierRun],
    coverage: Coverage,
    *,
    discount: float,
    thresholds: Mapping[RiskAxis, float],
) -> TieredAssessment:
    """Put the answers of tiers together.

    On each axis the higher score counts, less a share of the difference when another tier saw less; then the axis is
    stretched so that its threshold becomes 0.5.

    Args:
        known: The answers, on the common scale; at least one.
        runs: The tiers that gave them.
        coverage: Of all tiers.
        discount: The share of the difference.
        thresholds: Of the combined scores, by axis; axes that are not named keep theirs.
    """
    mixed = {axis: _with_discount([item.risk[axis] for item in known], discount) for axis in RiskAxis}

    def of(axis: RiskAxis, score: float) -> float:
        capped = min(score, mixed[axis])
        return rescale(capped, thresholds[axis]) if axis in thresholds else capped

    evidence = [
        item.model_copy(update={"score": of(item.axis, item.score)}) for part in known for item in part.evidence
    ]
    entries: dict[str, float] = {}
    for part in known:
        for name, score in part.entry_scores.items():
            entries[name] = max(entries.get(name, 0.0), score)
    return TieredAssessment(
        risk=RiskVector.from_scores({axis: of(axis, score) for axis, score in mixed.items()}),
        evidence=_ordered(evidence),
        coverage=coverage,
        entry_scores=entries,
        tiers=(*runs[:-1], runs[-1].model_copy(update={"settled": True})),
    )


def _with_discount(scores: list[float], discount: float) -> float:
    return max(scores) - discount * (max(scores) - min(scores))


def _ordered(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(sorted(evidence, key=lambda item: -item.score))


def all_failed(coverage: Coverage) -> str:
    """What to say when every tier failed."""
    return "no tier gave a score: " + "; ".join(f"{name}: {reason}" for name, reason in coverage.failed.items())
