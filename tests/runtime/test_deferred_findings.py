"""Checks that nothing found by a deferred check is lost on the way to a later write."""

import threading
import time
from itertools import pairwise

import pytest

from mage_ml.memory import PendingAction, Snapshot
from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis
from mage_ml.runtime.evaluators.sampling import RunSampler
from mage_ml.runtime.evaluators.tier_settings import SamplingSettings
from mage_ml.runtime.guarding.evaluation import MAX_RESULTS, DeferredResult, Outbox
from mage_ml.testing import FixedEvaluator
from tests.runtime.cases import mail, thought
from tests.runtime.test_deferred import Gate, guard_with

LOOK = PendingAction(type="call_tool:read", tool_name="query_sales", depends_on=("e2",))


class GraveThenMild(FixedEvaluator):
    """Finds something grave at the first read, trifles at each later one, and nothing in a write."""

    def __init__(self):
        super().__init__(name="classifier")
        self.looks = 0

    def assess(self, snapshot):
        coverage = Coverage(ran=(self.name,))
        if snapshot.action.type != LOOK.type:
            return Assessment(coverage=coverage)
        self.looks += 1
        score, blamed = (0.7, "e2") if self.looks == 1 else (0.05, "e1")
        found = Evidence(axis=RiskAxis.FACTUALITY, score=score, found_by=f"model {self.looks}", entry_ids=(blamed,))
        return Assessment.from_evidence([found], coverage)


def test_a_flood_of_mild_findings_does_not_push_out_a_grave_one():
    guard = guard_with(GraveThenMild())
    for _ in range(80):
        guard.check(LOOK)
        assert guard.finish_deferred() == 0
    assert not guard.check(mail("e2")).allowed


def test_a_deferred_decision_that_raises_loses_no_finding():
    model = GraveThenMild()
    guard = guard_with(model)
    guard._evaluation._queue._on_answer = lambda: None  # so that the write settles, on this thread
    new_id, fails = guard._new_id, [True]

    def failing_once():
        if fails.pop() if fails else False:
            raise OSError("no names to be had")
        return new_id()

    guard.check(LOOK)
    guard.check(LOOK)
    guard._evaluation.drain(5.0)
    guard._new_id = failing_once
    with pytest.raises(OSError, match="no names"):
        guard.check(mail("e2"))
    assert not guard.check(mail("e2")).allowed
    assert model.looks == 2


def test_a_late_look_counts_from_the_step_that_was_looked_at():
    sampler = RunSampler(SamplingSettings(enabled=True, every_steps=10))
    view, asked, waiting = Snapshot.of([], LOOK), [], []
    for step in range(1, 60):
        if not sampler.reason_to_skip(view):
            asked.append(step)
            waiting.append((step, sampler.look_at(view)))
        if waiting and step - waiting[0][0] >= 6:
            waiting.pop(0)[1]()
    assert len(asked) < 59
    assert max(later - earlier for earlier, later in pairwise(asked)) <= 10


def test_a_callback_that_takes_its_time_lets_a_bounded_number_wait():
    told = []

    def slow(result):
        told.append(result)
        if len(told) == 1:  # meanwhile many more come in
            for number in range(3 * MAX_RESULTS):
                outbox.put(DeferredResult(str(number), decision))

    decision = guard_with(Gate(is_open=True)).check(mail("e2"))
    outbox = Outbox(slow)
    outbox.put(DeferredResult("first", decision))
    outbox.deliver()
    assert len(told) == 1 + MAX_RESULTS
    assert told[-1].first_decision_id == str(3 * MAX_RESULTS - 1)


def test_a_write_waits_for_a_check_that_another_thread_put_off_meanwhile():
    model = Gate({RiskAxis.FACTUALITY: 0.8}, entry_ids=("e2",))
    guard = guard_with(model)
    wait, raced = guard._evaluation.wait, []

    def wait_and_be_overtaken(kind, deadline):
        wait(kind, deadline)
        if kind == mail().type and not raced:
            raced.append(threading.Thread(target=guard.check, args=(thought("e2"),)))
            raced[0].start()
            raced[0].join()
            threading.Timer(0.1, model.open.set).start()

    guard._evaluation.wait = wait_and_be_overtaken
    started = time.monotonic()
    decision = guard.check(mail("e2"))
    assert time.monotonic() - started > 0.09
    assert "deferred" not in decision.coverage.failed
    assert len(guard.deferred_results()) == 1
