"""What the agent's own words rest on: figures and words that nothing before them holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mage_ml.memory import MemoryEntry, Snapshot, Source, Status
from mage_ml.memory.facts.arithmetic import is_derivable, is_same
from mage_ml.memory.facts.figures import Figure, figures_in
from mage_ml.memory.facts.words import content_words
from mage_ml.memory.notices import carries_mark

MAX_GROUNDS: Final = 16
MAX_FIGURES: Final = 8
_MAX_CHARS: Final = 4_000
_SMALL: Final = 10
OWN_SOURCES: Final = (Source.LLM_REASONING, Source.AGENT)


@dataclass(frozen=True, slots=True)
class Support:
    """How much of a text rests on nothing.

    Attributes:
        unheld_figures: Share of its figures that no ground states and that do not follow from theirs in one step.
        unheld_words: Share of its content words that no ground holds.
    """

    unheld_figures: float
    unheld_words: float


def can_vouch(entry: MemoryEntry) -> bool:
    """Whether others may rest on an entry: it is in use, and does not repeat a message of the guard."""
    return entry.status in (Status.ACTIVE, Status.SUSPECT) and not carries_mark(entry)


def grounds_of(snapshot: Snapshot, parents: Sequence[str]) -> tuple[MemoryEntry, ...]:
    """What a text may rest on: its parents and their ancestors, at most 16, nearest first, as far as they can vouch."""
    above = snapshot.graph.ancestors(*parents, max_nodes=4 * MAX_GROUNDS)
    ids = [*parents, *sorted(above - frozenset(parents), key=snapshot.graph.position, reverse=True)]
    known = (snapshot.entry(entry_id) for entry_id in ids if entry_id in snapshot)
    return tuple(entry for entry in known if can_vouch(entry))[:MAX_GROUNDS]


def support_of(text: str, grounds: Sequence[MemoryEntry], goal: str) -> Support:
    """How much of a text its grounds and the task do not hold.

    Args:
        text: What the agent wrote, or wants to do.
        grounds: See `grounds_of`.
        goal: The user's task.
    """
    texts = [goal, *(ground.text for ground in grounds)]
    words = words_of(text)
    held = frozenset().union(*(words_of(other) for other in texts))
    return Support(
        unheld_figures=_unheld_figures(text, texts), unheld_words=len(words - held) / len(words) if words else 0.0
    )


def _unheld_figures(text: str, texts: Iterable[str]) -> float:
    wanted = [figure for figure in _figures_of(text[:_MAX_CHARS]) if _tells(figure)][:MAX_FIGURES]
    if not wanted:
        return 0.0
    groups = [_figures_of(other[:_MAX_CHARS]) for other in texts]
    known = [figure for group in groups for figure in group]
    missing = [figure for figure in wanted if not any(is_same(figure, other) for other in known)]
    # Figures of one text may follow from each other: a total beside its parts.
    return sum(not is_derivable(figure, [group for group in groups if group]) for figure in missing) / len(wanted)


def _tells(figure: Figure) -> bool:
    """Whether a figure says something: counts below ten and years are found everywhere."""
    return bool(figure.unit) or (abs(figure.number) >= _SMALL and not 1900 <= figure.number <= 2100)


@lru_cache(maxsize=2048)
def _words_of_start(text: str) -> frozenset[str]:
    return content_words(text)


@lru_cache(maxsize=2048)
def _figures_of(text: str) -> tuple[Figure, ...]:
    return figures_in(text)


def words_of(text: str) -> frozenset[str]:
    """The content words in the first 4,000 characters of a text."""
    return _words_of_start(text[:_MAX_CHARS])
