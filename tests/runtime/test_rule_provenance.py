"""Rules low_confidence_chain, broken_dependency and unsupported_claim."""

import pytest

from mage_ml.memory import MemoryEntry, PendingAction, Status
from mage_ml.runtime.evaluators import RuleEvaluator
from tests.runtime.cases import (
    GOAL_ZH,
    chain,
    found,
    judge,
    mail,
    note,
    record,
    retrieved,
    score,
    snapshot,
    thought,
    tool,
    user,
)

LOW, BROKEN, CLAIM = "low_confidence_chain", "broken_dependency", "unsupported_claim"


# low_confidence_chain


@pytest.mark.parametrize(
    ("guess", "fact", "goal"),
    [
        ("North revenue in Q1 2025 may be 98,000, a guess.", "North revenue in Q1 2025 was 98,000.", "task"),
        ("华北2025年第一季度销售额可能是98万元，猜测。", "华北2025年第一季度销售额为98万元。", GOAL_ZH),
    ],
)
def test_a_guess_restated_as_a_fact_is_found(guess, fact, goal):
    memory = chain(user(goal), note(guess, "e0", confidence=0.3), note(fact, "e1", confidence=0.9))
    evidence = found(judge(memory, mail("e2"), goal), LOW)
    assert evidence.score > 0.7
    assert evidence.entry_ids == ("e2", "e1")


def test_a_wrong_reference_does_not_hide_a_weak_source():
    memory = chain(
        user("task"),
        retrieved("Voicemail: North revenue in Q1 2025 may be 98,000.", confidence=0.3),
        note("Final: North revenue in Q1 2025 was 98,000.", "e0", confidence=0.9),
    )
    assert score(judge(memory, mail("e2")), LOW) > 0.6


def test_a_guess_that_a_record_confirms_is_forgiven():
    memory = chain(
        user("task"),
        note("North revenue in Q1 2025 may be 98,000.", "e0", confidence=0.3),
        note("North revenue in Q1 2025 was 98,000.", "e1", confidence=0.9),
        tool(record(98_000)),
    )
    assert score(judge(memory, mail("e2")), LOW) == 0.0


def test_the_best_supported_path_counts():
    memory = chain(
        user("task"),
        note("A rumour about the weather.", "e0", confidence=0.2),
        tool(record(98_000)),
        note("North revenue in Q1 2025 was 98,000.", "e1", "e2", confidence=0.8),
    )
    assert score(judge(memory, mail("e3")), LOW) == 0.0


def test_confidence_is_carried_along_a_chain():
    links = [note(f"Step {n}: the figure 98,000 stands.", f"e{n}", confidence=0.9) for n in range(1, 6)]
    memory = chain(user("task"), note("Perhaps the figure is 98,000.", "e0", confidence=0.2), *links)
    assert score(judge(memory, mail("e6")), LOW) > 0.7


def test_a_write_on_an_honestly_uncertain_entry_is_a_finding_and_a_thought_is_not():
    memory = chain(user("task"), note("Maybe the meeting room is 4711.", "e0", confidence=0.2))
    assert score(judge(memory, mail("e1")), LOW) >= 0.5
    assert score(judge(memory, thought("e1")), LOW) == 0.0


def test_what_was_read_of_another_run_changes_nothing():
    shared = MemoryEntry(id="e2", content="The code is 5512.", source="llm_reasoning", confidence=0.9)
    weak = chain(user(), note("Maybe the code is 5512.", "e0", confidence=0.2))
    other = chain(user(), tool("Nothing to see."))
    for memory in (weak, other):
        memory.append(shared)
    action = mail("e2")
    alone = [RuleEvaluator().assess(snapshot(memory, action)) for memory in (weak, other)]
    for order in ((0, 1), (1, 0)):
        rules = RuleEvaluator()
        for place in order:
            assert rules.assess(snapshot((weak, other)[place], action)) == alone[place]
    assert score(alone[0], LOW) > 0.0 == score(alone[1], LOW)


# broken_dependency


def test_a_missing_parent_is_found():
    memory = chain(user("task"), note("The total is 5,500.", "ghost"), allow_dangling=True)
    evidence = found(judge(memory, mail("e1")), BROKEN)
    assert evidence.score >= 0.5
    assert "'ghost'" in evidence.message


def test_an_action_that_names_an_unknown_entry_is_found():
    assert score(judge(chain(user("task")), mail("ghost")), BROKEN) >= 0.5


def test_a_missing_parent_is_forgiven_when_a_record_holds_the_values():
    memory = chain(user("task"), tool(record(120_000)), note("North made 120,000.", "e1", "ghost"), allow_dangling=True)
    assert score(judge(memory, mail("e2")), BROKEN) < 0.5


def test_a_circle_is_found():
    memory = chain(user("task"), note("A holds.", "e2"), note("B holds.", "e1"), allow_dangling=True)
    evidence = found(judge(memory, mail("e2")), BROKEN)
    assert evidence.score >= 0.6
    assert set(evidence.entry_ids) == {"e1", "e2"}


def test_a_circle_that_the_action_does_not_rest_on_is_ignored():
    memory = chain(user("task"), note("A holds.", "e2"), note("B holds.", "e1"), tool(record(1)), allow_dangling=True)
    assert score(judge(memory, mail("e3")), BROKEN) == 0.0


def test_a_parent_from_the_future_is_found():
    memory = chain(user("task"), note("The total is 5,500.", "e2"), tool(record(5_500)), allow_dangling=True)
    assert "written after it" in found(judge(memory, mail("e1")), BROKEN).message


def test_a_write_that_uses_a_quarantined_entry_is_found():
    memory = chain(user("task"), tool(record(120_000), status=Status.QUARANTINED))
    assert score(judge(memory, mail("e1")), BROKEN) > 0.7
    assert score(judge(memory, thought("e1")), BROKEN) < 0.5


def test_a_conclusion_drawn_again_from_a_quarantined_entry_is_found():
    memory = chain(
        user("task"),
        note("The supplier's new figure is 77,310.", "e0", status=Status.QUARANTINED),
        note("So we report 77,310.", "e1"),
    )
    assert score(judge(memory, mail("e2")), BROKEN) >= 0.7


# unsupported_claim


@pytest.mark.parametrize(
    "text",
    [
        "North revenue in Q1 2025 was 173,400.",
        "North revenue in Q1 2025 was 120 million.",
        "North revenue in Q1 2025 was 120,000 EUR.",
        "North grew by 34.7% in Q1 2025.",
        "华北一季度的数字是17.34万。",
    ],
)
def test_a_figure_that_nothing_supports_is_found(text):
    memory = chain(user("task"), tool("North 2025-Q1 revenue 120,000 USD"), note(text, "e1"))
    assert score(judge(memory, mail("e2")), CLAIM) >= 0.5


@pytest.mark.parametrize(
    "text",
    [
        "Together they made 200,000.",
        "The difference is 40,000.",
        "North made 50% more than South.",
        "South made 33.3% less than North.",
        "North has 60% of the total.",
        "On average 100,000.",
        "North made 0.12 million USD.",
        "North made about 120k.",
        "The North made 1.5 times what the South made.",
        "In 2025 there were 3 regions in question 7.",
        "两个大区合计200,000美元，北方多50%。",
    ],
)
def test_a_figure_that_follows_from_the_parents_is_supported(text):
    memory = chain(user("task"), tool(record(120_000)), tool(record(80_000, "South")), note(text, "e1", "e2"))
    assert score(judge(memory, mail("e3")), CLAIM) == 0.0


def test_a_figure_that_the_user_gave_is_supported():
    memory = chain(user("Book rooms for 250 guests."), note("So 250 guests need rooms.", "e0"))
    assert score(judge(memory, mail("e1"), "Book rooms for 250 guests."), CLAIM) == 0.0


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Sales fell because the main competitor opened a warehouse nearby.", "Sales fell in North."),
        ("销售下降的原因是主要竞争对手在附近开设了仓库。", "华北销售下降。"),
    ],
)
def test_a_reason_that_nothing_supports_is_found_and_a_recorded_one_is_not(text, source):
    bare = chain(user("task"), tool(source), note(text, "e1"))
    told = chain(user("task"), retrieved(text), note(text, "e1"))
    assert score(judge(bare, mail("e2")), CLAIM) >= 0.5
    assert score(judge(told, mail("e2")), CLAIM) == 0.0


def test_an_uncertain_statement_counts_less():
    plain = chain(user("task"), note("The figure is 173,400.", "e0"))
    hedged = chain(user("task"), note("My guess is that the figure may be 173,400.", "e0"))
    assert score(judge(hedged, mail("e1")), CLAIM) < 0.5 <= score(judge(plain, mail("e1")), CLAIM)


def test_a_figure_in_the_action_that_memory_does_not_hold_is_found():
    memory = chain(user("task"), tool(record(120_000)))
    final = PendingAction(type="final_output", content="North made 173,400 USD.", depends_on=("e1",))
    assert score(judge(memory, final), CLAIM) >= 0.5
    right = PendingAction(type="final_output", content="North made 120,000 USD.", depends_on=("e1",))
    assert score(judge(memory, right), CLAIM) == 0.0
