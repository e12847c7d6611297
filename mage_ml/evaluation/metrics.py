"""Figures of merit, each with its interval and the number of cases behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mage_ml.extras import require

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

ECE_BINS: Final = 10
Z_95: Final = 1.959963984540054
BOOTSTRAP_ROUNDS: Final = 200


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval.

    Attributes:
        value: The figure.
        low: Lower end; `None` when no interval is given.
        high: Upper end.
        n: Cases behind it.
    """

    value: float
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """Mean score and realised share of positives in one bin of a reliability diagram."""

    mean_score: float
    positive_share: float
    n: int


def proportion(successes: int, n: int) -> Estimate | None:
    """A share with its Wilson score interval (E. B. Wilson, 1927); `None` when there is no case.

    Raises:
        ValueError: More successes than cases, or a negative count.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} cases: expected 0 <= successes <= cases")
    if n == 0:
        return None
    share, z2 = successes / n, Z_95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At the ends the interval touches the figure itself; rounding must not push it past.
    return Estimate(share, min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)), n)


def auroc(
    scores: FloatArray,
    positive: BoolArray,
    groups: Sequence[str] | None = None,
    *,
    rng: np.random.Generator | None = None,
) -> Estimate | None:
    """Area under the ROC curve.

    Args:
        scores: Shape (n,).
        positive: Shape (n,).
        groups: The group of each case; whole groups are drawn in the bootstrap, since cases of a run are no
            independent evidence.
        rng: Source of the bootstrap draws; no interval without it.

    Returns:
        `None` when one of the two classes is absent.
    """
    value = _area(scores, positive)
    if value is None:
        return None
    low, high = (None, None) if rng is None else _bootstrap_area(scores, positive, groups, rng)
    return Estimate(value, low, high, len(scores))


def auprc(scores: FloatArray, positive: BoolArray) -> Estimate | None:
    """Average precision; `None` when there is no positive."""
    if not positive.any():
        return None
    sk = require("sklearn.metrics", extra="eval", purpose="compute average precision")
    return Estimate(float(sk.average_precision_score(positive, scores)), None, None, len(scores))


def threshold_at_fpr(negative_scores: FloatArray, fpr: float) -> float:
    """The lowest threshold at which at most `fpr` of the negatives lie strictly above it.

    Raises:
        ValueError: No negatives.
    """
    if len(negative_scores) == 0:
        raise ValueError("a threshold needs negatives; there is none")
    ordered = np.sort(negative_scores)[::-1]
    return float(ordered[min(math.floor(fpr * len(ordered) + 1e-9), len(ordered) - 1)])


def tpr_at_fpr(scores: FloatArray, positive: BoolArray, fpr: float) -> Estimate | None:
    """Share of positives above the threshold at which at most `fpr` of the negatives are; Wilson interval.

    With fewer than 1 / `fpr` negatives not a single one may be above.
    """
    negatives = scores[~positive]
    if len(negatives) == 0:
        return None
    hits = scores[positive] > threshold_at_fpr(negatives, fpr)
    return proportion(int(hits.sum()), len(hits))


def reliability(scores: FloatArray, positive: BoolArray, bins: int = ECE_BINS) -> tuple[Calibration, ...]:
    """The non-empty bins of equal width over [0, 1]."""
    index = np.minimum((np.clip(scores, 0.0, 1.0) * bins).astype(int), bins - 1)
    return tuple(
        Calibration(float(scores[mine].mean()), float(positive[mine].mean()), int(mine.sum()))
        for number in range(bins)
        if (mine := index == number).any()
    )


def ece(scores: FloatArray, positive: BoolArray, bins: int = ECE_BINS) -> Estimate | None:
    """Expected calibration error over bins of equal width (Naeini et al., 2015)."""
    if len(scores) == 0:
        return None
    gap = sum(abs(b.mean_score - b.positive_share) * b.n for b in reliability(scores, positive, bins)) / len(scores)
    return Estimate(float(gap), None, None, len(scores))


def accuracy(decided: BoolArray, positive: BoolArray) -> Estimate | None:
    """Share of right decisions at a fixed operating point."""
    return proportion(int((decided == positive).sum()), len(positive))


def f1(decided: BoolArray, positive: BoolArray) -> Estimate | None:
    """Harmonic mean of precision and recall of the positive class; `None` when there is no positive."""
    if not positive.any():
        return None
    hits = int((decided & positive).sum())
    return Estimate(2 * hits / (int(decided.sum()) + int(positive.sum())), None, None, len(positive))


def roc_points(scores: FloatArray, positive: BoolArray) -> tuple[FloatArray, FloatArray]:
    """False and true positive rates of the ROC curve; both shape (points,). Empty when a class is absent."""
    if not positive.any() or positive.all():
        return np.empty(0), np.empty(0)
    sk = require("sklearn.metrics", extra="eval", purpose="compute the ROC curve")
    false_rate, true_rate, _ = sk.roc_curve(positive, scores)
    return np.asarray(false_rate, dtype=np.float64), np.asarray(true_rate, dtype=np.float64)


def _area(scores: FloatArray, positive: BoolArray) -> float | None:
    """Mann-Whitney form of the area; ties count one half."""
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if n_positive == 0 or n_negative == 0:
        return None
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    rank = (last - (counts - 1) / 2.0)[inverse]
    return float((rank[positive].sum() - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))


def _bootstrap_area(
    scores: FloatArray, positive: BoolArray, groups: Sequence[str] | None, rng: np.random.Generator
) -> tuple[float | None, float | None]:
    names = np.arange(len(scores)) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    order = np.argsort(names, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(names[order])) + 1)
    areas = []
    for _ in range(BOOTSTRAP_ROUNDS):
        drawn = np.concatenate([members[i] for i in rng.integers(0, len(members), len(members))])
        area = _area(scores[drawn], positive[drawn])
        if area is not None:
            areas.append(area)
    if len(areas) < BOOTSTRAP_ROUNDS // 2:
        return None, None
    low, high = np.quantile(areas, [0.025, 0.975])
    return float(low), float(high)
