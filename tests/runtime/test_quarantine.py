"""Quarantine: who is in it, and the way out; stores that fail half way."""

import hashlib

import pytest

from mage_ml.errors import AuditError, PatchError
from mage_ml.memory import Status
from mage_ml.runtime.audit import AuditLog, verify
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import DecisionAction, InMemoryStore, ReasonKind, load_policy
from tests.runtime.cases import GOAL_EN, chain, contact, mail, note, record, retrieved, thought, tool, user
from tests.runtime.test_guard import FLIPPED, ORDER, BrokenLog, guard_with

SPY = "spy@evil.example"
WHO = {"by": "ana", "reason": "checked with the owner"}
FALLEN = (*FLIPPED[:3], note("So North fell to 80,000.", "e2"), tool(contact(), "find_contact"))


def held(guard, action=None):
    decision = guard.check(action or mail("e2", "e3"))
    assert decision.action is DecisionAction.REPAIR, decision.action
    return decision


def test_a_quarantined_entry_is_listed_with_reason_decision_and_time():
    guard = guard_with(*FLIPPED)
    decision = held(guard)
    (item,) = guard.quarantined()
    assert (item.entry.id, item.decision_id, item.followed, item.purged) == ("e2", decision.decision_id, False, False)
    assert item.reason
    assert item.since > 0
    assert guard.inspect("e2") == item


def test_complaint_45_a_second_quarantined_value_never_replaces_the_first():
    guard = guard_with(*FLIPPED)
    held(guard)
    guard.remember(content="North revenue in Q1 2025 was 70,000.", source="llm_reasoning", depends_on=("e1",))
    held(guard, mail("e4", "e3"))
    assert [item.entry.id for item in guard.quarantined()] == ["e2", "e4"]
    assert [item.entry.text for item in guard.quarantined()] == [
        "North revenue in Q1 2025 was 80,000.",
        "North revenue in Q1 2025 was 70,000.",
    ]


def test_complaint_45_whatever_is_locked_can_be_released():
    guard = guard_with(*FALLEN)
    held(guard, mail("e3", "e4"))
    names = [item.entry.id for item in guard.quarantined()]
    assert names == ["e2", "e3"]
    for name in names:
        guard.release(name, **WHO)
    assert guard.quarantined() == ()
    assert {guard.memory.get(name).status for name in names} == {Status.ACTIVE}


def test_a_released_entry_is_not_condemned_again_by_the_same_evidence():
    guard = guard_with(*FLIPPED)
    held(guard)
    (released,) = guard.release("e2", **WHO)
    assert released.annotations == ("released by ana: checked with the owner",)
    again = guard.check(mail("e2", "e3"))
    assert guard.memory.get("e2").status is Status.ACTIVE
    assert again.allowed
    assert any(reason.kind is ReasonKind.RELEASE for reason in again.reasons)
    assert any(item.score == 0.0 and item.entry_ids[:1] == ("e2",) for item in again.evidence)


def test_other_evidence_about_a_released_entry_counts():
    guard = guard_with(user(), retrieved(ORDER), tool(contact(), "find_contact"))
    held(guard, thought("e1"))
    guard.release("e1", **WHO)
    assert guard.check(thought("e1")).allowed
    assert not guard.check(mail("e1", to=SPY)).allowed


def test_a_record_that_came_after_the_release_is_new_evidence():
    guard = guard_with(*FLIPPED)
    held(guard)
    guard.release("e2", **WHO)
    guard.observe(guard.memory.get("e1").model_copy(update={"id": "again", "step": 5}))
    assert guard.check(mail("e2", "e3")).allowed
    guard.remember(id="ledger", **tool(record(90_000), "query_ledger", origin="ledger"))
    decision = guard.check(mail("e2", "e3"))
    assert any(item.score > 0.0 and item.entry_ids == ("e2", "ledger") for item in decision.evidence)
    assert not decision.allowed


def test_a_policy_can_say_that_releases_are_judged_again():
    policy = load_policy().model_copy(update={"honour_releases": False})
    guard = guard_with(*FLIPPED, policy=policy)
    held(guard)
    guard.release("e2", **WHO)
    held(guard)
    assert guard.memory.get("e2").status is Status.QUARANTINED


def test_followers_are_released_with_the_entry_they_followed():
    guard = guard_with(*FALLEN)
    held(guard, mail("e3", "e4"))
    assert guard.inspect("e3").followed
    assert [entry.id for entry in guard.release("e2", **WHO, followers=True)] == ["e2", "e3"]
    assert guard.quarantined() == ()


def test_a_purge_leaves_a_tombstone_and_no_content():
    guard = guard_with(*FLIPPED)
    decision = held(guard)
    text = guard.inspect("e2").entry.text
    purged = guard.purge("e2", **WHO)
    assert purged.purged
    assert purged.entry.content == {"purged": True, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    assert guard.memory.get("e2") == purged.entry
    assert guard.inspect("e2").reason == purged.reason != ""
    assert text not in repr(vars(guard._enforcement)) + repr(guard.quarantined()) + repr(guard._shadow.get("e2"))
    for refused in (lambda: guard.release("e2", **WHO), lambda: guard.purge("e2", **WHO)):
        with pytest.raises(PatchError, match="purged"):
            refused()
    with pytest.raises(PatchError, match="no patches"):
        guard.undo(decision.decision_id)
    assert not guard.check(mail("e2", "e3")).allowed


def test_releases_and_purges_are_in_the_log(tmp_path):
    with AuditLog(tmp_path / "a.sqlite") as log:
        guard = guard_with(*FALLEN, audit=log)
        decision = held(guard, mail("e3", "e4"))
        guard.release("e3", **WHO)
        guard.purge("e2", by="bo", reason="personal data")
        kinds = [(item.kind, item.payload.get("by"), item.decision_id) for item in log.records()][1:]
        assert kinds == [
            ("quarantine_released", "ana", decision.decision_id),
            ("quarantine_purged", "bo", decision.decision_id),
        ]
        assert verify(log).is_whole


class FlakyLog:
    """Takes the first record and no other."""

    def __init__(self):
        self.events = []

    def append(self, event):
        if self.events:
            raise AuditError("disk full")
        self.events.append(event)


@pytest.mark.parametrize("way", ["release", "purge"])
def test_without_a_log_nobody_leaves_the_quarantine(way):
    guard = guard_with(*FLIPPED, audit=FlakyLog())
    held(guard)
    before = guard.memory.list()
    with pytest.raises(AuditError):
        getattr(guard, way)("e2", **WHO)
    assert guard.memory.list() == before


def test_what_is_not_in_quarantine_cannot_leave_it():
    guard = guard_with(*FLIPPED)
    with pytest.raises(PatchError, match="not in quarantine; it is active"):
        guard.release("e1", **WHO)
    with pytest.raises(PatchError, match="not in memory"):
        guard.inspect("ghost")
    held(guard)
    with pytest.raises(PatchError, match="give both"):
        guard.release("e2", by=" ", reason="x")
    assert guard.memory.get("e2").status is Status.QUARANTINED


def test_an_undone_repair_leaves_the_quarantine_empty():
    guard = guard_with(*FLIPPED)
    guard.undo(held(guard).decision_id)
    assert guard.quarantined() == ()


def test_entries_quarantined_before_this_guard_are_listed_and_released():
    store = InMemoryStore(chain(user(), retrieved(ORDER, status="quarantined")))
    guard = MageGuard.create(goal=GOAL_EN, store=store)
    (item,) = guard.quarantined()
    assert (item.reason, item.decision_id, item.since) == ("", "", None)
    guard.release("e1", **WHO)
    assert store.get("e1").status is Status.ACTIVE


# stores that fail half way


class HalfStore(InMemoryStore):
    """Fails from a given write on, rollback included, until it is mended."""

    def __init__(self, entries, good_writes):
        super().__init__(entries)
        self.left = good_writes

    def replace(self, entry):
        if self.left <= 0:
            raise OSError("gone")
        self.left -= 1
        super().replace(entry)


def test_a_rollback_that_fails_is_said_loudly_and_halts_even_what_fails_open():
    store = HalfStore(chain(*FALLEN), good_writes=1)
    guard = MageGuard.create(goal=GOAL_EN, store=store)
    decision = guard.check(thought("e3"))
    assert (decision.action, decision.allowed, decision.patches) == (DecisionAction.HALT, False, ())
    assert any("in doubt" in reason.text for reason in decision.reasons)
    later = guard.check(thought("e0"))
    assert (later.action, later.allowed) == (DecisionAction.HALT, False)
    assert any("could not be rolled back" in reason.text for reason in later.reasons)


def test_a_store_that_works_again_ends_the_doubt():
    store = HalfStore(chain(*FALLEN), good_writes=1)
    guard = MageGuard.create(goal=GOAL_EN, store=store)
    guard.check(thought("e3"))
    store.left = 100
    assert guard.check(thought("e0")).allowed
    assert {entry.status for entry in store.list()} == {Status.ACTIVE}


def test_a_failed_release_is_recorded_and_changes_nothing(tmp_path):
    store = HalfStore(chain(*FLIPPED), good_writes=10)
    with AuditLog(tmp_path / "a.sqlite") as log:
        guard = MageGuard.create(goal=GOAL_EN, store=store, audit=log)
        held(guard)
        store.left = 0
        with pytest.raises(PatchError, match="failed"):
            guard.release("e2", **WHO)
        assert store.get("e2").status is Status.QUARANTINED
        assert [item.action for item in log.records()] == ["repair", "released", "failed"]


def test_a_broken_log_halts_before_anything_is_quarantined():
    guard = guard_with(*FLIPPED, audit=BrokenLog())
    guard.check(mail("e2", "e3"))
    assert guard.quarantined() == ()
