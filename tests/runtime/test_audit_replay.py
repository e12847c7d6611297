"""Replaying a log under another policy gives what the guard would have decided, or says that it cannot be told."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.memory import ActionType, PendingAction
from mage_ml.risk import Coverage, RiskAxis
from mage_ml.runtime.audit import AuditEvent, AuditLog
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import FailMode, GuardrailEngine, Mode, Rung, load_policy
from mage_ml.runtime.replay import Unknown, recompute, replay
from mage_ml.testing import FixedEvaluator
from tests.runtime.cases import GOAL_EN, chain, contact, mail, note, record, tool, user

BASE = load_policy()
ACTIONS = (
    mail("e2", "e3"),
    mail(),
    PendingAction(type=ActionType.READ, tool_name="query_sales", depends_on=("e2",)),
    PendingAction(type=ActionType.INTERNAL_REASONING, content="So be it.", depends_on=("e2",)),
    PendingAction(type=ActionType.FINAL_OUTPUT, content="Done.", depends_on=("e1",)),
)
ENTRIES = (user(), tool(record(120_000)), note("North revenue in Q1 2025 was 80,000.", "e1"), tool(contact()))
SCORES = st.sampled_from([0.0, 0.2, 0.4, 0.55, 0.7, 0.9, 1.0])


@st.composite
def ladders(draw):
    steps = draw(st.lists(st.sampled_from(["warn", "repair", "redirect", "halt"]), unique=True, max_size=3))
    order = ["warn", "repair", "redirect", "halt"]
    chosen = sorted(steps, key=order.index)
    marks = sorted(draw(st.lists(st.sampled_from([0.3, 0.5, 0.65, 0.8, 0.95]), unique=True, min_size=3, max_size=3)))
    return tuple(Rung(at=at, do=do) for at, do in zip(marks, chosen, strict=False))


@st.composite
def policies(draw):
    rows = {
        name: row.model_copy(
            update={"fail": draw(st.sampled_from(FailMode)), **{axis.value: draw(ladders()) for axis in RiskAxis}}
        )
        for name, row in BASE.actions.items()
    }
    mode = draw(st.sampled_from([Mode.ENFORCE, Mode.ENFORCE, Mode.ENFORCE, Mode.SHADOW, Mode.OFF]))
    return BASE.model_copy(update={"actions": rows, "overrides": (), "mode": mode, "version": "other"})


@st.composite
def coverages(draw):
    failed = {"classifier": "no answer"} if draw(st.booleans()) else {}
    seen = draw(st.sampled_from([0, 10, 100]))
    return Coverage(
        ran=("fixed",), failed=failed, tokens_seen=seen, tokens_total=100, language_supported=draw(st.booleans())
    )


def decide(policy, action, scores, coverage, log=None):
    evaluator = FixedEvaluator(scores, entry_ids=("e2",), coverage=coverage)
    guard = MageGuard(GuardrailEngine(evaluator, policy), goal=GOAL_EN, audit=log, run_id="r", new_id=lambda: "d")
    for entry in chain(*ENTRIES):
        guard.observe(entry)
    return guard.check(action)


@settings(max_examples=60, deadline=None)
@given(
    old=policies(),
    new=policies(),
    action=st.sampled_from(ACTIONS),
    scores=st.fixed_dictionaries({axis: SCORES for axis in RiskAxis}),
    coverage=coverages(),
)
def test_a_recomputed_decision_is_what_the_guard_decides_under_that_policy(old, new, action, scores, coverage):
    with AuditLog(":memory:") as log:
        before = decide(old, action, scores, coverage, log)
        (found,) = [recompute(record, new) for record in log.records()]
    after = decide(new, action, scores, coverage)
    assert (found.old, found.old_allowed) == (before.action, before.allowed)
    if found.unknown is None:
        assert (found.new, found.new_allowed) == (after.action, after.allowed)


@settings(max_examples=40, deadline=None)
@given(
    policy=policies(),
    action=st.sampled_from(ACTIONS),
    scores=st.fixed_dictionaries({axis: SCORES for axis in RiskAxis}),
    coverage=coverages(),
)
def test_under_its_own_policy_nothing_changes_and_only_shadow_and_off_leave_questions(policy, action, scores, coverage):
    with AuditLog(":memory:") as log:
        decide(policy, action, scores, coverage, log)
        report = replay(log.records(), policy)
    assert report.changed_count == 0
    assert report.scored_otherwise == 0
    if policy.mode is Mode.ENFORCE:
        assert report.unknown_count == 0


def report_for(old, new, scores, action=None):
    with AuditLog(":memory:") as log:
        decide(old, action or mail("e2"), scores, Coverage(ran=("fixed",), tokens_seen=1, tokens_total=1), log)
        return replay(log.records(), new)


def with_rung(decision):
    """The shipped policy with one rung on every consistency ladder."""
    ladder = {"consistency": (Rung(at=0.5, do=decision),)}
    rows = {name: row.model_copy(update=ladder) for name, row in BASE.actions.items()}
    return BASE.model_copy(update={"actions": rows, "overrides": ()})


def test_a_stricter_policy_shows_what_it_would_have_stopped():
    report = report_for(with_rung("warn"), with_rung("halt"), {RiskAxis.CONSISTENCY: 0.6})
    (changed,) = report.changed
    assert (changed.old, changed.new, changed.old_allowed, changed.new_allowed) == ("warn", "halt", True, False)
    assert [(item.old, item.new, item.count) for item in report.transitions] == [("warn", "halt", 1)]


def test_a_repair_that_another_policy_would_ask_for_is_not_guessed():
    report = report_for(with_rung("halt"), with_rung("repair"), {RiskAxis.CONSISTENCY: 0.6})
    assert report.unknown == {Unknown.NEEDS_MEMORY: 1}
    assert report.changed == ()


def test_other_rule_settings_are_named_since_rules_are_not_run_again():
    other = BASE.model_copy(update={"rules": BASE.rules.model_copy(update={"recent": 1})})
    assert report_for(BASE, other, {RiskAxis.SAFETY: 0.6}).scored_otherwise == 1


@pytest.mark.parametrize(
    "payload", [{}, {"decision": 5}, {"decision": {"action": "halt"}}, {"decision": {"action": "no"}}]
)
def test_a_record_that_holds_no_decision_is_said_to_be_unreadable(payload):
    with AuditLog(":memory:") as log:
        log.append(AuditEvent(run_id="r", decision_id="d", action="halt", payload=payload))
        assert replay(log.records(), BASE).unknown == {Unknown.UNREADABLE: 1}
