"""Pinned constraints: kept outside the model's reach, verified at every boundary, restored, and counted."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import ConfigError, RecordError
from mage_ml.memory import PendingAction, Role, Source
from mage_ml.memory.shadow import ShadowMemory
from mage_ml.runtime.governor.constraint import Constraint, Scope
from mage_ml.runtime.governor.drift import (
    Authority,
    Boundary,
    DriftHistory,
    Pin,
    PinBoard,
    Right,
    Verdict,
    pins_of,
    verify,
    widenings,
)
from mage_ml.runtime.guard import MageGuard

from .make import NO_GIFT, constraint_set, rule

CAP = Pin("cap", "Refunds of at most 500 USD per order.", "每单退款不得超过500美元。")
DATA = Pin("data", "Never share customer data.", "不得泄露客户数据。", scope=Scope(agents=("dialogue", "policy_*")))


def board(*pins, **options):
    return PinBoard(pins or (CAP, DATA), clock=lambda: 1000.0, **options)


def after(text, boundary=Boundary.COMPACTION, agent="dialogue", on=None):
    return (on or board()).verify(text, boundary=boundary, agent_id=agent)


@pytest.mark.parametrize("boundary", list(Boundary))
def test_complaint_36_every_boundary_is_verified_and_what_was_lost_is_restored_in_its_own_words(boundary):
    verification = after("Refunds of at most 5,000 USD per order. The customer waits.", boundary)
    assert [finding.verdict for finding in verification.findings] == [Verdict.WEAKENED, Verdict.DROPPED]
    text = verification.restored_text("Refunds of at most 5,000 USD per order. The customer waits.")
    assert "- Refunds of at most 500 USD per order." in text
    assert "- Never share customer data." in text
    assert "5,000" not in text
    assert text.endswith("The customer waits.")
    assert after(text, boundary).kept


def test_a_chinese_text_gets_the_chinese_words_back():
    verification = after("客户在等待。")
    assert "- 每单退款不得超过500美元。" in verification.restored
    assert verification.restored.startswith("现行规则")
    assert after(verification.restored_text("客户在等待。")).kept


def test_a_text_that_keeps_everything_stays_as_it_is():
    text = "Rules:\n- Refunds may not exceed $500 per order.\n- Customer data must never be disclosed."
    verification = after(text)
    assert verification.kept
    assert verification.restored_text(text) == text


def test_a_sentence_that_cannot_be_settled_stays_below_the_restored_rule():
    text = "Refunds of at most 500 USD per customer."
    restored = after(text, on=board(CAP)).restored_text(text)
    assert restored.endswith(text)
    assert "500 USD per order" in restored


def test_small_changes_cannot_add_up_as_each_text_is_held_against_the_pin():
    shared = board(CAP)
    for amount in (505, 510, 600):
        finding = after(f"Refunds of at most {amount} USD per order.", on=shared).findings[0]
        assert finding.verdict is Verdict.WEAKENED


def test_only_the_constraints_of_the_agent_are_verified():
    assert [finding.constraint_id for finding in after("", agent="mailer").findings] == ["cap"]
    assert [finding.constraint_id for finding in after("", agent="policy_1").findings] == ["cap", "data"]


def test_a_constraint_of_a_file_can_be_pinned():
    pin = Pin.of(Constraint.model_validate(NO_GIFT))
    assert pin.texts == ("Do not promise gifts.", "不得承诺礼品。")
    (finding,) = verify([pin], "禁止承诺礼品。")
    assert finding.verdict is Verdict.PARAPHRASED


def test_a_board_takes_the_active_constraints_of_a_file_and_follows_a_reload():
    first = constraint_set(NO_GIFT, rule(id="off", state={"active": False}))
    shared = PinBoard.of(first)
    assert [pin.constraint_id for pin in shared.pins] == ["no_gift"]
    shared.replace(pins_of(constraint_set(rule(id="off"))))
    assert [pin.constraint_id for pin in shared.pins] == ["off"]


def test_pins_enter_the_shadow_memory_as_certain_instructions_of_the_system():
    memory = ShadowMemory()
    entries = board().pin_into(memory, "dialogue")
    assert len(memory) == len(entries) == 4
    assert {(e.source, e.role, e.confidence, e.is_trusted) for e in entries} == {
        (Source.SYSTEM, Role.INSTRUCTION, 1.0, True)
    }
    with pytest.raises(RecordError):
        board().pin_into(memory, "dialogue")


def test_a_guard_holds_an_agents_note_against_a_pinned_constraint():
    guard = MageGuard.create(goal="Refund order 1001.")
    board(CAP).pin_into(guard, "agent")
    note = guard.remember(content="Hand-over: refunds of at most 5,000 USD per order.", source="agent")
    action = PendingAction(
        type="call_tool:write",
        tool_name="issue_refund",
        arguments={"order_id": "1001", "amount": 4000},
        depends_on=(note.id,),
    )
    decision = guard.check(action)
    assert not decision.allowed
    assert any(item.found_by == "dropped_constraint" for item in decision.evidence)


def test_a_new_version_replaces_a_pin_and_another_text_under_an_old_version_is_refused():
    shared = board(CAP)
    shared.pin(Pin("cap", "Refunds of at most 300 USD per order.", version=2))
    assert after("Refunds of at most 500 USD per order.", on=shared).findings[0].verdict is Verdict.WEAKENED
    with pytest.raises(ConfigError, match="raise the version"):
        shared.pin(Pin("cap", "Refunds of at most 900 USD per order.", version=2))
    shared.replace([DATA])
    assert [pin.constraint_id for pin in shared.pins] == ["data"]
    shared.unpin("data")
    assert shared.pins == ()


def test_drift_is_counted_for_each_agent_boundary_and_verdict():
    shared = board(CAP)
    after("Refunds of at most 900 USD per order.", Boundary.DELEGATION, "a", shared)
    after("Refunds of at most 500 USD per order.", Boundary.RESUME, "a", shared)
    after("Nothing.", Boundary.RESUME, "b", shared)
    counts = {(c.agent_id, c.boundary, c.verdict): c.count for c in shared.history.counts()}
    assert counts == {
        ("a", Boundary.DELEGATION, Verdict.WEAKENED): 1,
        ("a", Boundary.RESUME, Verdict.PRESERVED): 1,
        ("b", Boundary.RESUME, Verdict.DROPPED): 1,
    }
    assert sum(shared.history.totals().values()) == 3
    assert set(shared.history.totals("a")) == set(Verdict)
    assert shared.history.lost_share("a") == 0.5


def test_the_trend_tells_an_agent_that_loses_more_lately():
    shared = board(CAP)
    for _ in range(6):
        after("Refunds of at most 500 USD per order.", agent="a", on=shared)
    assert shared.history.trend("a").earlier is None
    for _ in range(6):
        after("Nothing.", agent="a", on=shared)
    trend = shared.history.trend("a")
    assert (trend.earlier, trend.later, trend.is_worsening) == (0.0, 1.0, True)


def test_history_is_bounded_exact_under_threads_and_told_to_a_sink():
    told = []
    history = DriftHistory(told.append)
    shared = board(CAP, history=history)
    threads = [
        threading.Thread(target=lambda n=n: [after("Nothing.", agent=f"a{n}", on=shared) for _ in range(20)])
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert history.totals()[Verdict.DROPPED] == len(told) == 160
    for number in range(1_100):
        after("x", agent=f"agent{number}", on=shared)
    assert len(history.agents) == 1_024


LEAD = Authority(
    tools=frozenset({"refund", "mail_*"}),
    resources=frozenset({"/srv/app/*"}),
    limits={"refund": 500},
    delegates=frozenset({"dialogue"}),
    depth=2,
    expires=2000.0,
)


@pytest.mark.parametrize(
    ("wanted", "right"),
    [
        ({"tools": {"delete"}}, Right.TOOLS),
        ({"tools": {"*"}}, Right.TOOLS),
        ({"tools": {"mail*"}}, Right.TOOLS),
        ({"resources": {"/srv/app/../secret"}}, Right.RESOURCES),
        ({"limits": {"refund": 501}}, Right.LIMITS),
        ({"limits": {"gift": 1}}, Right.LIMITS),
        ({"fields": {"ssn"}}, Right.FIELDS),
        ({"depth": 2}, Right.DEPTH),
        ({"expires": 2001.0}, Right.EXPIRY),
        ({"expires": None}, Right.EXPIRY),
    ],
)
def test_a_delegate_may_not_do_more_than_the_delegator(wanted, right):
    delegate = Authority.model_validate({"depth": 1, "expires": 1500.0, **wanted})
    assert [found.right for found in widenings(LEAD, delegate, delegate_id="dialogue")] == [right]
    assert not widenings(LEAD, LEAD.narrowed(delegate), delegate_id="dialogue")


def test_less_is_no_widening_and_another_delegate_is_one():
    delegate = Authority(
        tools=frozenset({"refund", "mail_send"}),
        resources=frozenset({"/srv/app/log.txt"}),
        limits={"refund": 100},
        depth=1,
        expires=1500.0,
    )
    assert widenings(LEAD, delegate, delegate_id="dialogue") == ()
    assert [found.right for found in widenings(LEAD, delegate, delegate_id="mailer")] == [Right.DELEGATES]
    assert [found.right for found in widenings(Authority(), Authority())] == [Right.DEPTH]


names = st.frozensets(
    st.sampled_from(["refund", "mail_*", "mail_send", "m?il", "*", "/a/*", "/a/b", "/a/../c"]), max_size=4
)
authorities = st.builds(
    Authority,
    tools=names,
    resources=names,
    fields=names,
    limits=st.dictionaries(st.sampled_from(["refund", "gift"]), st.floats(0, 1000), max_size=2),
    depth=st.integers(0, 3),
    expires=st.one_of(st.none(), st.floats(0, 100)),
)


@given(delegator=authorities, wanted=authorities)
@settings(max_examples=150, deadline=None)
def test_a_narrowed_authority_never_widens(delegator, wanted):
    found = widenings(delegator, delegator.narrowed(wanted))
    assert [item for item in found if not (item.right is Right.DEPTH and delegator.depth == 0)] == []
