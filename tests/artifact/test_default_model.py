"""The model that ships: intact, small, and still saying what it said when it was exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mage_ml.artifact import default_artifact_path, load_artifact
from mage_ml.memory import Split
from mage_ml.risk import RiskAxis
from tests.builders import tiny_triple

GOLDEN = Path(__file__).parent.parent / "golden" / "default_model.json"
TOLERANCE = 0.03
"""Processors round 8-bit products differently; a different model differs by far more."""


def golden_scores() -> list[dict[str, float]]:
    model = load_artifact(default_artifact_path())
    return [
        {axis.value: round(model.score(snapshot).axes[axis], 4) for axis in RiskAxis}
        for language in ("en", "zh")
        for episode in tiny_triple(5, Split.TEST, language)
        for snapshot, _ in episode.snapshots()
    ]


def test_the_shipped_model_gives_its_recorded_scores() -> None:
    recorded = json.loads(GOLDEN.read_text(encoding="utf-8"))
    found = golden_scores()
    assert len(found) == len(recorded["scores"])
    for row, expected in zip(found, recorded["scores"], strict=True):
        assert row == pytest.approx(expected, abs=TOLERANCE)


def test_the_recorded_scores_belong_to_this_model() -> None:
    manifest = load_artifact(default_artifact_path()).manifest
    recorded = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert recorded["encoder_sha256"] == manifest.files["encoder.onnx"].sha256


def test_the_shipped_model_is_small_and_says_what_it_is() -> None:
    folder = default_artifact_path()
    manifest = load_artifact(folder).manifest
    assert sum(path.stat().st_size for path in folder.iterdir()) < 30e6
    assert manifest.parameters < 25_000_000
    assert set(manifest.languages) == {"en", "zh"}
    card = (folder / "README.md").read_text(encoding="utf-8")
    for topic in ("Limits", "Not for", "licence", "Measured"):
        assert topic in card
