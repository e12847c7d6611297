"""Puts the contestants of a benchmark together from its configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from mage_ml.artifact import default_artifact_path, load_artifact
from mage_ml.errors import ArtifactError, ConfigError
from mage_ml.evaluation.baselines import TrainingCases, bag_of_words, collect_cases, static_linear, tfidf_lr
from mage_ml.evaluation.config import BenchmarkConfig
from mage_ml.evaluation.contestants import Contestant, scorer_of
from mage_ml.evaluation.guards import GuardBuilder, OnCommonScale
from mage_ml.evaluation.rows import ContestantName
from mage_ml.memory.records import episode_files, read_episodes
from mage_ml.progress import Progress, silent
from mage_ml.runtime.assembly import combined_thresholds, version_of
from mage_ml.runtime.evaluators import RuleEvaluator, TieredEvaluator
from mage_ml.runtime.evaluators.onnx import OnnxEvaluator
from mage_ml.training.base_model import find_base_model

if TYPE_CHECKING:
    from mage_ml.artifact import ModelArtifact

TRAIN_FILE: Final = "train.parquet"
DEVELOPMENT_NOTE: Final = (
    "{names}: the rules were developed with sight of AgentDyn runs (gpt-4o, gpt-4o-mini, gpt-5-mini) and of "
    "generated samples, so the figures on these corpora are development figures."
)
ABLATION_NOTE: Final = (
    "{names}: an ablation shares the fine-tuned encoder of the full model and has a chain head of its own: the "
    "encoder was fine-tuned with the full input."
)
_WITH_RULES: Final = (ContestantName.RULES, ContestantName.TIERS)
_ABLATIONS: Final = (ContestantName.NO_PROVENANCE, ContestantName.CURRENT_STEP_ONLY)
_BASELINES: Final = (ContestantName.BAG_OF_WORDS, ContestantName.TFIDF_LR, ContestantName.STATIC_LINEAR)
_BYTES_PER_MB: Final = 1e6


@dataclass(frozen=True, slots=True)
class Lineup:
    """Who takes part.

    Attributes:
        contestants: In the order of the report.
        notes: Who was asked for but cannot take part, and why.
        digests: What identifies the models.
        tiers: The tiers as they take part, which count what each of them does; `None` when they do not.
    """

    contestants: tuple[Contestant, ...]
    notes: tuple[str, ...] = ()
    digests: Mapping[str, str] = field(default_factory=dict)
    tiers: TieredEvaluator | None = None


def build_lineup(config: BenchmarkConfig, progress: Progress = silent) -> Lineup:
    """Build every contestant that the configuration asks for and that can take part.

    Raises:
        ArtifactError: A given model folder is damaged.
        ConfigError: The policy is not valid.
    """
    builder = _Builder(config)
    total = len(config.contestants)
    for number, name in enumerate(config.contestants):
        progress("prepare contestants", number, total)
        builder.add(name)
    progress("prepare contestants", total, total)
    return Lineup(tuple(builder.contestants), tuple(builder.notes), builder.digests, builder.tiers)


def reading_notes(contestants: Iterable[Contestant]) -> tuple[str, ...]:
    """What a reader has to know about those who take part, before quoting their figures."""
    names = [contestant.name for contestant in contestants]
    notes = []
    for template, concerned in ((DEVELOPMENT_NOTE, _WITH_RULES), (ABLATION_NOTE, _ABLATIONS)):
        present = [name for name in names if name in concerned]
        if present:
            notes.append(template.format(names=" and ".join(present)))
    return tuple(notes)


class _Builder:
    """Adds contestants one by one; models and training cases are loaded once, when first needed."""

    def __init__(self, config: BenchmarkConfig) -> None:
        self._config = config
        self._guards = GuardBuilder(config.policy)
        self._cases: TrainingCases | None = None
        self._artifact: ModelArtifact | None = None
        self.contestants: list[Contestant] = []
        self.notes: list[str] = []
        self.digests: dict[str, str] = {}
        self.tiers: TieredEvaluator | None = None

    def add(self, name: ContestantName) -> None:
        if name is ContestantName.RULES:
            rules = RuleEvaluator(self._guards.policy.rules)
            self.contestants.append(Contestant(name, scorer_of(rules), decide=self._guards.guard(rules)))
        elif name is ContestantName.CLASSIFIER:
            self._add_classifier()
        elif name is ContestantName.TIERS:
            self._add_tiers()
        elif name in _BASELINES:
            self._add_baseline(name)
        else:
            self._add_ablation(name)

    def _main_artifact(self, name: str) -> ModelArtifact | None:
        if self._artifact is None:
            try:
                folder = self._config.artifact or default_artifact_path()
            except ArtifactError as error:
                self.notes.append(f"{name} takes no part: {error}")
                return None
            self._artifact = load_artifact(folder)
            self.digests["classifier data"] = self._artifact.manifest.data_digest
        return self._artifact

    def _add_classifier(self) -> None:
        name = ContestantName.CLASSIFIER
        artifact = self._main_artifact(name)
        if artifact is not None:
            self.contestants.append(self._of_artifact(name, artifact))

    def _add_tiers(self) -> None:
        name = ContestantName.TIERS
        artifact = self._main_artifact(name)
        if artifact is None:
            return
        policy = self._guards.policy
        # As the runtime puts them together, but without a time limit: figures must not depend on the machine's load.
        tiers = TieredEvaluator(
            RuleEvaluator(policy.rules),
            OnnxEvaluator(artifact),
            thresholds=artifact.manifest.thresholds,
            entry_threshold=artifact.manifest.entry_threshold,
            combined_thresholds=combined_thresholds(policy, version_of(artifact)),
            settings=policy.tiers,
            is_critical=policy.is_critical,
        )
        self.tiers = tiers
        guard = self._guards.guard(tiers)
        self.contestants.append(Contestant(name, scorer_of(tiers), decide=guard, size_mb=_size_mb(artifact)))

    def _add_ablation(self, name: ContestantName) -> None:
        folders = {
            ContestantName.NO_PROVENANCE: self._config.no_provenance,
            ContestantName.CURRENT_STEP_ONLY: self._config.current_step_only,
        }
        folder = folders[name] or self._exported_ablation(name)
        if folder is None:
            self.notes.append(f"{name} takes no part: no model folder was given for it.")
            return
        self.contestants.append(self._of_artifact(name, load_artifact(folder)))

    def _exported_ablation(self, name: ContestantName) -> Path | None:
        """Where `mage-ml export` puts the ablations of a model."""
        if self._config.artifact is None:
            return None
        folder = self._config.artifact / "ablations" / name.value
        return folder if folder.is_dir() else None

    def _of_artifact(self, name: ContestantName, artifact: ModelArtifact) -> Contestant:
        evaluator = OnnxEvaluator(artifact)
        thresholds = artifact.manifest.thresholds
        # The policy speaks the common scale; scores are compared raw, because calibration is part of what is measured.
        guard = self._guards.guard(OnCommonScale(evaluator, thresholds, artifact.manifest.entry_threshold))
        scorer = scorer_of(evaluator)
        return Contestant(name, scorer, thresholds=thresholds, decide=guard, size_mb=_size_mb(artifact))

    def _add_baseline(self, name: ContestantName) -> None:
        cases = self._training_cases()
        if cases is None:
            self.notes.append(f"{name} takes no part: no {TRAIN_FILE} to learn from; give data.")
            return
        if name is ContestantName.STATIC_LINEAR:
            try:
                base = find_base_model(None)
            except ConfigError as error:
                self.notes.append(f"{name} takes no part: {error}")
                return
            self.contestants.append(static_linear(cases, base.folder))
        else:
            build = bag_of_words if name is ContestantName.BAG_OF_WORDS else tfidf_lr
            self.contestants.append(build(cases))

    def _training_cases(self) -> TrainingCases | None:
        path = None if self._config.data is None else self._config.data / TRAIN_FILE
        if self._cases is None and path is not None and episode_files(path):
            rng = np.random.default_rng(self._config.seed)
            self._cases = collect_cases(read_episodes(path), self._config.baseline_cases, rng)
        return self._cases


def _size_mb(artifact: ModelArtifact) -> float:
    """Size of the files that the runtime reads; the fp32 copy for comparison is not among them."""
    files = artifact.manifest.files.items()
    return sum(record.size_bytes for name, record in files if "fp32" not in name) / _BYTES_PER_MB
