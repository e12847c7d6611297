"""Which episodes a run learns from: generated triples, and small groups drawn from published corpora."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mage_ml.errors import ConfigError
from mage_ml.memory import Episode, Split
from mage_ml.memory.corpora import check_trainable
from mage_ml.memory.records import episode_files, read_episodes
from mage_ml.training.config import TrainConfig
from mage_ml.training.record import CorpusUse

CARD: Final = "card.json"
PART: Final = "#"
"""Stands between the name of a published group and the number of a part of it."""


def base_group(group_id: str) -> str:
    """The published group that a drawn part comes from."""
    return group_id.partition(PART)[0]


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Episodes by what they are for.

    Attributes:
        train: To learn from.
        validation: To choose the epoch on, and to calibrate on.
        corpora: The published corpora in `train`.
    """

    train: list[Episode]
    validation: list[Episode]
    corpora: tuple[CorpusUse, ...] = ()


def read_data(config: TrainConfig) -> TrainingData:
    """Read what a run learns from and what it is calibrated on.

    Raises:
        ConfigError: A folder holds no data.
        RecordError: An episode is one that a model must not learn from; see `check_trainable`.
    """
    parts: dict[Split, list[Episode]] = {}
    for split in (Split.TRAIN, Split.VALIDATION):
        episodes = _kept(_read_file(config.data, split, "mage-ml generate"), config)
        most = config.max_groups if split is Split.TRAIN else config.max_validation_groups
        episodes = _first_groups(episodes, most)
        if not episodes:
            raise ConfigError(f"{config.data}: holds no episodes for {split}; generate more triples, or leave out less")
        limit = config.corpus_parts if split is Split.TRAIN else max(1, config.corpus_parts // 3)
        for folder in config.corpora:
            published = _kept(_read_file(folder, split, "mage-ml data import --for-training"), config)
            episodes += draw_parts(published, size=config.part_size, limit=limit, seed=config.seed)
        check_trainable(episodes)
        parts[split] = episodes
    counts = Counter(episode.corpus for episode in parts[Split.TRAIN])
    uses = tuple(_use(folder, counts) for folder in config.corpora)
    return TrainingData(parts[Split.TRAIN], parts[Split.VALIDATION], uses)


def _use(folder: Path, counts: Mapping[str, int]) -> CorpusUse:
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        name = str(card["corpus"])
        return CorpusUse(name=name, title=card["title"], licence=card["licence"], episodes=counts.get(name, 0))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{folder / CARD}: not the card of an imported corpus ({error}); its licence must be known before a model "
            "learns from it. Write the folder with `mage-ml data import --for-training`"
        ) from error


def _read_file(folder: Path, split: Split, command: str) -> list[Episode]:
    path = folder / f"{split}.parquet"
    if not episode_files(path):
        raise ConfigError(f"{path}: not found; write it with `{command} --out {folder}`")
    return list(read_episodes(path))


def _first_groups(episodes: list[Episode], limit: int | None) -> list[Episode]:
    wanted = list(dict.fromkeys(episode.group_id for episode in episodes))[:limit]
    kept = frozenset(wanted)
    return [episode for episode in episodes if episode.group_id in kept]


def _kept(episodes: Iterable[Episode], config: TrainConfig) -> list[Episode]:
    wanted = [text.partition("=")[::2] for text in config.leave_out]
    return [e for e in episodes if not any(getattr(e, name) == value for name, value in wanted)]


def draw_parts(episodes: Iterable[Episode], *, size: int, limit: int, seed: int) -> list[Episode]:
    """Cut the groups of a corpus into parts and draw some.

    Published groups differ in size by a factor of a hundred; a batch takes a few small ones. Within a group, runs with
    a risky action and runs without alternate as long as both last, so that a part shows the same task both ways. The
    draw goes round the groups, so that each has its say, and depends on seed and names alone.

    Args:
        episodes: Episodes of one corpus.
        size: The most episodes in a part.
        limit: The most parts.
        seed: Seed of the draw.

    Returns:
        The drawn episodes, part by part, each with its part as group.
    """
    groups: dict[str, list[Episode]] = {}
    for episode in episodes:
        groups.setdefault(episode.group_id, []).append(episode)
    parts_of = [
        list(_parts(group, size, seed)) for _, group in sorted(groups.items(), key=lambda item: _key(item[0], seed))
    ]
    drawn: list[list[Episode]] = []
    for turn in range(max(map(len, parts_of), default=0)):
        drawn += [parts[turn] for parts in parts_of if turn < len(parts)]
        if len(drawn) >= limit:
            break
    return [episode for part in drawn[:limit] for episode in part]


def _parts(group: list[Episode], size: int, seed: int) -> Iterator[list[Episode]]:
    ordered = sorted(group, key=lambda episode: _key(episode.episode_id, seed))
    risky = [episode for episode in ordered if _has_risk(episode)]
    other = [episode for episode in ordered if not _has_risk(episode)]
    turns: list[Episode] = []
    for index in range(max(len(risky), len(other))):
        turns += [*risky[index : index + 1], *other[index : index + 1]]
    for number, start in enumerate(range(0, len(turns), size)):
        yield [
            episode.model_copy(update={"group_id": f"{episode.group_id}{PART}{number}"})
            for episode in turns[start : start + size]
        ]


def _has_risk(episode: Episode) -> bool:
    return any(moment.label.is_risky for moment in episode.moments)


def _key(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode()).digest()
