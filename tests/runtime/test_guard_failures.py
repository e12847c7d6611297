"""Stores and logs that fail around a decision."""

import pytest

from mage_ml.memory import Status
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import DecisionAction, InMemoryStore, ReasonKind
from tests.runtime.cases import GOAL_EN, GOAL_ZH, chain, mail, thought
from tests.runtime.test_guard import FLIPPED, BrokenLog, BrokenStore, guard_with


class DeafStore(InMemoryStore):
    def get(self, entry_id):
        raise OSError("gone")


class OddStore(InMemoryStore):
    def get(self, entry_id):
        raise RuntimeError("odd")


@pytest.mark.parametrize("kind", [DeafStore, OddStore, BrokenStore])
@pytest.mark.parametrize(("goal", "closed"), [(GOAL_EN, "could not be repaired"), (GOAL_ZH, "记忆修复失败")])
def test_whatever_a_store_raises_stays_in_the_guard(kind, goal, closed):
    guard = MageGuard.create(goal=goal, store=kind(chain(*FLIPPED)))
    decision = guard.check(mail("e2", "e3"))
    assert (decision.action, decision.allowed, decision.patches) == (DecisionAction.HALT, False, ())
    assert closed in decision.message


@pytest.mark.parametrize(("goal", "said"), [(GOAL_EN, "could not be repaired"), (GOAL_ZH, "记忆修复失败")])
def test_failing_open_claims_no_repair_that_was_not_made(goal, said):
    guard = MageGuard.create(goal=goal, store=DeafStore(chain(*FLIPPED)))
    decision = guard.check(thought("e2"))
    assert decision.reasons[-1].kind is ReasonKind.FAIL_OPEN
    assert (decision.patches, decision.verification, decision.repair_ids) == ((), None, ())
    assert said in decision.message
    assert "Quarantined" not in decision.message
    assert "已隔离" not in decision.message


@pytest.mark.parametrize(("goal", "said"), [(GOAL_EN, "audit log"), (GOAL_ZH, "审计日志")])
@pytest.mark.parametrize("action", [mail("e2", "e3"), thought("e2")])
def test_without_a_log_nothing_is_repaired_and_the_agent_is_told_in_its_language(goal, said, action):
    guard = guard_with(*FLIPPED, audit=BrokenLog())
    guard._shadow.goal = goal
    decision = guard.check(action)
    assert said in decision.message
    assert decision.patches == ()
    assert guard.memory.get("e2").status is Status.ACTIVE
