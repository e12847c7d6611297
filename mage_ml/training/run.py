"""`mage-ml train`: from a folder of episodes to a trained, calibrated model."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mage_ml.config import dump_config
from mage_ml.encoding import EncodingSettings, SnapshotEncoder
from mage_ml.errors import ConfigError
from mage_ml.extras import require
from mage_ml.memory.records import digest_of
from mage_ml.progress import Progress, silent
from mage_ml.training.base_model import find_base_model
from mage_ml.training.config import Device, TrainConfig
from mage_ml.training.dataset import ExampleGroup, build_groups
from mage_ml.training.mixture import TrainingData, base_group, read_data
from mage_ml.training.record import TOKENIZER, WEIGHTS, LossRecord, TrainingRecord
from mage_ml.training.vocabulary import Vocabulary, fit_vocabulary

if TYPE_CHECKING:
    from mage_ml.training.loop import LossPoint
    from mage_ml.training.model import MageClassifier
    from mage_ml.training.validation import Validation

ABLATIONS: Final = {
    "current_step_only": {"use_history": False},
    "no_provenance": {"use_provenance": False},
}
"""Folder name -> encoding switches. They share the fine-tuned encoder and have a chain head of their own."""

_ALL_MOMENTS: Final = 10_000
Vectors = dict[tuple[int, ...], npt.NDArray[np.float32]]


def train(config: TrainConfig, progress: Progress = silent) -> TrainingRecord:
    """Train a model and write it to `config.out`; a run that was interrupted there goes on.

    Args:
        config: The run.
        progress: Told how far each stage has come.

    Returns:
        The record, as written beside the weights. Ablations are in `config.out / "ablations"`.

    Raises:
        ConfigError: Data or base model missing.
        RecordError: An episode is one that a model must not learn from; see `check_trainable`.
        MissingExtraError: The `train` extra is not installed.
    """
    transformers = require("transformers", extra="train", purpose="train a model")
    from mage_ml.training.model import build_model

    transformers.utils.logging.set_verbosity_error()
    data = read_data(config)
    digest = digest_of([*data.train, *data.validation])
    _claim(config, digest)
    base = find_base_model(config.base_model)
    vocabulary = fit_vocabulary(base.folder / TOKENIZER, config.vocabulary)
    transformers.set_seed(config.seed)
    model = build_model(config, base, vocabulary)
    run = _Run(config, data, digest, vocabulary, base.weights_sha256, progress)
    record = run.main(model)
    if config.ablations:
        for name, switches in ABLATIONS.items():
            run.ablation(model, name, config.encoding.model_copy(update=switches))
    return record


class _Run:
    """One run: the stages share data, device and progress."""

    def __init__(
        self,
        config: TrainConfig,
        data: TrainingData,
        digest: str,
        vocabulary: Vocabulary,
        base_sha256: str,
        progress: Progress,
    ) -> None:
        self.config = config
        self.data = data
        self.vocabulary = vocabulary
        self.base_sha256 = base_sha256
        self.progress = progress
        self.device = _device(config.device)
        self.digest = digest

    def main(self, model: MageClassifier) -> TrainingRecord:
        from mage_ml.training.loop import finetune

        start = time.perf_counter()
        train_groups, validation_groups = self._groups(self.config.encoding)
        seconds = {"encode": time.perf_counter() - start}
        start = time.perf_counter()
        curve = finetune(
            model,
            train_groups,
            validation_groups,
            self.config,
            self.config.out / "checkpoints" / "finetune",
            self.progress,
        )
        seconds["finetune"] = time.perf_counter() - start
        return self._finish(model, (train_groups, validation_groups), self.config, self.config.out, curve, seconds)

    def ablation(self, model: MageClassifier, name: str, encoding: EncodingSettings) -> TrainingRecord:
        from mage_ml.training.model import ChainHead, MageClassifier

        config = self.config.model_copy(update={"encoding": encoding, "name": f"{self.config.name}-{name}"})
        head = ChainHead(_vector_size(model), config)
        variant = MageClassifier(model.encoder, head, model.weights)
        folder = self.config.out / "ablations" / name
        folder.mkdir(parents=True, exist_ok=True)
        return self._finish(variant, self._groups(encoding), config, folder, [], {})

    def _finish(
        self,
        model: MageClassifier,
        groups: tuple[list[ExampleGroup], list[ExampleGroup]],
        config: TrainConfig,
        folder: Path,
        curve: Sequence[LossPoint],
        seconds: Mapping[str, float],
    ) -> TrainingRecord:
        from mage_ml.training.loop import fit_head, vectors_of
        from mage_ml.training.model import save_weights
        from mage_ml.training.validation import score_groups, validate

        start = time.perf_counter()
        vectors = vectors_of(model, [*groups[0], *groups[1]], self.device, self.progress)
        checkpoints = self.config.out / "checkpoints" / f"head-{config.name}"
        # One half of the validation triples chooses the epoch, the other calibrates and measures: a threshold chosen
        # on the data that chose the model would promise too much.
        selection, calibration = _halves(groups[1])
        curve = [*curve, *fit_head(model, groups[0], selection, vectors, config, checkpoints, self.progress)]
        scored = score_groups(model, calibration, vectors, self.device)
        result = validate(scored, {e.episode_id: e for e in self.data.validation}, config.target_false_alarms)
        timing = {**seconds, "head": time.perf_counter() - start}
        record = self._record(model, config, result, curve, timing)
        save_weights(model, folder / WEIGHTS)
        self.vocabulary.tokenizer.save(str(folder / TOKENIZER))
        record.write(folder)
        _draw_loss(record, folder / "loss.png")
        return record

    def _groups(self, encoding: EncodingSettings) -> tuple[list[ExampleGroup], list[ExampleGroup]]:
        encoder = SnapshotEncoder(self.vocabulary.tokenizer, encoding)
        config = self.config
        train_groups = build_groups(
            self.data.train,
            encoder,
            moments_per_episode=config.moments_per_episode,
            seed=config.seed,
            progress=self.progress,
            stage="encoding training episodes",
            total=len(self.data.train),
        )
        # Validation looks at every step: the threshold must hold for whole episodes.
        validation_groups = build_groups(
            self.data.validation,
            encoder,
            moments_per_episode=_ALL_MOMENTS,
            progress=self.progress,
            stage="encoding validation episodes",
            total=len(self.data.validation),
        )
        return train_groups, validation_groups

    def _record(
        self,
        model: MageClassifier,
        config: TrainConfig,
        result: Validation,
        curve: Sequence[LossPoint],
        seconds: Mapping[str, float],
    ) -> TrainingRecord:
        from mage_ml.training.model import model_parameters

        return TrainingRecord(
            config=config,
            vocabulary_size=len(self.vocabulary.base_rows),
            vector_size=_vector_size(model),
            parameters=model_parameters(model),
            languages=tuple(sorted({episode.language for episode in self.data.train})),
            calibration=result.calibration,
            threshold=result.point.threshold,
            entry_threshold=result.entry_point.threshold,
            false_alarm_bound=result.point.bound,
            benign_episodes=result.point.benign_episodes,
            benign_alarms=result.point.alarms,
            metrics=result.metrics,
            corpora=self.data.corpora,
            data_digest=self.digest,
            base_model_sha256=self.base_sha256,
            loss=tuple(LossRecord(**asdict(point)) for point in curve),
            seconds=seconds,
        )


def _claim(config: TrainConfig, digest: str) -> None:
    """Mark the folder as this run's. A checkpoint of another run must never be resumed by accident."""
    config.out.mkdir(parents=True, exist_ok=True)
    path = config.out / "config.yaml"
    wanted = f"{dump_config(config)}# data {digest}\n"
    if path.is_file() and path.read_text(encoding="utf-8") != wanted and (config.out / "checkpoints").is_dir():
        raise ConfigError(
            f"{config.out}: holds checkpoints of a run with other settings or data; "
            "choose another folder (--out), or delete this one to start over"
        )
    path.write_text(wanted, encoding="utf-8")


def _halves(groups: Sequence[ExampleGroup]) -> tuple[list[ExampleGroup], list[ExampleGroup]]:
    """Two halves by a hash of the group's name, so that they do not depend on order."""
    halves: tuple[list[ExampleGroup], list[ExampleGroup]] = ([], [])
    for group in groups:
        halves[hashlib.sha256(base_group(group.group_id).encode()).digest()[0] % 2].append(group)
    if not all(halves):
        raise ConfigError("too few validation triples to choose an epoch and to calibrate; generate more")
    return halves


def _vector_size(model: MageClassifier) -> int:
    return int(model.encoder.bert.config.hidden_size)


def _device(wanted: Device) -> str:
    torch = require("torch", extra="train", purpose="train a model")
    if wanted is not Device.AUTO:
        return wanted.value
    return "cuda" if torch.cuda.is_available() else "cpu"


def _draw_loss(record: TrainingRecord, path: Path) -> None:
    require("matplotlib", extra="train", purpose="draw the loss curve")
    from matplotlib.figure import Figure

    stages = list(dict.fromkeys(point.stage for point in record.loss))
    figure = Figure(figsize=(4.5 * max(1, len(stages)), 3.2), layout="constrained")
    for index, stage in enumerate(stages, start=1):
        axes = figure.add_subplot(1, len(stages), index)
        for validation, label in ((False, "training"), (True, "validation")):
            points = [p for p in record.loss if p.stage == stage and p.validation is validation]
            if points:
                axes.plot([p.epoch for p in points], [p.loss for p in points], label=label)
        axes.set(title=stage, xlabel="epoch", ylabel="loss")
        axes.legend()
    figure.savefig(path, dpi=110)
