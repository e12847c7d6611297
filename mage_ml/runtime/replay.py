"""Recomputes recorded decisions under another policy, and says what would have been different."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from mage_ml.errors import ConfigError
from mage_ml.memory import PendingAction, Snapshot
from mage_ml.progress import Progress, silent
from mage_ml.risk import Assessment, Coverage, Evidence, RiskVector
from mage_ml.runtime.audit import AuditRecord, EventKind
from mage_ml.runtime.guardrail import DecisionAction, FailMode, Mode, PolicyMatrix, RunHistory, wording
from mage_ml.runtime.guardrail.applied import AppliedPolicy, apply_policy, digests_of
from mage_ml.runtime.guardrail.quarantine import RepairPlan
from mage_ml.runtime.guardrail.resolution import Case, Outcome, after_gaps, resolve

MAX_LISTED: Final = 1000
_DIRECT: Final = (DecisionAction.PROCEED, DecisionAction.WARN, DecisionAction.HALT)
_DECIDED: Final = (EventKind.DECISION, EventKind.DEFERRED_RESULT)
_EVIDENCE: Final = TypeAdapter(tuple[Evidence, ...])
_STEP: Final = 200


class Unknown(StrEnum):
    """Why a decision cannot be recomputed."""

    NOT_SCORED = "nothing was scored: the guard was off"
    NEEDS_MEMORY = (
        "the policy asks for a repair or a redirect, and how that ends depends on the whole memory, which is not "
        "in the log"
    )
    NO_ROW = "the policy has no row for this type of action"
    UNREADABLE = "the record does not hold a decision that this release can read"


class ReplayedDecision(BaseModel):
    """One decision under another policy.

    Attributes:
        sequence: Its record in the log.
        decision_id: Its name.
        run_id: The agent's run.
        subject: The tool, or the type of action.
        old: What was decided.
        new: What would be decided; `None` when it cannot be said.
        old_allowed: Whether the action was allowed.
        new_allowed: Whether it would be; `None` when it cannot be said.
        unknown: Why it cannot be said.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sequence: int
    decision_id: str
    run_id: str
    subject: str
    old: DecisionAction
    new: DecisionAction | None = None
    old_allowed: bool
    new_allowed: bool | None = None
    unknown: Unknown | None = None

    @property
    def is_changed(self) -> bool:
        """Whether something else would be decided, as far as it can be said."""
        return self.unknown is None and (self.old, self.old_allowed) != (self.new, self.new_allowed)


class Transition(BaseModel):
    """How many decisions go from one outcome to another.

    Attributes:
        old: What was decided.
        new: What would be decided; `None` when it cannot be said.
        count: How many.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    old: DecisionAction
    new: DecisionAction | None
    count: int


class ReplayReport(BaseModel):
    """A log under another policy.

    Attributes:
        policy_version: The other policy.
        decisions: Decisions in the log, results of deferred checks among them.
        transitions: Old and new outcomes with their counts.
        changed: Decisions that would be different, the first 1,000.
        changed_count: How many there are in all.
        unknown: Why decisions could not be recomputed, each with its count.
        scored_otherwise: Recomputed from recorded scores, though the policy's rules or tiers would score anew: records
            made under other rule or tier settings, or before these were recorded.
        revised: Decisions that became stricter after they were recorded, because carrying them out failed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy_version: str
    decisions: int
    transitions: tuple[Transition, ...]
    changed: tuple[ReplayedDecision, ...]
    changed_count: int
    unknown: dict[Unknown, int]
    scored_otherwise: int
    revised: int

    @property
    def unknown_count(self) -> int:
        """How many decisions could not be recomputed."""
        return sum(self.unknown.values())


def replay(
    records: Iterable[AuditRecord], policy: PolicyMatrix, *, total: int = 0, progress: Progress = silent
) -> ReplayReport:
    """Recompute every decision of a log from its recorded scores, evidence and action.

    Rules and models are not run again. A proceed, a warning or a halt follows from scores, coverage and policy alone. A
    repair or a redirect also depends on the memory of that moment: it is taken over where both policies demand the same
    of the case, and reported as unknown otherwise.

    Args:
        records: Of the log, or of an export of it.
        policy: The other policy.
        total: Number of records, for the progress.
        progress: Told how many records are done.
    """
    tally: Counter[tuple[DecisionAction, DecisionAction | None]] = Counter()
    unknown: Counter[Unknown] = Counter()
    changed: list[ReplayedDecision] = []
    counts: Counter[str] = Counter()
    for number, record in enumerate(records, 1):
        if number % _STEP == 0:
            progress("replay", number, total)
        if record.kind is EventKind.DECISION_REVISED:
            counts["revised"] += 1
        if record.kind not in _DECIDED:
            continue
        counts["decisions"] += 1
        item, is_rescored = recompute(record, policy), _is_scored_otherwise(record, policy)
        counts["rescored"] += is_rescored
        tally[item.old, item.new] += 1
        if item.unknown is not None:
            unknown[item.unknown] += 1
        if item.is_changed:
            counts["changed"] += 1
            if len(changed) < MAX_LISTED:
                changed.append(item)
    progress("replay", total, total)
    return ReplayReport(
        policy_version=policy.version,
        decisions=counts["decisions"],
        transitions=tuple(Transition(old=old, new=new, count=n) for (old, new), n in sorted(tally.items(), key=_rank)),
        changed=tuple(changed),
        changed_count=counts["changed"],
        unknown=dict(unknown),
        scored_otherwise=counts["rescored"],
        revised=counts["revised"],
    )


def recompute(record: AuditRecord, policy: PolicyMatrix) -> ReplayedDecision:
    """One recorded decision under a policy."""
    decision = record.payload.get("decision")
    try:
        old, shown = _old_outcome(record, decision if isinstance(decision, dict) else {})
    except (KeyError, ValueError):
        return _unreadable(record)
    try:
        new = _new_outcome(record, old, policy)
    except (KeyError, TypeError, ValidationError):
        return shown.model_copy(update={"unknown": Unknown.UNREADABLE})
    if isinstance(new, Unknown):
        return shown.model_copy(update={"unknown": new})
    allowed = new.allowed or policy.mode is not Mode.ENFORCE
    return shown.model_copy(update={"new": new.action, "new_allowed": allowed})


def _old_outcome(record: AuditRecord, decision: dict[str, Any]) -> tuple[Outcome, ReplayedDecision]:
    action = record.payload.get("pending_action")
    named = action if isinstance(action, dict) else {}
    old = Outcome(DecisionAction(decision["action"]), allowed=bool(decision["allowed"]))
    shown = ReplayedDecision(
        sequence=record.sequence,
        decision_id=record.decision_id,
        run_id=record.run_id,
        subject=str(named.get("tool_name") or named.get("type") or "?"),
        old=old.action,
        old_allowed=old.allowed,
    )
    return old, shown


def _unreadable(record: AuditRecord) -> ReplayedDecision:
    known = next((item for item in DecisionAction if item.value == record.action), DecisionAction.HALT)
    return ReplayedDecision(
        sequence=record.sequence,
        decision_id=record.decision_id,
        run_id=record.run_id,
        subject="?",
        old=known,
        old_allowed=known in (DecisionAction.PROCEED, DecisionAction.WARN),
        unknown=Unknown.UNREADABLE,
    )


def _new_outcome(record: AuditRecord, old: Outcome, policy: PolicyMatrix) -> Outcome | Unknown:
    payload: dict[str, Any] = record.payload
    decision: dict[str, Any] = payload["decision"]
    action = PendingAction.model_validate(payload["pending_action"])
    risk, coverage = RiskVector.model_validate(decision["risk"]), Coverage.model_validate(decision["coverage"])
    evidence = _EVIDENCE.validate_python(decision["evidence"])
    try:
        applied = apply_policy(policy, action, risk, evidence)
    except ConfigError:
        return Unknown.NO_ROW
    if policy.mode is Mode.OFF:
        return Outcome(DecisionAction.PROCEED, allowed=True)
    if decision.get("mode") == Mode.OFF.value:
        return Unknown.NOT_SCORED
    action = action.model_copy(update={"type": policy.action_type(action)})
    assessment = Assessment(risk=risk, evidence=evidence, coverage=coverage)
    case = Case(
        snapshot=Snapshot.of((), action),
        assessment=assessment,
        action_type=action.type,
        language=wording.Language.ENGLISH,
        reasons=[],
        evidence=evidence,
        plan=RepairPlan(patches=(), removed=frozenset(), settled=(), open=()),
        name=str(decision.get("snapshot_id", "")),
    )
    if applied.wanted in _DIRECT:
        return after_gaps(case, resolve(case, applied.wanted, RunHistory(), policy), policy)
    was = _recorded_policy(payload)
    if was is None or not was.demands_the_same(applied) or was.mode is not Mode.ENFORCE:
        return Unknown.NEEDS_MEMORY
    if coverage.failed and was.fail_mode is FailMode.CLOSED and applied.fail_mode is FailMode.OPEN:
        return Unknown.NEEDS_MEMORY  # the halt may come from the failure alone
    return after_gaps(case, old, policy)


def _recorded_policy(payload: dict[str, Any]) -> AppliedPolicy | None:
    try:
        return AppliedPolicy.model_validate(payload["policy"])
    except (KeyError, ValidationError):
        return None


def _is_scored_otherwise(record: AuditRecord, policy: PolicyMatrix) -> bool:
    was = _recorded_policy(record.payload)
    return was is None or was.scoring_digest != digests_of(policy).scoring


def _rank(item: tuple[tuple[DecisionAction, DecisionAction | None], int]) -> tuple[int, int]:
    (old, new), _ = item
    return old.severity, -1 if new is None else new.severity
