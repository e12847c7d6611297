"""No fault of audit log, memory store or clock loosens a verdict, loses a record or breaks the chain."""

import itertools
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import AuditError
from mage_ml.memory import Status
from mage_ml.risk import RiskAxis
from mage_ml.runtime.audit import AuditEvent, AuditLog, AuditQuery, EventKind, verify
from mage_ml.runtime.evaluators import RuleEvaluator
from mage_ml.runtime.guardrail import FailMode, GuardrailEngine, InMemoryStore, Mode, ReasonKind
from mage_ml.testing import (
    FaultySink,
    FaultyStore,
    FixedEvaluator,
    JumpingClock,
    SinkFault,
    StoreFault,
    file_handles_exhausted,
    file_size_limited,
    locked_database,
)
from tests.faults.cases import ACTIONS, ENTRIES, POLICY, SOUND, guard_for, is_no_looser
from tests.runtime.cases import chain

RULES = GuardrailEngine(RuleEvaluator(), POLICY)


def check_under_fault(guard, kind, fault):
    """What a guard decides about sound memory, which is no looser than without the fault."""
    sound = guard_for(RULES, SOUND).check(ACTIONS[kind])
    with fault:
        faulty = guard.check(ACTIONS[kind])
    assert is_no_looser(faulty, sound)
    return faulty


@pytest.mark.parametrize(("fault", "kind"), list(itertools.product(SinkFault, ACTIONS)))
def test_without_a_record_no_action_of_a_closed_type_goes_ahead(fault, kind):
    with AuditLog(":memory:") as log:
        for entries in (ENTRIES, SOUND):
            guard = guard_for(RULES, entries, audit=FaultySink(fault, log))
            sound = guard_for(RULES, entries).check(ACTIONS[kind])
            for _ in range(2):
                before = len(log)
                faulty = guard.check(ACTIONS[kind])
                assert is_no_looser(faulty, sound)
                if len(log) == before and faulty.fail_mode is FailMode.CLOSED:
                    assert not faulty.allowed
                if len(log) == before and faulty.allowed:
                    assert ReasonKind.FAIL_OPEN in {reason.kind for reason in faulty.reasons}
                if len(log) == before:
                    assert faulty.patches == ()  # nothing is changed that the log does not know of
        assert verify(log).is_whole


@pytest.mark.parametrize("kind", ACTIONS)
def test_a_full_disk_holds_closed_actions_back_and_leaves_the_log_whole(tmp_path, kind):
    path = tmp_path / "a.sqlite"
    with AuditLog(path) as log:
        guard = guard_for(RULES, SOUND, audit=log)
        assert guard.check(ACTIONS[kind]).allowed
        written = len(log)
        size = max(item.stat().st_size for item in tmp_path.iterdir())
        faulty = check_under_fault(guard, kind, file_size_limited(size))
        assert faulty.allowed is (faulty.fail_mode is FailMode.OPEN)
        assert any("audit log" in reason.text for reason in faulty.reasons)
        assert guard.check(ACTIONS[kind]).allowed  # space again: it goes on
        assert len(log) == written + 1
        assert verify(log).is_whole


@pytest.mark.parametrize("kind", ACTIONS)
def test_a_locked_database_is_waited_for_and_then_a_failure(tmp_path, kind):
    path = tmp_path / "a.sqlite"
    with AuditLog(path, busy_s=0.05) as log:
        guard = guard_for(RULES, SOUND, audit=log)
        faulty = check_under_fault(guard, kind, locked_database(path))
        assert faulty.allowed is (faulty.fail_mode is FailMode.OPEN)
        assert guard.check(ACTIONS[kind]).allowed
        assert len(log) == 1
        assert verify(log).is_whole


def test_threads_that_wait_for_a_locked_database_fail_together_and_not_one_after_the_other(tmp_path):
    path = tmp_path / "a.sqlite"
    outcomes = []
    with AuditLog(path, busy_s=0.3) as log:
        guards = [guard_for(RULES, SOUND, audit=log) for _ in range(16)]
        threads = [
            threading.Thread(target=lambda guard=guard: outcomes.append(guard.check(ACTIONS["write"]).allowed))
            for guard in guards
        ]
        with locked_database(path):
            started = time.monotonic()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            took = time.monotonic() - started
        assert outcomes == [False] * 16
        assert took < 16 * 0.3
        assert len(log) == 0


@pytest.mark.parametrize("kind", ["write", "thought"])
def test_without_file_handles_nothing_is_lost_or_loosened(tmp_path, kind):
    with AuditLog(tmp_path / "a.sqlite") as log:
        guard = guard_for(RULES, SOUND, audit=log)
        guard.check(ACTIONS[kind])
        faulty = check_under_fault(guard, kind, file_handles_exhausted())
        recorded = log.find(faulty.decision_id)
        assert recorded or not faulty.allowed or faulty.fail_mode is FailMode.OPEN
        assert guard.check(ACTIONS[kind]).allowed
        assert verify(log).is_whole


def test_one_record_that_is_too_big_for_the_disk_does_not_take_the_others_along(tmp_path):
    sizes = [100, 100, 3_000_000, 100, 100]
    results = {}
    with AuditLog(tmp_path / "a.sqlite") as log:
        log.append(AuditEvent(run_id="r", decision_id="first", action="halt", payload={}))

        def append(number):
            event = AuditEvent(run_id="r", decision_id=f"d{number}", action="halt", payload={"x": "y" * sizes[number]})
            try:
                results[number] = log.append(event).sequence
            except AuditError:
                results[number] = None

        with file_size_limited(1_000_000):
            threads = [threading.Thread(target=append, args=(number,)) for number in range(5)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert results[2] is None
        assert sorted(results[number] for number in (0, 1, 3, 4)) == [2, 3, 4, 5]
        assert verify(log).is_whole


@settings(max_examples=25, deadline=None)
@given(jumps=st.lists(st.floats(-1e9, 1e9, allow_nan=False), min_size=1, max_size=5))
def test_a_clock_that_jumps_costs_no_record_and_hides_none(jumps):
    with AuditLog(":memory:", clock=JumpingClock(jumps, clock=lambda: 1e9)) as log:
        guard = guard_for(GuardrailEngine(FixedEvaluator(), POLICY), SOUND, audit=log)
        ids = [guard.check(ACTIONS["write"]).decision_id for _ in range(6)]
        assert [record.decision_id for record in log.records()] == ids
        assert {record.decision_id for record in log.matches(AuditQuery(limit=2))} == set(ids)
        assert verify(log).is_whole


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_clock_that_gives_no_time_is_a_failure(value):
    with AuditLog(":memory:", clock=lambda: value) as log:
        decision = guard_for(RULES, SOUND, audit=log).check(ACTIONS["write"])
        assert not decision.allowed
        assert len(log) == 0


@pytest.mark.parametrize(("fault", "kind"), list(itertools.product(StoreFault, ACTIONS)))
@pytest.mark.parametrize("good_writes", [0, 1])
def test_a_repair_that_fails_changes_nothing_or_stops_everything(fault, kind, good_writes):
    with AuditLog(":memory:") as log:
        inner = InMemoryStore(chain(*ENTRIES))
        store = FaultyStore(fault, inner, good_writes=good_writes)
        sound_store = InMemoryStore(chain(*ENTRIES))
        guard = guard_for(RULES, (), store=store, audit=log)
        sound = guard_for(RULES, (), store=sound_store).check(ACTIONS[kind])
        before = inner.list()
        faulty = guard.check(ACTIONS[kind])
        assert is_no_looser(faulty, sound)
        assert len(log.find(faulty.decision_id)) >= 1
        if faulty.patches:  # what it claims to have done is done
            assert inner.list() == sound_store.list()
        elif inner.list() != before:
            assert not faulty.allowed
            assert guard.check(ACTIONS["thought"]).allowed is False  # memory in doubt: nothing goes ahead
        assert verify(log).is_whole
        revised = log.count(AuditQuery(kind=EventKind.DECISION_REVISED))
        assert revised == (1 if faulty.action is not sound.action or (not faulty.patches and sound.patches) else 0)


def test_a_store_that_works_again_is_put_right_and_the_guard_goes_on():
    inner = InMemoryStore(chain(*ENTRIES))
    store = FaultyStore(StoreFault.BREAKS_HALF_WAY_FOR_GOOD, inner)
    guard = guard_for(RULES, (), store=store)
    assert not guard.check(ACTIONS["write"]).allowed
    store.heal()
    assert guard.check(ACTIONS["write"]).patches
    assert inner.get("e2").status is Status.QUARANTINED


@pytest.mark.parametrize("mode", [Mode.SHADOW, Mode.OFF])
def test_in_shadow_and_off_a_fault_blocks_nobody(mode):
    policy = POLICY.model_copy(update={"mode": mode})
    with AuditLog(":memory:") as log:
        engine = GuardrailEngine(FixedEvaluator({RiskAxis.SAFETY: 1.0}), policy)
        guard = guard_for(engine, SOUND, audit=FaultySink(SinkFault.REFUSES, log))
        assert guard.check(ACTIONS["write"]).allowed
