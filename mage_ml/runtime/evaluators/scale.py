"""One scale for every evaluator: 0.5 is the operating threshold.

A calibrated model ships one threshold per axis, chosen on validation data for a stated false-alarm bound. Raw scores
are stretched piecewise linearly so that 0 stays 0, the threshold becomes 0.5 and 1 stays 1. Rules speak this scale by
their weights. A number in a policy therefore means the same with every model: above 0.5 the evaluator would alarm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from mage_ml.risk import Assessment, RiskAxis, RiskVector

OPERATING_POINT: Final = 0.5


def rescale(score: float, threshold: float) -> float:
    """Map a raw score to the common scale.

    Args:
        score: Raw score, 0 to 1.
        threshold: The raw score at which the evaluator alarms, 0 to 1. At 1 the evaluator never alarms: only a score
            of exactly 1 reaches 0.5.

    Returns:
        0 to 1; monotone in `score`, and 0.5 where `score` equals `threshold`.
    """
    if score < threshold:
        return OPERATING_POINT * score / threshold
    if threshold >= 1.0:
        return OPERATING_POINT
    return OPERATING_POINT + (1.0 - OPERATING_POINT) * (score - threshold) / (1.0 - threshold)


def rescale_assessment(
    assessment: Assessment, thresholds: Mapping[RiskAxis, float], entry_threshold: float
) -> Assessment:
    """An assessment with all its scores on the common scale.

    Args:
        assessment: Raw scores.
        thresholds: Operating threshold by axis; axes that are not named keep their scores.
        entry_threshold: Operating threshold of the entry scores.
    """

    def of(axis: RiskAxis, score: float) -> float:
        return rescale(score, thresholds[axis]) if axis in thresholds else score

    return Assessment(
        risk=RiskVector.from_scores({axis: of(axis, assessment.risk[axis]) for axis in RiskAxis}),
        evidence=tuple(
            sorted(
                (item.model_copy(update={"score": of(item.axis, item.score)}) for item in assessment.evidence),
                key=lambda item: -item.score,
            )
        ),
        coverage=assessment.coverage,
        entry_scores={name: rescale(score, entry_threshold) for name, score in assessment.entry_scores.items()},
    )


def full_on_failure(factor_of: Callable[[str], float]) -> Callable[[str], float]:
    """The same factors, but 1 where one cannot be had: what is not known weakens nothing."""

    def factor(voice: str) -> float:
        try:
            return factor_of(voice)
        except Exception:
            return 1.0

    return factor


def weaken(assessment: Assessment, factor_of: Callable[[str], float], *, keep_blame: bool = False) -> Assessment:
    """An assessment in which some voices count for less.

    Args:
        assessment: Scores on the common scale.
        factor_of: Factor of a voice by the name in `Evidence.found_by`, 0 to 1.
        keep_blame: Keep the scores of entries, and scale the risk itself by the factor (of any name): for an evaluator
            whose scores are more than its evidence. Otherwise risk and blame are worked out again from the evidence.
    """
    if keep_blame:
        factor = factor_of("")
        if factor >= 1.0:
            return assessment
        return assessment.model_copy(
            update={
                "risk": RiskVector.from_scores({axis: assessment.risk[axis] * factor for axis in RiskAxis}),
                "evidence": tuple(e.model_copy(update={"score": e.score * factor}) for e in assessment.evidence),
            }
        )
    factors = {item.found_by: factor_of(item.found_by) for item in assessment.evidence}
    if all(factor >= 1.0 for factor in factors.values()):
        return assessment
    evidence = [
        item.model_copy(update={"score": item.score * min(1.0, factors[item.found_by])}) for item in assessment.evidence
    ]
    return Assessment.from_evidence(evidence, assessment.coverage)
