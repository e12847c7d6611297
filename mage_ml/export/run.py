"""`mage-ml export`: from a trained model to a sealed artifact that passed its gates."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mage_ml.artifact import ArtifactManifest, ParityReport, seal_artifact
from mage_ml.artifact.folder import MANIFEST
from mage_ml.artifact.model import ModelArtifact
from mage_ml.config import dump_config
from mage_ml.encoding import RELATION_NAMES, EncodedSnapshot, SnapshotEncoder, feature_names
from mage_ml.errors import ConfigError, GateError
from mage_ml.export.card import write_model_card
from mage_ml.export.config import ExportConfig
from mage_ml.export.onnx import export_encoder, export_head, quantise
from mage_ml.export.parity import Agreement, compare, probabilities_of
from mage_ml.extras import require
from mage_ml.memory import MomentLabel, Split
from mage_ml.memory.records import episode_files, read_episodes
from mage_ml.memory.shadow import iterate_snapshots
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis
from mage_ml.training.record import TOKENIZER, WEIGHTS, TrainingRecord, read_record

FP32: Final = "encoder.fp32.onnx"
INT8: Final = "encoder.onnx"


@dataclass(frozen=True, slots=True)
class _Recipe:
    """One way to quantise."""

    signed: bool
    per_channel: bool
    reduce_range: bool

    def __str__(self) -> str:
        kind = "signed" if self.signed else "unsigned"
        return f"{kind}{', per channel' if self.per_channel else ''}{', 7 bits' if self.reduce_range else ''}"


RECIPES: Final = (
    _Recipe(signed=False, per_channel=False, reduce_range=False),
    _Recipe(signed=False, per_channel=True, reduce_range=True),
    _Recipe(signed=True, per_channel=True, reduce_range=True),
)
"""Tried in order; the first that passes the gate ships."""


@dataclass(frozen=True, slots=True)
class _GateSet:
    encoded: tuple[EncodedSnapshot, ...]
    labels: tuple[MomentLabel, ...]


def export(config: ExportConfig, created: str, progress: Progress = silent) -> ArtifactManifest:
    """Export a trained model, judge the gates and seal the folder.

    Args:
        config: The export.
        created: Date for the manifest, ISO 8601.
        progress: Told how far it has come.

    Returns:
        The sealed manifest.

    Raises:
        GateError: The fp32 model disagrees with torch: nothing is sealed.
        ConfigError: The model folder or the data for the gates is missing.
    """
    record = read_record(config.model)
    if config.out.is_dir() and any(config.out.iterdir()) and not (config.out / MANIFEST).is_file():
        raise ConfigError(
            f"{config.out}: holds other files; choose an empty folder, or one of an earlier export (--out)"
        )
    gate_set = _gate_set(config, record)
    manifest = _export_one(config, record, config.model, config.out, gate_set, created, progress)
    for folder in sorted((config.model / "ablations").glob("*")) if config.ablations else ():
        variant = read_record(folder)
        out = config.out / "ablations" / folder.name
        _export_one(config, variant, folder, out, _gate_set(config, variant), created, progress)
    return manifest


def _export_one(
    config: ExportConfig,
    record: TrainingRecord,
    folder: Path,
    out: Path,
    gate_set: _GateSet,
    created: str,
    progress: Progress,
) -> ArtifactManifest:
    model = _load_model(record, folder)
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        progress("exporting", 0, 4)
        export_encoder(model.encoder, work / FP32)
        progress("exporting", 1, 4)
        export_head(model.head, record.vector_size, work / "chain.onnx")
        progress("exporting", 2, 4)
        shutil.copy(folder / TOKENIZER, work / TOKENIZER)
        draft = _manifest(config, record, created, _no_parity())
        reference = _torch_probabilities(model, gate_set, draft)
        fp32 = ModelArtifact(work, draft, encoder_file=FP32)
        exact = compare(reference, probabilities_of(fp32, gate_set.encoded), gate_set.labels, record.threshold)
        if exact.max_difference > config.max_fp32_difference:
            raise GateError(
                f"fp32 ONNX differs from torch by {exact.max_difference:.2g} in a probability; at most "
                f"{config.max_fp32_difference:.2g} is accepted. Nothing was written; check the exporter's version"
            )
        progress("exporting", 3, 4)
        parity = _choose_int8(config, work, draft, reference, gate_set, record.threshold, exact)
        manifest = draft.model_copy(update={"parity": parity})
        _write_folder(work, out, manifest, record)
        progress("exporting", 4, 4)
    return seal_artifact(out, manifest)


def _choose_int8(
    config: ExportConfig,
    work: Path,
    draft: ArtifactManifest,
    reference: npt.NDArray[np.float64],
    gate_set: _GateSet,
    threshold: float,
    exact: Agreement,
) -> ParityReport:
    tried: list[tuple[_Recipe, Agreement]] = []
    for recipe in RECIPES:
        quantise(
            work / FP32,
            work / INT8,
            signed=recipe.signed,
            per_channel=recipe.per_channel,
            reduce_range=recipe.reduce_range,
        )
        found = probabilities_of(ModelArtifact(work, draft), gate_set.encoded)
        agreement = compare(reference, found, gate_set.labels, threshold)
        tried.append((recipe, agreement))
        if agreement.decisions_agree >= config.min_int8_agreement and agreement.recall_drop <= config.max_recall_drop:
            reason = f"int8 ({recipe}) passed the gate"
            return _parity(gate_set, exact, agreement, "int8", reason)
    recipe, agreement = max(tried, key=lambda item: item[1].decisions_agree)
    shutil.copy(work / FP32, work / INT8)
    reason = (
        f"no int8 recipe passed the gate; the best ({recipe}) agreed on {agreement.decisions_agree:.1%} of decisions "
        f"with a recall drop of {agreement.recall_drop:+.1%}, so fp32 ships"
    )
    return _parity(gate_set, exact, agreement, "fp32", reason)


def _parity(gate_set: _GateSet, exact: Agreement, int8: Agreement, shipped: str, reason: str) -> ParityReport:
    return ParityReport(
        snapshots=len(gate_set.encoded),
        fp32_max_difference=exact.max_difference,
        int8_decisions_agree=int8.decisions_agree,
        int8_recall_drop=int8.recall_drop,
        shipped=shipped,
        reason=reason,
    )


def _no_parity() -> ParityReport:
    return ParityReport(
        snapshots=0, fp32_max_difference=1.0, int8_decisions_agree=0.0, int8_recall_drop=1.0, shipped="", reason=""
    )


def _load_model(record: TrainingRecord, folder: Path) -> Any:  # noqa: ANN401 - torch is optional
    from tokenizers import Tokenizer

    from mage_ml.training.base_model import find_base_model
    from mage_ml.training.model import build_model
    from mage_ml.training.vocabulary import Vocabulary

    safetensors = require("safetensors.torch", extra="train", purpose="export a model")
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    vocabulary = Vocabulary(tokenizer, tuple([None] * record.vocabulary_size))
    model = build_model(record.config, find_base_model(record.config.base_model), vocabulary)
    model.load_state_dict(safetensors.load_file(folder / WEIGHTS))
    return model.eval()


def _gate_set(config: ExportConfig, record: TrainingRecord) -> _GateSet:
    from tokenizers import Tokenizer

    data = config.data or record.config.data
    path = data / f"{Split.VALIDATION}.parquet"
    if not episode_files(path):
        raise ConfigError(f"{path}: not found; the export gates need validation episodes (option `data`)")
    encoder = SnapshotEncoder(Tokenizer.from_file(str(config.model / TOKENIZER)), record.config.encoding)
    episodes = list(read_episodes(path))
    step = max(1, sum(len(episode.moments) for episode in episodes) // config.gate_snapshots)
    encoded: list[EncodedSnapshot] = []
    labels: list[MomentLabel] = []
    number = 0
    for episode in episodes:
        for moment, snapshot in zip(episode.moments, iterate_snapshots(episode), strict=True):
            if number % step == 0 and len(labels) < config.gate_snapshots:
                encoded.append(encoder.encode(snapshot))
                labels.append(moment.label)
            number += 1
    return _GateSet(tuple(encoded), tuple(labels))


def _torch_probabilities(model: Any, gate_set: _GateSet, draft: ArtifactManifest) -> npt.NDArray[np.float64]:  # noqa: ANN401
    """Scores of the trained model, through the training collator and not through the runtime's code."""
    from mage_ml.training.dataset import Example, ExampleGroup
    from mage_ml.training.loop import vectors_of
    from mage_ml.training.validation import calibrated, score_groups

    pairs = zip(gate_set.encoded, gate_set.labels, strict=True)
    groups = [ExampleGroup(str(i), (Example(encoded, label, str(i)),)) for i, (encoded, label) in enumerate(pairs)]
    scored = score_groups(model, groups, vectors_of(model, groups, "cpu"), "cpu")
    return calibrated(scored.axis_logits, draft.calibration)


def _manifest(config: ExportConfig, record: TrainingRecord, created: str, parity: ParityReport) -> ArtifactManifest:
    training = record.config.model_dump(mode="json", exclude={"data", "out", "base_model", "corpora"})
    training["corpora"] = [use.model_dump(mode="json") for use in record.corpora]
    return ArtifactManifest(
        name=record.config.name,
        model_version=config.model_version,
        created=created,
        languages=record.languages,
        encoding=record.config.encoding,
        feature_names=feature_names(record.config.encoding.version),
        relation_names=RELATION_NAMES,
        vector_size=record.vector_size,
        parameters=record.parameters,
        calibration=record.calibration,
        thresholds=dict.fromkeys(RiskAxis, record.threshold),
        entry_threshold=record.entry_threshold,
        false_alarm_bound=record.false_alarm_bound,
        benign_episodes=record.benign_episodes,
        data_digest=record.data_digest,
        base_model_sha256=record.base_model_sha256,
        training=training,
        metrics=record.metrics,
        parity=parity,
    )


def _write_folder(work: Path, out: Path, manifest: ArtifactManifest, record: TrainingRecord) -> None:
    out.mkdir(parents=True, exist_ok=True)
    names: Sequence[str] = (INT8, FP32, "chain.onnx", TOKENIZER)
    for name in names:
        shutil.copy(work / name, out / name)
    (out / "training.yaml").write_text(dump_config(record.config), encoding="utf-8")
    write_model_card(out / "README.md", manifest)
