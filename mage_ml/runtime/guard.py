"""The guard around one agent run: watches its memory, decides before each action, repairs, records."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from mage_ml.errors import PatchError, RecordError
from mage_ml.forking import ForkAwareLock
from mage_ml.memory import MemoryEntry, PendingAction, Snapshot
from mage_ml.memory.shadow import ShadowMemory
from mage_ml.risk import Assessment
from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.audit import AuditEvent, AuditLog, EventKind, redacting
from mage_ml.runtime.evaluators import Evaluator
from mage_ml.runtime.guarding import (
    Announcer,
    AuditSink,
    Curation,
    DeferredResult,
    Enforcement,
    Hindsight,
    Outcomes,
    QuarantineDesk,
    RunEvaluation,
    Streams,
    after_failure,
    decision_event,
)
from mage_ml.runtime.guardrail import (
    Decision,
    DecisionAction,
    GuardrailEngine,
    InMemoryStore,
    MemoryStore,
    Mode,
    PolicyMatrix,
    Reason,
    ReasonKind,
    load_policy,
    wording,
)
from mage_ml.runtime.guardrail.feedback import FeedbackStore, FeedbackTuner
from mage_ml.runtime.notify import DispatchStats, Notifier, create_notifiers
from mage_ml.runtime.redaction import create_redactor


class MageGuard(Curation, Hindsight, Streams):
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
        clock: Seconds since the epoch, for the quarantine.
        tuner: Learns from `feedback`. Its factors reach the verdicts if the engine was built with `tuner.factor`.
        on_deferred: Told of each deferred result in order, on the thread that finds it.
        notifiers: Told of the decisions that the policy's `notify.decisions` names, in the background.
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
        clock: Callable[[], float] = time.time,
        tuner: FeedbackTuner | None = None,
        on_deferred: Callable[[DeferredResult], None] | None = None,
        notifiers: Sequence[Notifier] = (),
    ) -> None:
        self.engine = engine
        self.run_id = run_id or new_id()
        self._new_id = new_id
        self._own_store = InMemoryStore() if store is None else None
        self._store: MemoryStore = store if self._own_store is None else self._own_store  # type: ignore[assignment]
        self._audit = None if audit is None else redacting(audit, create_redactor(engine.policy.audit))
        self._lock = ForkAwareLock(f"the guard of run {self.run_id}")
        self._shadow = ShadowMemory(goal=goal, chain_id=self.run_id)
        self._enforcement = Enforcement(self._store, self._shadow)
        self._evaluation = RunEvaluation(engine.evaluator, self._settle_deferred, on_deferred)
        self._outcomes = Outcomes(tuner, self._audit, self.run_id)
        self._desk = QuarantineDesk(self.run_id, self._store, self._shadow, self._enforcement, self._record, clock)
        self._announcer = Announcer(self.run_id, notifiers, engine.policy.notify, self._record, clock)
        if store is not None:
            for entry in store.list():
                self._shadow.observe(entry)

    @classmethod
    def create(
        cls,
        *,
        goal: str = "",
        policy: PolicyMatrix | Path | str | None = None,
        artifact: Path | Literal["default"] | None = None,
        audit: AuditSink | Path | str | None = None,
        judge: Evaluator | None = None,
        store: MemoryStore | None = None,
        run_id: str | None = None,
        feedback: FeedbackStore | Path | str | None = None,
        on_deferred: Callable[[DeferredResult], None] | None = None,
        notifiers: Sequence[Notifier] | None = None,
    ) -> MageGuard:
        """Build a guard from files.

        Args:
            goal: The user's task in their own words.
            policy: A policy, its YAML file, or a preset (`permissive`, `balanced`, `strict`); `None` for `balanced`.
            artifact: Folder of a sealed model, or `default` for the one that ships; `None` for rules only.
            audit: SQLite file or database URL of the audit log, or an open one; `None` for no log.
            judge: Third tier.
            store: The agent's memory.
            run_id: Name of the run in the audit log.
            feedback: SQLite file of outcomes and adjustments, shared between guards; `None` for none.
            on_deferred: Told of each deferred result in order, on the thread that finds it.
            notifiers: Told of halts in the background; `None` for those that the policy's `notify` names.

        Raises:
            ConfigError: The policy is wrong.
            ArtifactError: The model is missing, damaged, or too new.
            AuditError: The log cannot be opened.
        """
        matrix = policy if isinstance(policy, PolicyMatrix) else load_policy(policy)
        sink = AuditLog(audit, durable=matrix.audit.durable) if isinstance(audit, str | Path) else audit
        outcomes = FeedbackStore(feedback) if isinstance(feedback, str | Path) else feedback
        tuner = None if outcomes is None else FeedbackTuner(matrix.feedback, outcomes)
        engine = create_engine(matrix, artifact, judge, weight_of=None if tuner is None else tuner.factor)
        told = create_notifiers(matrix.notify) if notifiers is None else notifiers
        return cls(
            engine,
            goal=goal,
            store=store,
            audit=sink,
            run_id=run_id,
            tuner=tuner,
            on_deferred=on_deferred,
            notifiers=told,
        )

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
        kind, deadline = self.policy.action_type(action), self._evaluation.deadline()
        decision: Decision | None = None
        while decision is None:
            self._evaluation.wait(kind, deadline)
            with self._lock:
                self._evaluation.settle(self._decide)
                if self._evaluation.is_ready(kind, deadline):
                    decision = self._decide(action, self._evaluation.assess)
                    self._evaluation.submit(decision, action)
                    if decision.allowed:
                        self._shadow.announce(action)
        self._evaluation.outbox.deliver()
        return decision

    def _decide(self, action: PendingAction, assess: Callable[[Snapshot], Assessment], note: str = "") -> Decision:
        snapshot = self._shadow.snapshot(action)
        history = self._enforcement.history(self._desk.pardons)
        decision = self.engine.decide(snapshot, history, assess)
        reasons = (*decision.reasons, *([Reason(kind=ReasonKind.COVERAGE, text=note)] if note else ()))
        decision = decision.model_copy(update={"decision_id": self._new_id(), "reasons": reasons})
        decision = self._if_in_doubt(snapshot, decision)
        decision = self._recorded(snapshot, decision, EventKind.DEFERRED_RESULT if note else EventKind.DECISION)
        decision = self._enforced(snapshot, decision)
        self._outcomes.remember(decision)
        self._announcer.tell(action, decision)
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
            AuditError: It could not be recorded. Nothing has changed.
        """
        with self._lock:
            receipt = self._enforcement.undo(decision_id, self._record, self.run_id)
            self._desk.forget([entry.id for entry in receipt.before])

    @property
    def notice_stats(self) -> DispatchStats:
        """How many notices were delivered, given up, dropped, and wait."""
        return self._announcer.stats

    def close(self, timeout_s: float = 5.0) -> bool:
        """Wait for deferred checks and for notices under way; `False` when that took longer. The guard stays usable."""
        self.finish_deferred(timeout_s)
        return self._announcer.flush(timeout_s)

    def _if_in_doubt(self, snapshot: Snapshot, decision: Decision) -> Decision:
        """Halts while a failing store left entries in a state that nobody knows, whatever the fail mode."""
        if not self._enforcement.in_doubt or decision.mode is not Mode.ENFORCE:
            return decision
        doubtful = self._enforcement.settle_doubts()
        if not doubtful:
            return decision
        text = f"A failed repair could not be rolled back: {', '.join(doubtful)}"
        language = wording.language_of(snapshot)
        return after_failure(decision, wording.FailureCause.REPAIR, text, language, stop=True)

    def _record(self, event: AuditEvent) -> None:
        if self._audit is not None:
            self._audit.append(event)

    def _recorded(self, snapshot: Snapshot, decision: Decision, kind: EventKind = EventKind.DECISION) -> Decision:
        if self._audit is None:
            return decision
        try:
            self._audit.append(decision_event(self.run_id, self._shadow.digest, snapshot, decision, self.policy, kind))
        except Exception as error:
            text = f"The audit log could not be written ({type(error).__name__}: {error})"
            return after_failure(decision, wording.FailureCause.AUDIT, text, wording.language_of(snapshot))
        return decision

    def _enforced(self, snapshot: Snapshot, decision: Decision) -> Decision:
        if decision.mode is not Mode.ENFORCE:
            return decision
        if decision.patches and decision.action is not DecisionAction.HALT:
            try:
                self._enforcement.repair(decision, allow_overwrite=self.policy.allow_overwrite)
                self._desk.note(decision)
            except Exception as error:  # whatever the host's store raises must not reach the agent
                revised = self._unrepaired(snapshot, decision, error)
                return self._recorded(snapshot, revised, EventKind.DECISION_REVISED)
        self._enforcement.count(decision)
        return decision

    def _unrepaired(self, snapshot: Snapshot, decision: Decision, error: Exception) -> Decision:
        text = f"The repair failed ({type(error).__name__}: {error})"
        stop = isinstance(error, PatchError) and bool(error.in_doubt)
        language = wording.language_of(snapshot)
        return after_failure(decision, wording.FailureCause.REPAIR, text, language, stop=stop)
