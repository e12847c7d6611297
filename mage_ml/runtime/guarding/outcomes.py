"""Takes in how decisions turned out, records it, and lets the tuner draw its conclusions."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from mage_ml.config import nearest
from mage_ml.errors import AuditError, ConfigError
from mage_ml.runtime.audit import AuditEvent, EventKind
from mage_ml.runtime.guarding.recording import AuditSink
from mage_ml.runtime.guardrail.decision import Decision
from mage_ml.runtime.guardrail.feedback import Adjustment, FeedbackOutcome, FeedbackTuner, voices_of

MAX_REMEMBERED: Final = 1024


class Outcomes:
    """The outcomes of one run's decisions. Not thread-safe: the guard holds its lock.

    Args:
        tuner: Draws conclusions; `None` when outcomes are only recorded.
        audit: Where outcomes and adjustments are recorded, before they take effect.
        run_id: Name of the run in the audit log.
    """

    def __init__(self, tuner: FeedbackTuner | None, audit: AuditSink | None, run_id: str) -> None:
        self._tuner = tuner
        self._audit = audit
        self._run_id = run_id
        self._voices: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def remember(self, decision: Decision) -> None:
        """Remember who spoke in a decision, for the latest 1,024."""
        self._voices[decision.decision_id] = voices_of(decision)
        while len(self._voices) > MAX_REMEMBERED:
            self._voices.popitem(last=False)

    def take(self, decision_id: str, outcome: FeedbackOutcome | str, by: str, note: str) -> tuple[Adjustment, ...]:
        """Take in how a decision turned out; see `MageGuard.feedback`."""
        names = [item.value for item in FeedbackOutcome]
        if outcome not in names:
            raise ConfigError(f"unknown outcome {outcome!r}; {nearest(str(outcome), names)}")
        kind = FeedbackOutcome(outcome)
        voices = self._voices.get(decision_id)
        if voices is None:
            raise ConfigError(
                f"decision {decision_id!r} is not among the latest {MAX_REMEMBERED:,} of this run; give the guard that "
                "made it an outcome sooner"
            )
        said: dict[str, object] = {"outcome": kind.value, "rules": list(voices), "by": by, "reason": note}
        self._record(decision_id, kind.value, EventKind.FEEDBACK, said)
        if self._tuner is None:
            return ()
        made = self._tuner.record(decision_id, voices, kind, by=by, note=note)
        for adjustment in made:
            try:
                shown = {**adjustment.model_dump(mode="json"), "rule": adjustment.voice}
                self._record(decision_id, "adjust", EventKind.ADJUSTMENT, shown)
            except AuditError:
                # What is not on record does not hold.
                self._tuner.revert(adjustment.adjustment_id, by="guard", reason="the audit log could not be written")
                raise
        return made

    def revert(self, adjustment_id: int, by: str, reason: str) -> Adjustment:
        """Take an adjustment back; see `MageGuard.revert_adjustment`."""
        if self._tuner is None:
            raise ConfigError("this guard has no feedback store; give MageGuard.create(feedback=...)")
        reverted = self._tuner.revert(adjustment_id, by=by, reason=reason)
        shown = {**reverted.model_dump(mode="json"), "rule": reverted.voice, "reason": reason, "by": by}
        self._record(reverted.decision_id, "revert", EventKind.ADJUSTMENT_REVERTED, shown)
        return reverted

    def _record(self, decision_id: str, action: str, kind: EventKind, payload: dict[str, object]) -> None:
        if self._audit is not None:
            fields = {"run_id": self._run_id, "decision_id": decision_id, "action": action, "payload": payload}
            self._audit.append(AuditEvent.model_validate({**fields, "kind": kind}))
