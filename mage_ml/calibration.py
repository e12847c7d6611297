"""A threshold with a bound on false alarms that holds for finite data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

CONFIDENCE: Final = 0.95
_HALVINGS: Final = 60


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


def episodes_needed(target: float, confidence: float = CONFIDENCE) -> int:
    """How many benign episodes without a single alarm it takes to promise a bound: (1 - target)^n <= 1 - confidence.

    Args:
        target: Wanted bound, above 0 and below 1.
        confidence: Confidence of the bound.
    """
    return math.ceil(math.log(1.0 - confidence) / math.log1p(-target))


def clopper_pearson_upper(hits: int, count: int, confidence: float = CONFIDENCE) -> float:
    """One-sided upper bound on a share (Clopper and Pearson 1934).

    Args:
        hits: Observed cases.
        count: Trials.
        confidence: Confidence of the bound.
    """
    return 1.0 if hits >= count else beta_quantile(confidence, hits + 1, count - hits)


def beta_quantile(level: float, successes: int, failures: int) -> float:
    """Quantile of a Beta distribution with whole parameters of at least 1.

    P(Beta(a, b) <= x) equals P(Binomial(a + b - 1, x) >= a), which is summed exactly and inverted by halving.

    Args:
        level: 0 to 1.
        successes: First parameter, a.
        failures: Second parameter, b.
    """
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if binomial_cdf(successes - 1, successes + failures - 1, middle) > 1.0 - level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def binomial_cdf(hits: int, count: int, share: float) -> float:
    """P(Binomial(count, share) <= hits)."""
    if hits >= count or share <= 0.0:
        return 1.0
    if share >= 1.0:
        return 0.0
    ks = np.arange(hits + 1, dtype=np.float64)
    # log C(n, k) as a running sum of log((n - k + 1) / k), so that nothing overflows.
    steps = np.log(count - ks[1:] + 1.0) - np.log(ks[1:])
    terms = np.concatenate(([0.0], np.cumsum(steps))) + ks * math.log(share) + (count - ks) * math.log1p(-share)
    peak = float(terms.max())
    return min(1.0, math.exp(peak) * float(np.exp(terms - peak).sum()))


def _logit(probability: float) -> float:
    clipped = min(max(probability, 1e-9), 1.0 - 1e-9)
    return math.log(clipped / (1.0 - clipped))


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))
