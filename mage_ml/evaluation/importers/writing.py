"""Writes an imported corpus as training and the benchmark read it: Parquet by split, with a card."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Final

from pydantic import BaseModel, ConfigDict

from mage_ml.evaluation.importers.corpus import CorpusInfo, ImportCount, SplitShares
from mage_ml.evaluation.importers.reading import corpus_named, import_corpus
from mage_ml.evaluation.scoring import standing_of
from mage_ml.memory import Episode, Split
from mage_ml.memory.parquet import EpisodeRow, ParquetEpisodes
from mage_ml.progress import Progress, silent

CARD: Final = "card.json"
_PART: Final = ".part"


class EntriesPerChain(BaseModel):
    """How long the memories of a corpus are.

    Attributes:
        shortest: Fewest entries of an episode.
        median: Half of the episodes have at most this many.
        longest: Most entries.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    shortest: int = 0
    median: float = 0.0
    longest: int = 0


class ImportCard(BaseModel):
    """What was imported.

    Attributes:
        corpus: Name of the corpus.
        title: Its name in print.
        licence: Its licence.
        may_train: Whether a model that is given to others may learn from it.
        label: What a label means.
        split_key: What the episodes of a group share.
        protocol: How it is to be used.
        records: Records read.
        left_out: Records that became no episode, by reason.
        episodes: Episodes.
        groups: Groups of episodes.
        snapshots: Actions with what was known before them.
        risky_share: Share of the labelled snapshots that are at risk.
        by_standing: Snapshots by what they stand for.
        by_axis: Risky snapshots by axis.
        by_language: Episodes by language.
        by_split: Episodes by split.
        located: Risky snapshots whose contaminated entry is known.
        entries: Entries per chain.
        digests: SHA-256 of each split's episodes, as `mage_ml.memory.records.digest_of` gives it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    corpus: str
    title: str
    licence: str
    may_train: bool
    label: str
    split_key: str
    protocol: str
    records: int
    left_out: Mapping[str, int]
    episodes: int
    groups: int
    snapshots: int
    risky_share: float
    by_standing: Mapping[str, int]
    by_axis: Mapping[str, int]
    by_language: Mapping[str, int]
    by_split: Mapping[str, int]
    located: int
    entries: EntriesPerChain
    digests: Mapping[str, str]


class CardCounter:
    """Counts the episodes of a card as they pass."""

    def __init__(self) -> None:
        self._standing: Counter[str] = Counter()
        self._axes: Counter[str] = Counter()
        self._languages: Counter[str] = Counter()
        self._splits: Counter[str] = Counter()
        self._groups: set[str] = set()
        self._entries: list[int] = []
        self._located = 0

    def add(self, episode: Episode) -> None:
        """Count an episode."""
        self._groups.add(episode.group_id)
        self._languages[episode.language] += 1
        self._splits[episode.split.value] += 1
        self._entries.append(len(episode.entries))
        for moment in episode.moments:
            self._standing[standing_of(episode, moment).value] += 1
            self._axes.update(axis.value for axis in moment.label.axes)
            self._located += moment.label.is_risky and moment.label.decisive_entry is not None

    def card(self, info: CorpusInfo, count: ImportCount, digests: Mapping[str, str]) -> ImportCard:
        """The card of what was counted."""
        known = sum(self._standing.values()) - self._standing["unknown"]
        sizes = self._entries
        return ImportCard(
            corpus=info.name,
            title=info.title,
            licence=info.licence.value,
            may_train=info.may_train,
            label=info.label,
            split_key=info.split_key,
            protocol=info.protocol,
            records=count.records,
            left_out=dict(count.left_out),
            episodes=len(sizes),
            groups=len(self._groups),
            snapshots=sum(self._standing.values()),
            risky_share=round(self._standing["risky"] / known, 4) if known else 0.0,
            by_standing={name: number for name, number in self._standing.items() if number},
            by_axis=dict(self._axes),
            by_language=dict(self._languages),
            by_split=dict(self._splits),
            located=self._located,
            entries=EntriesPerChain(shortest=min(sizes), median=median(sizes), longest=max(sizes))
            if sizes
            else EntriesPerChain(),
            digests=dict(digests),
        )


def write_corpus(
    name: str,
    path: Path,
    out: Path,
    *,
    shares: SplitShares | None = None,
    for_training: bool = False,
    check_count: bool = True,
    reworded: bool = False,
    progress: Progress = silent,
) -> ImportCard:
    """Import a corpus into a folder: `train.parquet`, `validation.parquet`, `test.parquet` and `card.json`.

    Files of splits without episodes are not written, and older ones are removed. Nothing is replaced when the import
    fails. The arguments are those of `import_corpus`.

    Raises:
        ConfigError: No corpus has this name.
        RecordError: See `import_corpus`.
        MissingExtraError: The `train` or `eval` extra is not installed.
    """
    info, count = corpus_named(name), ImportCount()
    episodes = import_corpus(
        name,
        path,
        shares=shares,
        for_training=for_training,
        check_count=check_count,
        reworded=reworded,
        count=count,
        progress=progress,
    )
    out.mkdir(parents=True, exist_ok=True)
    counter = CardCounter()
    try:
        digests = _write_parts(out, episodes, counter)
        for split in Split:
            final = out / f"{split.value}.parquet"
            if split.value in digests:
                _part_of(final).replace(final)
            else:
                final.unlink(missing_ok=True)
    finally:
        for split in Split:
            _part_of(out / f"{split.value}.parquet").unlink(missing_ok=True)
    card = counter.card(info, count, digests)
    (out / CARD).write_text(card.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return card


def _part_of(path: Path) -> Path:
    return path.with_name(path.name + _PART)


def _write_parts(out: Path, episodes: Iterable[Episode], counter: CardCounter) -> dict[str, str]:
    """Write the episodes by split; returns the digest of each split that has any."""
    with ExitStack() as stack:
        files = {
            split: stack.enter_context(ParquetEpisodes(_part_of(out / f"{split.value}.parquet"))) for split in Split
        }
        digests = {split: hashlib.sha256() for split in Split}
        for episode in episodes:
            counter.add(episode)
            row = EpisodeRow.of(episode)
            files[episode.split].add(row)
            digests[episode.split].update(row.record.encode() + b"\n")
    return {split.value: digests[split].hexdigest() for split in Split if files[split].count}
