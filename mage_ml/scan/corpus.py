"""Runs of published corpora, read by their importers: what is labelled there is the outcome here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mage_ml.config import nearest
from mage_ml.errors import ConfigError
from mage_ml.evaluation.importers.corpus import CorpusInfo, ImportCount
from mage_ml.evaluation.importers.transcript import Act, Transcript
from mage_ml.memory import Episode
from mage_ml.progress import silent
from mage_ml.scan.trace import Pointer, Trace

AT_RISK, SAFE, UNKNOWN = "labelled at risk", "labelled safe", "not labelled"


def corpus_named(name: str) -> CorpusInfo:
    """A corpus by its name.

    Raises:
        ConfigError: There is none; the nearest name is given.
    """
    from mage_ml.evaluation.importers.table import CORPORA  # not at the top: it imports every importer

    if name not in CORPORA:
        raise ConfigError(f"corpus {name!r} is not known; {nearest(name, list(CORPORA))}")
    return CORPORA[name]


def episodes_of(corpus: CorpusInfo, path: Path) -> Iterator[Episode]:
    """The runs of a corpus at a path.

    Raises:
        RecordError: A record is not what the corpus publishes.
    """
    return corpus.reader(path, ImportCount(), silent)


def trace_of_episode(episode: Episode) -> Trace:
    """An imported run as a trace. Importers keep no places, so a message's number is that of its entry."""
    acts = tuple(Act(moment.visible, moment.action, 0) for moment in episode.moments)
    transcript = Transcript(episode.goal, episode.entries, acts, {entry.id: 0 for entry in episode.entries})
    return Trace(episode.episode_id, transcript, (Pointer(),), _outcome(episode))


def _outcome(episode: Episode) -> str:
    labels = [moment.label for moment in episode.moments]
    if any(label.is_risky for label in labels):
        return AT_RISK
    return SAFE if any(label.known_axes for label in labels) else UNKNOWN
