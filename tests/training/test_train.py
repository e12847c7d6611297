"""Training on real files: reproducible, resumable, and the model learns what its data shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mage_ml.errors import ConfigError
from mage_ml.memory import Split
from mage_ml.training.base_model import find_base_model
from mage_ml.training.config import TrainConfig
from mage_ml.training.dataset import Collator, build_groups
from mage_ml.training.record import read_record
from mage_ml.training.run import train
from tests.builders import tiny_episodes, tiny_triple
from tests.conftest import TinyRun, tiny_train_config
from tests.encoding.test_encoding import encoder


def test_the_model_learns_what_its_data_shows(tiny_run: TinyRun) -> None:
    record = read_record(tiny_run.model)
    assert record.metrics["auroc"] > 0.95
    assert record.metrics["localisation_top1"] > 0.9
    assert record.languages == ("en", "zh")
    assert {path.name for path in (tiny_run.model / "ablations").iterdir()} == {"current_step_only", "no_provenance"}
    assert (tiny_run.model / "loss.png").stat().st_size > 1000


def test_without_memory_the_flip_cannot_be_told(tiny_run: TinyRun) -> None:
    record = read_record(tiny_run.model / "ablations" / "current_step_only")
    assert record.metrics["auroc"] < read_record(tiny_run.model).metrics["auroc"]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_metrics(tiny_run: TinyRun, tmp_path: Path) -> None:
    config = tiny_train_config(tiny_run.data, tiny_run.base, tmp_path / "again").model_copy(update={"ablations": False})
    again, first = train(config), read_record(tiny_run.model)
    assert again.data_digest == first.data_digest
    for name, value in first.metrics.items():
        assert again.metrics[name] == pytest.approx(value, abs=0.01), name


def test_a_finished_run_is_resumed_and_not_repeated(tiny_run: TinyRun) -> None:
    stages: list[str] = []
    config = tiny_train_config(tiny_run.data, tiny_run.base, tiny_run.model)
    train(config, lambda stage, done, total: stages.append(stage))
    assert "fine-tuning" not in stages
    assert "chain head" not in stages


def test_checkpoints_of_another_run_are_not_resumed(tiny_run: TinyRun) -> None:
    config = tiny_train_config(tiny_run.data, tiny_run.base, tiny_run.model).model_copy(update={"seed": 99})
    with pytest.raises(ConfigError, match="other settings or data"):
        train(config)


def test_missing_data_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="mage-ml generate"):
        train(TrainConfig(data=tmp_path, out=tmp_path / "out"))


def test_a_base_model_folder_must_be_complete(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.safetensors"):
        find_base_model(tmp_path)


def test_cached_vectors_and_token_ids_give_the_same_batch_shapes() -> None:
    groups = build_groups(tiny_episodes(2, Split.TRAIN), encoder(), moments_per_episode=4)
    texts = {ids for group in groups for example in group.examples for ids in example.encoded.token_ids}
    by_ids = Collator()(groups)
    by_vectors = Collator({ids: np.full(8, len(ids), dtype=np.float32) for ids in texts})(groups)
    assert by_vectors["vectors"].shape == (*by_ids["item_text"].shape, 8)
    lengths = by_ids["attention_mask"].sum(1)[by_ids["item_text"]]
    assert (by_vectors["vectors"][..., 0] == lengths)[by_ids["mask"] > 0].all()
    assert by_ids["input_ids"].shape[0] == len(texts)


def test_entries_derived_from_the_contaminated_one_take_no_part_in_localisation() -> None:
    episode = tiny_triple(5, Split.TRAIN)[2]
    moment = episode.moments[1]
    label = moment.label.model_copy(update={"decisive_entry": "m1", "tainted": ("m1", "m2")})
    changed = episode.model_copy(update={"moments": (moment.model_copy(update={"label": label}),)})
    batch = Collator()(build_groups([changed], encoder(), moments_per_episode=4))
    assert batch["item_labels"].tolist() == [[0, 1, 0, 0]]
    assert batch["item_known"].tolist() == [[1, 1, 0, 0]]


def test_moments_are_drawn_by_seed_and_keep_risky_ones() -> None:
    episode = tiny_triple(5, Split.TRAIN)[2]
    one = build_groups([episode], encoder(), moments_per_episode=1)
    assert [example.label.is_risky for example in one[0].examples] == [True]
