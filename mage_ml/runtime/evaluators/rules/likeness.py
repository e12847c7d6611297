"""How alike two texts are, by runs of three words: the same statement in another entry is found whatever its marks."""

from __future__ import annotations

from typing import Final
from zlib import crc32

import re2

from mage_ml.runtime.evaluators.normalise import normalised

MAX_CHARS: Final = 4_000
MIN_SHINGLES: Final = 5
NEARLY_SAME: Final = 0.7
_RUN: Final = 3
_KEYS: Final = 4

_TOKEN = re2.compile(r"[A-Za-z0-9_]+|[\p{Han}]|[\p{L}\p{N}]")


def shingles_of(text: str) -> frozenset[int]:
    """Hashes of all runs of three words (characters, for Chinese) in the first 4,000 characters of a text.

    Punctuation, case and disguises change nothing. The hashes are the same in every process.
    """
    tokens = _TOKEN.findall(normalised(text[:MAX_CHARS]).lower())
    if len(tokens) < _RUN:
        return frozenset()
    return frozenset(crc32(" ".join(tokens[i : i + _RUN]).encode()) for i in range(len(tokens) - _RUN + 1))


def likeness(one: frozenset[int], other: frozenset[int]) -> float:
    """Share of runs that two texts have in common (Jaccard), 0 to 1; 0 where one is too short to tell."""
    if min(len(one), len(other)) < MIN_SHINGLES:
        return 0.0
    return len(one & other) / len(one | other)


def keys_of(shingles: frozenset[int]) -> tuple[int, ...]:
    """Up to four hashes by which nearly equal texts are found without comparing all pairs (min-wise sampling)."""
    return tuple(sorted(shingles)[:_KEYS]) if len(shingles) >= MIN_SHINGLES else ()
