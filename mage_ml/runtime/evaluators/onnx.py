"""The classifier tier: the trained model in ONNX."""

from __future__ import annotations

import hashlib
from typing import Final

from mage_ml.artifact import ModelArtifact
from mage_ml.artifact.model import ModelScores
from mage_ml.encoding import EncodedSnapshot
from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, Coverage, Evidence, RiskVector
from mage_ml.runtime.evaluators.base import PreparedCall

MAX_EVIDENCE_ENTRIES: Final = 3


class OnnxEvaluator:
    """Scores snapshots with a sealed model.

    Scores are calibrated probabilities; what counts as high is in `artifact.manifest.thresholds`.

    Args:
        artifact: A loaded model.
    """

    name = "classifier"

    def __init__(self, artifact: ModelArtifact) -> None:
        self.artifact = artifact

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Score one snapshot on the four axes and point at the entries most likely contaminated."""
        return self._assessment(self.artifact.score(snapshot))

    def prepare(self, snapshot: Snapshot) -> PreparedCall:
        """Turn a snapshot into numbers now. The key is all of them: the same numbers give the same scores."""
        encoded = self.artifact.encoder.encode(snapshot)
        return PreparedCall(_key_of(encoded), lambda: self._assessment(self.artifact.score_encoded(encoded)))

    def _assessment(self, scores: ModelScores) -> Assessment:
        manifest = self.artifact.manifest
        ranked = sorted(scores.entries, key=lambda entry_id: (-scores.entries[entry_id], entry_id))
        suspects = tuple(e for e in ranked if scores.entries[e] >= manifest.entry_threshold)[:MAX_EVIDENCE_ENTRIES]
        evidence = tuple(
            Evidence(
                axis=axis,
                score=score,
                found_by=f"{manifest.name} {manifest.model_version}",
                entry_ids=suspects or tuple(ranked[:1]),
                message=f"The classifier scores {axis} {score:.2f}; its threshold is {manifest.thresholds[axis]:.2f}.",
            )
            for axis, score in sorted(scores.axes.items(), key=lambda item: -item[1])
            if score >= manifest.thresholds[axis]
        )
        return Assessment(
            risk=RiskVector.from_scores(scores.axes),
            evidence=evidence,
            coverage=Coverage(
                ran=(self.name,),
                tokens_seen=scores.encoded.tokens_seen,
                tokens_total=scores.encoded.tokens_total,
                language_supported=scores.encoded.language_supported,
            ),
            entry_scores=scores.entries,
        )


def _key_of(encoded: EncodedSnapshot) -> str:
    digest = hashlib.sha256()
    said = (encoded.entry_ids, encoded.token_ids, encoded.tokens_seen, encoded.tokens_total, encoded.language_supported)
    for part in (repr(said).encode(), encoded.features.tobytes(), encoded.relations.tobytes()):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
