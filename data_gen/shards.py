"""The files of a split: Parquet shards written as a stream, published at the end."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from mage_ml.memory.episode import Split
from mage_ml.memory.parquet import EpisodeRow, ParquetEpisodes
from mage_ml.memory.records import shard_path


class SplitWriter:
    """Writes one split to shards of at most `shard_triples` triples; a context manager.

    Args:
        folder: Where unfinished shards lie.
        split: The split.
        shard_triples: Triples a shard.
    """

    def __init__(self, folder: Path, split: Split, shard_triples: int) -> None:
        self._folder = folder
        self._split = split
        self._limit = shard_triples
        self._digest = hashlib.sha256()
        self._paths: list[Path] = []
        self._file = self._open()
        self._in_shard = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def digest(self) -> str:
        """SHA-256 of the episodes so far, as `mage_ml.memory.records.digest_of` gives it."""
        return self._digest.hexdigest()

    def add(self, rows: Iterable[EpisodeRow]) -> None:
        """Write a triple."""
        if self._in_shard == self._limit:
            self._file.close()
            self._file = self._open()
            self._in_shard = 0
        for row in rows:
            self._digest.update(row.record.encode() + b"\n")
            self._file.add(row)
        self._in_shard += 1

    def publish(self, out: Path) -> None:
        """Move the finished shards to where readers look for them. Call it after leaving the context."""
        for number, path in enumerate(self._paths):
            path.replace(shard_path(out / f"{self._split}.parquet", number, len(self._paths)))

    def _open(self) -> ParquetEpisodes:
        path = self._folder / f"{self._split}-{len(self._paths):05d}.parquet"
        self._paths.append(path)
        return ParquetEpisodes(path)
