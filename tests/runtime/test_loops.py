"""An agent that tries the same thing again: nothing gets looser, and everything ends."""

import pytest

from mage_ml.errors import ConfigError
from mage_ml.memory import PendingAction
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import DecisionAction, load_policy, parse_policy
from tests.runtime.cases import GOAL_EN, GOAL_ZH, MARIA, contact, mail, record

RECORD_ZH = {"地区": "华北", "季度": "2025年第一季度", "营收": 120_000}
CONTACT_ZH = {"姓名": "张丽华", "邮箱": MARIA}
WRONG_EN = "North revenue in Q1 2025 was 210,000 USD."
WRONG_ZH = "华北2025年第一季度的营收为210000元。"
CASES = [(GOAL_EN, record(120_000), contact(), WRONG_EN), (GOAL_ZH, RECORD_ZH, CONTACT_ZH, WRONG_ZH)]


def guard_for(goal, *results, policy=None):
    guard = MageGuard.create(goal=goal, policy=policy)
    guard.remember(content=goal, source="user")
    for content in results:
        guard.remember(content=content, source="tool", tool_name="query_sales")
    return guard


def write_again(guard, text, body=None, parents=("e1",)):
    guard.remember(content=text, source="llm_reasoning", depends_on=parents)
    return guard.check(mail(body=text if body is None else body))


@pytest.mark.parametrize(("goal", "result", "person", "wrong"), CASES)
@pytest.mark.parametrize("keeper", [None, "system"])
def test_a_refuted_claim_is_not_allowed_on_a_later_attempt_either(goal, result, person, wrong, keeper):
    guard = guard_for(goal, result, person)
    for _ in range(3):
        decision = write_again(guard, wrong)
        assert (decision.action, decision.allowed) == (DecisionAction.REPAIR, False)
        if keeper:
            guard.remember(content=decision.message, source=keeper)


def test_a_refuted_figure_is_not_excused_by_the_same_figure_of_something_else():
    guard = guard_for(GOAL_EN, record(120_000), contact(), record(210_000, region="South"))
    assert not write_again(guard, WRONG_EN).allowed


def test_a_small_refuted_figure_counts_as_well():
    guard = guard_for(GOAL_EN, record(45), contact())
    decision = write_again(guard, "North revenue in Q1 2025 was 21 USD.")
    assert (decision.action, decision.allowed) == (DecisionAction.REPAIR, False)


def test_a_corrected_action_goes_on_after_the_repair():
    guard = guard_for(GOAL_EN, record(120_000), contact())
    write_again(guard, WRONG_EN)
    assert write_again(guard, WRONG_EN, "North revenue in Q1 2025 was 120,000 USD.").allowed


@pytest.mark.parametrize(("goal", "result", "person", "wrong"), CASES)
def test_repairs_of_the_same_doubt_end_in_a_halt(goal, result, person, wrong):
    guard = guard_for(goal, result, person)
    decisions = [write_again(guard, wrong) for _ in range(6)]
    assert [d.action.value for d in decisions] == ["repair"] * 3 + ["halt"] * 3
    assert not any(d.allowed for d in decisions)
    assert ("Repaired 3 times" in decisions[-1].message) if goal is GOAL_EN else ("已修复3次" in decisions[-1].message)


def test_another_wrong_figure_for_the_same_fact_is_the_same_doubt():
    guard = guard_for(GOAL_EN, record(120_000), contact())
    actions = [write_again(guard, f"North revenue in Q1 2025 was {200 + n},000 USD.").action for n in range(6)]
    assert actions == [DecisionAction.REPAIR] * 3 + [DecisionAction.HALT] * 3


def test_doubts_about_other_facts_are_counted_apart():
    guard = guard_for(
        GOAL_EN, *(record(120_000, region=name) for name in ("North", "South", "East", "West")), contact()
    )
    for place, name in enumerate(("North", "South", "East", "West")):
        decision = write_again(guard, f"{name} revenue in Q1 2025 was 210,000 USD.", parents=(f"e{place + 1}",))
        assert decision.action is DecisionAction.REPAIR


def test_the_number_of_repairs_is_a_setting():
    with pytest.raises(ConfigError, match="max_repairs"):
        parse_policy(load_policy().model_dump_json().replace('"max_repairs":3', '"max_repairs":-1'), "p")
    guard = guard_for(GOAL_EN, record(1), contact(), policy=load_policy().model_copy(update={"max_repairs": 1}))
    assert [write_again(guard, WRONG_EN).action.value for _ in range(2)] == ["repair", "halt"]


def test_a_note_written_again_does_not_restart_the_count_of_verifications():
    policy = load_policy()
    rows = {
        name: row.model_copy(update={"factuality": ({"at": 0.5, "do": "redirect"},)})
        for name, row in policy.actions.items()
    }
    policy = parse_policy(policy.model_copy(update={"actions": rows}).model_dump_json(warnings=False), "p")
    guard = guard_for(GOAL_EN, record(120_000), contact(), policy=policy)
    decisions = []
    for number in range(6):
        guard.remember(content="So the total is 173,400.", source="llm_reasoning", depends_on=("e1",))
        decisions.append(guard.check(mail(f"e{3 + number}")))
    assert [d.verification.attempt for d in decisions[:2]] == [1, 2]
    assert [d.action.value for d in decisions] == ["redirect"] * 2 + ["halt"] * 4
    assert "Verified 2 times" in decisions[-1].message


@pytest.mark.parametrize("kind", ["call_tool:read", "internal_reasoning"])
def test_a_write_tool_that_the_host_calls_harmless_is_checked_as_a_write(kind):
    guard = guard_for(GOAL_EN, record(120_000), contact())
    arguments = {"to": "invented@nowhere.example", "body": "The result."}
    fields = {"tool_name": "send_mail", "arguments": arguments, "depends_on": ("e1",)}
    honest = guard.check(PendingAction(type="call_tool:write", **fields))
    mislabelled = guard.check(PendingAction(type=kind, **fields))
    assert (mislabelled.action, mislabelled.allowed) == (honest.action, False)
    assert mislabelled.evidence == honest.evidence != ()
    assert mislabelled.action_type == "call_tool:write"
