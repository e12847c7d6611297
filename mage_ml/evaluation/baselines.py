"""Baselines that a memory-reading model must beat: linear models over the words of memory and action.

All are trained on the generated training split only, with scikit-learn, and score the same rows as everyone else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from mage_ml.evaluation.contestants import Contestant, Scored
from mage_ml.evaluation.rows import ContestantName
from mage_ml.extras import require
from mage_ml.memory import Episode, MemoryEntry, PendingAction, Snapshot, Status
from mage_ml.risk import RiskAxis

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# One Han character is a token: Chinese is not written with spaces, and word pairs then cover most words.
_TOKEN_PATTERN: Final = r"[A-Za-z0-9_]+|[\u4e00-\u9fff]"
_MAX_FEATURES: Final = 50_000
_MAX_ITERATIONS: Final = 500
_BYTES_PER_MB: Final = 1e6
_PURPOSE: Final = "train the baselines of a benchmark"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a baseline reads of a snapshot.

    Attributes:
        memory: The text of all entries that are not quarantined.
        action: The pending action.
    """

    memory: str
    action: str

    @classmethod
    def of(cls, entries: Iterable[MemoryEntry], action: PendingAction) -> Reading:
        """Read entries and an action."""
        kept = (entry.text for entry in entries if entry.status is not Status.QUARANTINED)
        return cls("\n".join(kept), f"{action.type} {action.text}")

    @property
    def text(self) -> str:
        """Memory and action as one text."""
        return f"{self.memory}\n{self.action}"


@dataclass(frozen=True, slots=True)
class TrainingCases:
    """Labelled readings.

    Attributes:
        readings: What is read.
        risky: Shape (n, 4), in the order of `RiskAxis`.
    """

    readings: tuple[Reading, ...]
    risky: NDArray[np.bool_]


def collect_cases(episodes: Iterable[Episode], limit: int, rng: np.random.Generator) -> TrainingCases:
    """Draw at most `limit` moments whose label knows every axis, evenly from all episodes (reservoir sampling)."""
    kept: list[tuple[Reading, list[bool]]] = []
    seen = 0
    for episode in episodes:
        for moment in episode.moments:
            if len(moment.label.known_axes) < len(RiskAxis):
                continue
            seen += 1
            place = len(kept) if len(kept) < limit else int(rng.integers(0, seen))
            if place >= limit:
                continue
            reading = Reading.of(episode.entries[: moment.visible], moment.action)
            case = (reading, [axis in moment.label.axes for axis in RiskAxis])
            kept[place : place + 1] = [case]
    return TrainingCases(
        tuple(case[0] for case in kept), np.array([case[1] for case in kept], dtype=bool).reshape(-1, 4)
    )


Featurise = Callable[[Sequence[Reading]], Any]
"""Readings to a matrix with one row each, dense or sparse."""


class LinearBaseline:
    """Logistic regression per axis, and one for any axis, over features of memory and action.

    Args:
        featurise: Makes the features.
        cases: What to learn from.
    """

    def __init__(self, featurise: Featurise, cases: TrainingCases) -> None:
        self._featurise = featurise
        features = featurise(cases.readings)
        self._axes = {axis: _fit(features, cases.risky[:, i]) for i, axis in enumerate(RiskAxis)}
        self._any = _fit(features, np.asarray(cases.risky.any(axis=1)))

    def __call__(self, snapshot: Snapshot) -> Scored:
        """Score a snapshot."""
        features = self._featurise([Reading.of(snapshot.entries, snapshot.action)])
        return Scored(
            axes={axis: model.probability(features) for axis, model in self._axes.items()},
            overall=self._any.probability(features),
        )

    @property
    def weights_bytes(self) -> int:
        """Bytes of all weights, as 32-bit floats."""
        return 4 * sum(model.size for model in (*self._axes.values(), self._any))


@dataclass(frozen=True, slots=True)
class _Logistic:
    """A fitted logistic regression, or the constant share where only one class was seen."""

    weights: NDArray[np.float64]
    bias: float

    @property
    def size(self) -> int:
        return len(self.weights) + 1

    def probability(self, features: Any) -> float:  # noqa: ANN401 - dense or sparse
        logit = self.bias + (float((features @ self.weights)[0]) if len(self.weights) else 0.0)
        return float(1.0 / (1.0 + np.exp(-np.clip(logit, -500, 500))))


def _fit(features: Any, positive: NDArray[np.bool_]) -> _Logistic:  # noqa: ANN401 - dense or sparse
    if len(positive) == 0 or positive.all() or not positive.any():
        share = (positive.sum() + 0.5) / (len(positive) + 1.0)
        return _Logistic(np.empty(0), float(np.log(share / (1 - share))))
    linear = require("sklearn.linear_model", extra="eval", purpose=_PURPOSE)
    model = linear.LogisticRegression(max_iter=_MAX_ITERATIONS).fit(features, positive)
    return _Logistic(np.asarray(model.coef_[0], dtype=np.float64), float(model.intercept_[0]))


def bag_of_words(cases: TrainingCases) -> Contestant:
    """Word counts of memory and action, damped by a logarithm, and logistic regression."""
    text = require("sklearn.feature_extraction.text", extra="eval", purpose=_PURPOSE)
    vectoriser = text.CountVectorizer(token_pattern=_TOKEN_PATTERN, max_features=_MAX_FEATURES, min_df=2)
    vectoriser.fit([case.text for case in cases.readings])
    baseline = LinearBaseline(
        lambda readings: vectoriser.transform([reading.text for reading in readings]).log1p(), cases
    )
    return _contestant(ContestantName.BAG_OF_WORDS, baseline, _vocabulary_bytes(vectoriser))


def tfidf_lr(cases: TrainingCases) -> Contestant:
    """TF-IDF over words and word pairs, and logistic regression."""
    text = require("sklearn.feature_extraction.text", extra="eval", purpose=_PURPOSE)
    vectoriser = text.TfidfVectorizer(
        token_pattern=_TOKEN_PATTERN, ngram_range=(1, 2), max_features=_MAX_FEATURES, min_df=2, sublinear_tf=True
    )
    vectoriser.fit([case.text for case in cases.readings])
    baseline = LinearBaseline(lambda readings: vectoriser.transform([reading.text for reading in readings]), cases)
    return _contestant(ContestantName.TFIDF_LR, baseline, _vocabulary_bytes(vectoriser))


def static_linear(cases: TrainingCases, base_model: Path) -> Contestant:
    """Mean word embedding of memory and of the action, side by side, and logistic regression.

    Args:
        cases: What to learn from.
        base_model: Folder with `model.safetensors` and `tokenizer.json` of a BERT-style model.
    """
    featurise = StaticEmbedding(base_model)
    baseline = LinearBaseline(featurise, cases)
    return _contestant(ContestantName.STATIC_LINEAR, baseline, featurise.size_bytes)


class StaticEmbedding:
    """Averages the input embeddings of a BERT-style model; no transformer layer is run.

    Args:
        folder: Holds `model.safetensors` and `tokenizer.json`.
    """

    _TABLE: Final = "embeddings.word_embeddings.weight"

    def __init__(self, folder: Path) -> None:
        safetensors = require("safetensors", extra="train", purpose="read the embeddings of the base model")
        from tokenizers import Tokenizer

        with safetensors.safe_open(str(folder / "model.safetensors"), framework="np") as file:
            name = next(key for key in file.keys() if key.endswith(self._TABLE))  # noqa: SIM118 - not a dict
            table = np.asarray(file.get_tensor(name), dtype=np.float32)
        # Length one, so that frequent words with long vectors do not drown the rest.
        self._table = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def __call__(self, readings: Sequence[Reading]) -> NDArray[np.float32]:
        """Vectors of memory and action, shape (readings, 2 x width)."""
        return np.stack([np.concatenate([self._mean(r.memory), self._mean(r.action)]) for r in readings])

    @property
    def size_bytes(self) -> int:
        """Bytes of the embedding table."""
        return int(self._table.nbytes)

    def _mean(self, text: str) -> NDArray[np.float32]:
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        if not ids:
            return np.zeros(self._table.shape[1], dtype=np.float32)
        mean: NDArray[np.float32] = self._table[ids].mean(axis=0)
        # Means of many unit vectors are short; scaled to unit variance the regression converges in few steps.
        return mean * np.float32(np.sqrt(self._table.shape[1]))


def _contestant(name: ContestantName, baseline: LinearBaseline, extra_bytes: int) -> Contestant:
    size_mb = (baseline.weights_bytes + extra_bytes) / _BYTES_PER_MB
    return Contestant(name=name, scorer=baseline, thresholds=MappingProxyType({}), size_mb=size_mb)


def _vocabulary_bytes(vectoriser: Any) -> int:  # noqa: ANN401 - a scikit-learn vectoriser
    return sum(len(term.encode()) + 4 for term in vectoriser.vocabulary_)
