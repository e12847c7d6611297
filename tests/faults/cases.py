"""What a decision under a fault is compared with."""

from __future__ import annotations

from mage_ml.memory import ActionType, PendingAction
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import Decision, FailMode, GuardrailEngine, ReasonKind, load_policy
from tests.runtime.cases import GOAL_EN, chain, contact, mail, note, record, tool, user

POLICY = load_policy()
ENTRIES = (user(), tool(record(120_000)), note("North revenue in Q1 2025 was 80,000.", "e1"), tool(contact()))
SOUND = (user(), tool(record(120_000)), note("North revenue in Q1 2025 was 120,000.", "e1"), tool(contact()))
ACTIONS = {
    "write": mail("e2", "e3"),
    "final": PendingAction(type=ActionType.FINAL_OUTPUT, content="The report is done.", depends_on=("e2",)),
    "read": PendingAction(type=ActionType.READ, tool_name="query_sales", depends_on=("e2",)),
    "thought": PendingAction(type=ActionType.INTERNAL_REASONING, content="So be it.", depends_on=("e2",)),
}


def guard_for(engine: GuardrailEngine, entries=ENTRIES, **options) -> MageGuard:
    guard = MageGuard(engine, goal=GOAL_EN, **options)
    for entry in chain(*entries):
        guard.observe(entry)
    return guard


def is_no_looser(faulty: Decision, sound: Decision) -> bool:
    """Whether a decision under a fault is at least as strict as without it, or is the fail mode's, and says so."""
    if faulty.action.severity >= sound.action.severity and faulty.allowed <= sound.allowed:
        return True
    if faulty.fail_mode is FailMode.CLOSED:
        return not faulty.allowed
    return any(reason.kind is ReasonKind.FAIL_OPEN for reason in faulty.reasons)
