"""Generates a data set: triples from indices, over any number of processes, with the same bytes."""

from __future__ import annotations

import hashlib
import multiprocessing
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from data_gen.card import CardCounts, DataCard, write_card
from data_gen.config import GenerateConfig
from data_gen.probes import ProbePair, ProbeStatus, require_clean, run_probes
from data_gen.proof import Rejection
from data_gen.splits import (
    DuplicateIndex,
    SplitPlan,
    counts_by_split,
    distinctive_text,
    plan_splits,
    shingles,
)
from data_gen.tasks import DOMAINS
from data_gen.triples import Candidate, TripleResult, make_triple, plan_candidate
from data_gen.writers import writers_of
from mage_ml.config import dump_config
from mage_ml.errors import ConfigError
from mage_ml.memory.episode import Episode, EpisodeTriple, Split
from mage_ml.memory.records import write_episodes
from mage_ml.progress import Progress, silent

SPLIT_FILES: Final = tuple(f"{split.value}.parquet" for split in Split)
_CHUNK: Final = 4


@dataclass
class _Build:
    """State of one build, filled as triples pass by in order of their index."""

    config: GenerateConfig
    plan: SplitPlan
    progress: Progress
    duplicates: DuplicateIndex
    counts: CardCounts = field(default_factory=CardCounts)
    views: list[ProbePair] = field(default_factory=list)
    missing: int = 0
    done: int = 0

    def accept(self, candidate: Candidate, result: TripleResult) -> EpisodeTriple | None:
        """Count a result, and keep its triple unless a near-duplicate lies in another split."""
        self.done += 1
        self.progress("generate", self.done, self.config.triples)
        self.counts.attempted(candidate.operator, result.attempts, result.rejections, result.failures)
        if result.triple is None or result.views is None:
            self.missing += 1
            return None
        found = shingles(distinctive_text(result.triple), candidate.language)
        if self.duplicates.straddles(found, candidate.split):
            self.counts.count("rejections", Rejection.NEAR_DUPLICATE.value)
            return None
        self.duplicates.add(found, candidate.split)
        self.counts.add(result.triple)
        self.views.append(result.views)
        return result.triple


def generate(config: GenerateConfig, out: Path, progress: Progress = silent) -> DataCard:
    """Generate a data set.

    Writes `train.parquet`, `validation.parquet`, `test.parquet` (episodes), `data_card.json`, `data_card.md` and
    `config.yaml`. The bytes of the splits depend on the configuration alone, not on `workers`. More than one worker
    means new processes, so a script has to call this under `if __name__ == "__main__":`.

    Args:
        config: Settings.
        out: Folder to write to; made if need be. Files of an earlier build in it are replaced.
        progress: Told after each triple.

    Returns:
        The data card.

    Raises:
        ConfigError: `out` is a file.
        MissingExtraError: Without the `train` extra.
        ProbeError: A probe failed. The card says which; the splits are not kept.
    """
    if out.exists() and not out.is_dir():
        raise ConfigError(f"{out}: is a file; expected a folder to write the data set to")
    out.mkdir(parents=True, exist_ok=True)
    for name in SPLIT_FILES:
        (out / name).unlink(missing_ok=True)
    build = _Build(config, _plan(config), progress, DuplicateIndex(config.duplicate_similarity))
    staging = Path(tempfile.mkdtemp(prefix=".partial-", dir=out))
    try:
        with _results(config, build.plan) as results:
            for split in Split:
                _write_split(build, staging / f"{split.value}.parquet", split, results)
        card = _finish(build, out)
        require_clean(card.probes)
        for name in SPLIT_FILES:
            (staging / name).replace(out / name)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return card


def _finish(build: _Build, out: Path) -> DataCard:
    """Probe what was kept, and write card and configuration whether or not it passed."""
    config = build.config
    build.progress("probe", 0, 1)
    probes = run_probes(build.views, limit=config.max_probe_auroc, confidence=config.probe_confidence, seed=config.seed)
    build.progress("probe", 1, 1)
    card = build.counts.card(
        accepted=all(row.status is not ProbeStatus.FAILED for row in probes),
        seed=config.seed,
        missing=build.missing,
        compared=build.duplicates.compared,
        plan=build.plan,
        probes=probes,
    )
    write_card(card, out)
    (out / "config.yaml").write_text(dump_config(config), encoding="utf-8")
    return card


def candidates_of(config: GenerateConfig) -> Iterator[Candidate]:
    """What every index is to become, in order: first the training triples, then validation, then test."""
    index = 0
    for split, count in counts_by_split(config.triples, config.validation_share, config.test_share).items():
        for _ in range(count):
            yield plan_candidate(config, index, split)
            index += 1


def _plan(config: GenerateConfig) -> SplitPlan:
    templates = [template for name in config.domains for template in DOMAINS[name].templates()]
    return plan_splits(templates, {language: writers_of(language) for language in config.languages}, config.seed)


def _write_split(build: _Build, path: Path, split: Split, results: Iterator[tuple[Candidate, TripleResult]]) -> None:
    count = counts_by_split(build.config.triples, build.config.validation_share, build.config.test_share)[split]
    digest = hashlib.sha256()

    def episodes() -> Iterator[Episode]:
        for _ in range(count):
            candidate, result = next(results)
            triple = build.accept(candidate, result)
            for episode in triple.episodes if triple is not None else ():
                digest.update(episode.model_dump_json().encode() + b"\n")
                yield episode

    write_episodes(path, episodes())
    build.counts.digests[split.value] = digest.hexdigest()


@contextmanager
def _results(config: GenerateConfig, plan: SplitPlan) -> Iterator[Iterator[tuple[Candidate, TripleResult]]]:
    """Results in order of their index, made here or in worker processes."""
    make = partial(make_triple, config, plan)
    if config.workers == 1:
        yield ((candidate, make(candidate)) for candidate in candidates_of(config))
        return
    # Spawned, not forked: a fork of a process with threads may deadlock.
    with multiprocessing.get_context("spawn").Pool(config.workers) as pool:
        yield zip(candidates_of(config), pool.imap(make, candidates_of(config), chunksize=_CHUNK), strict=True)
