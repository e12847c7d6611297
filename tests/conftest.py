"""Fixtures that are costly and shared: one tiny model, trained and exported once per test run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

from mage_ml.export.config import ExportConfig
from mage_ml.memory import Split
from mage_ml.memory.records import write_episodes
from mage_ml.training.config import Device, TrainConfig
from tests.builders import random_base_model, tiny_episodes


@dataclass(frozen=True)
class TinyRun:
    """Folders of a small but complete run: generated data, trained model, sealed artifact."""

    data: Path
    base: Path
    model: Path
    artifact: Path


def tiny_train_config(data: Path, base: Path, out: Path) -> TrainConfig:
    return TrainConfig(
        data=data,
        out=out,
        base_model=base,
        name="tiny",
        encoder_layers=(0, 1),
        vocabulary=3000,
        chain_width=32,
        finetune_epochs=3,
        head_epochs=8,
        encoder_learning_rate=1e-3,
        target_false_alarms=0.05,
        device=Device.CPU,
    )


@pytest.fixture(scope="session")
def tiny_run(tmp_path_factory: pytest.TempPathFactory) -> TinyRun:
    """Train and export a tiny model once, however many workers run the tests."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if shared.name.startswith("popen-") else shared
    root = shared / "tiny-run"
    run = TinyRun(root / "data", root / "base", root / "model", root / "artifact")
    with FileLock(str(root) + ".lock"):
        if not (root / "done").exists():
            _build(run)
            (root / "done").touch()
    return run


def _build(run: TinyRun) -> None:
    from mage_ml.export.run import export
    from mage_ml.training.run import train

    run.data.mkdir(parents=True)
    for split, triples in ((Split.TRAIN, 60), (Split.VALIDATION, 40)):
        write_episodes(run.data / f"{split}.parquet", tiny_episodes(triples, split))
    random_base_model(run.base)
    train(tiny_train_config(run.data, run.base, run.model))
    export(ExportConfig(model=run.model, out=run.artifact), "2026-01-01")
