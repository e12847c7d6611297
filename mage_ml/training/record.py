"""What a finished training run leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from mage_ml.artifact import AxisCalibration
from mage_ml.errors import ConfigError
from mage_ml.risk import RiskAxis, Score
from mage_ml.training.config import TrainConfig

RECORD: Final = "training.json"
WEIGHTS: Final = "weights.safetensors"
TOKENIZER: Final = "tokenizer.json"


class LossRecord(BaseModel):
    """One point of the loss curve."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: str
    epoch: float
    loss: float
    validation: bool


class CorpusUse(BaseModel):
    """A published corpus that a model learned from.

    Attributes:
        name: Its name.
        title: Its name in print.
        licence: Its licence.
        episodes: Episodes of it in the training data.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    licence: str
    episodes: int


class TrainingRecord(BaseModel):
    """A trained model's configuration, calibration and evidence.

    Attributes:
        config: Resolved configuration.
        vocabulary_size: Tokens of the student.
        vector_size: Width of an item vector.
        parameters: Number of weights.
        languages: Languages in the training data.
        calibration: Platt scaling by axis.
        threshold: Operating threshold on calibrated scores, one for all axes, so that it bounds their union.
        entry_threshold: Threshold of the per-entry score.
        false_alarm_bound: Bound on false alarms per benign episode at the threshold.
        benign_episodes: Benign validation episodes behind the bound.
        benign_alarms: How many of them raise an alarm.
        metrics: Metrics on validation data.
        corpora: Published corpora in the training data.
        data_digest: SHA-256 of training and validation data.
        base_model_sha256: SHA-256 of the pretrained weights.
        loss: The loss curve.
        seconds: Wall time of the stages.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    config: TrainConfig
    vocabulary_size: int
    vector_size: int
    parameters: int
    languages: tuple[str, ...]
    calibration: Mapping[RiskAxis, AxisCalibration]
    threshold: Score
    entry_threshold: Score
    false_alarm_bound: Score
    benign_episodes: int
    benign_alarms: int
    metrics: Mapping[str, float]
    corpora: tuple[CorpusUse, ...] = ()
    data_digest: str
    base_model_sha256: str
    loss: tuple[LossRecord, ...]
    seconds: Mapping[str, float]

    def write(self, folder: Path) -> None:
        """Write the record beside the weights."""
        (folder / RECORD).write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")


def read_record(folder: Path) -> TrainingRecord:
    """Read the record of a finished run.

    Raises:
        ConfigError: The folder holds no finished run.
    """
    path = folder / RECORD
    if not path.is_file():
        raise ConfigError(f"{folder}: no {RECORD}; expected the folder of a finished `mage-ml train`")
    return TrainingRecord.model_validate_json(path.read_text(encoding="utf-8"))
