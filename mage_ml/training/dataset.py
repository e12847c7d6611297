"""Labelled episodes as training examples, grouped by triple."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mage_ml.encoding import EncodedSnapshot, SnapshotEncoder
from mage_ml.memory import Episode, MomentLabel
from mage_ml.memory.shadow import iterate_snapshots
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

if TYPE_CHECKING:
    import torch

AXES = tuple(RiskAxis)


@dataclass(frozen=True, slots=True)
class Example:
    """One encoded snapshot with its label.

    Attributes:
        encoded: The snapshot as numbers; relations are kept as booleans to save memory.
        label: What is known to be wrong.
        episode_id: Where it comes from.
    """

    encoded: EncodedSnapshot
    label: MomentLabel
    episode_id: str


@dataclass(frozen=True, slots=True)
class ExampleGroup:
    """The examples of one triple: they share most of their texts, so a batch encodes each text once."""

    group_id: str
    examples: tuple[Example, ...]


def build_groups(
    episodes: Iterable[Episode],
    encoder: SnapshotEncoder,
    *,
    moments_per_episode: int,
    seed: int = 0,
    progress: Progress = silent,
    stage: str = "encoding",
    total: int = 0,
) -> list[ExampleGroup]:
    """Encode the moments of episodes.

    When an episode has more moments than wanted, risky and final ones are kept first and the rest drawn by seed.

    Args:
        episodes: Episodes.
        encoder: Encodes snapshots.
        moments_per_episode: The most moments used of one episode.
        seed: Seed of the draw.
        progress: Told how many episodes are done.
        stage: Name for the progress report.
        total: Number of episodes, for the progress report.
    """
    groups: dict[str, list[Example]] = {}
    for number, episode in enumerate(episodes, start=1):
        chosen = _choose(episode, moments_per_episode, seed)
        examples = groups.setdefault(episode.group_id, [])
        for index, snapshot in enumerate(iterate_snapshots(episode)):
            if index in chosen:
                label = episode.moments[index].label
                examples.append(Example(_compact(encoder.encode(snapshot)), label, episode.episode_id))
        progress(stage, number, total)
    return [ExampleGroup(group_id, tuple(examples)) for group_id, examples in groups.items()]


def _choose(episode: Episode, wanted: int, seed: int) -> frozenset[int]:
    count = len(episode.moments)
    if count <= wanted:
        return frozenset(range(count))
    key = hashlib.sha256(f"{seed}:{episode.episode_id}".encode()).digest()
    rng = np.random.default_rng(int.from_bytes(key[:8], "big"))
    risky = [index for index, moment in enumerate(episode.moments) if moment.label.is_risky]
    # Half of the budget at most for risky moments: the same actions in the safe arms must be seen too.
    first = [*risky[-max(1, wanted // 2) :], count - 1]
    rest = [index for index in rng.permutation(count).tolist() if index not in first]
    return frozenset([*dict.fromkeys(first), *rest][:wanted])


def _compact(encoded: EncodedSnapshot) -> EncodedSnapshot:
    return EncodedSnapshot(
        entry_ids=encoded.entry_ids,
        token_ids=encoded.token_ids,
        features=encoded.features,
        relations=encoded.relations.astype(np.bool_),
        tokens_seen=encoded.tokens_seen,
        tokens_total=encoded.tokens_total,
        language_supported=encoded.language_supported,
    )


def distinct_texts(groups: Iterable[ExampleGroup]) -> list[tuple[int, ...]]:
    """All distinct token sequences, shortest first."""
    found = {ids for group in groups for example in group.examples for ids in example.encoded.token_ids}
    return sorted(found, key=lambda ids: (len(ids), ids))


class Collator:
    """Groups -> padded tensors. With cached vectors it passes vectors, otherwise the distinct texts of the batch.

    Args:
        vectors: Vector by token sequence, or `None` to pass token ids.
    """

    def __init__(self, vectors: dict[tuple[int, ...], npt.NDArray[np.float32]] | None = None) -> None:
        self._vectors = vectors

    def __call__(self, groups: Sequence[ExampleGroup]) -> dict[str, torch.Tensor]:
        """Pad a batch; see `MageClassifier.forward` for the shapes."""
        import torch

        examples = [example for group in groups for example in group.examples]
        items = max(len(example.encoded.token_ids) for example in examples)
        batch = {
            "features": _stack([_pad(example.encoded.features, items, 1) for example in examples]),
            "relations": _stack([_pad(example.encoded.relations, items, 2) for example in examples]),
            "mask": _stack([_pad(np.ones(len(example.encoded.token_ids)), items, 1) for example in examples]),
            "axis_labels": _stack([_axis_flags(example.label.axes) for example in examples]),
            "axis_known": _stack([_axis_flags(example.label.known_axes) for example in examples]),
            "item_labels": _stack([_pad(_item_labels(example), items, 1) for example in examples]),
            "item_known": _stack([_pad(_item_known(example), items, 1) for example in examples]),
        }
        if self._vectors is not None:
            known = self._vectors
            rows = [np.stack([known[ids] for ids in example.encoded.token_ids]) for example in examples]
            batch["vectors"] = _stack([_pad(row, items, 1) for row in rows])
            return batch
        # By length, so that the encoder can work on slices with little padding.
        texts = sorted(
            {ids for example in examples for ids in example.encoded.token_ids}, key=lambda ids: (len(ids), ids)
        )
        row_of = {ids: row for row, ids in enumerate(texts)}
        width = max(map(len, texts))
        batch["input_ids"] = torch.tensor([[*ids, *[0] * (width - len(ids))] for ids in texts])
        batch["attention_mask"] = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in texts])
        item_text = [[row_of[ids] for ids in example.encoded.token_ids] for example in examples]
        batch["item_text"] = torch.tensor([[*row, *[0] * (items - len(row))] for row in item_text])
        return batch


def _stack(rows: Sequence[npt.NDArray[np.generic]]) -> torch.Tensor:
    import torch

    return torch.from_numpy(np.stack(rows).astype(np.float32))


def _pad(array: npt.NDArray[np.generic], size: int, axes: int) -> npt.NDArray[np.generic]:
    widths = [(0, size - array.shape[axis]) if axis < axes else (0, 0) for axis in range(array.ndim)]
    return np.pad(array, widths)


def _axis_flags(axes: Sequence[RiskAxis]) -> npt.NDArray[np.float32]:
    return np.array([axis in axes for axis in AXES], dtype=np.float32)


def _item_labels(example: Example) -> npt.NDArray[np.float32]:
    decisive = example.label.decisive_entry
    return np.array([bool(i) and i == decisive for i in example.encoded.entry_ids], dtype=np.float32)


def _item_known(example: Example) -> npt.NDArray[np.float32]:
    # Entries derived from the contaminated one are neither clean nor the origin: they take no part.
    label = example.label
    if label.is_risky and label.decisive_entry is None:
        return np.zeros(len(example.encoded.entry_ids), dtype=np.float32)  # nobody says which entry it was
    unclear = set(label.tainted) - {label.decisive_entry}
    return np.array([bool(i) and i not in unclear for i in example.encoded.entry_ids], dtype=np.float32)
