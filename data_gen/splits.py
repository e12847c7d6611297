"""Splits by group: held-out templates and writers, and no near-duplicates across splits."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from data_gen.randomness import Rng, rng_for
from mage_ml.errors import ConfigError
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

    def draw(self, split: Split, language: str, rng: Rng, own: Container[str] | None = None) -> tuple[str, str]:
        """Draw a template and a writer that may occur together in a split.

        Args:
            split: Where the triple goes.
            language: `en` or `zh`.
            rng: Draws.
            own: The templates to choose among, those of one domain; all by default.

        Raises:
            ConfigError: Every template of the domain is held out for other splits.
        """
        writers = self.writers[language]
        train = [name for name in self.templates[Split.TRAIN] if own is None or name in own]
        if split is Split.TRAIN:
            if not train:
                raise ConfigError("every template of a domain is held out; a domain needs six templates or more")
            return rng.choice(train), rng.choice(writers[split])
        held = [name for name in self.templates[split] if own is None or name in own]
        if held and (rng.random() < 0.5 or not train):
            return rng.choice(held), rng.choice((*writers[Split.TRAIN], *writers[split]))
        return rng.choice((*train, *held)), rng.choice(writers[split])


def plan_splits(templates: Sequence[str], writers: Mapping[str, Sequence[str]], seed: int) -> SplitPlan:
    """Choose what is held out: an eighth of the templates for test (three at least), and a writer a language.

    Validation gets one template less, and a writer a language too.
    """
    held = max(HELD_OUT_TEMPLATES, len(templates) // 8)
    order = rng_for(seed, "split", "templates").sample(list(templates), len(templates))
    test, validation = order[:held], order[held : 2 * held - 1]
    by_split = {
        Split.TEST: tuple(test),
        Split.VALIDATION: tuple(validation),
        Split.TRAIN: tuple(order[2 * held - 1 :]),
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
