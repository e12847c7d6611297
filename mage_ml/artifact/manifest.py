"""What an artifact says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from mage_ml.encoding import EncodingSettings
from mage_ml.risk import RiskAxis, Score

FORMAT_VERSION: Final = 1
MAX_LOGIT: Final = 15.0
"""Calibrated logits are kept within this, so that no score is exactly 1 and a threshold can lie above any score."""


class FileRecord(BaseModel):
    """Size and SHA-256 of one file of the folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    size_bytes: Annotated[int, Field(ge=0)]


class AxisCalibration(BaseModel):
    """Platt scaling of one axis: probability = sigmoid(slope * logit + offset)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slope: Annotated[float, Field(gt=0.0, allow_inf_nan=False)] = 1.0
    offset: Annotated[float, Field(allow_inf_nan=False)] = 0.0

    def probability(self, logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Calibrated probabilities of raw logits, any shape."""
        scaled = np.clip(self.slope * logits + self.offset, -MAX_LOGIT, MAX_LOGIT)
        return np.asarray(1.0 / (1.0 + np.exp(-scaled)))


class ParityReport(BaseModel):
    """How far the exported models agree with the trained one, on a stated set.

    Attributes:
        snapshots: Size of the set.
        fp32_max_difference: Largest difference of a probability, torch against fp32 ONNX.
        int8_decisions_agree: Share of snapshots with the same decision at the threshold, torch against int8.
        int8_recall_drop: Recall of torch minus recall of int8 at the threshold; negative when int8 finds more.
        shipped: `int8`, or `fp32` when the gate was not met.
        reason: Why, in one sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    snapshots: Annotated[int, Field(ge=0)]
    fp32_max_difference: float
    int8_decisions_agree: Score
    int8_recall_drop: float
    shipped: str
    reason: str


class ArtifactManifest(BaseModel):
    """Identity, limits, calibration and evidence of a model.

    Attributes:
        format_version: Version of the folder format. Newer ones are refused by name.
        name: Name of the model.
        model_version: Version of the model; changes with every training.
        created: Date of the export, ISO 8601.
        licence: Licence of the weights.
        languages: Languages the model was trained on.
        encoding: Limits and switches of the encoding it was trained with.
        feature_names: Feature columns in order; loading compares them with the code's.
        relation_names: Relations in order; compared likewise.
        axes: Order of the scores.
        vector_size: Width of an item vector.
        parameters: Number of weights.
        calibration: Platt scaling by axis.
        thresholds: Operating threshold by axis, on calibrated scores.
        entry_threshold: Threshold of the per-entry score.
        false_alarm_bound: Bound on false alarms per benign episode at these thresholds.
        false_alarm_confidence: Confidence of that bound.
        benign_episodes: Benign episodes the bound rests on.
        data_digest: SHA-256 of the training data.
        base_model_sha256: SHA-256 of the pretrained weights.
        training: Resolved training configuration.
        metrics: Metrics on validation data.
        parity: Agreement of the exported models.
        files: Every other file of the folder.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format_version: int = FORMAT_VERSION
    name: str
    model_version: str
    created: str
    licence: str = "Apache-2.0"
    languages: tuple[str, ...]
    encoding: EncodingSettings
    feature_names: tuple[str, ...]
    relation_names: tuple[str, ...]
    axes: tuple[RiskAxis, ...] = tuple(RiskAxis)
    vector_size: Annotated[int, Field(ge=1)]
    parameters: Annotated[int, Field(ge=1)]
    calibration: Mapping[RiskAxis, AxisCalibration]
    thresholds: Mapping[RiskAxis, Score]
    entry_threshold: Score
    false_alarm_bound: Score
    false_alarm_confidence: Score = 0.95
    benign_episodes: Annotated[int, Field(ge=0)]
    data_digest: str
    base_model_sha256: str
    training: Mapping[str, object]
    metrics: Mapping[str, float]
    parity: ParityReport
    files: Mapping[str, FileRecord] = Field(default_factory=dict)
