"""torch, fp32 and int8 give the same answer, or nothing is sealed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from mage_ml.artifact import load_artifact
from mage_ml.artifact.folder import read_manifest
from mage_ml.artifact.model import ModelArtifact
from mage_ml.errors import ConfigError, GateError
from mage_ml.export.config import ExportConfig
from mage_ml.export.parity import compare
from mage_ml.export.run import _gate_set, _load_model, _torch_probabilities, export
from mage_ml.memory import MomentLabel
from mage_ml.risk import RiskAxis
from mage_ml.training.record import read_record
from tests.conftest import TinyRun

FP32_TOLERANCE = 1e-4
INT8_TOLERANCE = 0.15


def test_golden_chain_scores_agree_between_torch_fp32_and_int8(tiny_run: TinyRun) -> None:
    record, manifest = read_record(tiny_run.model), read_manifest(tiny_run.artifact)
    gate_set = _gate_set(ExportConfig(model=tiny_run.model), record)
    torch_scores = _torch_probabilities(_load_model(record, tiny_run.model), gate_set, manifest)
    fp32 = ModelArtifact(tiny_run.artifact, manifest, encoder_file="encoder.fp32.onnx")
    int8 = load_artifact(tiny_run.artifact)
    for row, encoded in zip(torch_scores, gate_set.encoded, strict=True):
        exact, rounded = fp32.score_encoded(encoded).axes, int8.score_encoded(encoded).axes
        assert [exact[axis] for axis in RiskAxis] == pytest.approx(row, abs=FP32_TOLERANCE)
        assert [rounded[axis] for axis in RiskAxis] == pytest.approx(row, abs=INT8_TOLERANCE)


def test_the_sealed_report_states_what_the_gate_measured(tiny_run: TinyRun) -> None:
    parity = read_manifest(tiny_run.artifact).parity
    assert parity.snapshots >= 20
    assert parity.fp32_max_difference <= ExportConfig().max_fp32_difference
    assert parity.shipped in ("int8", "fp32")
    assert parity.shipped == "fp32" or parity.int8_decisions_agree >= ExportConfig().min_int8_agreement


def test_a_gate_nobody_can_pass_ships_nothing(tiny_run: TinyRun, tmp_path: Path) -> None:
    config = ExportConfig(model=tiny_run.model, out=tmp_path / "out", max_fp32_difference=1e-30, ablations=False)
    with pytest.raises(GateError, match="Nothing was written"):
        export(config, "2026-01-01")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_complaint_43_when_int8_fails_its_gate_fp32_ships_and_says_why(tiny_run: TinyRun, tmp_path: Path) -> None:
    config = ExportConfig(
        model=tiny_run.model, out=tmp_path / "out", min_int8_agreement=1.0, max_recall_drop=0.0, ablations=False
    )
    import mage_ml.export.run as module

    original = module.compare

    def disagreeing(*args: object) -> object:
        found = original(*args)  # type: ignore[arg-type]
        return type(found)(found.max_difference, 0.5 if found.max_difference > 1e-6 else 1.0, 0.0)

    module.compare = disagreeing  # type: ignore[assignment]
    try:
        manifest = export(config, "2026-01-01")
    finally:
        module.compare = original
    assert manifest.parity.shipped == "fp32"
    assert "fp32 ships" in manifest.parity.reason
    assert manifest.files["encoder.onnx"].sha256 == manifest.files["encoder.fp32.onnx"].sha256


def test_agreement_counts_decisions_and_lost_recall() -> None:
    risky, safe = MomentLabel(axes=(RiskAxis.SAFETY,)), MomentLabel()
    before = np.array([[0.9, 0, 0, 0], [0.9, 0, 0, 0], [0.1, 0, 0, 0], [0.2, 0, 0, 0]])
    after = np.array([[0.9, 0, 0, 0], [0.3, 0, 0, 0], [0.1, 0, 0, 0], [0.2, 0, 0, 0]])
    found = compare(before, after, [risky, risky, safe, safe], threshold=0.5)
    assert found.decisions_agree == 0.75
    assert found.recall_drop == 0.5
    assert found.max_difference == pytest.approx(0.6)


def test_export_without_a_trained_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="mage-ml train"):
        export(ExportConfig(model=tmp_path), "2026-01-01")


def test_the_artifact_holds_no_pickle(tiny_run: TinyRun) -> None:
    names = {path.name for path in tiny_run.artifact.iterdir() if path.is_file()}
    assert names == {
        "encoder.onnx",
        "encoder.fp32.onnx",
        "chain.onnx",
        "tokenizer.json",
        "manifest.json",
        "training.yaml",
        "README.md",
    }


def test_a_folder_with_other_files_is_left_alone(tiny_run: TinyRun) -> None:
    before = sorted(path.name for path in tiny_run.model.iterdir())
    with pytest.raises(ConfigError, match="holds other files"):
        export(ExportConfig(model=tiny_run.model, out=tiny_run.model), "2026-01-01")
    assert sorted(path.name for path in tiny_run.model.iterdir()) == before


def test_the_exported_files_name_no_path_of_the_machine(tiny_run: TinyRun) -> None:
    for name in ("encoder.onnx", "encoder.fp32.onnx", "chain.onnx"):
        data = (tiny_run.artifact / name).read_bytes()
        assert not any(path.encode() in data for path in (sys.prefix, str(Path(__file__).parents[2]), ".py"))
