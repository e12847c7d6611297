"""Scores of a trained model on validation data: metrics, calibration, operating point."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mage_ml.artifact import AxisCalibration
from mage_ml.extras import require
from mage_ml.memory import Arm, Episode
from mage_ml.risk import RiskAxis
from mage_ml.training.calibration import OperatingPoint, choose_threshold, fit_calibration
from mage_ml.training.dataset import AXES, Collator, Example, ExampleGroup
from mage_ml.training.model import MageClassifier

SCORE_BATCH = 4
_BRIEF = ("snapshots", "auroc", "recall_at_threshold", "localisation_top1")


@dataclass(frozen=True, slots=True)
class ScoredExamples:
    """Model outputs beside their examples.

    Attributes:
        examples: The examples in order.
        axis_logits: Shape (examples, 4).
        item_logits: Per example, one logit per item.
    """

    examples: tuple[Example, ...]
    axis_logits: npt.NDArray[np.float64]
    item_logits: tuple[npt.NDArray[np.float64], ...]


@dataclass(frozen=True, slots=True)
class Validation:
    """Calibration and metrics from validation data."""

    calibration: Mapping[RiskAxis, AxisCalibration]
    point: OperatingPoint
    entry_point: OperatingPoint
    metrics: Mapping[str, float]


def score_groups(
    model: MageClassifier,
    groups: Sequence[ExampleGroup],
    vectors: dict[tuple[int, ...], npt.NDArray[np.float32]],
    device: str,
) -> ScoredExamples:
    """Run the model over groups without gradients."""
    import torch

    collate = Collator(vectors)
    model.eval().to(device)
    axes: list[npt.NDArray[np.float64]] = []
    items: list[npt.NDArray[np.float64]] = []
    examples: list[Example] = []
    with torch.inference_mode():
        for start in range(0, len(groups), SCORE_BATCH):
            chunk = groups[start : start + SCORE_BATCH]
            output = model(**{name: tensor.to(device) for name, tensor in collate(chunk).items()})
            axes.append(output["axis_logits"].double().cpu().numpy())
            logits = output["item_logits"].double().cpu().numpy()
            flat = [example for group in chunk for example in group.examples]
            items += [row[: len(example.encoded.token_ids)] for row, example in zip(logits, flat, strict=True)]
            examples += flat
    return ScoredExamples(tuple(examples), np.concatenate(axes), tuple(items))


def validate(scored: ScoredExamples, episodes: Mapping[str, Episode], target: float) -> Validation:
    """Calibrate, choose the operating point and measure.

    Args:
        scored: Scores of every moment of the calibration episodes.
        episodes: The episodes by id.
        target: Wanted share of benign episodes with a false alarm.
    """
    labels, known = _labels(scored)
    calibration = fit_calibration(scored.axis_logits, labels, known)
    probabilities = calibrated(scored.axis_logits, calibration)
    # Clean and sham arm of a triple are one benign run told twice: they count once, with the higher peak.
    names = [episodes[e.episode_id].group_id for e in scored.examples]
    harmful = {e.episode_id for e in scored.examples if e.label.is_risky}
    benign = [_is_benign(episodes[e.episode_id], harmful) for e in scored.examples]
    peaks = probabilities.max(1)
    tops = np.array([_top(row, e) for row, e in _items(scored)])
    risky = labels.max(1) > 0
    point = choose_threshold(_peaks(names, benign, peaks), target, peaks[risky].tolist())
    entry_point = choose_threshold(_peaks(names, benign, tops), target, tops[risky].tolist())
    corpora = np.array([episodes[e.episode_id].corpus for e in scored.examples])
    metrics = _metrics(_part(scored, corpora == "generated"), probabilities[corpora == "generated"], point.threshold)
    for corpus in sorted(set(corpora.tolist()) - {"generated"}):
        found = _metrics(_part(scored, corpora == corpus), probabilities[corpora == corpus], point.threshold)
        metrics |= {f"{name}_on_{corpus}": value for name, value in found.items() if name in _BRIEF}
    return Validation(calibration, point, entry_point, metrics)


def _is_benign(episode: Episode, harmful: Collection[str]) -> bool:
    """Whether an alarm in an episode is a false one: its arm says so, or a published label of every action."""
    if episode.arm in (Arm.CLEAN, Arm.SHAM):
        return True
    all_known = all(moment.label.known_axes for moment in episode.moments)
    return episode.arm is Arm.RECORDED and all_known and episode.episode_id not in harmful


def _part(scored: ScoredExamples, wanted: npt.NDArray[np.bool_]) -> ScoredExamples:
    chosen: list[int] = np.flatnonzero(wanted).tolist()
    examples = tuple(scored.examples[index] for index in chosen)
    return ScoredExamples(examples, scored.axis_logits[chosen], tuple(scored.item_logits[index] for index in chosen))


def calibrated(
    logits: npt.NDArray[np.float64], calibration: Mapping[RiskAxis, AxisCalibration]
) -> npt.NDArray[np.float64]:
    """Calibrated probabilities, shape (snapshots, 4)."""
    return np.stack([calibration[axis].probability(logits[:, i]) for i, axis in enumerate(AXES)], axis=1)


def _labels(scored: ScoredExamples) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Which axes are at risk and which are known, each of shape (snapshots, 4)."""
    labels = [[axis in e.label.axes for axis in AXES] for e in scored.examples]
    known = [[axis in e.label.known_axes for axis in AXES] for e in scored.examples]
    shape = (len(scored.examples), len(AXES))
    return np.array(labels, dtype=np.float64).reshape(shape), np.array(known, dtype=np.float64).reshape(shape)


def _items(scored: ScoredExamples) -> list[tuple[npt.NDArray[np.float64], Example]]:
    return list(zip(scored.item_logits, scored.examples, strict=True))


def _top(row: npt.NDArray[np.float64], example: Example) -> float:
    logits = [logit for logit, entry_id in zip(row, example.encoded.entry_ids, strict=True) if entry_id]
    return float(1.0 / (1.0 + np.exp(-max(logits, default=-60.0))))


def _peaks(names: Sequence[str], wanted: Sequence[bool], scores: npt.NDArray[np.float64]) -> list[float]:
    peaks: dict[str, float] = {}
    for name, use, score in zip(names, wanted, scores, strict=True):
        if use:
            peaks[name] = max(peaks.get(name, 0.0), float(score))
    return list(peaks.values())


def _metrics(
    scored: ScoredExamples,
    probabilities: npt.NDArray[np.float64],
    threshold: float,
) -> dict[str, float]:
    labels, known = _labels(scored)
    metrics = require("sklearn.metrics", extra="train", purpose="measure a model")
    found: dict[str, float] = {"snapshots": float(len(labels))}
    risky = labels.max(1)
    if 0 < risky.sum() < len(risky):
        found["auroc"] = float(metrics.roc_auc_score(risky, probabilities.max(1)))
        found["recall_at_threshold"] = float((probabilities.max(1)[risky > 0] >= threshold).mean())
    for column, axis in enumerate(AXES):
        use = known[:, column] > 0
        if 0 < labels[use, column].sum() < use.sum():
            found[f"auroc_{axis}"] = float(metrics.roc_auc_score(labels[use, column], probabilities[use, column]))
    hits = [_is_localised(row, example) for row, example in _items(scored)]
    judged = [hit for hit in hits if hit is not None]
    if judged:
        found["localisation_top1"] = sum(judged) / len(judged)
    return found


def _is_localised(row: npt.NDArray[np.float64], example: Example) -> bool | None:
    decisive = example.label.decisive_entry
    if not example.label.is_risky or decisive not in example.encoded.entry_ids:
        return None
    best = max(range(len(row)), key=lambda index: (bool(example.encoded.entry_ids[index]), row[index]))
    return example.encoded.entry_ids[best] == decisive
