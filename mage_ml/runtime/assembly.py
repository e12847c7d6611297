"""Puts the tiers and the policy together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mage_ml.runtime.evaluators import Evaluator, RuleEvaluator, TieredEvaluator, TimeLimited
from mage_ml.runtime.evaluators.base import PreparedEvaluator
from mage_ml.runtime.evaluators.cache import CachedEvaluator
from mage_ml.runtime.guardrail import FailMode, GuardrailEngine, PolicyMatrix

if TYPE_CHECKING:
    from mage_ml.artifact import ModelArtifact
    from mage_ml.risk import RiskAxis


def create_engine(
    policy: PolicyMatrix,
    artifact: Path | Literal["default"] | None = None,
    judge: Evaluator | None = None,
    *,
    weight_of: Callable[[str], float] | None = None,
) -> GuardrailEngine:
    """The engine for a policy: rules, then the classifier if a model is given, then the judge if one is.

    Args:
        policy: Sets the rules and the tiers, too.
        artifact: Folder of a sealed model, or `default` for the one that ships; `None` for rules only.
        judge: Third tier. Its results are kept if it says what names a question (`prepare`).
        weight_of: Factor on what a rule or tier says, from outcome feedback.

    Raises:
        ArtifactError: The model is missing, damaged, or too new.
    """
    timed_judge = None if judge is None else _timed(judge, policy.tiers.judge_timeout_s, policy.tiers.cache_size)
    if artifact is None:
        return GuardrailEngine(_tiers(policy, None, timed_judge, weight_of), policy)
    # Not at the top: without a model the runtime needs no onnxruntime.
    from mage_ml.artifact import default_artifact_path, load_artifact

    model = load_artifact(default_artifact_path() if artifact == "default" else artifact)
    return GuardrailEngine(_tiers(policy, model, timed_judge, weight_of), policy, model_version=version_of(model))


def version_of(model: ModelArtifact) -> str:
    """Name and version of a model, as decisions and calibrations carry it."""
    return f"{model.manifest.name} {model.manifest.model_version}"


def combined_thresholds(policy: PolicyMatrix, model_version: str) -> Mapping[RiskAxis, float]:
    """The policy's thresholds of combined scores, if they were fitted with this model; otherwise none."""
    found = policy.tiers.calibration
    return found.combined_thresholds if found is not None and found.model_version == model_version else {}


def _tiers(
    policy: PolicyMatrix,
    model: ModelArtifact | None,
    judge: Evaluator | None,
    weight_of: Callable[[str], float] | None,
) -> TieredEvaluator:
    settings, classifier, gaps = policy.tiers, None, {}
    if model is not None:
        from mage_ml.runtime.evaluators.onnx import OnnxEvaluator

        classifier = _timed(OnnxEvaluator(model), settings.classifier_timeout_s, settings.cache_size)
        fitted = settings.calibration
        if fitted is not None and fitted.model_version != version_of(model):
            gaps["calibration"] = f"fitted with {fitted.model_version}, not with {version_of(model)}; its bound is void"
    return TieredEvaluator(
        RuleEvaluator(policy.rules),
        classifier,
        judge,
        thresholds=None if model is None else model.manifest.thresholds,
        entry_threshold=0.5 if model is None else model.manifest.entry_threshold,
        combined_thresholds={} if model is None else combined_thresholds(policy, version_of(model)),
        settings=settings,
        is_critical=policy.is_critical,
        fails_closed=lambda action: policy.fail_mode(action) is FailMode.CLOSED,
        weight_of=weight_of,
        gaps=gaps,
    )


def _timed(evaluator: Evaluator, timeout_s: float, cache_size: int) -> Evaluator:
    limited = TimeLimited(evaluator, timeout_s)
    if cache_size and isinstance(evaluator, PreparedEvaluator):
        return CachedEvaluator(limited, capacity=cache_size)
    return limited
