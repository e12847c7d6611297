"""What a guard learns after its decisions: results of deferred checks, and how decisions turned out."""

from __future__ import annotations

from collections.abc import Callable

from mage_ml.forking import ForkAwareLock
from mage_ml.memory import PendingAction, Snapshot
from mage_ml.risk import Assessment
from mage_ml.runtime.evaluators.tier_stats import TierStats
from mage_ml.runtime.guarding.evaluation import DeferredResult, RunEvaluation
from mage_ml.runtime.guarding.outcomes import Outcomes
from mage_ml.runtime.guardrail import Decision
from mage_ml.runtime.guardrail.feedback import Adjustment, FeedbackOutcome


class Hindsight:
    """The part of a guard that looks back. `MageGuard` is one; it is not used alone."""

    _lock: ForkAwareLock
    _evaluation: RunEvaluation
    _outcomes: Outcomes

    def _decide(self, action: PendingAction, assess: Callable[[Snapshot], Assessment], note: str = "") -> Decision:
        raise NotImplementedError

    def deferred_results(self) -> tuple[DeferredResult, ...]:
        """What became of checks that the rules answered first: those decided since the last call, in their order."""
        self._settle_deferred()
        return self._evaluation.outbox.collect()

    def feedback(
        self, decision_id: str, outcome: FeedbackOutcome | str, *, by: str = "", note: str = ""
    ) -> tuple[Adjustment, ...]:
        """Say how a decision turned out: false_alarm, right_alarm, missed or ok.

        Args:
            decision_id: One of the latest 1,024 decisions of this run.
            outcome: How it turned out; a second one for the same decision replaces the first.
            by: Who says so.
            note: Why.

        Returns:
            The adjustments that followed: rules that cry wolf count for less, inside the policy's bounds.

        Raises:
            ConfigError: Unknown decision or outcome.
            AuditError: It could not be recorded; nothing is adjusted.
        """
        with self._lock:
            return self._outcomes.take(decision_id, outcome, by, note)

    def revert_adjustment(self, adjustment_id: int, *, by: str = "", reason: str = "") -> Adjustment:
        """Take back an adjustment that followed from feedback.

        Raises:
            ConfigError: There is none with this number, or it cannot be reverted.
        """
        with self._lock:
            return self._outcomes.revert(adjustment_id, by, reason)

    @property
    def tier_stats(self) -> TierStats:
        """What each tier has done so far, over all guards that share this engine."""
        return self._evaluation.stats

    def finish_deferred(self, timeout_s: float = 30.0) -> int:
        """Wait for deferred checks and decide about them, before the run ends. The guard stays usable.

        Returns:
            How many are still out.
        """
        left = self._evaluation.drain(timeout_s)
        self._settle_deferred()
        return left

    def _settle_deferred(self) -> None:
        with self._lock:
            self._evaluation.settle(self._decide)
        self._evaluation.outbox.deliver()
