"""What goes into the audit log about a run."""

from __future__ import annotations

from typing import Final, Protocol

from mage_ml.memory import Snapshot
from mage_ml.runtime.audit import AuditEvent, AuditRecord, EventKind
from mage_ml.runtime.guardrail import Decision, PolicyMatrix
from mage_ml.runtime.guardrail.applied import apply_policy

_TOUCHED: Final = 64


class AuditSink(Protocol):
    """Where decisions are recorded, as far as the guard needs it."""

    def append(self, event: AuditEvent) -> AuditRecord:
        """Record an event durably.

        Raises:
            AuditError: It could not be written.
        """
        ...


def decision_event(
    run_id: str,
    memory_digest: str,
    snapshot: Snapshot,
    decision: Decision,
    policy: PolicyMatrix,
    kind: EventKind = EventKind.DECISION,
) -> AuditEvent:
    """The record of a decision: what was judged, what was decided, by what policy, and every entry it turned on."""
    applied = apply_policy(policy, snapshot.action, decision.risk, decision.evidence)
    names = dict.fromkeys((*snapshot.action.depends_on, *(name for e in decision.evidence for name in e.entry_ids)))
    touched = [snapshot.entry(name) for name in list(names)[:_TOUCHED] if name in snapshot]
    return AuditEvent(
        run_id=run_id,
        decision_id=decision.decision_id,
        action=decision.action.value,
        kind=kind,
        payload={
            "snapshot": {
                "id": decision.snapshot_id,
                "memory_digest": memory_digest,
                "entries": len(snapshot.entries),
                "goal": snapshot.goal,
                "touched": [entry.model_dump(mode="json") for entry in touched],
            },
            "pending_action": snapshot.action.model_dump(mode="json"),
            "decision": decision.model_dump(mode="json"),
            "policy": applied.model_dump(mode="json"),
        },
    )
