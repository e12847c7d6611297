"""Puts the tiers and the policy together."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from mage_ml.runtime.evaluators import Evaluator, RuleEvaluator, TieredEvaluator, TimeLimited
from mage_ml.runtime.guardrail import GuardrailEngine, PolicyMatrix


def create_engine(
    policy: PolicyMatrix, artifact: Path | Literal["default"] | None = None, judge: Evaluator | None = None
) -> GuardrailEngine:
    """The engine for a policy: rules, then the classifier if a model is given, then the judge if one is.

    Args:
        policy: Sets the rules and the tiers, too.
        artifact: Folder of a sealed model, or `default` for the one that ships; `None` for rules only.
        judge: Third tier.

    Raises:
        ArtifactError: The model is missing, damaged, or too new.
    """
    rules = RuleEvaluator(policy.rules)
    tiers = policy.tiers
    timed_judge = TimeLimited(judge, tiers.judge_timeout_s) if judge is not None else None
    if artifact is None:
        evaluator = TieredEvaluator(rules, None, timed_judge, settings=tiers, is_critical=policy.is_critical)
        return GuardrailEngine(evaluator, policy)
    # Not at the top: without a model the runtime needs no onnxruntime.
    from mage_ml.artifact import default_artifact_path, load_artifact
    from mage_ml.runtime.evaluators.onnx import OnnxEvaluator

    model = load_artifact(default_artifact_path() if artifact == "default" else artifact)
    evaluator = TieredEvaluator(
        rules,
        TimeLimited(OnnxEvaluator(model), tiers.classifier_timeout_s),
        timed_judge,
        thresholds=model.manifest.thresholds,
        entry_threshold=model.manifest.entry_threshold,
        settings=tiers,
        is_critical=policy.is_critical,
    )
    return GuardrailEngine(evaluator, policy, model_version=f"{model.manifest.name} {model.manifest.model_version}")
