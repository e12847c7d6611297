"""Carries decisions out: patches memory, counts attempts, remembers how to undo."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from mage_ml.errors import PatchError
from mage_ml.memory.shadow import ShadowMemory
from mage_ml.runtime.audit import AuditEvent, EventKind
from mage_ml.runtime.guardrail import (
    Decision,
    DecisionAction,
    MemoryStore,
    PatchReceipt,
    RunHistory,
    apply_patch,
    undo,
)
from mage_ml.runtime.guardrail.release import Pardon

MAX_TRACKED: Final = 1024


class Enforcement:
    """What was done in one run, and what it takes to undo it. Not thread-safe: the guard holds its lock.

    Args:
        store: The agent's memory.
        shadow: The guard's view of it, kept in step.
    """

    def __init__(self, store: MemoryStore, shadow: ShadowMemory) -> None:
        self._store = store
        self._shadow = shadow
        self.attempts: OrderedDict[str, int] = OrderedDict()
        self.repairs: OrderedDict[str, int] = OrderedDict()
        self.receipts: OrderedDict[str, PatchReceipt] = OrderedDict()
        self.in_doubt: set[str] = set()

    def history(self, pardons: frozenset[Pardon] = frozenset()) -> RunHistory:
        """What the next decision depends on."""
        return RunHistory(dict(self.attempts), self._shadow.calls, dict(self.repairs), pardons)

    def repair(self, decision: Decision, *, allow_overwrite: bool) -> PatchReceipt:
        """Apply the patches of a decision.

        Raises:
            PatchError: Nothing has changed, unless `in_doubt` now names entries that could not be put back.
        """
        try:
            receipt = apply_patch(self._store, decision.patches, allow_overwrite=allow_overwrite)
        except PatchError as error:
            self.in_doubt.update(error.in_doubt)
            raise
        for entry in receipt.after:
            self._shadow.revise(entry)
        self.receipts[decision.decision_id] = receipt
        _trim(self.receipts)
        return receipt

    def count(self, decision: Decision) -> None:
        """Count what bounds loops: verifications asked for, and actions held back for a repair."""
        if decision.verification is not None and decision.action is DecisionAction.REDIRECT:
            _increment(self.attempts, decision.verification.task_id)
        if decision.action is DecisionAction.REPAIR and not decision.allowed:
            for name in decision.repair_ids:
                _increment(self.repairs, name)

    def undo(self, decision_id: str, record: Callable[[AuditEvent], object], run_id: str) -> PatchReceipt:
        """Take back the patches of a decision; it is in the audit log before memory changes.

        Raises:
            PatchError: The decision has none, or an entry was changed since. Nothing has changed, unless `in_doubt` now
                names entries that could not be put back.
        """
        receipt = self.receipts.get(decision_id)
        if receipt is None:
            raise PatchError(f"decision {decision_id!r} has no patches to take back")
        names = [entry.id for entry in receipt.before]
        event = AuditEvent(
            run_id=run_id,
            decision_id=decision_id,
            action="undone",
            kind=EventKind.REPAIR_UNDONE,
            payload={"entry_ids": [*names]},
        )
        record(event)
        try:
            undo(self._store, receipt)
        except PatchError as error:
            self.in_doubt.update(error.in_doubt)
            failed = {**event.payload, "failed": str(error)}
            record(event.model_copy(update={"kind": EventKind.OTHER, "action": "failed", "payload": failed}))
            raise
        for entry in receipt.before:
            self._shadow.revise(entry)
        del self.receipts[decision_id]
        return receipt

    def forget(self, entry_id: str) -> None:
        """Drop every receipt that holds an entry's content, so that a purge leaves no copy of it here."""
        for decision_id, receipt in list(self.receipts.items()):
            if any(entry.id == entry_id for entry in receipt.before):
                del self.receipts[decision_id]

    def settle_doubts(self) -> tuple[str, ...]:
        """Try once more to bring entries in doubt back to what the guard knows; returns those that still are not."""
        for entry_id in sorted(self.in_doubt):
            known = self._shadow.get(entry_id)
            try:
                if known is not None and self._store.get(entry_id) != known:
                    self._store.replace(known)
            except Exception:
                continue  # still in doubt
            self.in_doubt.discard(entry_id)
        return tuple(sorted(self.in_doubt))


def _increment(counts: OrderedDict[str, int], name: str) -> None:
    counts[name] = counts.get(name, 0) + 1
    counts.move_to_end(name)
    _trim(counts)


def _trim(tracked: OrderedDict[str, Any]) -> None:
    while len(tracked) > MAX_TRACKED:
        tracked.popitem(last=False)
