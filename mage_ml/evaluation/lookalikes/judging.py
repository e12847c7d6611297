"""Runs guards over cases. A failed tier is a failure, never a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from mage_ml.artifact import default_artifact_path, load_artifact
from mage_ml.evaluation.guards import OnCommonScale
from mage_ml.evaluation.lookalikes.cases import JudgedCase
from mage_ml.progress import Progress, silent
from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.evaluators.onnx import OnnxEvaluator
from mage_ml.runtime.guardrail import Decision, DecisionAction, GuardrailEngine, PolicyMatrix


class GuardName(StrEnum):
    """Guards that differ in their evaluator only."""

    RULES = "rules"
    CLASSIFIER = "classifier"
    TIERS = "tiers"


@dataclass(frozen=True, slots=True)
class NamedGuard:
    """A guard and its name in the report."""

    name: GuardName
    engine: GuardrailEngine


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one guard decided about one case.

    Attributes:
        case: What was judged.
        guard: Who judged.
        action: The decision.
        allowed: Whether the agent may go on with its action.
        found_by: Rules and models whose evidence alone calls for more than a plain proceed.
        language_supported: Whether the guard was built for the language.
        failed: Whether a tier failed, so that the decision is no verdict.
    """

    case: JudgedCase
    guard: GuardName
    action: DecisionAction
    allowed: bool
    found_by: tuple[str, ...]
    language_supported: bool
    failed: bool

    @property
    def is_alarm(self) -> bool:
        """Whether anything but a plain proceed was decided."""
        return self.action is not DecisionAction.PROCEED

    @property
    def is_warning(self) -> bool:
        """Whether the agent was warned and went on."""
        return self.action is DecisionAction.WARN


def build_guards(
    names: Iterable[GuardName], policy: PolicyMatrix, artifact: Path | Literal["default"] = "default"
) -> tuple[NamedGuard, ...]:
    """The guards by name, around one policy and one model.

    Raises:
        ArtifactError: The model is missing, damaged, or too new.
    """
    return tuple(NamedGuard(name, _engine(name, policy, artifact)) for name in names)


def _engine(name: GuardName, policy: PolicyMatrix, artifact: Path | Literal["default"]) -> GuardrailEngine:
    if name is GuardName.RULES:
        return create_engine(policy)
    if name is GuardName.TIERS:
        return create_engine(policy, artifact)
    model = load_artifact(default_artifact_path() if artifact == "default" else artifact)
    alone = OnCommonScale(OnnxEvaluator(model), model.manifest.thresholds, model.manifest.entry_threshold)
    return GuardrailEngine(alone, policy)


def judge_cases(
    guards: Sequence[NamedGuard], cases: Sequence[JudgedCase], progress: Progress = silent
) -> tuple[Verdict, ...]:
    """Every guard's verdict on every case."""
    found = []
    for guard in guards:
        stage = f"judge with {guard.name}"
        for number, case in enumerate(cases):
            progress(stage, number, len(cases))
            found.append(_verdict(guard, case))
        progress(stage, len(cases), len(cases))
    return tuple(found)


def _verdict(guard: NamedGuard, case: JudgedCase) -> Verdict:
    decision = guard.engine.decide(case.snapshot)
    return Verdict(
        case=case,
        guard=guard.name,
        action=decision.action,
        allowed=decision.allowed,
        found_by=_telling(decision, guard.engine.policy, case),
        language_supported=decision.coverage.language_supported,
        failed=bool(decision.coverage.failed),
    )


def _telling(decision: Decision, policy: PolicyMatrix, case: JudgedCase) -> tuple[str, ...]:
    action = case.snapshot.action
    names = (
        item.found_by
        for item in decision.evidence
        if policy.verdict(action, item.axis, item.score) is not DecisionAction.PROCEED
    )
    return tuple(dict.fromkeys(names))
