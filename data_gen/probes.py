"""Probes: can anything but the contamination tell the arms of a triple apart?

Each probe sees one family of shallow features of the edited entry, or of the memory as it stood at the first
consequence, in the two arms of each pair, and learns by grouped cross-validation which arm is which. Features enter as
differences within the pair, so what is common to the pair cannot help. The score is the share of held-out pairs that
are ordered right, ties counting half: the AUROC on paired data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from data_gen.randomness import rng_for
from mage_ml.errors import ProbeError
from mage_ml.extras import require
from mage_ml.memory.entry import MemoryEntry

_FOLDS: Final = 5
_PUNCTUATION: Final = ",.:;!?|-()/'\"，。：；！？、（）·*=@$€£%"


Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Gives one vector for each text: (texts, width)."""


class Contrast(StrEnum):
    """Which arms are compared."""

    CONTAMINATED_SHAM = "contaminated_vs_sham"
    SHAM_CLEAN = "sham_vs_clean"


class ProbeStatus(StrEnum):
    """What a probe found."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class ProbeView:
    """What probes see of one arm.

    Attributes:
        text: The edited entry.
        source: Its source and role.
        tool: Its tool.
        position: Its place in memory, from 0.
        entries: How many entries memory holds at the moment compared: the first consequence of a contamination that has
            one, otherwise the first action after the edit. The arms are compared after the same number of actions.
    """

    text: str
    source: str
    tool: str
    position: int
    entries: int


@dataclass(frozen=True, slots=True)
class ProbePair:
    """What probes see of one triple."""

    language: str
    writer: str
    operator: str
    clean: ProbeView
    sham: ProbeView
    contaminated: ProbeView


class ProbeRow(BaseModel):
    """One line of the probe table.

    Attributes:
        probe: Family of features.
        contrast: The arms compared.
        auroc: On paired data, held out.
        low: Lower end of the Wilson interval at the stated confidence.
        high: Upper end.
        pairs: Number of pairs.
        status: `failed` above the limit and above chance; `inconclusive` when the interval reaches above the limit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    probe: str
    contrast: Contrast
    auroc: float
    low: float
    high: float
    pairs: int
    status: ProbeStatus


def view_of(visible: int, edited: MemoryEntry) -> ProbeView:
    """What probes see of an arm."""
    return ProbeView(
        text=edited.text,
        source=f"{edited.source.value}/{edited.role.value}",
        tool=edited.tool_name or "",
        position=edited.step,
        entries=visible,
    )


def run_probes(
    pairs: Sequence[ProbePair],
    *,
    limit: float,
    confidence: float,
    seed: int,
    encode: Encode | None = None,
    encoder_pairs: int = 0,
) -> tuple[ProbeRow, ...]:
    """The probe table. Raises no error for what it finds; see `require_clean`.

    Args:
        pairs: One for each triple.
        limit: Highest AUROC allowed.
        confidence: Two-sided confidence of the intervals.
        seed: Of the folds.
        encode: Gives sentence vectors for a probe of sham against clean by a linear head over them.
        encoder_pairs: How many pairs it looks at.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    rows = []
    for contrast in Contrast:
        sham = contrast is Contrast.SHAM_CLEAN
        seen = [(p.sham, p.clean) if sham else (p.contaminated, p.sham) for p in pairs]
        for name, features in _SHALLOW.items():
            first = np.array([features(a) for a, _ in seen], dtype=float)
            second = np.array([features(b) for _, b in seen], dtype=float)
            score, ordered = _paired_auroc(first - second, seed)
            rows.append(_row(name, contrast, score, ordered, limit, confidence))
            if contrast is Contrast.CONTAMINATED_SHAM and name in _BY_OPERATOR:
                for operator in sorted({pair.operator for pair in pairs}):
                    own = np.array([pair.operator == operator for pair in pairs])
                    score, ordered = _paired_auroc((first - second)[own], seed)
                    rows.append(_row(f"{name}/{operator}", contrast, score, ordered, limit, confidence))
        for name, labels in _categories(pairs, seen).items():
            score, ordered = _paired_auroc(labels, seed)
            rows.append(_row(name, contrast, score, ordered, limit, confidence))
    languages = sorted({pair.language for pair in pairs})
    for language in languages:
        texts = [(pair.sham.text, pair.clean.text) for pair in pairs if pair.language == language]
        score, ordered = _paired_auroc(_bag_of_words(texts, language), seed)
        rows.append(_row(f"bag_of_words_{language}", Contrast.SHAM_CLEAN, score, ordered, limit, confidence))
        if encode is not None and encoder_pairs:
            drawn = rng_for(seed, "encoder", language).sample(texts, min(len(texts), encoder_pairs // len(languages)))
            vectors = encode([text for pair in drawn for text in pair])
            score, ordered = _paired_auroc(vectors[0::2] - vectors[1::2], seed)
            rows.append(_row(f"base_encoder_{language}", Contrast.SHAM_CLEAN, score, ordered, limit, confidence))
    return tuple(rows)


def require_clean(rows: Sequence[ProbeRow]) -> None:
    """Let clean data pass.

    Raises:
        ProbeError: A probe failed; it names every one.
    """
    failed = [row for row in rows if row.status is ProbeStatus.FAILED]
    if failed:
        shown = "; ".join(
            f"{row.probe} ({row.contrast}): AUROC {row.auroc:.3f} over {row.pairs} pairs" for row in failed
        )
        raise ProbeError(
            f"something other than the contamination tells the arms apart: {shown}. Look at the edited entries in the "
            "data card's examples, make the edits of the two arms alike in this respect, and generate again"
        )


def _length(view: ProbeView) -> list[float]:
    return [len(view.text), len(view.text.split())]


def _entries(view: ProbeView) -> list[float]:
    return [view.entries]


def _position(view: ProbeView) -> list[float]:
    return [view.position, view.position / max(1, view.entries)]


def _punctuation(view: ProbeView) -> list[float]:
    text = view.text
    marks = [float(text.count(mark)) for mark in _PUNCTUATION]
    return [*marks, sum(c.isupper() for c in text), sum(c.islower() for c in text) / 10, float(text[:1].isupper())]


_SHALLOW: Final[dict[str, Callable[[ProbeView], list[float]]]] = {
    "length": _length,
    "number_of_entries": _entries,
    "position": _position,
    "punctuation_and_case": _punctuation,
}

_BY_OPERATOR: Final = ("length", "punctuation_and_case")  # what an editor could leave behind, seen operator by operator


def _categories(pairs: Sequence[ProbePair], seen: Sequence[tuple[ProbeView, ProbeView]]) -> dict[str, Any]:
    def differences(first: list[str], second: list[str]) -> Any:  # noqa: ANN401 - an array
        names = sorted({*first, *second})
        one = np.array([[float(value == name) for name in names] for value in first])
        other = np.array([[float(value == name) for name in names] for value in second])
        return one - other

    return {
        "role": differences([a.source for a, _ in seen], [b.source for _, b in seen]),
        "tool_name": differences([a.tool for a, _ in seen], [b.tool for _, b in seen]),
        "writer": differences([pair.writer for pair in pairs], [pair.writer for pair in pairs]),
    }


def _bag_of_words(texts: Sequence[tuple[str, str]], language: str) -> Any:  # noqa: ANN401 - a sparse matrix
    text = require("sklearn.feature_extraction.text", extra="train", purpose="run the probes")
    options = {"analyzer": "char", "ngram_range": (1, 2)} if language == "zh" else {"ngram_range": (1, 2)}
    vectorizer = text.TfidfVectorizer(min_df=2, max_features=4000, **options)
    flat = vectorizer.fit_transform([item for pair in texts for item in pair])
    return flat[0::2] - flat[1::2]


def _paired_auroc(differences: Any, seed: int) -> tuple[float, int]:  # noqa: ANN401 - dense or sparse
    """Share of held-out pairs ordered right, and how many pairs there were."""
    model_type = require("sklearn.linear_model", extra="train", purpose="run the probes").LogisticRegression
    count = differences.shape[0]
    dense = differences.toarray() if hasattr(differences, "toarray") else np.asarray(differences, dtype=float)
    spread = dense.std(axis=0) + np.abs(dense).mean(axis=0)
    dense = dense[:, spread > 0] / spread[spread > 0]
    if dense.shape[1] == 0 or count < 2 * _FOLDS:
        return 0.5, count
    dealt = [index % _FOLDS for index in range(count)]
    rng_for(seed, "folds", count).shuffle(dealt)
    folds = np.array(dealt)
    scores = np.zeros(count)
    for fold in range(_FOLDS):
        known = dense[folds != fold]
        model = model_type(C=0.3, fit_intercept=False, max_iter=500)
        model.fit(np.vstack([known, -known]), np.repeat([1, 0], len(known)))
        scores[folds == fold] = dense[folds == fold] @ model.coef_[0]
    ties = np.isclose(scores, 0.0, atol=1e-9)
    return float(np.mean(np.where(ties, 0.5, scores > 0))), count


def _row(probe: str, contrast: Contrast, auroc: float, pairs: int, limit: float, confidence: float) -> ProbeRow:
    low, high = wilson(auroc, pairs, confidence)
    status = ProbeStatus.PASSED
    if auroc > limit:
        status = ProbeStatus.FAILED if low > 0.5 else ProbeStatus.INCONCLUSIVE
    elif high > limit and auroc != 0.5:
        status = ProbeStatus.INCONCLUSIVE
    return ProbeRow(probe=probe, contrast=contrast, auroc=auroc, low=low, high=high, pairs=pairs, status=status)


def wilson(share: float, count: int, confidence: float) -> tuple[float, float]:
    """Wilson's interval for a share (E. B. Wilson, 1927)."""
    if count == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return centre - half, centre + half
