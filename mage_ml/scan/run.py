"""Scans files of traces: found, told apart, read, judged, counted; one trace in memory at a time and worker."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal

from mage_ml.errors import ConfigError, RecordError
from mage_ml.memory import Episode
from mage_ml.progress import Progress, silent
from mage_ml.runtime.guardrail import PolicyMatrix, load_policy
from mage_ml.scan.corpus import corpus_named, episodes_of
from mage_ml.scan.detect import detect
from mage_ml.scan.gather import Malformed, raw_traces
from mage_ml.scan.records import trace_files
from mage_ml.scan.results import ScanReport
from mage_ml.scan.tally import Tally
from mage_ml.scan.trace import RawTrace, TraceFormat
from mage_ml.scan.workers import Recipe, judged

STAGE: Final = "traces"


class Tiers(StrEnum):
    """Who judges."""

    RULES = "rules"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """How a scan is done.

    Attributes:
        policy: A policy, its YAML file, or a preset.
        tiers: Rules alone, or rules and classifier.
        artifact: Sealed model; `None` for the one that ships.
        format: The format of all files; `None` to tell it from each file's content.
        corpus: Read the paths with the importer of this published corpus instead, and its labels.
        skip_malformed: Count what cannot be read and go on, instead of stopping.
        max_steps: How many risky steps the report holds; the gravest are kept.
        jobs: Processes.
        show_secrets: Leave keys, mail addresses and the like in the findings.
    """

    policy: PolicyMatrix | Path | str | None = None
    tiers: Tiers = Tiers.FULL
    artifact: Path | None = None
    format: TraceFormat | None = None
    corpus: str | None = None
    skip_malformed: bool = False
    max_steps: int = 1000
    jobs: int = 1
    show_secrets: bool = False

    @property
    def model(self) -> Path | Literal["default"] | None:
        """What to load."""
        return None if self.tiers is Tiers.RULES else self.artifact or "default"


def scan(paths: Path | Iterable[Path], settings: ScanSettings | None = None, progress: Progress = silent) -> ScanReport:
    """Find the risky steps in recorded runs. Nothing is sent anywhere.

    Args:
        paths: Trace files, or folders of them.
        settings: How.
        progress: Told how many traces are done.

    Raises:
        RecordError: A file has no known format, or a record cannot be read and `skip_malformed` is off; file and line
            are named.
        ConfigError: The policy is wrong, or there are fewer than one job.
        ArtifactError: The model is missing or damaged.
    """
    settings = settings or ScanSettings()
    if settings.jobs < 1 or settings.max_steps < 0:
        raise ConfigError(f"jobs {settings.jobs}, max_steps {settings.max_steps}: expected at least 1 and 0")
    given = [paths] if isinstance(paths, Path) else list(paths)
    read = _files if settings.corpus is None else _corpus
    policy = settings.policy if isinstance(settings.policy, PolicyMatrix) else load_policy(settings.policy)
    recipe = Recipe(policy, settings.model, secrets.token_bytes(32), settings.show_secrets)
    judge = recipe.judge()
    tally = Tally(settings.max_steps)

    def malformed(error: RecordError) -> None:
        if not settings.skip_malformed:
            raise error
        tally.malformed(error)

    raws = read(given, settings, tally, malformed)
    for found in judged(raws, judge, recipe, settings.jobs):
        for result in found.results:
            tally.add(result)
            progress(STAGE, tally.traces, 0)
        if found.error:
            malformed(RecordError(found.error))
    progress(STAGE, tally.traces, tally.traces)
    return tally.report(policy_version=policy.version, mode=policy.mode.value, model_version=judge.engine.model_version)


def _files(
    paths: Sequence[Path], settings: ScanSettings, tally: Tally, malformed: Malformed
) -> Iterator[RawTrace | Episode]:
    for file in dict.fromkeys(file for path in paths for file in trace_files(path)):
        try:
            detected = detect(file, settings.format)
            tally.file(detected.format)
            yield from raw_traces(file, detected, malformed)
        except RecordError as error:
            malformed(error)


def _corpus(
    paths: Sequence[Path], settings: ScanSettings, tally: Tally, malformed: Malformed
) -> Iterator[RawTrace | Episode]:
    corpus = corpus_named(settings.corpus or "")
    for path in paths:
        tally.file(corpus.name)
        try:
            yield from episodes_of(corpus, path)
        except RecordError as error:
            malformed(error)
