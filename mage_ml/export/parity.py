"""The gates: exported models must agree with the trained one before anything is sealed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mage_ml.artifact.model import ModelArtifact
from mage_ml.encoding import EncodedSnapshot
from mage_ml.memory import MomentLabel
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far one model agrees with another on the same snapshots.

    Attributes:
        max_difference: Largest difference of a calibrated score.
        decisions_agree: Share of snapshots on the same side of the threshold.
        recall_drop: Recall of the reference minus recall of the other; 0 when no snapshot is risky.
    """

    max_difference: float
    decisions_agree: float
    recall_drop: float


def probabilities_of(
    model: ModelArtifact, encoded: Sequence[EncodedSnapshot], progress: Progress = silent, stage: str = "scoring"
) -> npt.NDArray[np.float64]:
    """Calibrated scores of encoded snapshots, shape (snapshots, 4)."""
    rows = []
    for number, item in enumerate(encoded, start=1):
        axes = model.score_encoded(item).axes
        rows.append([axes[axis] for axis in RiskAxis])
        progress(stage, number, len(encoded))
    return np.array(rows, dtype=np.float64)


def compare(
    reference: npt.NDArray[np.float64],
    other: npt.NDArray[np.float64],
    labels: Sequence[MomentLabel],
    threshold: float,
) -> Agreement:
    """Compare two models' scores, shape (snapshots, 4) each.

    Args:
        reference: Scores of the trained model.
        other: Scores of the exported one.
        labels: What is known of each snapshot.
        threshold: Operating threshold.
    """
    before, after = reference.max(1) >= threshold, other.max(1) >= threshold
    risky = np.array([label.is_risky for label in labels])
    drop = float(before[risky].mean() - after[risky].mean()) if risky.any() else 0.0
    return Agreement(float(np.abs(reference - other).max()), float((before == after).mean()), drop)
