"""A sealed folder: verified on load, refused when damaged, newer or made for something else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mage_ml.artifact import ArtifactManifest, load_artifact
from mage_ml.artifact.folder import read_manifest
from mage_ml.errors import ArtifactError
from mage_ml.memory import Split
from tests.builders import tiny_triple
from tests.conftest import TinyRun


@pytest.fixture
def copy(tiny_run: TinyRun, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_run.artifact, tmp_path / "artifact"))


def edit_manifest(folder: Path, **changes: object) -> None:
    path = folder / "manifest.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**data, **changes}), encoding="utf-8")


def test_a_sealed_folder_loads_and_scores(copy: Path) -> None:
    model = load_artifact(copy)
    (snapshot, _), (risky, _) = tiny_triple(5, Split.TEST)[2].snapshots()
    scores = model.score(risky)
    assert set(scores.entries) == {"m0", "m1", "m2"}
    assert all(0.0 <= score <= 1.0 for score in (*scores.axes.values(), *scores.entries.values()))
    assert model.score(snapshot).entries.keys() == {"m0"}


@pytest.mark.parametrize("name", ["encoder.onnx", "chain.onnx", "tokenizer.json", "README.md"])
def test_one_changed_byte_is_found_and_named(copy: Path, name: str) -> None:
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(bytes(data))
    with pytest.raises(ArtifactError, match=name):
        load_artifact(copy)


@pytest.mark.parametrize("name", ["encoder.onnx", "chain.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(ArtifactError, match=name):
        load_artifact(copy)


def test_the_fp32_encoder_may_be_left_out(copy: Path) -> None:
    (copy / "encoder.fp32.onnx").unlink()
    load_artifact(copy)


def test_a_newer_format_is_refused_by_name(copy: Path) -> None:
    edit_manifest(copy, format_version=99)
    with pytest.raises(ArtifactError, match=r"format version 99.*Upgrade mage-ml"):
        load_artifact(copy)


def test_other_features_are_refused_and_named(copy: Path) -> None:
    names = read_manifest(copy).feature_names
    edit_manifest(copy, feature_names=[*names[:-1], "moon_phase"])
    with pytest.raises(ArtifactError, match="moon_phase"):
        load_artifact(copy)


def test_an_unknown_manifest_field_is_refused(copy: Path) -> None:
    edit_manifest(copy, surprise=1)
    with pytest.raises(ArtifactError, match="surprise"):
        load_artifact(copy)


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_a_broken_manifest_is_an_artifact_error(copy: Path, text: str) -> None:
    (copy / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(ArtifactError):
        load_artifact(copy)


def test_a_folder_without_manifest_is_an_artifact_error(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match=r"manifest\.json"):
        load_artifact(tmp_path)


def test_the_manifest_round_trips(copy: Path) -> None:
    manifest = read_manifest(copy)
    assert ArtifactManifest.model_validate_json(manifest.model_dump_json()) == manifest


def test_the_vector_cache_is_bounded_and_changes_no_score(copy: Path) -> None:
    from mage_ml.artifact.model import ModelArtifact

    manifest = read_manifest(copy)
    small, large = ModelArtifact(copy, manifest, cache_size=2), ModelArtifact(copy, manifest)
    for number in range(12):
        for snapshot, _ in tiny_triple(number, Split.TEST)[2].snapshots():
            assert small.score(snapshot).axes == pytest.approx(large.score(snapshot).axes, abs=1e-5)
    assert len(small._vectors) <= 2


def test_a_score_does_not_depend_on_what_was_scored_before(copy: Path) -> None:
    warm, fresh = load_artifact(copy), load_artifact(copy)
    for number in range(6):
        for snapshot, _ in tiny_triple(number, Split.TEST)[2].snapshots():
            warm.score(snapshot)
    snapshot = list(tiny_triple(5, Split.TEST)[2].snapshots())[-1][0]
    assert warm.score(snapshot).axes == fresh.score(snapshot).axes
