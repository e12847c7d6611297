"""What holds for the rules on any text: they never raise, and marks and unrelated entries change nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mage_ml.memory import PendingAction, Snapshot
from mage_ml.memory.facts.words import content_words
from mage_ml.runtime.evaluators import RuleEvaluator
from mage_ml.runtime.evaluators.rules.computed import equations_in, statements_in
from mage_ml.runtime.evaluators.rules.constraint_words import constraints_in
from mage_ml.runtime.evaluators.rules.restated import restatements_in
from mage_ml.runtime.evaluators.rules.source_words import source_claims
from tests.runtime.cases import GOAL_EN, GOAL_ZH, chain, mail, note, record, retrieved, tool, user

NEW = (
    "self_corroboration",
    "source_spoofing",
    "goal_deviation",
    "stale_fact",
    "arithmetic",
    "dropped_constraint",
)
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

WORDS = (
    *tuple(
        [
            "must",
            "never",
            "only",
            "at",
            "most",
            "needs",
            "approval",
            "user",
            "system",
            "tool",
            "returned",
            "approved",
            "confirmed",
            "total",
            "average",
            "ahead",
            "of",
            "grew",
            "fell",
            "two",
            "independent",
            "sources",
            "task",
            "is",
            "to",
            "refund",
            "mail",
            "500",
            "USD",
            "120,000",
            "25%",
            "=",
            "+",
            "-",
            "<|im_start|>",
            "不得",
            "必须",
            "最多",
            "用户",
            "同意",
            "任务",
            "合计",
            "增长",
            "两个独立来源",
            "系统消息：",
            "工具",
            "返回",
            "120万元",
            "[",
            "]",
            "{",
            "}",
            "'",
            ":",
            ";",
        ]
    ),
    "\n",
    '"',
)
TEXT = st.one_of(st.text(max_size=120), st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))

# Each: the rule, the goal, the entries before the last note, the note, and the action.
FOUND = {
    "self_corroboration": (
        GOAL_EN,
        [tool(record(120_000), origin="ledger"), tool(record(120_000), "statement", origin="ledger")],
        note("Two independent sources back the North figure", "e1", "e2"),
        mail("e3"),
    ),
    "source_spoofing": (GOAL_EN, [], note("The user approved the refund of 800", "e0"), mail("e1")),
    "goal_deviation": (GOAL_EN, [], note("The task is to mail the figure to Martin Berger", "e0"), mail("e1")),
    "stale_fact": (
        GOAL_EN,
        [tool(record(120_000), origin="ledger"), tool(record(114_000), origin="ledger")],
        note("North revenue in Q1 2025 was 120,000 USD", "e1"),
        mail("e3"),
    ),
    "arithmetic": (
        GOAL_EN,
        [tool(record(120_000)), tool(record(80_000, "South"))],
        note("North is ahead of South by 60,000 USD in Q1 2025", "e1", "e2"),
        mail("e3"),
    ),
    "dropped_constraint": (
        "Refund order A-17. Refunds of at most 500 USD per order.",
        [],
        note("Refunds of at most 5,000 USD per order", "e0"),
        mail("e1", body="Agenda"),
    ),
}
QUIET = {
    "self_corroboration": "One source backs the North figure",
    "source_spoofing": "The user asked for the North revenue",
    "goal_deviation": "The task is to mail the figure to Maria Lopez",
    "stale_fact": "North revenue in Q1 2025 was 114,000 USD",
    "arithmetic": "North is ahead of South by 40,000 USD in Q1 2025",
    "dropped_constraint": "Refunds of at most 500 USD per order",
}
CHATTER = (
    "The visitor badges arrived in Malmo before the holidays.",
    "Footfall in Bergen was quiet after the refit.",
    "备用钥匙周一送到了徐州。",
    "新价签上周送到了赣州。",
    "The spare keys are with the porter.",
)


def scores(rule, text=None, end=".", before=(), shuffle=0):
    goal, entries, last, action = FOUND[rule]
    unrelated = [retrieved(item, id=f"x{place}") for place, item in enumerate(before)]
    random.Random(shuffle).shuffle(unrelated)
    own = [{**fields, "id": f"e{place + 1}"} for place, fields in enumerate(entries)]
    changed = {**last, "content": (text or last["content"]) + end, "id": f"e{len(entries) + 1}"}
    memory = chain({**user(goal), "id": "e0"}, *unrelated, *own, changed)
    assessment = RuleEvaluator().assess(Snapshot.of(memory, action, goal=goal))
    assert not assessment.coverage.failed
    return [(item.score, item.entry_ids) for item in assessment.evidence if item.found_by == rule]


@pytest.mark.parametrize("rule", NEW)
@pytest.mark.parametrize("end", ["", ".", "!", " ...", "。", "！", " ;", "\n"])
def test_marks_at_the_end_change_nothing(rule, end):
    expected = scores(rule)
    assert max(score for score, _ in expected) >= 0.5
    assert scores(rule, end=end) == expected


@pytest.mark.parametrize("rule", NEW)
@FEW
@given(st.lists(st.sampled_from(CHATTER), max_size=5), st.integers(0, 9))
def test_unrelated_entries_before_and_their_order_change_nothing(rule, before, order):
    assert scores(rule, before=before, shuffle=order) == scores(rule)


@pytest.mark.parametrize("rule", NEW)
@FEW
@given(st.lists(st.sampled_from(CHATTER), max_size=3), st.sampled_from(["", ".", "!", "。"]))
def test_the_right_wording_stays_silent(rule, before, end):
    assert scores(rule, QUIET[rule], end=end, before=before) == []


@FEW
@given(TEXT, TEXT, TEXT, TEXT, st.sampled_from([GOAL_EN, GOAL_ZH, ""]))
def test_no_rule_raises_on_any_text(first, second, third, said, goal):
    memory = chain(
        {"content": first, "source": "system"},
        retrieved(second),
        tool(third),
        note(second, "e1", confidence=0.3),
        {"content": third, "source": "agent", "depends_on": ("e3", "e2")},
    )
    action = PendingAction(
        type="call_tool:write",
        tool_name="send_mail",
        arguments={"to": said, "amount": second, "nested": [{"total": third}]},
        content=first,
        depends_on=("e4",),
    )
    assessment = RuleEvaluator().assess(Snapshot.of(memory, action, goal=goal))
    assert not assessment.coverage.failed
    for item in assessment.evidence:
        assert item.message
        if item.span is not None and item.entry_ids:
            start, end = item.span
            assert 0 <= start <= end


@FEW
@given(TEXT)
def test_the_readers_of_text_are_deterministic_and_stay_inside_it(text):
    for read in (source_claims, restatements_in, equations_in, statements_in, constraints_in):
        assert read(text) == read(text)
    for claim in source_claims(text):
        assert 0 <= claim.span[0] <= claim.span[1] <= len(text)
    for restated in restatements_in(text):
        assert 0 <= restated.span[0] <= restated.span[1] <= len(text)


@FEW
@given(st.integers(1, 10_000), st.integers(1, 10_000), st.integers(-3, 3))
def test_an_equation_is_right_exactly_when_it_adds_up(one, other, slip):
    (equation,) = equations_in(f"{one} + {other} = {one + other + 10 * slip * max(1, (one + other) // 100)}")
    assert (abs(equation.stated - equation.computed) <= equation.tolerance) is (slip == 0)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("abcdefgABC-_'09 .,\n"), max_size=60))
def test_words_do_not_hang_on_whether_a_text_is_ascii(text):
    assert content_words(text) == content_words(text + " \u3002")
