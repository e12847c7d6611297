"""Tells people of what was decided, after it is recorded and enforced, and records what could not be told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mage_ml.memory import PendingAction
from mage_ml.runtime.audit import AuditEvent, EventKind
from mage_ml.runtime.guardrail import Decision, Mode
from mage_ml.runtime.notify import Dispatcher, DispatchStats, Notice, Notifier, NotifySettings


class Announcer:
    """Builds notices of decisions and hands them to a dispatcher. Safe between threads.

    Nothing that happens here reaches a decision: it is made, recorded and enforced before.

    Args:
        run_id: Name of the run.
        notifiers: Whom to tell; with none, nothing is told.
        settings: Which decisions to tell of, and how hard to try.
        record: Writes to the audit log.
        clock: Seconds since the epoch.
    """

    def __init__(
        self,
        run_id: str,
        notifiers: Sequence[Notifier],
        settings: NotifySettings,
        record: Callable[[AuditEvent], object],
        clock: Callable[[], float],
    ) -> None:
        self._run_id = run_id
        self._told = {item.value for item in settings.decisions}
        self._record = record
        self._clock = clock
        self._dispatcher = (
            Dispatcher(
                notifiers,
                attempts=settings.attempts,
                backoff_s=settings.backoff_s,
                max_pending=settings.max_pending,
                on_failure=self._lost,
            )
            if notifiers
            else None
        )

    @property
    def stats(self) -> DispatchStats:
        """How deliveries went so far."""
        return self._dispatcher.stats if self._dispatcher is not None else DispatchStats()

    def tell(self, action: PendingAction, decision: Decision) -> None:
        """Tell of a decision, if it is enforced and of a kind to be told."""
        if self._dispatcher is None or decision.mode is not Mode.ENFORCE or decision.action.value not in self._told:
            return
        names = dict.fromkeys(name for item in decision.evidence for name in item.entry_ids)
        notice = Notice(
            run_id=self._run_id,
            decision_id=decision.decision_id,
            decision=decision.action.value,
            action_type=decision.action_type,
            tool_name=action.tool_name or "",
            reasons=tuple(reason.text for reason in decision.reasons),
            entry_ids=tuple(names)[:32],
            policy_version=decision.policy_version,
            at=max(0.0, self._clock()),
        )
        self._dispatcher.submit(notice)

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything is delivered or given up; `False` when it took longer."""
        return self._dispatcher is None or self._dispatcher.flush(timeout_s)

    def close(self, timeout_s: float = 5.0) -> None:
        """Deliver what waits, within a time."""
        if self._dispatcher is not None:
            self._dispatcher.close(timeout_s)

    def _lost(self, notice: Notice, name: str, why: str) -> None:
        payload = {"notifier": name, "reason": why, "decision": notice.decision, "tool_name": notice.tool_name}
        self._record(
            AuditEvent(
                run_id=self._run_id,
                decision_id=notice.decision_id,
                action="notifier_failed",
                kind=EventKind.NOTIFIER_FAILED,
                payload=dict(payload),
            )
        )
