"""Chains and episodes on disk: JSON Lines and Parquet, with a schema version in every record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from mage_ml.errors import RecordError
from mage_ml.memory.chain import MemoryChain, record_error
from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.episode import EPISODE_SCHEMA_VERSION, Episode
from mage_ml.memory.parquet import EpisodeRow, ParquetEpisodes, parquet_records

CHAIN_SCHEMA_VERSION: Final = 1
MAX_LINE_BYTES: Final = 32_000_000
_CHAIN_SCHEMA: Final = "mage-ml/chain"


def write_chain(path: Path, chain: MemoryChain) -> None:
    """Write a chain as JSON Lines: a header with the schema version, then one entry a line."""
    with path.open("w", encoding="utf-8") as file:
        header = {"schema": _CHAIN_SCHEMA, "schema_version": CHAIN_SCHEMA_VERSION, "chain_id": chain.chain_id}
        file.write(json.dumps(header, ensure_ascii=False) + "\n")
        for entry in chain:
            file.write(entry.model_dump_json() + "\n")


def read_chain(path: Path, *, allow_dangling: bool = False) -> MemoryChain:
    """Read a chain from JSON Lines. The header is optional: a bare list of entries is read as the current version.

    Raises:
        RecordError: A line is not a valid entry; it names the line and the id. The entries before it are in the
            error's `chain` attribute, so nothing already read is lost.
    """
    chain = MemoryChain(chain_id=path.stem, allow_dangling=allow_dangling)
    for number, fields in _read_lines(path, chain):
        if "schema" in fields:
            _check_header(fields, number, chain)
            chain.chain_id = str(fields.get("chain_id", chain.chain_id))
            continue
        try:
            chain.append(MemoryEntry.model_validate(fields))
        except ValidationError as error:
            raise _keeping(record_error(error, fields, record=number), chain) from error
        except RecordError as error:
            raise _keeping(error, chain) from error
    return chain


def write_episodes(path: Path, episodes: Iterable[Episode]) -> int:
    """Write episodes, in the format that the suffix names (`.jsonl` or `.parquet`).

    Parquet holds the columns people filter by, and the whole record as JSON in `record`.

    Returns:
        How many were written.

    Raises:
        MissingExtraError: Parquet without the `train` or `eval` extra.
        ValueError: Another suffix.
    """
    if path.suffix == ".parquet":
        with ParquetEpisodes(path) as rows:
            for episode in episodes:
                rows.add(EpisodeRow.of(episode))
        return rows.count
    if path.suffix != ".jsonl":
        raise ValueError(f"{path.name}: expected a name that ends in .jsonl or .parquet")
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for episode in episodes:
            file.write(episode.model_dump_json() + "\n")
            count += 1
    return count


def episode_files(path: Path) -> list[Path]:
    """The files behind a name in order: the file itself, or the shards `train-00000-of-00003.parquet` and so on.

    Returns:
        Nothing when there is neither.

    Raises:
        RecordError: Shards are missing.
    """
    if path.is_file():
        return [path]
    shards = sorted(path.parent.glob(f"{path.stem}-[0-9]*-of-[0-9]*{path.suffix}"))
    if shards:
        total = int(shards[0].stem.rsplit("-", 1)[1])
        expected = [shard_path(path, number, total) for number in range(total)]
        if shards != expected:
            lost = next(iter({*expected} ^ {*shards}))
            raise RecordError(f"{lost.name}: {len(shards)} shards found, {total} expected; copy or generate them again")
    return shards


def shard_path(path: Path, number: int, total: int) -> Path:
    """Name of one shard, as the `datasets` library expects it; the plain name when there is only one."""
    return path if total == 1 else path.with_name(f"{path.stem}-{number:05d}-of-{total:05d}{path.suffix}")


def read_episodes(path: Path) -> Iterator[Episode]:
    """Read episodes one at a time from `.jsonl` or `.parquet`, over all shards of the name (see `episode_files`).

    Raises:
        RecordError: A record is not a valid episode, or a newer version wrote it; it names the record.
    """
    for file in episode_files(path) or [path]:
        yield from _read_file(file)


def _read_file(path: Path) -> Iterator[Episode]:
    lines = _parquet_records(path) if path.suffix == ".parquet" else _read_lines(path, None)
    for number, fields in lines:
        _check_version(fields.get("schema_version", 1), EPISODE_SCHEMA_VERSION, number)
        try:
            yield Episode.model_validate(fields)
        except ValidationError as error:
            raise record_error(error, {"id": fields.get("episode_id")}, record=number) from error


def digest_of(episodes: Iterable[Episode]) -> str:
    """SHA-256 over the canonical JSON of episodes in order: equal data has an equal digest in any file format."""
    digest = hashlib.sha256()
    for episode in episodes:
        digest.update(episode.model_dump_json().encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _read_lines(path: Path, chain: MemoryChain | None) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if not raw.strip():
                continue
            if len(raw) > MAX_LINE_BYTES:
                message = f"the line has {len(raw):,} bytes; at most {MAX_LINE_BYTES:,} are accepted"
                raise _keeping(RecordError(message, record=number), chain)
            try:
                fields = _parse(raw, number)
            except RecordError as error:
                raise _keeping(error, chain) from error
            yield number, fields


def _keeping(error: RecordError, chain: MemoryChain | None) -> RecordError:
    error.chain = chain
    return error


def _check_version(found: object, newest: int, record: int) -> None:
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise RecordError(f"schema version {ascii(found)[:60]}; expected a whole number from 1", record=record)
    if found > newest:
        raise RecordError(
            f"schema version {found}; this release reads up to {newest}. Upgrade mage-ml to read it", record=record
        )


def _check_header(fields: dict[str, Any], number: int, chain: MemoryChain) -> None:
    try:
        if fields["schema"] != _CHAIN_SCHEMA:
            raise RecordError(f"schema {ascii(fields['schema'])[:60]}; expected {_CHAIN_SCHEMA!r}", record=number)
        if len(chain):
            raise RecordError("a header after the first entry; one file holds one chain", record=number)
        _check_version(fields.get("schema_version"), CHAIN_SCHEMA_VERSION, number)
    except RecordError as error:
        raise _keeping(error, chain) from error


def _parquet_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, record in enumerate(parquet_records(path), start=1):
        yield number, _parse(record, number)


def _parse(raw: str | bytes, number: int) -> dict[str, Any]:
    try:
        fields = json.loads(raw)
    except (ValueError, TypeError, RecursionError) as error:
        raise RecordError(f"not valid JSON: {error}", record=number) from error
    if not isinstance(fields, dict):
        raise RecordError(f"expected a JSON object, found {type(fields).__name__}", record=number)
    return fields
