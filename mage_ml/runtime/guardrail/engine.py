"""From a snapshot to a decision. Pure: it touches no store and writes no log."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from mage_ml.memory import Snapshot
from mage_ml.memory.shadow import snapshot_id
from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis
from mage_ml.runtime.evaluators.base import Evaluator, checked
from mage_ml.runtime.evaluators.scale import OPERATING_POINT
from mage_ml.runtime.evaluators.tiered import TieredAssessment
from mage_ml.runtime.guardrail import wording
from mage_ml.runtime.guardrail.decision import Decision, Reason, ReasonKind
from mage_ml.runtime.guardrail.diagnosis import diagnose
from mage_ml.runtime.guardrail.history import RunHistory
from mage_ml.runtime.guardrail.policy import DecisionAction, Mode, PolicyMatrix
from mage_ml.runtime.guardrail.quarantine import plan_repair
from mage_ml.runtime.guardrail.release import without_pardoned
from mage_ml.runtime.guardrail.resolution import Case, Outcome, after_gaps, repair_ids, resolve

RULES_ONLY: Final = "rules only"
_MAX_PARDONED: Final = 3


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

    def decide(
        self,
        snapshot: Snapshot,
        history: RunHistory | None = None,
        assess: Callable[[Snapshot], Assessment] | None = None,
    ) -> Decision:
        """Decide about one pending action.

        Evaluator failures never raise: they are in the decision's coverage, and the policy's fail mode decides.

        Args:
            snapshot: What is judged.
            history: What happened earlier in the run.
            assess: How the scores are had, where not straight from the evaluator. It is given the snapshot with the
                action's type as the policy sees it.

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
        assessment = self._assess(snapshot, assess or self.evaluator.assess)
        assessment, pardoned = without_pardoned(assessment, history.pardons, snapshot)
        evidence = self._telling(snapshot, assessment)
        case = Case(
            snapshot=snapshot,
            assessment=assessment,
            action_type=action_type,
            language=wording.language_of(snapshot),
            reasons=[],
            evidence=evidence,
            plan=plan_repair(snapshot, evidence, mixed_entry_share=self.policy.mixed_entry_share),
            name=name,
        )
        for item in pardoned[:_MAX_PARDONED]:
            text = f"{item.found_by} again points at {item.entry_ids[0]!r}, which was released with that known."
            case.because(ReasonKind.RELEASE, text)
        outcome = self._outcome(case, history)
        return self._decision(case, outcome, started)

    def _assess(self, snapshot: Snapshot, assess: Callable[[Snapshot], Assessment]) -> Assessment:
        name = self.evaluator.name
        try:
            return checked(assess(snapshot), name)
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

    def _outcome(self, case: Case, history: RunHistory) -> Outcome:
        action, risk = case.snapshot.action, case.assessment.risk
        wanted = self.policy.strictest(action, risk)
        if wanted is not DecisionAction.PROCEED:
            for axis in sorted(RiskAxis, key=lambda a: -risk[a]):
                verdict = self.policy.verdict(action, axis, risk[axis])
                if verdict is not DecisionAction.PROCEED:
                    case.because(ReasonKind.RISK, f"{axis} {risk[axis]:.2f}: the policy says {verdict}.")
        outcome = resolve(case, wanted, history, self.policy)
        return after_gaps(case, outcome, self.policy)

    def _decision(self, case: Case, outcome: Outcome, started: float) -> Decision:
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
            repair_ids=repair_ids(case) if outcome.action is DecisionAction.REPAIR else (),
            verification=outcome.verification,
            message=self._message(case, outcome, shown),
            diagnosis=diagnose(snapshot, shown, summary) if intervenes else None,
            fail_mode=self.policy.fail_mode(snapshot.action),
            policy_version=self.policy.version,
            model_version=self.model_version,
            snapshot_id=name,
            latency_ms=max(0.0, self._clock() - started) * 1000.0,
        )

    def _message(self, case: Case, outcome: Outcome, shown: Sequence[Evidence]) -> str:
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


def _joined(sentences: Sequence[str], language: wording.Language) -> str:
    return (" " if language is wording.Language.ENGLISH else "").join(text for text in sentences if text)
