"""Blocks: the unit of work and of resuming. What a block holds depends on the settings and its number alone."""

from __future__ import annotations

import gzip
import hashlib
import os
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

import data_gen
import mage_ml.memory
from data_gen.card import CardCounts
from data_gen.config import GenerateConfig
from data_gen.duplicates import Fingerprint, fingerprint
from data_gen.probes import ProbePair
from data_gen.splits import SplitPlan, counts_by_split, distinctive_text, plan_splits, shingles
from data_gen.tasks import find_domain
from data_gen.triples import Candidate, TripleResult, make_triple, plan_candidate
from data_gen.writers import writers_of
from mage_ml.errors import RecordError
from mage_ml.memory.parquet import EpisodeRow

BLOCK_TRIPLES: Final = 16
"""Triples a block: a second or two of work, so that little is lost when a build is killed."""
# These decide who works and what is kept at the end, not what is in a block.
_OUTSIDE_BLOCKS: Final = {
    "workers", "engine", "ray_address", "shard_triples", "probe_pairs", "max_probe_auroc", "probe_confidence",
    "duplicate_similarity",
}  # fmt: skip


class BlockItem(BaseModel):
    """What one index became, ready to be merged without being parsed.

    Attributes:
        candidate: What it was to become.
        attempts: Attempts made.
        rejections: Rejected attempts by reason.
        failures: Crashed runs by message.
        counts: What the triple adds to the tables of the data card.
        views: What the probes look at; `None` when every attempt was rejected.
        text: Fingerprint of the triple's text.
        rows: Its three episodes; none when every attempt was rejected.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    candidate: Candidate
    attempts: int
    rejections: dict[str, int]
    failures: dict[str, int]
    counts: dict[str, dict[str, int]] = {}
    views: ProbePair | None = None
    text: Fingerprint | None = None
    rows: tuple[EpisodeRow, ...] = ()


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    items: tuple[BlockItem, ...]


def count_blocks(config: GenerateConfig) -> int:
    """How many blocks a build has."""
    return -(-config.triples // BLOCK_TRIPLES)


def indices_of(config: GenerateConfig, number: int) -> range:
    """The indices of a block."""
    return range(number * BLOCK_TRIPLES, min((number + 1) * BLOCK_TRIPLES, config.triples))


def candidate_at(config: GenerateConfig, index: int) -> Candidate:
    """What an index is to become: first come the training triples, then validation, then test."""
    counts = counts_by_split(config.triples, config.validation_share, config.test_share)
    end = 0
    for split, count in counts.items():
        end += count
        if index < end:
            return plan_candidate(config, index, split)
    raise IndexError(f"index {index}; the build has {config.triples} triples")


def plan_of(config: GenerateConfig) -> SplitPlan:
    """Which templates and writers are held out."""
    templates = [template for name in config.domains for template in find_domain(name).templates()]
    return plan_splits(templates, {language: writers_of(language) for language in config.languages}, config.seed)


def make_block(config: GenerateConfig, number: int) -> bytes:
    """Make a block, in this process."""
    plan = plan_of(config)
    candidates = [candidate_at(config, index) for index in indices_of(config, number)]
    items = tuple(_item(candidate, make_triple(config, plan, candidate)) for candidate in candidates)
    return gzip.compress(_Block(items=items).model_dump_json().encode(), compresslevel=3, mtime=0)


def _item(candidate: Candidate, result: TripleResult) -> BlockItem:
    attempted = {
        "candidate": candidate,
        "attempts": result.attempts,
        "rejections": {str(reason): count for reason, count in result.rejections.items()},
        "failures": dict(result.failures),
    }
    if result.triple is None:
        return BlockItem.model_validate(attempted)
    counts = CardCounts()
    counts.add(result.triple)
    return BlockItem.model_validate(
        {
            **attempted,
            "counts": {table: dict(rows) for table, rows in counts.counts.items()},
            "views": result.views,
            "text": fingerprint(shingles(distinctive_text(result.triple), candidate.language)),
            "rows": tuple(EpisodeRow.of(episode) for episode in result.triple.episodes),
        }
    )


def build_key(config: GenerateConfig) -> str:
    """Names what decides the blocks: the settings, and the code that makes them."""
    digest = hashlib.sha256(config.model_dump_json(exclude=_OUTSIDE_BLOCKS).encode())
    for package in (data_gen, mage_ml.memory):
        for root in package.__path__:
            for path in sorted(Path(root).rglob("*.py")):
                digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    for name in (*config.domains, *config.operators):
        own = Path(name.partition(":")[0])
        if own.suffix == ".py" and own.is_file():
            digest.update(own.read_bytes())
    return digest.hexdigest()[:16]


class BlockStore:
    """Finished blocks in a folder. A block is there whole or not at all, even after a power cut.

    Args:
        folder: The folder; made if need be.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def numbers(self) -> set[int]:
        """The blocks that are there and readable."""
        return {int(path.name[6:12]) for path in self._folder.glob("block-*.gz") if _is_whole(path)}

    def put(self, number: int, data: bytes) -> None:
        """Keep a block."""
        path = self._path(number)
        partial = path.with_suffix(".partial")
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)

    def items(self, number: int) -> tuple[BlockItem, ...]:
        """What a block holds.

        Raises:
            RecordError: It cannot be read.
        """
        path = self._path(number)
        try:
            return _Block.model_validate_json(gzip.decompress(path.read_bytes())).items
        except (OSError, EOFError, ValidationError) as error:
            raise RecordError(f"{path}: cannot be read ({error}); delete it and generate again") from error

    def _path(self, number: int) -> Path:
        return self._folder / f"block-{number:06d}.gz"


def _is_whole(path: Path) -> bool:
    try:
        with gzip.open(path) as file:
            while file.read(1 << 20):
                pass
    except (OSError, EOFError):
        return False
    return True
