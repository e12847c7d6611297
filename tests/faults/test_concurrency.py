"""Threads, event loops, forks: every caller gets its own verdict, every verdict is recorded, no lock is kept."""

import asyncio
import gc
import os
import random
import threading
import time

import pytest

from mage_ml.forking import InUseAtForkError
from mage_ml.risk import RiskAxis
from mage_ml.runtime.audit import AuditLog, AuditQuery, verify
from mage_ml.runtime.evaluators import RuleEvaluator, TieredEvaluator, TimeLimited
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import GuardrailEngine
from mage_ml.testing import FixedEvaluator, SlowEvaluator
from tests.faults.cases import ACTIONS, ENTRIES, POLICY, SOUND, guard_for
from tests.runtime.cases import GOAL_EN, chain, mail

THREADS = 32


class ByRun:
    """Scores every run differently, so that a verdict that went astray shows."""

    name = "by_run"

    def assess(self, snapshot):
        number = int(snapshot.entries[0].origin)
        scores = {RiskAxis.SAFETY: number / 100.0}
        return FixedEvaluator(scores, entry_ids=(f"e{number % 3}",), name=self.name).assess(snapshot)


def run_all(targets):
    threads = [threading.Thread(target=target) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_complaint_21_thirty_two_threads_share_an_engine_and_a_log_and_nothing_else(tmp_path):
    engine = GuardrailEngine(TieredEvaluator(RuleEvaluator(), TimeLimited(ByRun(), 30.0)), POLICY)
    found = {}

    def live(number):
        entries = [{**fields, "origin": str(number)} for fields in SOUND]
        guard = guard_for(engine, entries, audit=log, run_id=f"run{number}")
        for step in range(4):
            guard.remember(content=f"Step {step} of run {number}.", source="llm_reasoning", origin=str(number))
            decision = guard.check(mail("e1", body=f"run {number}"))
            found.setdefault(number, []).append(decision)

    with AuditLog(tmp_path / "a.sqlite") as log:
        run_all([lambda number=number: live(number) for number in range(THREADS)])
        assert verify(log).is_whole
        for number in range(THREADS):
            own = [next(t for t in d.tiers if t.tier == "by_run").raw.safety for d in found[number]]
            assert own == [number / 100.0] * 4
            records = list(log.matches(AuditQuery(run_id=f"run{number}")))
            assert [record.decision_id for record in records] == [d.decision_id for d in found[number]]
            assert all(f"run {number}" in str(record.payload["pending_action"]) for record in records)


def test_complaint_20_it_works_in_a_thread_without_a_loop_and_inside_a_running_one():
    guard = guard_for(GuardrailEngine(RuleEvaluator(), POLICY))
    outcomes = []
    run_all([lambda: outcomes.append(guard.check(ACTIONS["read"]).action)])

    async def inside():
        outcomes.append(guard.check(ACTIONS["read"]).action)
        outcomes.append((await guard.acheck(ACTIONS["read"])).action)
        both = await asyncio.gather(*(guard.acheck(ACTIONS["read"]) for _ in range(8)))
        outcomes.extend(decision.action for decision in both)

    asyncio.run(inside())
    run_all([lambda: asyncio.run(inside())])
    assert len(outcomes) == 21


def test_complaint_22_a_check_that_is_never_awaited_is_told_by_python():
    guard = guard_for(GuardrailEngine(RuleEvaluator(), POLICY))

    def forget():
        guard.acheck(ACTIONS["read"])
        gc.collect()

    with pytest.warns(RuntimeWarning, match="never awaited"):
        forget()


def test_cancelled_checks_lose_no_record_keep_no_lock_and_answer_nobody_else(tmp_path):
    rng = random.Random(3)
    delays = [rng.uniform(0.0, 0.03) for _ in range(40)]
    slow = GuardrailEngine(SlowEvaluator(0.004, {RiskAxis.SAFETY: 0.1}), POLICY)
    answered, seen = [], []

    async def one(guard, number):
        decision = await guard.acheck(mail("e1", body=f"call {number}"))
        answered.append((number, decision.decision_id))

    async def main(guard):
        tasks = []
        for number, delay in enumerate(delays):
            task = asyncio.create_task(one(guard, number))
            tasks.append(task)
            asyncio.get_running_loop().call_later(delay, task.cancel)
        await asyncio.gather(*tasks, return_exceptions=True)

    with AuditLog(tmp_path / "a.sqlite") as log:
        guard = guard_for(slow, SOUND, audit=log)
        asyncio.run(main(guard))
        deadline = time.monotonic() + 10
        while guard._lock.is_held and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not guard._lock.is_held
        assert guard.check(ACTIONS["read"]).decision_id
        for record in log.records():
            seen.append((record.decision_id, record.payload["pending_action"]["arguments"].get("body")))
        told = dict(seen)
        assert all(told[decision] == f"call {number}" for number, decision in answered)
        assert verify(log).is_whole


def in_child(work):
    """Run something in a forked child; returns its exit code."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = work()
        finally:
            os._exit(code)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


def test_after_a_fork_both_sides_decide_and_record_in_one_chain(tmp_path):
    with AuditLog(tmp_path / "a.sqlite") as log:
        guard = guard_for(GuardrailEngine(RuleEvaluator(), POLICY), SOUND, audit=log)
        guard.check(ACTIONS["read"])

        def work():
            allowed = [guard.check(ACTIONS["read"]).allowed for _ in range(5)]
            return 0 if all(allowed) else 1

        assert in_child(work) == 0
        assert guard.check(ACTIONS["read"]).allowed
        assert len(log) == 7
        assert verify(log).is_whole


def test_a_fork_among_busy_threads_leaves_the_child_a_working_log_and_refuses_half_done_guards(tmp_path):
    engine = GuardrailEngine(TieredEvaluator(RuleEvaluator(), SlowEvaluator(0.002)), POLICY)
    stop = threading.Event()
    with AuditLog(tmp_path / "a.sqlite", durable=False) as log:
        guards = [guard_for(engine, ENTRIES, audit=log) for _ in range(8)]

        def busy(guard):
            while not stop.is_set():
                guard.check(ACTIONS["read"])

        def work():
            fresh = MageGuard(engine, goal=GOAL_EN, audit=log)
            for entry in chain(*SOUND):
                fresh.observe(entry)
            if not fresh.check(ACTIONS["read"]).allowed:
                return 1
            for guard in guards:
                try:
                    guard.check(ACTIONS["read"])
                except InUseAtForkError:
                    continue
            return 0

        threads = [threading.Thread(target=busy, args=(guard,)) for guard in guards]
        for thread in threads:
            thread.start()
        try:
            codes = [in_child(work) for _ in range(6)]
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert codes == [0] * 6
        assert verify(log).is_whole
