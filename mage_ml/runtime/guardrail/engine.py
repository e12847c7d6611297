"""From a snapshot to a decision. Pure: it touches no store and writes no log."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mage_ml.memory import ActionType, Snapshot
from mage_ml.memory.shadow import snapshot_id
from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis
from mage_ml.runtime.evaluators.base import Evaluator
from mage_ml.runtime.evaluators.scale import OPERATING_POINT
from mage_ml.runtime.evaluators.tiered import TieredAssessment
from mage_ml.runtime.guardrail import wording
from mage_ml.runtime.guardrail.decision import Decision, Reason, ReasonKind
from mage_ml.runtime.guardrail.diagnosis import diagnose
from mage_ml.runtime.guardrail.doubt import doubt_id
from mage_ml.runtime.guardrail.history import RunHistory
from mage_ml.runtime.guardrail.policy import DecisionAction, FailMode, Mode, PolicyMatrix
from mage_ml.runtime.guardrail.quarantine import RepairPlan, plan_repair
from mage_ml.runtime.guardrail.redirect import VerificationTask, plan_verification
from mage_ml.runtime.guardrail.standing import stands_without

RULES_ONLY: Final = "rules only"
_MAX_REASONS: Final = 8


@dataclass(frozen=True, slots=True)
class _Case:
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
        if len(self.reasons) < _MAX_REASONS:
            self.reasons.append(Reason(kind=kind, text=text))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A resolved case: what is done, and with what."""

    action: DecisionAction
    allowed: bool
    repairs: bool = False
    verification: VerificationTask | None = None


class GuardrailEngine:
    """Decides about snapshots by policy. Safe to share between threads; keeps no state between calls.

    The matrix says how strictly to act on each axis; the strictest axis counts. How it is done depends on what the
    evidence allows: a repair needs a clear culprit, a redirect needs a tool that can settle the doubt. Where one is not
    possible the next stricter one is taken, and at the end a halt, or a warning if the action has no effect outside.

    Args:
        evaluator: Gives the scores, on the common scale.
        policy: Turns scores into decisions.
        model_version: Recorded with every decision.
        clock: Seconds, for latencies.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        policy: PolicyMatrix,
        *,
        model_version: str = RULES_ONLY,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.evaluator = evaluator
        self.policy = policy
        self.model_version = model_version
        self._clock = clock

    def decide(self, snapshot: Snapshot, history: RunHistory | None = None) -> Decision:
        """Decide about one pending action.

        Evaluator failures never raise: they are in the decision's coverage, and the policy's fail mode decides.

        Raises:
            ConfigError: The policy has no row for the action's type.
        """
        started = self._clock()
        history = history or RunHistory()
        action_type, name = self.policy.action_type(snapshot.action), snapshot_id(snapshot)
        if action_type != snapshot.action.type:
            snapshot = replace(snapshot, action=snapshot.action.model_copy(update={"type": action_type}))
        if self.policy.mode is Mode.OFF:
            return self._switched_off(snapshot, action_type, name, started)
        assessment = self._assess(snapshot)
        evidence = self._telling(snapshot, assessment)
        case = _Case(
            snapshot=snapshot,
            assessment=assessment,
            action_type=action_type,
            language=wording.language_of(snapshot),
            reasons=[],
            evidence=evidence,
            plan=plan_repair(snapshot, evidence, mixed_entry_share=self.policy.mixed_entry_share),
            name=name,
        )
        outcome = self._outcome(case, history)
        return self._decision(case, outcome, started)

    def _assess(self, snapshot: Snapshot) -> Assessment:
        name = self.evaluator.name
        try:
            return self.evaluator.assess(snapshot)
        except Exception as error:
            return Assessment(coverage=Coverage(failed={name: f"{type(error).__name__}: {error}"}))

    def _telling(self, snapshot: Snapshot, assessment: Assessment) -> tuple[Evidence, ...]:
        """The evidence that by itself calls for a repair or more; a bare high score points at the likeliest entry."""
        action, policy = snapshot.action, self.policy
        floor = DecisionAction.REPAIR.severity
        found = [e for e in assessment.evidence if policy.verdict(action, e.axis, e.score).severity >= floor]
        explained = {item.axis for item in found}
        suspects = sorted(assessment.entry_scores.items(), key=lambda pair: (-pair[1], pair[0]))
        for axis in RiskAxis:
            score = assessment.risk[axis]
            if axis not in explained and policy.verdict(action, axis, score).severity >= floor:
                ids = tuple(name for name, value in suspects[:1] if value >= OPERATING_POINT)
                message = f"The {axis} score is {score:.2f}, above the operating threshold."
                found.append(
                    Evidence(axis=axis, score=score, found_by=self.evaluator.name, entry_ids=ids, message=message)
                )
        return tuple(sorted(found, key=lambda item: -item.score))

    def _outcome(self, case: _Case, history: RunHistory) -> _Outcome:
        action, risk = case.snapshot.action, case.assessment.risk
        wanted = self.policy.strictest(action, risk)
        if wanted is not DecisionAction.PROCEED:
            for axis in sorted(RiskAxis, key=lambda a: -risk[a]):
                verdict = self.policy.verdict(action, axis, risk[axis])
                if verdict is not DecisionAction.PROCEED:
                    case.because(ReasonKind.RISK, f"{axis} {risk[axis]:.2f}: the policy says {verdict}.")
        outcome = self._resolve(case, wanted, history)
        return self._after_gaps(case, outcome)

    def _resolve(self, case: _Case, wanted: DecisionAction, history: RunHistory) -> _Outcome:
        match wanted:
            case DecisionAction.PROCEED | DecisionAction.WARN:
                return _Outcome(wanted, allowed=True)
            case DecisionAction.HALT:
                return _Outcome(wanted, allowed=False)
            case _ if self._is_worn_out(case, history):
                self._exhausted(case, self.policy.max_repairs, verified=False)
                return _Outcome(DecisionAction.HALT, allowed=False)
            case DecisionAction.REPAIR if not case.plan.open and (case.plan.patches or case.plan.removed):
                return _repaired(case)
        doubts = case.plan.open or case.plan.settled
        task = plan_verification(
            case.snapshot,
            doubts,
            calls=history.calls,
            attempts=history.attempts,
            max_attempts=self.policy.max_verifications,
            language=case.language,
        )
        if task is not None and task.attempt <= task.max_attempts:
            if wanted is DecisionAction.REPAIR:
                case.because(ReasonKind.RESOLUTION, "No side is clearly the wrong one; a tool can settle it.")
            return _Outcome(DecisionAction.REDIRECT, allowed=False, repairs=True, verification=task)
        if task is not None:
            self._exhausted(case, task.max_attempts, verified=True)
            return self._last_resort(case)
        if case.plan.patches and not case.plan.open:
            case.because(ReasonKind.RESOLUTION, "No tool can settle it, but the culprit is clear.")
            return _repaired(case)
        case.because(ReasonKind.RESOLUTION, "No clear culprit to repair, and no tool that could settle it.")
        return self._last_resort(case)

    def _is_worn_out(self, case: _Case, history: RunHistory) -> bool:
        """Whether the agent falls back into a doubt that was repaired often enough, and acts on it again."""
        limit = self.policy.max_repairs
        worn = any(history.repairs.get(name, 0) >= limit for name in _repair_ids(case))
        return worn and not stands_without(case.snapshot, case.plan.removed)

    def _exhausted(self, case: _Case, times: int, *, verified: bool) -> None:
        case.because(ReasonKind.RESOLUTION, wording.exhausted_text(times, verified, wording.Language.ENGLISH))
        case.said.append(wording.exhausted_text(times, verified, case.language))

    def _last_resort(self, case: _Case) -> _Outcome:
        if case.action_type in (ActionType.INTERNAL_REASONING, ActionType.READ):
            return _Outcome(DecisionAction.WARN, allowed=True)
        return _Outcome(DecisionAction.HALT, allowed=False)

    def _after_gaps(self, case: _Case, outcome: _Outcome) -> _Outcome:
        """What was not checked can make a decision stricter, never milder."""
        coverage = case.assessment.coverage
        if coverage.failed:
            names = ", ".join(coverage.failed)
            if self.policy.fail_mode(case.snapshot.action) is FailMode.CLOSED:
                case.because(ReasonKind.FAILURE, f"{names} failed; this action type fails closed.")
                if outcome.allowed:
                    return _Outcome(DecisionAction.HALT, allowed=False)
            else:
                case.because(ReasonKind.FAIL_OPEN, f"{names} failed; this action type fails open.")
        share = wording.token_share(coverage)
        if outcome.action is DecisionAction.PROCEED and case.snapshot.action.is_consequential:
            if not coverage.language_supported:
                case.because(ReasonKind.COVERAGE, "The classifier was not built for this language or script.")
                return _Outcome(DecisionAction.WARN, allowed=True)
            if share < self.policy.min_token_share:
                case.because(ReasonKind.COVERAGE, f"The classifier saw only {share:.0%} of the text that bears on it.")
                return _Outcome(DecisionAction.WARN, allowed=True)
        return outcome

    def _decision(self, case: _Case, outcome: _Outcome, started: float) -> Decision:
        snapshot, assessment = case.snapshot, case.assessment
        name = case.name
        intervenes = outcome.action is not DecisionAction.PROCEED
        shown = case.evidence or assessment.evidence
        reasons = list(case.reasons)
        if self.policy.mode is Mode.SHADOW:
            reasons.append(Reason(kind=ReasonKind.MODE, text="Shadow mode: decided and logged, not enforced."))
        summary = f"{outcome.action.value}: {' '.join(reason.text for reason in reasons)}"
        return Decision(
            decision_id=f"d-{name}",
            action=outcome.action,
            allowed=outcome.allowed or self.policy.mode is Mode.SHADOW,
            mode=self.policy.mode,
            action_type=case.action_type,
            risk=assessment.risk,
            tiers=assessment.tiers if isinstance(assessment, TieredAssessment) else (),
            reasons=tuple(reasons),
            evidence=assessment.evidence or case.evidence,
            coverage=assessment.coverage,
            patches=case.plan.patches if outcome.repairs else (),
            repair_ids=_repair_ids(case) if outcome.action is DecisionAction.REPAIR else (),
            verification=outcome.verification,
            message=self._message(case, outcome, shown),
            diagnosis=diagnose(snapshot, shown, summary) if intervenes else None,
            fail_mode=self.policy.fail_mode(snapshot.action),
            policy_version=self.policy.version,
            model_version=self.model_version,
            snapshot_id=name,
            latency_ms=max(0.0, self._clock() - started) * 1000.0,
        )

    def _message(self, case: _Case, outcome: _Outcome, shown: Sequence[Evidence]) -> str:
        gaps = wording.gap_text(case.assessment.coverage, self.policy.min_token_share, case.language)
        match outcome.action:
            case DecisionAction.PROCEED:
                return ""
            case DecisionAction.WARN:
                return wording.warn_text(shown, _joined([*case.said, gaps], case.language), case.language)
            case DecisionAction.REDIRECT if outcome.verification is not None:
                return outcome.verification.instruction
            case DecisionAction.REPAIR:
                removed = sorted(case.plan.removed, key=case.snapshot.graph.position)
                return wording.repair_text(shown, removed, outcome.allowed, case.language)
        return wording.halt_text(shown, _joined([*case.said, gaps], case.language), case.language)

    def _switched_off(self, snapshot: Snapshot, action_type: str, name: str, started: float) -> Decision:
        return Decision(
            decision_id=f"d-{name}",
            action=DecisionAction.PROCEED,
            allowed=True,
            mode=Mode.OFF,
            action_type=action_type,
            reasons=(Reason(kind=ReasonKind.MODE, text="The guard is switched off; nothing was checked."),),
            coverage=Coverage(skipped={self.evaluator.name: "mode off"}),
            fail_mode=self.policy.fail_mode(snapshot.action),
            policy_version=self.policy.version,
            model_version=self.model_version,
            snapshot_id=name,
            latency_ms=max(0.0, self._clock() - started) * 1000.0,
        )


def _repaired(case: _Case) -> _Outcome:
    allowed = stands_without(case.snapshot, case.plan.removed)
    return _Outcome(DecisionAction.REPAIR, allowed=allowed, repairs=True)


def _repair_ids(case: _Case) -> tuple[str, ...]:
    action = case.snapshot.action
    held_back = action.tool_name or action.type
    return tuple(dict.fromkeys(doubt_id(case.snapshot, doubt, held_back, {}) for doubt in case.plan.settled))


def _joined(sentences: Sequence[str], language: wording.Language) -> str:
    return (" " if language is wording.Language.ENGLISH else "").join(text for text in sentences if text)
