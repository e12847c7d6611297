"""`mage-ml train --task constraint`: a small ONNX classifier for one constraint, from labelled outputs.

A logistic regression over hashed n-grams (words, characters, their pairs and triples), chosen and measured by
cross-validation in which equal texts stay together.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mage_ml.calibration import choose_threshold
from mage_ml.config import Config
from mage_ml.errors import ConfigError, RecordError
from mage_ml.extras import require
from mage_ml.progress import Progress, silent
from mage_ml.runtime.governor.text_features import BUCKETS, features_of
from mage_ml.runtime.governor.validators.classifier import MANIFEST_FILE, MODEL_FILE, ClassifierManifest

STRENGTHS: Final = (1.0, 10.0, 100.0)
FOLDS: Final = 5
MIN_OF_A_KIND: Final = 20
_OPSET: Final = 17


class LabelledOutput(BaseModel):
    """One line of the examples file.

    Attributes:
        text: What an agent said.
        allowed: Whether it keeps the constraint.
        language: Its language, for the counts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=20_000)]
    allowed: bool
    language: Annotated[str, Field(min_length=1)] = "en"


class ConstraintTrainConfig(Config):
    """One training of a constraint's classifier."""

    data: Annotated[
        Path, Field(description="JSON Lines, one output a line: text, allowed (true or false), language.")
    ] = Path("examples.jsonl")
    out: Annotated[Path, Field(description="Folder for the sealed model.")] = Path("runs/constraint")
    constraint: Annotated[str, Field(min_length=1, description="Id of the constraint.")] = "constraint"
    target_false_alarms: Annotated[
        float, Field(gt=0.0, lt=1.0, description="Wanted share of allowed outputs that are held back.")
    ] = 0.02
    seed: Annotated[int, Field(ge=0, description="Seed of the folds.")] = 13


def read_outputs(path: Path) -> list[LabelledOutput]:
    """Read labelled outputs.

    Raises:
        ConfigError: The file is not there.
        RecordError: A line is no labelled output (file and line are named), or there are too few of a kind.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(LabelledOutput.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise RecordError(
                f"{path}:{number}: {place + ': ' if place else ''}{first['msg']}; expected "
                '{"text": ..., "allowed": true or false, "language": "en" or "zh"}'
            ) from error
    for allowed in (True, False):
        count = len({one.text for one in found if one.allowed is allowed})
        if count < MIN_OF_A_KIND:
            kind = "allowed" if allowed else "forbidden"
            raise RecordError(f"{path}: {count} different {kind} outputs; at least {MIN_OF_A_KIND} are needed")
    return found


def train_constraint(config: ConstraintTrainConfig, created: str, progress: Progress = silent) -> ClassifierManifest:
    """Train, measure and write a classifier.

    Args:
        config: The run.
        created: Date, ISO 8601.
        progress: Told how many fits are done.

    Returns:
        The manifest as written. Its metrics are cross-validated, at the threshold that is written with it.

    Raises:
        ConfigError: The examples are not there.
        RecordError: They are damaged or too few.
        MissingExtraError: The `train` extra is not installed.
    """
    linear = require("sklearn.linear_model", extra="train", purpose="train a constraint's classifier")
    outputs = read_outputs(config.data)
    rows = _matrix([one.text for one in outputs])
    broken = np.array([not one.allowed for one in outputs])
    folds = _folds([one.text for one in outputs], config.seed)
    scored: dict[float, npt.NDArray[np.float64]] = {}
    for number, strength in enumerate(STRENGTHS, start=1):
        scored[strength] = _held_out_scores(linear, rows, broken, folds, strength)
        progress("fitting", number, len(STRENGTHS))
    best = min(STRENGTHS, key=lambda strength: _log_loss(scored[strength], broken))
    scores = scored[best]
    point = choose_threshold(scores[~broken].tolist(), config.target_false_alarms, scores[broken].tolist())
    model = _fitted(linear, rows, broken, best)
    config.out.mkdir(parents=True, exist_ok=True)
    weights, bias = model.coef_[0].astype(np.float32), float(model.intercept_[0])
    (config.out / MODEL_FILE).write_bytes(_onnx_bytes(weights, bias))
    manifest = ClassifierManifest(
        constraint=config.constraint,
        threshold=point.threshold,
        languages=dict(Counter(one.language for one in outputs)),
        examples=len(outputs),
        metrics=_metrics(scores, broken, point.threshold, point.bound),
        data_digest=hashlib.sha256(config.data.read_bytes()).hexdigest(),
        created=created,
        sha256=hashlib.sha256((config.out / MODEL_FILE).read_bytes()).hexdigest(),
    )
    text = json.dumps(manifest.model_dump(mode="json"), indent=2, ensure_ascii=False)
    (config.out / MANIFEST_FILE).write_text(text + "\n", encoding="utf-8")
    return manifest


def _matrix(texts: Sequence[str]) -> Any:  # noqa: ANN401 - a sparse matrix of an optional dependency
    sparse = require("scipy.sparse", extra="train", purpose="train a constraint's classifier")
    found = [features_of(text) for text in texts]
    ends = np.cumsum([0, *(len(buckets) for buckets, _ in found)])
    columns = np.concatenate([buckets for buckets, _ in found])
    values = np.concatenate([weights for _, weights in found])
    return sparse.csr_matrix((values, columns, ends), shape=(len(texts), BUCKETS))


def _folds(texts: Sequence[str], seed: int) -> npt.NDArray[np.int64]:
    """The fold of each text by a hash, so that equal texts stay together."""
    keys = (hashlib.sha256(f"{seed}:{' '.join(text.lower().split())}".encode()).digest() for text in texts)
    return np.array([int.from_bytes(key[:4], "big") % FOLDS for key in keys])


def _fitted(linear: Any, rows: Any, broken: npt.NDArray[np.bool_], strength: float) -> Any:  # noqa: ANN401
    return linear.LogisticRegression(C=strength, class_weight="balanced", max_iter=2000).fit(rows, broken)


def _held_out_scores(
    linear: Any,  # noqa: ANN401 - of an optional dependency
    rows: Any,  # noqa: ANN401 - of an optional dependency
    broken: npt.NDArray[np.bool_],
    folds: npt.NDArray[np.int64],
    strength: float,
) -> npt.NDArray[np.float64]:
    scores = np.full(len(broken), float(broken.mean()))
    for fold in range(FOLDS):
        seen, held = folds != fold, folds == fold
        if held.any() and len(set(broken[seen].tolist())) == 2:
            scores[held] = _fitted(linear, rows[seen], broken[seen], strength).predict_proba(rows[held])[:, 1]
    return scores


def _log_loss(scores: npt.NDArray[np.float64], broken: npt.NDArray[np.bool_]) -> float:
    likely = np.clip(np.where(broken, scores, 1.0 - scores), 1e-6, 1.0)
    return float(-np.log(likely).mean())


def _metrics(
    scores: npt.NDArray[np.float64], broken: npt.NDArray[np.bool_], threshold: float, bound: float
) -> dict[str, float]:
    metrics = require("sklearn.metrics", extra="train", purpose="measure a model")
    return {
        "auroc": float(metrics.roc_auc_score(broken, scores)),
        "found": float((scores[broken] >= threshold).mean()),
        "false_alarms": float((scores[~broken] >= threshold).mean()),
        "false_alarm_bound": bound,
    }


def _onnx_bytes(weights: npt.NDArray[np.float32], bias: float) -> bytes:
    """The model as ONNX: buckets int64 [n] and their weights float32 [n] -> score float32 [1]."""
    onnx = require("onnx", extra="train", purpose="write a constraint's classifier")
    helper, kinds = onnx.helper, onnx.TensorProto
    nodes = [
        helper.make_node("Gather", ["table", "buckets"], ["picked"]),
        helper.make_node("Mul", ["picked", "weights"], ["weighted"]),
        helper.make_node("ReduceSum", ["weighted"], ["sum"], keepdims=1),
        helper.make_node("Add", ["sum", "bias"], ["logit"]),
        helper.make_node("Sigmoid", ["logit"], ["score"]),
    ]
    graph = helper.make_graph(
        nodes,
        "constraint",
        [
            helper.make_tensor_value_info("buckets", kinds.INT64, ["n"]),
            helper.make_tensor_value_info("weights", kinds.FLOAT, ["n"]),
        ],
        [helper.make_tensor_value_info("score", kinds.FLOAT, [1])],
        [
            onnx.numpy_helper.from_array(weights, "table"),
            onnx.numpy_helper.from_array(np.array([bias], dtype=np.float32), "bias"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
