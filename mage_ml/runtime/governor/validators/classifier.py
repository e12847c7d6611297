"""A trained text classifier as validator: a small ONNX model in a sealed folder of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mage_ml.errors import ArtifactError, EvaluatorError
from mage_ml.extras import require
from mage_ml.risk import Score
from mage_ml.runtime.governor.clauses import sentences_of
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.text_features import BUCKETS, FEATURE_VERSION, features_of
from mage_ml.runtime.governor.validator_specs import ClassifierSpec
from mage_ml.runtime.governor.validators.base import KEPT, Verdict

CLASSIFIER_FORMAT: Final = 1
MODEL_FILE: Final = "constraint.onnx"
MANIFEST_FILE: Final = "manifest.json"


class ClassifierManifest(BaseModel):
    """What a constraint classifier says about itself.

    Attributes:
        format_version: Version of the folder; newer ones are refused by name.
        task: Always `constraint`.
        constraint: Id of the constraint it was trained for.
        feature_version: Version of the features; loading compares it with the code's.
        buckets: Width of the feature vector.
        threshold: Score from which an output breaks the constraint.
        languages: Examples by language.
        examples: Examples it was trained on.
        metrics: Cross-validated figures at the threshold.
        data_digest: SHA-256 of the training data.
        created: Date of the training, ISO 8601.
        sha256: SHA-256 of the model file.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format_version: int = CLASSIFIER_FORMAT
    task: str = "constraint"
    constraint: str
    feature_version: int = FEATURE_VERSION
    buckets: int = BUCKETS
    threshold: Score
    languages: Mapping[str, int]
    examples: Annotated[int, Field(ge=1)]
    metrics: Mapping[str, float]
    data_digest: str
    created: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ConstraintClassifier:
    """An opened classifier.

    Args:
        folder: Its folder.

    Raises:
        ArtifactError: The folder is incomplete, damaged, from a newer release, or made for other features.
    """

    def __init__(self, folder: Path) -> None:
        self.manifest = _read_manifest(folder)
        path = folder / MODEL_FILE
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ArtifactError(f"{path}: cannot be read: {error}; copy the whole folder again") from error
        if hashlib.sha256(data).hexdigest() != self.manifest.sha256:
            raise ArtifactError(f"{path}: damaged or changed; train it again or copy it again")
        runtime = require("onnxruntime", extra="", purpose="run constraint classifiers")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session: Any = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])

    def score(self, text: str) -> float:
        """How likely a text breaks the constraint, 0 to 1.

        Raises:
            EvaluatorError: The model gave no score.
        """
        buckets, weights = features_of(text)
        if not len(buckets):
            return 0.0
        (score,) = self._session.run(None, {"buckets": buckets, "weights": weights})
        value = float(np.asarray(score).reshape(-1)[0])
        if not 0.0 <= value <= 1.0:
            raise EvaluatorError(f"constraint classifier: gave the score {value}; expected 0 to 1")
        return value


class ClassifierValidator:
    """Scores an output, sentence by sentence or whole, in each of its readings.

    Args:
        spec: Model and threshold.
        folder: Folder that the model's path is relative to.

    Raises:
        ArtifactError: The model cannot be opened.
    """

    def __init__(self, spec: ClassifierSpec, folder: Path) -> None:
        self._classifier = ConstraintClassifier(folder / spec.model)
        self._threshold = spec.threshold if spec.threshold is not None else self._classifier.manifest.threshold
        self._by_sentence = spec.per == "sentence"

    def check(self, question: Question) -> Verdict:
        """Score it."""
        highest, worst = 0.0, ""
        for reading in question.utterance.readings:
            for piece in sentences_of(reading) if self._by_sentence else [reading]:
                score = self._classifier.score(piece)
                if score > highest:
                    highest, worst = score, piece
        if highest < self._threshold:
            return KEPT
        return Verdict(violated=True, offending=worst[:160], score=highest, found_by="classifier")


def _read_manifest(folder: Path) -> ClassifierManifest:
    path = folder / MANIFEST_FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ArtifactError(
            f"{path}: cannot be read: {error}; expected the folder of `mage-ml train --task constraint`"
        ) from error
    version = data.get("format_version") if isinstance(data, dict) else None
    if not isinstance(version, int) or version > CLASSIFIER_FORMAT:
        raise ArtifactError(
            f"{path}: format {version!r}; this release reads up to {CLASSIFIER_FORMAT}. Upgrade mage-ml"
        )
    try:
        manifest = ClassifierManifest.model_validate(data)
    except ValidationError as error:
        raise ArtifactError(f"{path}: {error.error_count()} invalid fields: {error}") from error
    if (manifest.task, manifest.feature_version, manifest.buckets) != ("constraint", FEATURE_VERSION, BUCKETS):
        raise ArtifactError(f"{path}: made for other features than this release computes; train it again")
    return manifest
