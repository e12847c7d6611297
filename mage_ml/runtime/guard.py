"""The guard around one agent run: watches its memory, decides before each action, repairs, records."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from mage_ml.errors import PatchError, RecordError
from mage_ml.memory import MemoryEntry, PendingAction, Snapshot
from mage_ml.memory.shadow import ShadowMemory
from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.audit import AuditEvent, AuditLog, AuditRecord
from mage_ml.runtime.evaluators import Evaluator
from mage_ml.runtime.guardrail import (
    Decision,
    DecisionAction,
    FailMode,
    GuardrailEngine,
    InMemoryStore,
    MemoryPatch,
    MemoryStore,
    Mode,
    PatchReceipt,
    PolicyMatrix,
    Reason,
    ReasonKind,
    RunHistory,
    apply_patch,
    load_policy,
    undo,
    wording,
)

MAX_TRACKED: Final = 1024
_TOUCHED: Final = 64


class AuditSink(Protocol):
    """Where decisions are recorded, as far as the guard needs it."""

    def append(self, event: AuditEvent) -> AuditRecord:
        """Record an event durably.

        Raises:
            AuditError: It could not be written.
        """
        ...


class MageGuard:
    """Guards one run of one agent.

    Call `observe` for every entry the agent writes to its memory, and `check` before every action. All methods are
    safe to call from any thread and inside a running event loop; calls on one guard take turns, because a verdict
    belongs to the memory as it was.

    Args:
        engine: Decides.
        goal: The user's task in their own words.
        store: The agent's memory, which repairs change. Without one the guard keeps its own, which the agent can read
            through `memory`.
        audit: Where decisions are recorded, before they are returned.
        run_id: Name of the run in the audit log.
        new_id: Gives unique names to decisions.
    """

    def __init__(
        self,
        engine: GuardrailEngine,
        *,
        goal: str = "",
        store: MemoryStore | None = None,
        audit: AuditSink | None = None,
        run_id: str | None = None,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        self.engine = engine
        self.run_id = run_id or new_id()
        self._new_id = new_id
        self._own_store = InMemoryStore() if store is None else None
        self._store: MemoryStore = store if self._own_store is None else self._own_store  # type: ignore[assignment]
        self._audit = audit
        self._lock = threading.RLock()
        self._shadow = ShadowMemory(goal=goal, chain_id=self.run_id)
        self._attempts: OrderedDict[str, int] = OrderedDict()
        self._repairs: OrderedDict[str, int] = OrderedDict()
        self._receipts: OrderedDict[str, PatchReceipt] = OrderedDict()
        if store is not None:
            for entry in store.list():
                self._shadow.observe(entry)

    @classmethod
    def create(
        cls,
        *,
        goal: str = "",
        policy: PolicyMatrix | Path | None = None,
        artifact: Path | Literal["default"] | None = None,
        audit: AuditSink | Path | str | None = None,
        judge: Evaluator | None = None,
        store: MemoryStore | None = None,
        run_id: str | None = None,
    ) -> MageGuard:
        """Build a guard from files.

        Args:
            goal: The user's task in their own words.
            policy: A policy or its YAML file; `None` for the one that ships.
            artifact: Folder of a sealed model, or `default` for the one that ships; `None` for rules only.
            audit: SQLite file of the audit log, or an open one; `None` for no log.
            judge: Third tier.
            store: The agent's memory.
            run_id: Name of the run in the audit log.

        Raises:
            ConfigError: The policy is wrong.
            ArtifactError: The model is missing, damaged, or too new.
            AuditError: The log cannot be opened.
        """
        matrix = policy if isinstance(policy, PolicyMatrix) else load_policy(policy)
        sink = AuditLog(audit) if isinstance(audit, str | Path) else audit
        return cls(create_engine(matrix, artifact, judge), goal=goal, store=store, audit=sink, run_id=run_id)

    @property
    def memory(self) -> MemoryStore:
        """The agent's memory as the guard repairs it. The guard's own has `visible()`: what the agent may read."""
        return self._store

    @property
    def policy(self) -> PolicyMatrix:
        """The policy in force."""
        return self.engine.policy

    def observe(self, entry: MemoryEntry) -> None:
        """Take in an entry that the agent wrote to its memory.

        Raises:
            RecordError: The id is taken. Nothing has changed.
        """
        with self._lock:
            self._shadow.observe(entry)
            if self._own_store is not None:
                self._own_store.add(entry)

    def remember(self, **fields: Any) -> MemoryEntry:  # noqa: ANN401 - the fields of MemoryEntry
        """Build an entry from its fields, observe it and return it. `id` and `step` are filled in when not given.

        Raises:
            RecordError: The fields do not make a valid entry, or the id is taken.
        """
        with self._lock:
            number = len(self._shadow)
            filled = {"id": f"e{number}", "step": number, **fields}
            try:
                entry = MemoryEntry.model_validate(filled)
            except ValueError as error:
                raise RecordError(str(error), record=number + 1, record_id=str(filled["id"])) from error
            self.observe(entry)
            return entry

    def check(self, action: PendingAction) -> Decision:
        """Decide about an action before it is taken. Its record is in the audit log before this returns.

        In enforce mode the patches of the decision have been applied to the memory when this returns.

        Raises:
            ConfigError: The policy has no row for the action's type: there is no check to pass.
        """
        with self._lock:
            snapshot = self._shadow.snapshot(action)
            history = RunHistory(dict(self._attempts), self._shadow.calls, dict(self._repairs))
            decision = self.engine.decide(snapshot, history).model_copy(update={"decision_id": self._new_id()})
            decision = self._recorded(snapshot, decision)
            decision = self._enforced(snapshot, decision)
            if decision.allowed:
                self._shadow.announce(action)
            return decision

    async def acheck(self, action: PendingAction) -> Decision:
        """The same as `check`, without holding up the event loop."""
        return await asyncio.to_thread(self.check, action)

    def tool_action(self, tool_name: str, arguments: dict[str, Any], **fields: Any) -> PendingAction:  # noqa: ANN401
        """The pending action for a tool call, with the type that the policy gives the tool."""
        kind = self.policy.type_of_tool(tool_name).value
        return PendingAction(type=kind, tool_name=tool_name, arguments=arguments, **fields)

    def undo(self, decision_id: str) -> None:
        """Take back the patches of a decision.

        Raises:
            PatchError: The decision has none, or an entry was changed since. Nothing has changed.
        """
        with self._lock:
            receipt = self._receipts.get(decision_id)
            if receipt is None:
                raise PatchError(f"decision {decision_id!r} has no patches to take back")
            undo(self._store, receipt)
            for entry in receipt.before:
                self._shadow.revise(entry)
            del self._receipts[decision_id]

    def _recorded(self, snapshot: Snapshot, decision: Decision) -> Decision:
        if self._audit is None:
            return decision
        try:
            self._audit.append(self._event(snapshot, decision))
        except Exception as error:
            text = f"The audit log could not be written ({type(error).__name__}: {error})"
            return _after_failure(decision, wording.FailureCause.AUDIT, text, wording.language_of(snapshot))
        return decision

    def _enforced(self, snapshot: Snapshot, decision: Decision) -> Decision:
        if decision.mode is not Mode.ENFORCE:
            return decision
        if decision.patches and decision.action is not DecisionAction.HALT:
            try:
                self._repair(decision)
            except Exception as error:  # whatever the host's store raises must not reach the agent
                text = f"The repair failed ({type(error).__name__}: {error})"
                language = wording.language_of(snapshot)
                return self._recorded(snapshot, _after_failure(decision, wording.FailureCause.REPAIR, text, language))
        if decision.verification is not None and decision.action is DecisionAction.REDIRECT:
            name = decision.verification.task_id
            self._attempts[name] = self._attempts.get(name, 0) + 1
            _trim(self._attempts)
        if decision.action is DecisionAction.REPAIR and not decision.allowed:
            for name in decision.repair_ids:
                self._repairs[name] = self._repairs.get(name, 0) + 1
            _trim(self._repairs)
        return decision

    def _repair(self, decision: Decision) -> None:
        patches: tuple[MemoryPatch, ...] = decision.patches
        receipt = apply_patch(self._store, patches, allow_overwrite=self.policy.allow_overwrite)
        for entry in receipt.after:
            self._shadow.revise(entry)
        self._receipts[decision.decision_id] = receipt
        _trim(self._receipts)

    def _event(self, snapshot: Snapshot, decision: Decision) -> AuditEvent:
        names = dict.fromkeys((*snapshot.action.depends_on, *(name for e in decision.evidence for name in e.entry_ids)))
        touched = [snapshot.entry(name) for name in list(names)[:_TOUCHED] if name in snapshot]
        return AuditEvent(
            run_id=self.run_id,
            decision_id=decision.decision_id,
            action=decision.action.value,
            payload={
                "snapshot": {
                    "id": decision.snapshot_id,
                    "memory_digest": self._shadow.digest,
                    "entries": len(snapshot.entries),
                    "goal": snapshot.goal,
                    "touched": [entry.model_dump(mode="json") for entry in touched],
                },
                "pending_action": snapshot.action.model_dump(mode="json"),
                "decision": decision.model_dump(mode="json"),
            },
        )


def _after_failure(decision: Decision, cause: wording.FailureCause, text: str, language: wording.Language) -> Decision:
    """The decision after something around it failed: the fail mode decides, and nothing gets looser.

    Nothing that the decision proposes is carried out then, so it no longer claims to.
    """
    kind = ReasonKind.AUDIT if cause is wording.FailureCause.AUDIT else ReasonKind.FAILURE
    if decision.mode is not Mode.ENFORCE:
        reason = Reason(kind=kind, text=f"{text}; the mode is {decision.mode}, nothing is enforced.")
        return decision.model_copy(update={"reasons": (*decision.reasons, reason)})
    nothing_done = {"patches": (), "repair_ids": (), "verification": None}
    if decision.fail_mode is FailMode.OPEN:
        reason = Reason(kind=ReasonKind.FAIL_OPEN, text=f"{text}; this action type fails open.")
        told = decision.message
        if decision.patches or decision.verification is not None:
            told = wording.failure_text(cause, not decision.allowed, language)
        return decision.model_copy(update={**nothing_done, "reasons": (*decision.reasons, reason), "message": told})
    reason = Reason(kind=kind, text=f"{text}; this action type fails closed.")
    return decision.model_copy(
        update={
            "action": DecisionAction.HALT,
            "allowed": False,
            **nothing_done,
            "reasons": (*decision.reasons, reason),
            "message": wording.failure_text(cause, True, language),
        }
    )


def _trim(tracked: OrderedDict[str, Any]) -> None:
    while len(tracked) > MAX_TRACKED:
        tracked.popitem(last=False)
