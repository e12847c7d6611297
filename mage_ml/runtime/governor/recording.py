"""Keeps what a ruling leaves behind: counts, violations, the audit record, and word to whoever listens."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mage_ml.errors import MageError
from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.audit import AuditEvent, EventKind
from mage_ml.runtime.audit.sink import Sink
from mage_ml.runtime.governor.broadcast import Broadcaster, ChangeKind, StateChange
from mage_ml.runtime.governor.bundle import Bundle
from mage_ml.runtime.governor.constraint import PressureSettings, Severity
from mage_ml.runtime.governor.context import Utterance
from mage_ml.runtime.governor.rejections import RejectionBook
from mage_ml.runtime.governor.ruling import Finding, Outcome, Ruling
from mage_ml.runtime.governor.state import StateStore
from mage_ml.runtime.governor.state_types import Counts, Report, StateError, TurnKey
from mage_ml.runtime.governor.triggers import Triggered

_KEPT_TURNS: Final = 4096
_HELD_BACK: Final = (Outcome.REGENERATE, Outcome.DEGRADED, Outcome.HANDED_OVER, Outcome.VETOED)


class Recorder:
    """Writes down what the governor did.

    Args:
        state: The shared state.
        audit: The audit log; `None` for none.
        broadcaster: Tells whoever listens.
        book: The rejections, cleared when an output is accepted.
    """

    def __init__(self, state: StateStore, audit: Sink | None, broadcaster: Broadcaster, book: RejectionBook) -> None:
        self._state = state
        self._audit = audit
        self._broadcaster = broadcaster
        self._book = book
        self._lock = fork_safe_lock()
        self._rejected: OrderedDict[TurnKey, None] = OrderedDict()
        self._alarmed: dict[str, float] = {}

    def record(self, ruling: Ruling, utterance: Utterance, checked: Sequence[str], bundle: Bundle) -> Ruling:
        """Record a ruling; one that cannot be recorded as asked lets nothing pass."""
        turn = TurnKey(utterance.context.run_id, utterance.agent_id, utterance.context.turn)
        counts = _counted(checked, ruling.findings, ruling.outcome)
        failures = dict(ruling.failures)
        self._remember(turn, ruling, failures)
        if not ruling.findings and not ruling.conflicts:
            self._state.count(utterance.agent_id, counts)
            return _with_failures(ruling, failures)
        try:
            report = Report(ruling.ruling_id, turn, ruling.outcome, ruling.findings, ruling.conflicts, counts)
            self._state.report(report)
        except StateError as error:
            failures["state"] = str(error)[:500]
            self._tell(ChangeKind.STATE_FAILED, "", utterance, str(error)[:500], ruling.ruling_id)
        if self._audit is not None:
            try:
                self._audit.append(_event(ruling, utterance))
            except MageError as error:
                failures["audit"] = str(error)[:500]
                if ruling.allowed:  # what leaves has to be on record first
                    ruling = ruling.model_copy(update={"outcome": Outcome.VETOED, "output": ""})
        ruling = _with_failures(ruling, failures)
        self._announce(ruling, utterance, bundle.constraints.pressure)
        return ruling

    def record_later(
        self, ruling_id: str, utterance: Utterance, checked: Sequence[str], findings: Sequence[Finding]
    ) -> None:
        """Record checks that were made after the output had left. Never raises."""
        severe = any(one.severity is Severity.WARN for one in findings)
        outcome = Outcome.WARNED if severe else Outcome.LOGGED if findings else Outcome.PASS
        counts = _counted(checked, findings, outcome)
        if not findings:
            self._state.count(utterance.agent_id, counts)
            return
        turn = TurnKey(utterance.context.run_id, utterance.agent_id, utterance.context.turn)
        ruling = Ruling(ruling_id=ruling_id, outcome=outcome, output="", findings=tuple(findings))
        try:
            self._state.report(Report(ruling_id, turn, outcome, tuple(findings), (), counts))
            if self._audit is not None:
                self._audit.append(_event(ruling, utterance))
        except MageError as error:
            self._tell(ChangeKind.STATE_FAILED, "", utterance, str(error)[:500], ruling_id)
        self._announce(ruling, utterance, PressureSettings())

    def count_review(self, agent_id: str, wanted: Sequence[Triggered], findings: Sequence[Finding]) -> None:
        """Count a review of a draft or rationale."""
        checked = [one.constraint.id for one in wanted]
        self._state.count(agent_id, _counted(checked, findings, Outcome.LOGGED if findings else Outcome.PASS))

    def change(
        self, kind: ChangeKind, detail: str, *, constraint_id: str = "", payload: Mapping[str, Any] | None = None
    ) -> None:
        """Record and announce a change of the constraints themselves. Never raises."""
        event = AuditEvent(
            run_id="",
            decision_id="",
            action=kind.value,
            payload={"rule": constraint_id, "reason": detail, **(payload or {})},
            kind=EventKind.CONSTRAINT_CHANGED,
        )
        if self._audit is not None:
            try:
                self._audit.append(event)
            except MageError as error:
                detail = f"{detail} (not in the audit log: {error})"
        self._broadcaster.send(StateChange(kind, self._state.now(), constraint_id, detail=detail))

    def _remember(self, turn: TurnKey, ruling: Ruling, failures: dict[str, str]) -> None:
        """Forget the rejections of a turn once it has an answer."""
        if ruling.outcome is Outcome.REGENERATE:
            with self._lock:
                self._rejected[turn] = None
                if len(self._rejected) > _KEPT_TURNS:
                    self._rejected.popitem(last=False)
            return
        with self._lock:
            known = turn in self._rejected
            self._rejected.pop(turn, None)
        if known:
            try:
                self._book.clear(turn)
            except StateError as error:
                failures["state"] = str(error)[:500]

    def _announce(self, ruling: Ruling, utterance: Utterance, pressure: PressureSettings) -> None:
        held = ruling.outcome in _HELD_BACK
        for finding in ruling.findings:
            kind = ChangeKind.HELD_BACK if held and not finding.waived_for else ChangeKind.VIOLATED
            if finding.failed:
                kind = ChangeKind.CHECK_FAILED
            said = finding.failed or f"{ruling.outcome.value}, severity {finding.severity.value}"
            self._tell(kind, finding.constraint_id, utterance, said, ruling.ruling_id)
            self._watch_pressure(finding.constraint_id, utterance, pressure, ruling.ruling_id)
        for conflict in ruling.conflicts:
            said = f"{conflict.winner} over {conflict.loser} by {conflict.how.value}: {conflict.reason}"
            self._tell(ChangeKind.CONFLICT, conflict.winner, utterance, said, ruling.ruling_id)
        if ruling.outcome is Outcome.HANDED_OVER:
            resort = ruling.resort.value if ruling.resort is not None else ""
            self._tell(ChangeKind.HANDED_OVER, "", utterance, f"to {resort}", ruling.ruling_id)

    def _watch_pressure(
        self, constraint_id: str, utterance: Utterance, pressure: PressureSettings, ruling_id: str
    ) -> None:
        now = self._state.now()
        with self._lock:
            if now - self._alarmed.get(constraint_id, -pressure.window_s) < pressure.window_s:
                return
        try:
            times = self._state.violations_since(constraint_id, now - pressure.window_s)
        except StateError:  # reported where it could not be written
            return
        if times >= pressure.violations:
            with self._lock:
                self._alarmed[constraint_id] = now
            said = f"broken {times} times within {pressure.window_s:g} s"
            self._tell(ChangeKind.PRESSURE, constraint_id, utterance, said, ruling_id)

    def _tell(self, kind: ChangeKind, constraint_id: str, utterance: Utterance, detail: str, ruling_id: str) -> None:
        run_id = utterance.context.run_id
        change = StateChange(kind, self._state.now(), constraint_id, utterance.agent_id, run_id, detail, ruling_id)
        self._broadcaster.send(change)


def _counted(checked: Sequence[str], findings: Sequence[Finding], outcome: Outcome) -> dict[str, Counts]:
    counts = dict.fromkeys(checked, Counts(triggered=1))
    for one in findings:
        held = outcome in _HELD_BACK and not one.waived_for
        counts[one.constraint_id] = Counts(
            triggered=1,
            violated=1,
            held_back=int(held),
            warned=int(outcome is Outcome.WARNED and one.severity is not Severity.LOG),
            waived=int(bool(one.waived_for)),
            failed=int(bool(one.failed)),
        )
    return counts


def _event(ruling: Ruling, utterance: Utterance) -> AuditEvent:
    context = utterance.context
    payload: dict[str, Any] = {
        "rules": [one.constraint_id for one in ruling.findings],
        "reason": ruling.feedback.splitlines()[0][:300] if ruling.feedback else ruling.outcome.value,
        "agent_id": utterance.agent_id,
        "task": context.task,
        "turn": context.turn,
        "channel": str(context.channel),
        "recipient": context.recipient,
        "output": utterance.output,
        "user": context.user,
        "ruling": ruling.model_dump(mode="json", exclude={"ruling_id", "output"}),
    }
    return AuditEvent(
        run_id=context.run_id,
        decision_id=ruling.ruling_id,
        action=ruling.outcome.value,
        payload=payload,
        kind=EventKind.CONSTRAINT_RULING,
    )


def _with_failures(ruling: Ruling, failures: Mapping[str, str]) -> Ruling:
    return ruling.model_copy(update={"failures": dict(failures)}) if failures else ruling
