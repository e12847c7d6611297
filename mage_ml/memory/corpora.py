"""Third-party corpora that a model must not learn from; asked wherever episodes become training data."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from mage_ml.errors import RecordError
from mage_ml.memory.episode import Episode, Split

EVALUATION_ONLY: Final = MappingProxyType(
    {
        "agentdojo_invariant": "its publisher states no licence",
        "notinject": "it measures alarms on harmless prompts and means nothing once it was learned",
    }
)
"""Corpus -> why it is for evaluation only."""

HELD_OUT: Final = frozenset({("bipia", "test")})
"""Corpus and template of what a publisher holds out for testing."""


def may_train(corpus: str) -> bool:
    """Whether a model that is given to others may learn from a corpus."""
    return corpus not in EVALUATION_ONLY


def is_held_out(episode: Episode) -> bool:
    """Whether an episode is for evaluation only, because of its corpus or because its publisher held it out."""
    return not may_train(episode.corpus) or (episode.corpus, episode.template) in HELD_OUT


def check_trainable(episodes: Iterable[Episode]) -> None:
    """Refuse episodes that a model must not learn from.

    Raises:
        RecordError: An episode belongs to a corpus that is for evaluation only, or to a test split.
    """
    for number, episode in enumerate(episodes, start=1):
        reason = EVALUATION_ONLY.get(episode.corpus)
        if reason is not None:
            raise RecordError(
                f"corpus {episode.corpus!r} is for evaluation only: {reason}. Take it out of the training data",
                record=number,
                record_id=episode.episode_id,
            )
        if episode.corpus != "generated" and episode.split is Split.TEST:
            raise RecordError(
                f"an episode of {episode.corpus!r} that belongs to the test split; train on the files that "
                "`mage-ml data import` wrote for training and validation",
                record=number,
                record_id=episode.episode_id,
            )
