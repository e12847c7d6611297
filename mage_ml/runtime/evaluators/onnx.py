"""The classifier tier: the trained model in ONNX."""

from __future__ import annotations

from typing import Final

from mage_ml.artifact import ModelArtifact
from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, Coverage, Evidence, RiskVector

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
        scores = self.artifact.score(snapshot)
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
