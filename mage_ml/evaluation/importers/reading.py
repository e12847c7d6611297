"""The one way to read any corpus of the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mage_ml.config import nearest
from mage_ml.errors import ConfigError, RecordError
from mage_ml.evaluation.importers.corpus import CorpusImporter, CorpusInfo, ImportCount, SplitShares, split_of
from mage_ml.evaluation.importers.table import CORPORA
from mage_ml.memory import Episode, Split
from mage_ml.memory.corpora import EVALUATION_ONLY, is_held_out
from mage_ml.progress import Progress, silent


def corpus_named(name: str) -> CorpusInfo:
    """The corpus with a name.

    Raises:
        ConfigError: There is none; the nearest name is given.
    """
    info = CORPORA.get(name)
    if info is None:
        raise ConfigError(f"unknown corpus {name!r}; {nearest(name, list(CORPORA))}")
    return info


def import_corpus(
    name: str,
    path: Path,
    *,
    shares: SplitShares | None = None,
    for_training: bool = False,
    check_count: bool = True,
    reworded: bool = False,
    count: ImportCount | None = None,
    progress: Progress = silent,
) -> Iterator[Episode]:
    """Read a corpus as labelled episodes.

    Args:
        name: Name of the corpus.
        path: A published file, or the folder that holds them.
        shares: Assign whole groups to training, validation and test by these shares; all is test when not given.
            What is for evaluation only is test in any case.
        for_training: Whether the episodes are meant for training.
        check_count: Whether another number of records than the published one is an error, raised at the end.
        reworded: Say every injected text in other words.
        count: Counts what is met.
        progress: Told how many files are done.

    Raises:
        ConfigError: No corpus has this name, or it cannot be said in other words.
        RecordError: A record is damaged or there twice, the number of records is not the published one, or the
            corpus is for evaluation only and was asked for as training data.
    """
    info = corpus_named(name)
    reader = _reader(info, for_training=for_training, reworded=reworded)
    count = ImportCount() if count is None else count
    seen: set[str] = set()
    for episode in reader(path, count, progress):
        if episode.episode_id in seen:
            raise RecordError(
                f"{path}: {episode.episode_id!r} is there twice; remove one copy, or every figure counts it twice"
            )
        seen.add(episode.episode_id)
        split = Split.TEST if shares is None or is_held_out(episode) else split_of(episode.group_id, shares)
        yield episode.model_copy(update={"split": split})
    if check_count and count.records not in info.record_counts:
        expected = " or ".join(f"{number:,}" for number in info.record_counts)
        raise RecordError(
            f"{path}: found {count.records:,} records of {info.title}, expected {expected}; fetch the files anew, or "
            "accept a part of the corpus explicitly"
        )


def _reader(info: CorpusInfo, *, for_training: bool, reworded: bool) -> CorpusImporter:
    if for_training and not info.may_train:
        raise RecordError(
            f"{info.title} ({info.name}) is for evaluation only: {EVALUATION_ONLY[info.name]}. "
            "Import it without asking for training data, and leave it out of what a model learns from"
        )
    reader = info.reworded if reworded else info.reader
    if reader is None:
        able = ", ".join(other.name for other in CORPORA.values() if other.reworded is not None)
        raise ConfigError(f"{info.name} cannot be said in other words; that is known for {able}")
    return reader
