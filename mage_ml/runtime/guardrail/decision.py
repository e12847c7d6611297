"""What the guard decides, and why."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.risk import Coverage, Evidence, RiskVector
from mage_ml.runtime.evaluators.tiered import TierRun
from mage_ml.runtime.guardrail.diagnosis import Diagnosis
from mage_ml.runtime.guardrail.policy import DecisionAction, FailMode, Mode
from mage_ml.runtime.guardrail.redirect import VerificationTask
from mage_ml.runtime.guardrail.repair import MemoryPatch


class ReasonKind(StrEnum):
    """Where a reason comes from."""

    RISK = "risk"
    FAILURE = "failure"
    FAIL_OPEN = "fail_open"
    COVERAGE = "coverage"
    RESOLUTION = "resolution"
    MODE = "mode"
    AUDIT = "audit"
    RELEASE = "release"


class Reason(BaseModel):
    """One reason, as one sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ReasonKind
    text: str


class Decision(BaseModel):
    """The guard's answer to one pending action.

    Attributes:
        decision_id: Unique name; the audit record carries the same.
        action: What to do about the pending action.
        allowed: Whether it may go ahead as it is. After a repair it may only if it rests on nothing that was condemned;
            otherwise the agent does the step again from the repaired memory.
        mode: `enforce`, `shadow` (decided and logged, never blocked) or `off`.
        action_type: The type that the policy was asked for.
        risk: Scores on the common scale, where 0.5 is the operating threshold.
        tiers: Each tier's own raw scores and latency.
        reasons: Why, the weightiest first.
        evidence: Entries, rules and spans behind the scores.
        coverage: What ran, was skipped, failed; tokens seen.
        patches: Changes to memory. `MageGuard` has applied them; the bare engine only proposes them.
        repair_ids: Names of the doubts that the repair answers; the same doubt has the same name in every decision.
        verification: The sub-task to do first, when the action is `redirect`.
        message: Text for the agent's context, in the language of the task; empty on a plain proceed.
        diagnosis: How the findings reach the action, when anything but a proceed was decided.
        fail_mode: The policy's fail mode for this action type.
        policy_version: Version of the policy.
        model_version: Version of the classifier, or `rules only`.
        snapshot_id: Name of what was judged.
        latency_ms: Time the decision took.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    decision_id: str
    action: DecisionAction
    allowed: bool
    mode: Mode
    action_type: str
    risk: RiskVector = RiskVector()
    tiers: tuple[TierRun, ...] = ()
    reasons: tuple[Reason, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    coverage: Coverage = Coverage()
    patches: tuple[MemoryPatch, ...] = ()
    repair_ids: tuple[str, ...] = ()
    verification: VerificationTask | None = None
    message: str = ""
    diagnosis: Diagnosis | None = None
    fail_mode: FailMode = FailMode.CLOSED
    policy_version: str = ""
    model_version: str = ""
    snapshot_id: str = ""
    latency_ms: Annotated[float, Field(ge=0.0)] = 0.0

    @property
    def is_intervention(self) -> bool:
        """Whether anything but a plain proceed was decided."""
        return self.action is not DecisionAction.PROCEED
