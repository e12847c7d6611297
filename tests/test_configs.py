"""The files in configs/ are valid, and so are the defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from data_gen.config import GenerateConfig
from mage_ml.config import Config, dump_config, load_config, parse_yaml
from mage_ml.evaluation.config import BenchmarkConfig
from mage_ml.export.config import ExportConfig
from mage_ml.runtime.governor import load_constraints
from mage_ml.runtime.guardrail import load_policy
from mage_ml.training.config import TrainConfig

CONFIGS = Path(__file__).parent.parent / "configs"
TYPES: dict[str, type[Config]] = {
    "generate": GenerateConfig,
    "train": TrainConfig,
    "train_smoke": TrainConfig,
    "benchmark": BenchmarkConfig,
}


def test_every_config_file_is_known() -> None:
    names = {path.stem for path in CONFIGS.glob("*.yaml")}
    assert {name for name in names if not name.startswith("policy")} == {*TYPES, "constraints"}


@pytest.mark.parametrize("name", TYPES)
def test_config_files_load_and_round_trip(name: str) -> None:
    config = load_config(TYPES[name], CONFIGS / f"{name}.yaml")
    data, _ = parse_yaml(dump_config(config), name)
    assert TYPES[name].model_validate(data) == config


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("policy*.yaml")), ids=lambda path: path.stem)
def test_policy_files_load(path: Path) -> None:
    assert load_policy(path).version


def test_the_constraint_file_loads() -> None:
    assert load_constraints(CONFIGS / "constraints.yaml").constraints


@pytest.mark.parametrize("model", [GenerateConfig, TrainConfig, ExportConfig, BenchmarkConfig])
def test_defaults_are_valid_and_every_field_is_described(model: type[Config]) -> None:
    assert model() == model.model_validate(model().model_dump())
    assert all(field.description for field in model.model_fields.values())
