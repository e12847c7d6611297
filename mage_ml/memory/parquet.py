"""Episodes in Parquet, written as a stream: a few rows in memory, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict

from mage_ml.errors import RecordError
from mage_ml.extras import require
from mage_ml.memory.episode import EPISODE_SCHEMA_VERSION, Episode

_BATCH: Final = 256
_TEXT_COLUMNS: Final = (
    "episode_id", "group_id", "arm", "corpus", "domain", "writer", "language", "operator", "split",
)  # fmt: skip


class EpisodeRow(BaseModel):
    """One row: the columns people filter by, and the whole record as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    episode_id: str
    group_id: str
    arm: str
    corpus: str
    domain: str
    writer: str
    language: str
    operator: str | None
    split: str
    consequential: bool
    record: str

    @classmethod
    def of(cls, episode: Episode) -> EpisodeRow:
        """The row of an episode."""
        columns: dict[str, Any] = {name: getattr(episode, name) for name in _TEXT_COLUMNS}
        return cls(**columns, consequential=episode.consequential, record=episode.model_dump_json())


class ParquetEpisodes:
    """A Parquet file that rows are added to. A context manager: the file is readable after it has been left.

    Attributes:
        count: Rows added.

    Args:
        path: The file; replaced if it exists.

    Raises:
        MissingExtraError: Without the `train` or `eval` extra.
    """

    def __init__(self, path: Path) -> None:
        self.count = 0
        self._pa = require("pyarrow", extra="train", purpose="write Parquet")
        parquet = require("pyarrow.parquet", extra="train", purpose="write Parquet")
        text, flag = self._pa.string(), self._pa.bool_()
        fields = [*((name, text) for name in _TEXT_COLUMNS), ("consequential", flag), ("record", text)]
        versions = {"schema": "mage-ml/episodes", "schema_version": str(EPISODE_SCHEMA_VERSION)}
        self._schema = self._pa.schema(fields).with_metadata(versions)
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, row: EpisodeRow) -> None:
        """Write a row."""
        self._rows.append(row.model_dump())
        self.count += 1
        if len(self._rows) == _BATCH:
            self._flush()

    def close(self) -> None:
        """Finish the file."""
        self._flush()
        self._file.close()

    def _flush(self) -> None:
        if self._rows:
            self._file.write_table(self._pa.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


def parquet_records(path: Path) -> Iterator[str]:
    """The JSON records of a file, read in batches.

    Raises:
        RecordError: Not a Parquet file of episodes.
    """
    pa = require("pyarrow", extra="train", purpose="read Parquet")
    pq = require("pyarrow.parquet", extra="train", purpose="read Parquet")
    try:
        file = pq.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise RecordError(f"{path.name} is not a Parquet file, or its end is missing: {error}") from error
    with file:
        if "record" not in file.schema_arrow.names:
            raise RecordError(f"{path.name} has no column 'record'; expected a file written by write_episodes")
        for batch in file.iter_batches(batch_size=_BATCH, columns=["record"]):
            yield from batch.column("record").to_pylist()
