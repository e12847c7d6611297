"""The training run: fine-tune encoder and head, then the head alone over cached vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from mage_ml.extras import require
from mage_ml.progress import Progress, silent
from mage_ml.training.config import Device, TrainConfig
from mage_ml.training.dataset import Collator, ExampleGroup, distinct_texts

if TYPE_CHECKING:
    from mage_ml.training.model import EntryEncoder, MageClassifier

ENCODE_BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class LossPoint:
    """One logged point of the loss curve."""

    stage: str
    epoch: float
    loss: float
    validation: bool


def finetune(
    model: MageClassifier,
    train: Sequence[ExampleGroup],
    validation: Sequence[ExampleGroup],
    config: TrainConfig,
    folder: Path,
    progress: Progress = silent,
) -> list[LossPoint]:
    """Fine-tune encoder and head together, resuming from a checkpoint in `folder` if there is one."""
    groups = [
        {"params": list(model.encoder.parameters()), "lr": config.encoder_learning_rate},
        {"params": list(model.head.parameters()), "lr": config.head_learning_rate},
    ]
    schedule = _Schedule("fine-tuning", config.finetune_epochs, config.groups_per_batch, validate=False)
    return _fit(model, groups, (train, validation), Collator(), config, schedule, folder, progress)


def fit_head(
    model: MageClassifier,
    train: Sequence[ExampleGroup],
    validation: Sequence[ExampleGroup],
    vectors: dict[tuple[int, ...], npt.NDArray[np.float32]],
    config: TrainConfig,
    folder: Path,
    progress: Progress = silent,
    stage: str = "chain head",
) -> list[LossPoint]:
    """Train the chain head over cached vectors and keep the epoch with the lowest validation loss."""
    groups = [{"params": list(model.head.parameters()), "lr": config.head_learning_rate}]
    schedule = _Schedule(stage, config.head_epochs, config.head_groups_per_batch, validate=True)
    return _fit(model, groups, (train, validation), Collator(vectors), config, schedule, folder, progress)


def encode_texts(
    encoder: EntryEncoder,
    texts: Sequence[tuple[int, ...]],
    device: str,
    progress: Progress = silent,
) -> dict[tuple[int, ...], npt.NDArray[np.float32]]:
    """Vector of each token sequence.

    Args:
        encoder: The entry encoder.
        texts: Token sequences, best sorted by length.
        device: Where to run.
        progress: Told how many texts are done.
    """
    import torch

    encoder.eval().to(device)
    vectors: dict[tuple[int, ...], npt.NDArray[np.float32]] = {}
    with torch.inference_mode():
        for start in range(0, len(texts), ENCODE_BATCH):
            batch = texts[start : start + ENCODE_BATCH]
            width = max(map(len, batch))
            ids = torch.tensor([[*text, *[0] * (width - len(text))] for text in batch], device=device)
            mask = torch.tensor([[1] * len(text) + [0] * (width - len(text)) for text in batch], device=device)
            found = encoder(ids, mask).float().cpu().numpy()
            vectors.update(zip(batch, found, strict=True))
            progress("encoding texts", min(len(texts), start + ENCODE_BATCH), len(texts))
    return vectors


def vectors_of(
    model: MageClassifier, groups: Sequence[ExampleGroup], device: str, progress: Progress = silent
) -> dict[tuple[int, ...], npt.NDArray[np.float32]]:
    """Vectors of all distinct texts of some groups."""
    return encode_texts(model.encoder, distinct_texts(groups), device, progress)


@dataclass(frozen=True, slots=True)
class _Schedule:
    stage: str
    epochs: float
    batch: int
    validate: bool


def _fit(
    model: MageClassifier,
    parameter_groups: list[dict[str, Any]],
    data: tuple[Sequence[ExampleGroup], Sequence[ExampleGroup]],
    collator: Collator,
    config: TrainConfig,
    schedule: _Schedule,
    folder: Path,
    progress: Progress,
) -> list[LossPoint]:
    if schedule.epochs == 0:
        return []
    transformers = require("transformers", extra="train", purpose="train a model")
    torch = require("torch", extra="train", purpose="train a model")
    trainer = transformers.Trainer(
        model=model,
        args=_arguments(config, schedule, folder),
        train_dataset=list(data[0]),
        eval_dataset=list(data[1]) if schedule.validate else None,
        data_collator=collator,
        optimizers=(torch.optim.AdamW(parameter_groups, weight_decay=config.weight_decay), None),
        callbacks=[_progress_callback(schedule.stage, progress)],
    )
    trainer.remove_callback(transformers.trainer_callback.PrinterCallback)
    trainer.train(resume_from_checkpoint=_has_checkpoint(folder))
    return _curve(schedule.stage, trainer.state.log_history)


def _arguments(config: TrainConfig, schedule: _Schedule, folder: Path) -> Any:  # noqa: ANN401 - of an optional dependency
    transformers = require("transformers", extra="train", purpose="train a model")
    return transformers.TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=schedule.epochs,
        per_device_train_batch_size=schedule.batch,
        per_device_eval_batch_size=schedule.batch,
        warmup_steps=0.1,  # below 1 it is a share of all steps
        max_grad_norm=1.0,
        seed=config.seed,
        data_seed=config.seed,
        logging_steps=5,
        eval_strategy="epoch" if schedule.validate else "no",
        save_strategy="epoch" if schedule.validate else "steps",
        save_steps=50,
        save_total_limit=2,  # at 1 the trainer deletes the last checkpoint, and a finished run would be repeated
        load_best_model_at_end=schedule.validate,
        metric_for_best_model="loss",
        greater_is_better=False,
        report_to=[],
        disable_tqdm=True,
        log_level="error",
        remove_unused_columns=False,
        label_names=["axis_labels"],
        use_cpu=config.device is Device.CPU,
        dataloader_pin_memory=False,
    )


def _has_checkpoint(folder: Path) -> bool:
    return any(folder.glob("checkpoint-*"))


def _progress_callback(stage: str, progress: Progress) -> Any:  # noqa: ANN401 - a class of an optional dependency
    transformers = require("transformers", extra="train", purpose="train a model")

    class Report(transformers.TrainerCallback):  # type: ignore[name-defined]  # the base class comes from an optional dependency
        """Passes the trainer's step count on."""

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ANN401
            progress(stage, state.global_step, state.max_steps)

    return Report()


def _curve(stage: str, history: Sequence[dict[str, float]]) -> list[LossPoint]:
    points = []
    for record in history:
        for key, validation in (("loss", False), ("eval_loss", True)):
            if key in record:
                points.append(LossPoint(stage, record["epoch"], record[key], validation))
    return points
