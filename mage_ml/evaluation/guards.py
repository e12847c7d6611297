"""Guards for the replay: the guardrail engine that ships, around any evaluator."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mage_ml.evaluation.replay import Decide, ReplayDecision
from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, RiskAxis
from mage_ml.runtime.evaluators import Evaluator, rescale_assessment
from mage_ml.runtime.guardrail.engine import GuardrailEngine
from mage_ml.runtime.guardrail.policy import DecisionAction, load_policy


class OnCommonScale:
    """An evaluator whose scores are stretched so that 0.5 is its operating threshold, as policies expect.

    Args:
        evaluator: Gives raw scores.
        thresholds: Its operating threshold by axis.
        entry_threshold: Its operating threshold of entry scores.
    """

    def __init__(self, evaluator: Evaluator, thresholds: Mapping[RiskAxis, float], entry_threshold: float) -> None:
        self._evaluator = evaluator
        self._thresholds = dict(thresholds)
        self._entry_threshold = entry_threshold

    @property
    def name(self) -> str:
        """The evaluator's name."""
        return self._evaluator.name

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Score one snapshot on the common scale."""
        return rescale_assessment(self._evaluator.assess(snapshot), self._thresholds, self._entry_threshold)


class GuardBuilder:
    """Builds guards that differ in their evaluator only.

    Attributes:
        policy: The policy as read.

    Args:
        policy: Policy file; the default policy when `None`.

    Raises:
        ConfigError: The policy is not valid.
    """

    def __init__(self, policy: Path | None) -> None:
        self.policy = load_policy(policy)

    def guard(self, evaluator: Evaluator) -> Decide:
        """A guard around an evaluator."""
        return decide_with(GuardrailEngine(evaluator, self.policy))


def decide_with(engine: GuardrailEngine) -> Decide:
    """Make an engine's decisions fit the replay."""

    def decide(snapshot: Snapshot) -> ReplayDecision:
        decision = engine.decide(snapshot)
        redo = decision.action is DecisionAction.REPAIR
        return ReplayDecision(allowed=decision.allowed, patches=decision.patches, redo=redo)

    return decide
