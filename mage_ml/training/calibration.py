"""Scores become probabilities. The threshold on them is chosen by `mage_ml.calibration`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from mage_ml.artifact import AxisCalibration
from mage_ml.calibration import OperatingPoint, choose_threshold, clopper_pearson_upper
from mage_ml.extras import require
from mage_ml.risk import RiskAxis

AXES: Final = tuple(RiskAxis)

__all__ = ["AXES", "OperatingPoint", "choose_threshold", "clopper_pearson_upper", "fit_calibration"]


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
