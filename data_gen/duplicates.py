"""Near-duplicates across splits, found with memory that does not grow with the data.

Candidates come from banded MinHash signatures (Broder, "On the resemblance and containment of documents", 1997;
Leskovec, Rajaraman, Ullman, "Mining of Massive Datasets", chapter 3), and are then compared in full. What has been seen
lies in a temporary SQLite file.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from mage_ml.memory.episode import Split

LOWEST_LIMIT: Final = 0.1
_HASHES: Final = 240
_MOST_MISSED: Final = 1e-5
_CHUNK: Final = 512
# Six standard deviations of the estimate at the limit: below, a full comparison cannot reach it.
_MARGIN: Final = 0.17
_SPLITS: Final = tuple(Split)
_SCHEMA: Final = """
CREATE TABLE text (number INTEGER PRIMARY KEY, split INTEGER, signature BLOB, shingles BLOB);
CREATE TABLE band (hash INTEGER, split INTEGER, number INTEGER, PRIMARY KEY (hash, split, number)) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is needed to compare a text with others.

    Attributes:
        shingles: Sorted 64-bit hashes of its shingles, as little-endian bytes.
        signature: MinHash signature of 240 32-bit values, as little-endian bytes.
    """

    shingles: bytes
    signature: bytes


def fingerprint(shingles: frozenset[int]) -> Fingerprint:
    """Fingerprint of a set of shingles.

    Raises:
        ValueError: The set is empty.
    """
    if not shingles:
        raise ValueError("a text without shingles has no fingerprint; expected at least one")
    values = np.sort(np.fromiter(shingles, dtype="<u8", count=len(shingles)))
    lowest = np.full(_HASHES, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, len(values), _CHUNK):
        part = values[start : start + _CHUNK].astype(np.uint64)
        # Multiply-shift hashing: wrapping around is wanted.
        lowest = np.minimum(lowest, (part[None, :] * _FACTORS[:, None] + _OFFSETS[:, None]).min(axis=1))
    return Fingerprint(values.tobytes(), (lowest >> np.uint64(32)).astype("<u4").tobytes())


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """Jaccard similarity of two texts, exactly."""
    a, b = np.frombuffer(one.shingles, "<u8"), np.frombuffer(other.shingles, "<u8")
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common / (len(a) + len(b) - common)


def rows_for(limit: float) -> int:
    """Rows a band: as many as let a pair at the limit share no band with a probability of at most 1e-5."""
    fitting = (rows for rows in (8, 6, 5, 4, 3, 2) if (1 - limit**rows) ** (_HASHES // rows) <= _MOST_MISSED)
    return next(fitting, 1)


class DuplicateIndex:
    """Finds near-duplicates in other splits. A pair at the limit is missed with a probability of at most 1e-5.

    Attributes:
        limit: From this Jaccard similarity on two texts are near-duplicates.
        compared: Pairs compared in full.

    Args:
        limit: See above; from 0.1 on.
        path: Where to keep the index; in memory by default. An existing file is refused by SQLite.
    """

    def __init__(self, limit: float, path: Path | None = None) -> None:
        self.limit = limit
        self.compared = 0
        self._rows = rows_for(limit)
        self._count = 0
        self._store = sqlite3.connect(":memory:" if path is None else path, isolation_level=None)
        self._store.execute("PRAGMA journal_mode = OFF")
        self._store.execute("PRAGMA synchronous = OFF")
        self._store.execute("PRAGMA cache_size = -16384")  # KiB
        self._store.executescript(_SCHEMA)
        self._store.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def straddles(self, found: Fingerprint, split: Split) -> bool:
        """Whether a near-duplicate lies in another split."""
        mine = np.frombuffer(found.signature, "<u4")
        for number in self._candidates(found, split):
            row = self._store.execute("SELECT signature, shingles FROM text WHERE number = ?", (number,)).fetchone()
            theirs = np.frombuffer(row[0], "<u4")
            if float(np.mean(mine == theirs)) < self.limit - _MARGIN:
                continue
            self.compared += 1
            if similarity(found, Fingerprint(row[1], row[0])) >= self.limit:
                return True
        return False

    def add(self, found: Fingerprint, split: Split) -> None:
        """Remember a text."""
        self._count += 1
        place = _SPLITS.index(split)
        row = (self._count, place, found.signature, found.shingles)
        self._store.execute("INSERT INTO text VALUES (?, ?, ?, ?)", row)
        rows = [(value, place, self._count) for value in self._bands(found)]
        self._store.executemany("INSERT OR IGNORE INTO band VALUES (?, ?, ?)", rows)

    def _candidates(self, found: Fingerprint, split: Split) -> list[int]:
        numbers: set[int] = set()
        place = _SPLITS.index(split)
        for value in self._bands(found):
            query = "SELECT number FROM band WHERE hash = ? AND split != ?"
            numbers.update(row[0] for row in self._store.execute(query, (value, place)))
        return sorted(numbers)

    def _bands(self, found: Fingerprint) -> list[int]:
        """One 63-bit hash for each band of the signature."""
        rows = np.frombuffer(found.signature, "<u4").reshape(-1, self._rows).astype(np.uint64)
        mixed = np.arange(1, len(rows) + 1, dtype=np.uint64)
        for column in range(self._rows):
            mixed = (mixed ^ rows[:, column]) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
        return [int(value) for value in mixed >> np.uint64(1)]


def _draws(seed: int) -> npt.NDArray[np.uint64]:
    # A linear congruential sequence (Knuth's MMIX constants), so that no library decides the numbers.
    state, values = seed, []
    for _ in range(_HASHES):
        for _ in range(3):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        values.append(state)
    return np.array(values, dtype=np.uint64)


_FACTORS: Final = _draws(11) | np.uint64(1)
_OFFSETS: Final = _draws(29)
