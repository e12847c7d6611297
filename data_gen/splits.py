"""Splits by group: held-out templates and writers, and no near-duplicates across splits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from data_gen.randomness import Rng, rng_for
from mage_ml.memory.episode import EpisodeTriple, Split

HELD_OUT_TEMPLATES: Final = 3
_SHINGLE_WORDS: Final = 3
_SHINGLE_CHARS: Final = 4


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """Which templates and writers are held out.

    Every test triple has a template or a writer that occurs in no other split; the same holds for validation.

    Attributes:
        templates: By the split that they are held out for.
        writers: By language and split.
    """

    templates: Mapping[Split, tuple[str, ...]]
    writers: Mapping[str, Mapping[Split, tuple[str, ...]]]

    def draw(self, split: Split, language: str, rng: Rng) -> tuple[str, str]:
        """Draw a template and a writer that may occur together in a split."""
        writers = self.writers[language]
        if split is Split.TRAIN:
            return rng.choice(self.templates[split]), rng.choice(writers[split])
        if rng.random() < 0.5:
            return rng.choice(self.templates[split]), rng.choice((*writers[Split.TRAIN], *writers[split]))
        return rng.choice((*self.templates[Split.TRAIN], *self.templates[split])), rng.choice(writers[split])


def plan_splits(templates: Sequence[str], writers: Mapping[str, Sequence[str]], seed: int) -> SplitPlan:
    """Choose what is held out: three templates for test, two for validation, and a writer a language for each."""
    order = rng_for(seed, "split", "templates").sample(list(templates), len(templates))
    test, validation = order[:HELD_OUT_TEMPLATES], order[HELD_OUT_TEMPLATES : 2 * HELD_OUT_TEMPLATES - 1]
    by_split = {
        Split.TEST: tuple(test),
        Split.VALIDATION: tuple(validation),
        Split.TRAIN: tuple(order[2 * HELD_OUT_TEMPLATES - 1 :]),
    }
    hands = {}
    for language, names in writers.items():
        mixed = rng_for(seed, "split", "writers", language).sample(list(names), len(names))
        hands[language] = {
            Split.TEST: (mixed[0],),
            Split.VALIDATION: (mixed[1],),
            Split.TRAIN: tuple(mixed[2:]),
        }
    return SplitPlan(by_split, hands)


def counts_by_split(triples: int, validation_share: float, test_share: float) -> dict[Split, int]:
    """How many triples each split gets; at least one each."""
    validation = max(1, round(triples * validation_share))
    test = max(1, round(triples * test_share))
    return {Split.TRAIN: triples - validation - test, Split.VALIDATION: validation, Split.TEST: test}


def distinctive_text(triple: EpisodeTriple) -> str:
    """What tells a triple from others: the goal and everything in the contaminated memory."""
    episode = triple.contaminated
    return "\n".join([episode.goal, *(entry.text for entry in episode.entries)])


def shingles(text: str, language: str) -> frozenset[int]:
    """Hashed shingles: three words in English, four characters in Chinese."""
    if language == "zh":
        parts: Iterable[str] = (text[i : i + _SHINGLE_CHARS] for i in range(max(1, len(text) - _SHINGLE_CHARS + 1)))
    else:
        words = text.lower().split()
        parts = (" ".join(words[i : i + _SHINGLE_WORDS]) for i in range(max(1, len(words) - _SHINGLE_WORDS + 1)))
    return frozenset(int.from_bytes(blake2b(part.encode(), digest_size=8).digest(), "big") for part in parts)


@dataclass
class DuplicateIndex:
    """Finds near-duplicates in other splits exactly, by prefix filtering.

    Two sets with Jaccard similarity s share one of their first (1 - s) n + 1 elements in any fixed order (Bayardo, Ma,
    Srikant, "Scaling up all pairs similarity search", 2007), so only those are indexed.

    Attributes:
        similarity: From here on two sets are near-duplicates.
        compared: Pairs compared in full.
    """

    similarity: float
    compared: int = 0
    _sets: list[tuple[Split, frozenset[int]]] = field(default_factory=list)
    _index: dict[int, list[int]] = field(default_factory=dict)

    def straddles(self, found: frozenset[int], split: Split) -> bool:
        """Whether a near-duplicate lies in another split."""
        seen: set[int] = set()
        for shingle in self._prefix(found):
            for number in self._index.get(shingle, ()):
                other_split, other = self._sets[number]
                if number in seen or other_split is split:
                    continue
                seen.add(number)
                self.compared += 1
                if len(found & other) >= self.similarity * len(found | other):
                    return True
        return False

    def add(self, found: frozenset[int], split: Split) -> None:
        """Index a set."""
        number = len(self._sets)
        self._sets.append((split, found))
        for shingle in self._prefix(found):
            self._index.setdefault(shingle, []).append(number)

    def _prefix(self, found: frozenset[int]) -> list[int]:
        ordered = sorted(found)
        return ordered[: int((1 - self.similarity) * len(ordered)) + 1]
