"""Scores become probabilities, and a threshold gets a bound that holds for finite data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mage_ml.artifact import AxisCalibration
from mage_ml.extras import require
from mage_ml.risk import RiskAxis

CONFIDENCE: Final = 0.95
AXES: Final = tuple(RiskAxis)


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold and what is promised about it.

    Attributes:
        threshold: Alarm at or above this calibrated score.
        bound: With the stated confidence, at most this share of benign episodes raises an alarm.
        confidence: Confidence of the bound.
        benign_episodes: Benign episodes it rests on.
        alarms: How many of them raise an alarm.
    """

    threshold: float
    bound: float
    confidence: float
    benign_episodes: int
    alarms: int


def fit_calibration(
    logits: npt.NDArray[np.float64], labels: npt.NDArray[np.float64], known: npt.NDArray[np.float64]
) -> Mapping[RiskAxis, AxisCalibration]:
    """Platt scaling per axis (Platt 1999), fitted on validation data.

    An axis with fewer than five examples of either kind keeps its raw score. The slope is kept positive: calibration
    never turns a ranking around.

    Args:
        logits: Shape (snapshots, 4).
        labels: Shape (snapshots, 4), 0 or 1.
        known: Shape (snapshots, 4), 1 where the label speaks about the axis.
    """
    linear = require("sklearn.linear_model", extra="train", purpose="calibrate scores")
    fitted: dict[RiskAxis, AxisCalibration] = {}
    for column, axis in enumerate(AXES):
        use = known[:, column] > 0
        wanted = labels[use, column]
        if min(wanted.sum(), (1 - wanted).sum()) < 5:
            fitted[axis] = AxisCalibration()
            continue
        model = linear.LogisticRegression(C=1.0).fit(logits[use, column : column + 1], wanted)
        slope = max(1e-3, float(model.coef_[0, 0]))
        fitted[axis] = AxisCalibration(slope=slope, offset=float(model.intercept_[0]))
    return fitted


def choose_threshold(
    benign_peaks: Sequence[float],
    target: float,
    risky_scores: Sequence[float] = (),
    confidence: float = CONFIDENCE,
) -> OperatingPoint:
    """Threshold with a finite-sample bound on false alarms per episode.

    Each benign episode counts once, with its highest score over all steps and axes, so looking at every step is paid
    for. If k of n exchangeable benign episodes lie at or above the threshold, the share p of future ones that do
    satisfies P(Binomial(n, p) <= k) >= 1 - confidence up to the Clopper-Pearson bound. The most alarms k whose bound
    meets the target is used; with too few episodes even k = 0 misses it, and the bound that holds is reported instead
    (59 episodes give 5 %, 299 give 1 %, 2,995 give 0.1 % at 95 % confidence).

    Any higher threshold keeps the bound. Up to the next risky score nothing is lost by raising it, so it is put half
    way (in logits) to there: scores that lie near it would flip with every rounding.

    Args:
        benign_peaks: Highest calibrated score of each benign episode.
        target: Wanted bound on the share of benign episodes with a false alarm.
        risky_scores: Calibrated scores of risky snapshots.
        confidence: Confidence of the bound.

    Raises:
        ValueError: No benign episodes.
    """
    count = len(benign_peaks)
    if count == 0:
        raise ValueError("no benign episodes: a threshold needs at least one, and 299 for a bound of 1 %")
    alarms = 0
    while alarms + 1 < count and clopper_pearson_upper(alarms + 1, count, confidence) <= target:
        alarms += 1
    ordered = sorted(benign_peaks, reverse=True)
    # Above the first peak that must stay quiet. Ties at that value stay quiet too.
    quiet = ordered[alarms]
    ceiling = min((score for score in risky_scores if score > quiet), default=quiet)
    threshold = max(
        _sigmoid((_logit(quiet) + _logit(ceiling)) / 2), float(np.nextafter(np.float32(quiet), np.float32(2.0)))
    )
    raised = sum(peak >= threshold for peak in ordered)
    bound = clopper_pearson_upper(alarms, count, confidence)
    return OperatingPoint(min(1.0, threshold), bound, confidence, count, raised)


def _logit(probability: float) -> float:
    clipped = min(max(probability, 1e-9), 1.0 - 1e-9)
    return math.log(clipped / (1.0 - clipped))


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))


def clopper_pearson_upper(hits: int, count: int, confidence: float = CONFIDENCE) -> float:
    """One-sided upper bound on a share (Clopper and Pearson 1934).

    Args:
        hits: Observed cases.
        count: Trials.
        confidence: Confidence of the bound.
    """
    if hits >= count:
        return 1.0
    stats = require("scipy.stats", extra="train", purpose="compute exact bounds")
    return float(stats.beta.ppf(confidence, hits + 1, count - hits))
