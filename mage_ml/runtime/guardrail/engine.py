"""From a snapshot to a decision. Pure: it touches no store and writes no log."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mage_ml.memory import ActionType, Snapshot
from mage_ml.memory.shadow import ToolCall, snapshot_id
from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis
from mage_ml.runtime.evaluators.base import Evaluator
from mage_ml.runtime.evaluators.scale import OPERATING_POINT
from mage_ml.runtime.evaluators.tiered import TieredAssessment
from mage_ml.runtime.guardrail import wording
from mage_ml.runtime.guardrail.decision import Decision, Reason, ReasonKind
from mage_ml.runtime.guardrail.diagnosis import diagnose
from mage_ml.runtime.guardrail.policy import DecisionAction, FailMode, Mode, PolicyMatrix
from mage_ml.runtime.guardrail.quarantine import RepairPlan, plan_repair
from mage_ml.runtime.guardrail.redirect import VerificationTask, plan_verification

RULES_ONLY: Final = "rules only"
_MAX_REASONS: Final = 8


@dataclass(frozen=True, slots=True)
class RunHistory:
    """What happened earlier in the run, as far as a decision depends on it.

    Attributes:
        attempts: Verification task id -> how often the agent was sent to do it.
        calls: Entry id -> the tool call that returned it.
    """

    attempts: Mapping[str, int] = field(default_factory=dict)
    calls: Mapping[str, ToolCall] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Case:
    """One snapshot on its way to a decision."""

    snapshot: Snapshot
    assessment: Assessment
    action_type: str
    language: wording.Language
    reasons: list[Reason]
    evidence: tuple[Evidence, ...]
    plan: RepairPlan

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
        action_type = self.policy.action_type(snapshot.action)
        if self.policy.mode is Mode.OFF:
            return self._switched_off(snapshot, action_type, started)
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
            case DecisionAction.REPAIR if not case.plan.open and (case.plan.patches or case.plan.removed):
                return _Outcome(wanted, allowed=_stands_without(case), repairs=True)
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
            case.because(ReasonKind.RESOLUTION, f"Verified {task.max_attempts} times already, and the doubt remains.")
            return self._last_resort(case)
        if case.plan.patches and not case.plan.open:
            case.because(ReasonKind.RESOLUTION, "No tool can settle it, but the culprit is clear.")
            return _Outcome(DecisionAction.REPAIR, allowed=_stands_without(case), repairs=True)
        case.because(ReasonKind.RESOLUTION, "No clear culprit to repair, and no tool that could settle it.")
        return self._last_resort(case)

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
        share = coverage.tokens_seen / coverage.tokens_total if coverage.tokens_total else 1.0
        if outcome.action is DecisionAction.PROCEED and case.snapshot.action.is_consequential:
            if not coverage.language_supported:
                case.because(ReasonKind.COVERAGE, "The classifier was not built for this language or script.")
                return _Outcome(DecisionAction.WARN, allowed=True)
            if share < self.policy.min_token_share:
                case.because(ReasonKind.COVERAGE, f"The classifier saw only {share:.0%} of the text.")
                return _Outcome(DecisionAction.WARN, allowed=True)
        return outcome

    def _decision(self, case: _Case, outcome: _Outcome, started: float) -> Decision:
        snapshot, assessment = case.snapshot, case.assessment
        name = snapshot_id(snapshot)
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
        match outcome.action:
            case DecisionAction.PROCEED:
                return ""
            case DecisionAction.WARN:
                return wording.warn_text(shown, case.language)
            case DecisionAction.REDIRECT if outcome.verification is not None:
                return outcome.verification.instruction
            case DecisionAction.REPAIR:
                removed = sorted(case.plan.removed, key=case.snapshot.graph.position)
                return wording.repair_text(shown, removed, outcome.allowed, case.language)
        failures = [reason.text for reason in case.reasons if reason.kind is ReasonKind.FAILURE]
        return wording.halt_text(shown, " ".join(failures), case.language)

    def _switched_off(self, snapshot: Snapshot, action_type: str, started: float) -> Decision:
        name = snapshot_id(snapshot)
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


def _stands_without(case: _Case) -> bool:
    """Whether the action rests on nothing that is out of use after the repair, and says nothing that was refuted."""
    snapshot, removed = case.snapshot, case.plan.removed
    named = frozenset(snapshot.action.depends_on)
    if removed & (named | snapshot.graph.ancestors(*named, max_nodes=512)):
        return False
    values = frozenset().union(*(snapshot.facts.values_of(name) for name in removed))
    kept = snapshot.action.text.lower()
    return not any(value in kept and not _is_held(snapshot, value, removed) for value in values)


def _is_held(snapshot: Snapshot, value: str, removed: frozenset[str]) -> bool:
    return any(name not in removed for name in snapshot.facts.entries_with(value)[:32])
