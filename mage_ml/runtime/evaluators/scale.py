"""One scale for every evaluator: 0.5 is the operating threshold.

A calibrated model ships one threshold per axis, chosen on validation data for a stated false-alarm bound. Raw scores
are stretched piecewise linearly so that 0 stays 0, the threshold becomes 0.5 and 1 stays 1. Rules speak this scale by
their weights. A number in a policy therefore means the same with every model: above 0.5 the evaluator would alarm.
"""

from __future__ import annotations

from collections.abc import Mapping
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
