"""Generates a data set: blocks made by any number of workers, merged in order, with the same bytes."""

from __future__ import annotations

import heapq
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from data_gen.blocks import BlockItem, BlockStore, build_key, candidate_at, count_blocks, indices_of, plan_of
from data_gen.card import CardCounts, DataCard, write_card
from data_gen.config import GenerateConfig
from data_gen.duplicates import DuplicateIndex
from data_gen.engines import engine_of
from data_gen.probes import Encode, ProbePair, ProbeStatus, require_clean, run_probes
from data_gen.proof import Rejection
from data_gen.randomness import seed_for
from data_gen.shards import SplitWriter
from data_gen.triples import Candidate
from mage_ml.config import dump_config
from mage_ml.errors import ConfigError
from mage_ml.memory.episode import Split
from mage_ml.progress import Progress, silent

SPLIT_FILES: Final = tuple(f"{split.value}.parquet" for split in Split)
_WORK: Final = ".unfinished-"


@dataclass
class _Sample:
    """At most so many views, chosen by a hash of their index, so that the choice depends on nothing else."""

    limit: int
    seed: int
    _kept: list[tuple[int, int, ProbePair]] = field(default_factory=list)

    def add(self, index: int, views: ProbePair) -> None:
        item = (-seed_for(self.seed, "probe", index), index, views)
        if len(self._kept) < self.limit:
            heapq.heappush(self._kept, item)
        else:
            heapq.heappushpop(self._kept, item)

    def in_order(self) -> list[ProbePair]:
        return [views for _, _, views in sorted(self._kept, key=lambda item: item[1])]


@dataclass
class _Merge:
    """State of one build, filled as items pass by in order of their index."""

    config: GenerateConfig
    duplicates: DuplicateIndex
    writers: dict[Split, SplitWriter]
    views: _Sample
    counts: CardCounts = field(default_factory=CardCounts)
    missing: int = 0

    def accept(self, item: BlockItem) -> None:
        """Count an item, and keep its triple unless a near-duplicate lies in another split."""
        candidate = item.candidate
        self.counts.attempted(candidate.operator, item.attempts, item.rejections, item.failures)
        if item.views is None or item.text is None:
            self.missing += 1
            return
        if self.duplicates.straddles(item.text, candidate.split):
            self.counts.count("rejections", Rejection.NEAR_DUPLICATE.value)
            return
        self.duplicates.add(item.text, candidate.split)
        self.counts.merge(item.counts)
        self.counts.offer_example(item.rows)
        self.views.add(candidate.index, item.views)
        self.writers[candidate.split].add(item.rows)


def generate(config: GenerateConfig, out: Path, progress: Progress = silent, encode: Encode | None = None) -> DataCard:
    """Generate a data set.

    Writes `train.parquet`, `validation.parquet`, `test.parquet` (episodes; a large split becomes shards, see
    `mage_ml.memory.records.episode_files`), `data_card.json`, `data_card.md`, `data_card.html` and `config.yaml`. The
    bytes of the splits depend on the configuration alone, not on workers or engine. A build that was interrupted, even
    killed, goes on where it was when it is called again with the same settings and code. More than one worker means new
    processes, so a script has to call this under `if __name__ == "__main__":`.

    Args:
        config: Settings.
        out: Folder to write to; made if need be. Files of an earlier build in it are replaced.
        progress: Told after each block of triples.
        encode: Sentence vectors of the base encoder, for `encoder_pairs`.

    Returns:
        The data card.

    Raises:
        ConfigError: `out` is a file, or `encoder_pairs` is set and there is no encoder.
        MissingExtraError: Without the `train` extra, or Ray without the `ray` extra.
        ProbeError: A probe failed. The card says which; the splits are not kept.
    """
    if config.encoder_pairs and encode is None:
        raise ConfigError(
            "encoder_pairs: needs an encoder; pass encode=, for example mage_ml.training.sentences.sentence_vectors"
        )
    work = _prepare(config, out)
    blocks, parts = BlockStore(work / "blocks"), work / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir()
    with ExitStack() as stack:
        writers = {s: stack.enter_context(SplitWriter(parts, s, config.shard_triples)) for s in Split}
        index = stack.enter_context(DuplicateIndex(config.duplicate_similarity, parts / "duplicates.sqlite"))
        merge = _Merge(config, index, writers, _Sample(config.probe_pairs, config.seed))
        for number in _made_in_order(config, blocks, progress):
            for item in blocks.items(number):
                merge.accept(item)
    card = _finish(merge, out, progress, encode)
    try:
        require_clean(card.probes)
        for writer in writers.values():
            writer.publish(out)
    finally:
        shutil.rmtree(work)
    return card


def candidates_of(config: GenerateConfig) -> Iterator[Candidate]:
    """What every index is to become, in order."""
    return (candidate_at(config, index) for index in range(config.triples))


def _prepare(config: GenerateConfig, out: Path) -> Path:
    """The folder of this build's unfinished work; that of other builds, and earlier results, are removed."""
    if out.exists() and not out.is_dir():
        raise ConfigError(f"{out}: is a file; expected a folder to write the data set to")
    work = out / f"{_WORK}{build_key(config)}"
    work.mkdir(parents=True, exist_ok=True)
    for other in out.glob(f"{_WORK}*"):
        if other != work:
            shutil.rmtree(other)
    for name in SPLIT_FILES:
        for path in (*out.glob(f"{Path(name).stem}-*-of-*.parquet"), out / name):
            path.unlink(missing_ok=True)
    return work


def _made_in_order(config: GenerateConfig, blocks: BlockStore, progress: Progress) -> Iterator[int]:
    """Numbers of blocks in order, each as soon as it and all before it are there."""
    total, following = count_blocks(config), 0
    there = blocks.numbers()
    done = sum(len(indices_of(config, number)) for number in there)
    progress("generate", done, config.triples)
    missing = [number for number in range(total) if number not in there]
    for made in engine_of(config).run(config, missing) if missing else ():
        blocks.put(made.number, made.data)
        there.add(made.number)
        done += len(indices_of(config, made.number))
        progress("generate", done, config.triples)
        while following in there:
            yield following
            following += 1
    yield from range(following, total)


def _finish(merge: _Merge, out: Path, progress: Progress, encode: Encode | None) -> DataCard:
    """Probe what was kept, and write card and configuration whether or not it passed."""
    config = merge.config
    progress("probe", 0, 1)
    views = merge.views.in_order()
    probes = run_probes(
        views,
        limit=config.max_probe_auroc,
        confidence=config.probe_confidence,
        seed=config.seed,
        encode=encode,
        encoder_pairs=config.encoder_pairs,
    )
    progress("probe", 1, 1)
    merge.counts.digests.update({split.value: writer.digest for split, writer in merge.writers.items()})
    card = merge.counts.card(
        accepted=all(row.status is not ProbeStatus.FAILED for row in probes),
        seed=config.seed,
        missing=merge.missing,
        compared=merge.duplicates.compared,
        plan=plan_of(config),
        probes=probes,
    )
    write_card(card, out)
    (out / "config.yaml").write_text(dump_config(config), encoding="utf-8")
    return card
