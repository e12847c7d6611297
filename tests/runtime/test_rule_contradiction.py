import pytest

from tests.runtime.cases import GOAL_ZH, chain, contact, judge, mail, note, record, retrieved, score, tool, user

RULE = "contradiction"
RECORD_ZH = {"大区": "华北", "季度": "2025-Q1", "销售额": 1200000, "币种": "CNY"}


def of(*entries, action, goal="task"):
    return judge(chain(user(goal), *entries), action, goal)


def test_a_note_that_departs_from_its_record_is_a_contradiction():
    found = of(tool(record(120_000)), note("North revenue in Q1 2025 was 80,000.", "e1"), action=mail("e2"))
    assert score(found, RULE) > 0.8
    assert found.evidence[0].entry_ids == ("e2", "e1")


def test_a_chinese_note_that_departs_from_its_record_is_a_contradiction():
    found = of(tool(RECORD_ZH), note("华北2025年第一季度销售额为80万元。", "e1"), action=mail("e2"), goal=GOAL_ZH)
    assert score(found, RULE) > 0.8


def test_a_draft_that_departs_from_memory_is_a_contradiction():
    found = of(tool(record(120_000)), action=mail("e1", body="North revenue in Q1 2025 was 80,000 USD."))
    assert score(found, RULE) > 0.8


@pytest.mark.parametrize(
    "text",
    [
        "North revenue in Q1 2025 was $120,000.",
        "North revenue in Q1 2025 was 120k USD.",
        "North revenue in Q1 2025 was 0.12 million.",
        "North revenue in Q2 2025 was 80,000.",
        "South revenue in Q1 2025 was 80,000.",
        "North cost in Q1 2025 was 80,000.",
        "North revenue in Q1 2025 rose by 20%.",
    ],
)
def test_other_wording_time_entity_attribute_or_kind_is_no_contradiction(text):
    found = of(tool(record(120_000)), note(text, "e1"), action=mail("e2"))
    assert score(found, RULE) == 0.0


def test_a_correction_by_a_tool_is_no_contradiction():
    found = of(
        tool(record(120_000)),
        note("North revenue in Q1 2025 was 120,000.", "e1"),
        tool({**record(130_000), "status": "restated"}, "check_revisions"),
        note("Corrected: North revenue in Q1 2025 is 130,000.", "e3"),
        action=mail("e4", body="North revenue in Q1 2025 was 130,000."),
    )
    assert score(found, RULE) < 0.35


def test_using_the_value_that_a_tool_has_replaced_is_a_finding():
    found = of(
        tool(record(120_000)),
        note("North revenue in Q1 2025 was 120,000.", "e1"),
        tool({**record(130_000), "status": "restated"}, "check_revisions"),
        action=mail("e2", body="North revenue in Q1 2025 was 120,000 USD."),
    )
    assert score(found, RULE) >= 0.5


def test_a_correction_that_only_a_note_claims_is_a_contradiction():
    found = of(tool(record(120_000)), note("Correction: North revenue in Q1 2025 is 90,000.", "e1"), action=mail("e2"))
    assert score(found, RULE) > 0.8


def test_the_same_tool_asked_again_is_no_contradiction():
    balance = {"account_id": "A17", "balance": 900}
    found = of(tool(balance, "get_balance"), tool({**balance, "balance": 650}, "get_balance"), action=mail("e2"))
    assert score(found, RULE) == 0.0


def test_a_contradiction_that_the_action_does_not_use_is_weak():
    entries = (
        tool(record(120_000)),
        note("North revenue in Q1 2025 was 80,000.", "e1"),
        tool(contact(), "find_contact"),
    )
    assert score(of(*entries, action=mail("e3")), RULE) < 0.5 < score(of(*entries, action=mail("e2", "e3")), RULE)


def test_a_figure_computed_from_parents_is_no_rival_value():
    found = of(
        tool({"region": "North", "quarter": "2025-Q1", "budget": 500_000}, "get_budget"),
        tool({"region": "North", "quarter": "2025-Q1", "cost": 620_000}, "get_costs"),
        note("North exceeded its budget in Q1 2025 by 120,000.", "e1", "e2"),
        action=mail("e3", body="North exceeded its budget in Q1 2025 by 120,000."),
    )
    assert score(found, RULE) == 0.0


def test_a_rumour_against_a_record_is_weaker_than_a_note_against_a_record():
    rumour = of(
        tool(record(120_000)),
        retrieved("North revenue in Q1 2025 was 80,000."),
        action=mail("e2", body="North revenue in Q1 2025 was 80,000 USD."),
    )
    assert score(rumour, RULE) > 0.0


@pytest.mark.parametrize("mark", ["[memory guard]", "[记忆守护]"])
def test_a_message_of_the_guard_that_quotes_a_wrong_figure_does_not_support_it(mark):
    warning = {
        "content": f"{mark} Take care: an entry says North revenue in Q1 2025 was 80,000 USD.",
        "source": "system",
    }
    right = note("North revenue in Q1 2025 was 120,000 USD.", "e1")
    memory = (tool(record(120_000)), right, warning)
    found = of(*memory, action=mail("e2", "e3", body="North revenue in Q1 2025 was 120,000 USD."))
    assert score(found, RULE) == 0.0
    wrong = of(*memory, action=mail("e2", "e3", body="North revenue in Q1 2025 was 80,000 USD."))
    assert score(wrong, RULE) > 0.8
