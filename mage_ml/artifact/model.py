"""A loaded artifact: from snapshots to calibrated scores with ONNX Runtime, without torch."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from mage_ml.artifact.manifest import ArtifactManifest
from mage_ml.encoding import EncodedSnapshot, SnapshotEncoder
from mage_ml.forking import fork_safe_lock
from mage_ml.risk import RiskAxis

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

    from mage_ml.memory import Snapshot

Vector = npt.NDArray[np.float32]
_LENGTH_BUCKETS: Final = (16, 32, 64, 128, 256, 512)
_ITEM_BUCKETS: Final = (8, 16, 32, 64, 128, 256)


@dataclass(frozen=True, slots=True)
class ModelScores:
    """Scores of one snapshot.

    Attributes:
        axes: Calibrated score by axis, 0 to 1.
        logits: Raw score by axis.
        entries: Entry id -> how likely it is the contaminated one.
        encoded: What the model read.
    """

    axes: dict[RiskAxis, float]
    logits: dict[RiskAxis, float]
    entries: dict[str, float]
    encoded: EncodedSnapshot


class ModelArtifact:
    """A verified model, ready to score. Safe to share between threads.

    Item vectors are cached by their tokens, so that a decision costs the new text and one pass of the chain head.

    Args:
        folder: The sealed folder, already verified by `load_artifact`.
        manifest: Its manifest.
        threads: Threads of ONNX Runtime.
        cache_size: Item vectors kept; the oldest go first. 4,096 of them take 6 MB.
        encoder_file: The entry encoder to use: `encoder.onnx` as shipped, or `encoder.fp32.onnx` for comparison.
    """

    def __init__(
        self,
        folder: Path,
        manifest: ArtifactManifest,
        *,
        threads: int = 1,
        cache_size: int = 4096,
        encoder_file: str = "encoder.onnx",
    ) -> None:
        self.folder = folder
        self.manifest = manifest
        self.encoder = SnapshotEncoder(Tokenizer.from_file(str(folder / "tokenizer.json")), manifest.encoding)
        self._entry_session = _session(folder / encoder_file, threads)
        self._chain_session = _session(folder / "chain.onnx", threads)
        self._vectors: OrderedDict[tuple[int, ...], Vector] = OrderedDict()
        self._cache_size = cache_size
        self._lock = fork_safe_lock()

    def score(self, snapshot: Snapshot) -> ModelScores:
        """Score one snapshot."""
        return self.score_encoded(self.encoder.encode(snapshot))

    def score_encoded(self, encoded: EncodedSnapshot) -> ModelScores:
        """Score an encoded snapshot."""
        vectors = self._item_vectors(encoded.token_ids)
        size = len(encoded.token_ids)
        padded = _bucket(size, _ITEM_BUCKETS)
        inputs = {
            "vectors": _pad(vectors, padded)[None],
            "features": _pad(encoded.features, padded)[None],
            "relations": np.pad(encoded.relations, ((0, padded - size), (0, padded - size), (0, 0)))[None],
            "mask": (np.arange(padded) < size).astype(np.float32)[None],
        }
        axis_logits, item_logits = self._chain_session.run(["axis_logits", "item_logits"], inputs)
        logits = {axis: float(axis_logits[0, column]) for column, axis in enumerate(self.manifest.axes)}
        return ModelScores(
            axes={axis: self._calibrated(axis, logit) for axis, logit in logits.items()},
            logits=logits,
            entries=_entry_scores(encoded.entry_ids, item_logits[0]),
            encoded=encoded,
        )

    def _calibrated(self, axis: RiskAxis, logit: float) -> float:
        return float(self.manifest.calibration[axis].probability(np.array(logit)))

    def _item_vectors(self, token_ids: Sequence[tuple[int, ...]]) -> Vector:
        with self._lock:
            known = {ids: self._vectors[ids] for ids in token_ids if ids in self._vectors}
        for ids in dict.fromkeys(token_ids):
            if ids not in known:
                known[ids] = self._encode_text(ids)
        with self._lock:
            for ids in token_ids:
                self._vectors[ids] = known[ids]
                self._vectors.move_to_end(ids)
            while len(self._vectors) > self._cache_size:
                self._vectors.popitem(last=False)
        return np.stack([known[ids] for ids in token_ids])

    def _encode_text(self, tokens: tuple[int, ...]) -> Vector:
        # One text at a time: 8-bit rounding looks at everything in a batch, and a score must not depend on company.
        # Lengths are rounded up to a few sizes: varied shapes make the runtime's memory arena grow without end.
        ids = np.zeros((1, _bucket(len(tokens), _LENGTH_BUCKETS)), dtype=np.int64)
        ids[0, : len(tokens)] = tokens
        mask = (np.arange(ids.shape[1]) < len(tokens)).astype(np.int64)[None]
        (vectors,) = self._entry_session.run(["vectors"], {"input_ids": ids, "attention_mask": mask})
        return np.asarray(vectors[0], dtype=np.float32)


def _session(path: Path, threads: int) -> InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _entry_scores(entry_ids: Sequence[str], item_logits: Vector) -> dict[str, float]:
    """An entry is as suspicious as its most suspicious piece."""
    scores: dict[str, float] = {}
    for entry_id, logit in zip(entry_ids, item_logits[: len(entry_ids)], strict=True):
        if entry_id:
            scores[entry_id] = max(scores.get(entry_id, 0.0), float(_sigmoid(float(logit))))
    return scores


def _sigmoid(value: float) -> float:
    return float(1.0 / (1.0 + np.exp(-np.clip(value, -60.0, 60.0))))


def _bucket(size: int, buckets: Sequence[int]) -> int:
    return next((bucket for bucket in buckets if bucket >= size), size)


def _pad(rows: Vector, size: int) -> Vector:
    return np.pad(rows, ((0, size - len(rows)), (0, 0)))
