"""How a decision is carried out: what the evidence allows, and what was not checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from mage_ml.memory import ActionType, Snapshot
from mage_ml.risk import Assessment, Evidence
from mage_ml.runtime.guardrail import wording
from mage_ml.runtime.guardrail.decision import Reason, ReasonKind
from mage_ml.runtime.guardrail.doubt import doubt_id
from mage_ml.runtime.guardrail.history import RunHistory
from mage_ml.runtime.guardrail.policy import DecisionAction, FailMode, PolicyMatrix
from mage_ml.runtime.guardrail.quarantine import RepairPlan
from mage_ml.runtime.guardrail.redirect import VerificationTask, plan_verification
from mage_ml.runtime.guardrail.standing import stands_without

_MAX_REASONS: Final = 8


@dataclass(frozen=True, slots=True)
class Case:
    """One snapshot on its way to a decision."""

    snapshot: Snapshot
    """Its action has the type that the policy gives it, so that rules, tiers and matrix agree on what it is."""
    assessment: Assessment
    action_type: str
    language: wording.Language
    reasons: list[Reason]
    evidence: tuple[Evidence, ...]
    plan: RepairPlan
    name: str
    said: list[str] = field(default_factory=list)

    def because(self, kind: ReasonKind, text: str) -> None:
        """Add a reason; from the ninth on they are dropped."""
        if len(self.reasons) < _MAX_REASONS:
            self.reasons.append(Reason(kind=kind, text=text))


@dataclass(frozen=True, slots=True)
class Outcome:
    """A resolved case: what is done, and with what."""

    action: DecisionAction
    allowed: bool
    repairs: bool = False
    verification: VerificationTask | None = None


def resolve(case: Case, wanted: DecisionAction, history: RunHistory, policy: PolicyMatrix) -> Outcome:
    """What is really done where the matrix wants a decision: the next stricter one where it is not possible."""
    match wanted:
        case DecisionAction.PROCEED | DecisionAction.WARN:
            return Outcome(wanted, allowed=True)
        case DecisionAction.HALT:
            return Outcome(wanted, allowed=False)
        case _ if _is_worn_out(case, history, policy):
            _exhausted(case, policy.max_repairs, verified=False)
            return Outcome(DecisionAction.HALT, allowed=False)
        case DecisionAction.REPAIR if not case.plan.open and (case.plan.patches or case.plan.removed):
            return _repaired(case)
    doubts = case.plan.open or case.plan.settled
    task = plan_verification(
        case.snapshot,
        doubts,
        calls=history.calls,
        attempts=history.attempts,
        max_attempts=policy.max_verifications,
        language=case.language,
    )
    if task is not None and task.attempt <= task.max_attempts:
        if wanted is DecisionAction.REPAIR:
            case.because(ReasonKind.RESOLUTION, "No side is clearly the wrong one; a tool can settle it.")
        return Outcome(DecisionAction.REDIRECT, allowed=False, repairs=True, verification=task)
    if task is not None:
        _exhausted(case, task.max_attempts, verified=True)
        return _last_resort(case)
    if case.plan.patches and not case.plan.open:
        case.because(ReasonKind.RESOLUTION, "No tool can settle it, but the culprit is clear.")
        return _repaired(case)
    case.because(ReasonKind.RESOLUTION, "No clear culprit to repair, and no tool that could settle it.")
    return _last_resort(case)


def _is_worn_out(case: Case, history: RunHistory, policy: PolicyMatrix) -> bool:
    """Whether the agent falls back into a doubt that was repaired often enough, and acts on it again."""
    limit = policy.max_repairs
    worn = any(history.repairs.get(name, 0) >= limit for name in repair_ids(case))
    return worn and not stands_without(case.snapshot, case.plan.removed)


def _exhausted(case: Case, times: int, *, verified: bool) -> None:
    case.because(ReasonKind.RESOLUTION, wording.exhausted_text(times, verified, wording.Language.ENGLISH))
    case.said.append(wording.exhausted_text(times, verified, case.language))


def _last_resort(case: Case) -> Outcome:
    if case.action_type in (ActionType.INTERNAL_REASONING, ActionType.READ):
        if case.plan.patches:  # a second doubt that stays open must not spare the culprit of the first
            return _repaired(case)
        return Outcome(DecisionAction.WARN, allowed=True)
    return Outcome(DecisionAction.HALT, allowed=False)


def after_gaps(case: Case, outcome: Outcome, policy: PolicyMatrix) -> Outcome:
    """What was not checked can make a decision stricter, never milder."""
    coverage = case.assessment.coverage
    if coverage.failed:
        names = ", ".join(coverage.failed)
        if policy.fail_mode(case.snapshot.action) is FailMode.CLOSED:
            case.because(ReasonKind.FAILURE, f"{names} failed; this action type fails closed.")
            if outcome.allowed:
                return Outcome(DecisionAction.HALT, allowed=False)
        else:
            case.because(ReasonKind.FAIL_OPEN, f"{names} failed; this action type fails open.")
    share = wording.token_share(coverage)
    if outcome.action is DecisionAction.PROCEED and case.snapshot.action.is_consequential:
        if not coverage.language_supported:
            case.because(ReasonKind.COVERAGE, "The checks were not built for this language or script.")
            return Outcome(DecisionAction.WARN, allowed=True)
        if share < policy.min_token_share:
            case.because(ReasonKind.COVERAGE, f"The classifier saw only {share:.0%} of the text that bears on it.")
            return Outcome(DecisionAction.WARN, allowed=True)
    return outcome


def _repaired(case: Case) -> Outcome:
    allowed = stands_without(case.snapshot, case.plan.removed)
    return Outcome(DecisionAction.REPAIR, allowed=allowed, repairs=True)


def repair_ids(case: Case) -> tuple[str, ...]:
    """Names of the doubts that a repair of this case answers."""
    action = case.snapshot.action
    held_back = action.tool_name or action.type
    return tuple(dict.fromkeys(doubt_id(case.snapshot, doubt, held_back, {}) for doubt in case.plan.settled))
