"""Complaints 40 and 41: circles are found, waiting is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mage_ml.runtime.governor.loop_types import LoopFinding, LoopKind, LoopSettings, Move, MoveKind
from mage_ml.runtime.governor.loops import LoopDetector


def first(
    moves: list[Move], settings: LoopSettings | None = None, step_s: float = 1.0
) -> tuple[int, LoopFinding] | None:
    now = [0.0]
    detector = LoopDetector(settings, clock=lambda: now[0])
    for place, move in enumerate(moves, start=1):
        now[0] += step_s
        found = detector.observe("run", move)
        if found is not None:
            return place, found
    return None


def act(content: str, result: str = "", agent: str = "a", **fields: str) -> Move:
    return Move(agent, MoveKind.ACT, content, result, **fields)


def say(content: str, result: str = "", agent: str = "a") -> Move:
    return Move(agent, MoveKind.SAY, content, result)


def hand(agent: str, target: str, content: str, result: str = "") -> Move:
    return Move(agent, MoveKind.DELEGATE, content, result, target)


@pytest.mark.parametrize(
    ("moves", "at", "kind"),
    [
        ([act("get_order 17", "not found")] * 5, 3, LoopKind.EXACT),
        ([act("get_order 17", "error at 12:00:01"), act("GET_ORDER  17", "error at 12:00:05")] * 2, 3, LoopKind.EXACT),
        ([act("查询订单17", "2026年5月3日 未找到"), act("查询订单17", "2026年5月4日 未找到")] * 2, 3, LoopKind.EXACT),
        ([act("read a", "x"), act("read b", "y")] * 4, 6, LoopKind.CYCLE),
        ([say(f"Let me look into your refund once more for you, customer {n}") for n in "abcdefg"], 4, LoopKind.NEAR),
        ([act(f"step {n}", f"result {n}", progress="3 of 9") for n in range(30)], 12, LoopKind.NO_PROGRESS),
        ([hand("a", "b", "refund 17"), hand("b", "a", "refund 17 please")] * 5, 6, LoopKind.PING_PONG),
        ([hand("甲", "乙", "退款事宜"), hand("乙", "甲", "请你处理退款")] * 5, 6, LoopKind.PING_PONG),
    ],
)
def test_circles_are_found(moves: list[Move], at: int, kind: LoopKind) -> None:
    found = first(moves)
    assert found is not None
    assert (found[0], found[1].kind) == (at, kind)


def test_complaint_40_a_task_handed_about_in_other_words_each_time_is_found() -> None:
    words = [
        "please refund order 17",
        "this is yours I think",
        "can you take it",
        "no, billing does that",
        "back to you",
    ]
    moves = [hand("a", "b", word) if place % 2 == 0 else hand("b", "a", word) for place, word in enumerate(words * 2)]
    found = first(moves)
    assert found is not None
    assert found[1].kind is LoopKind.PING_PONG
    assert set(found[1].agent_ids) == {"a", "b"}


@pytest.mark.parametrize(
    "moves",
    [
        [act("job_status 9", f"running, {percent} % done") for percent in range(100)],
        [act("job_status 9", f"running, elapsed {seconds} s") for seconds in range(100)],
        [act("job_status 9", "queued")] * 100,
        [act("任务状态 9", "处理中，请稍后")] * 100,
        [Move("a", MoveKind.WAIT, "wait for approval")] * 100,
        [act("list_files", f"{count} files") for count in range(50)],
        [say("Could you tell me more?", f"the customer says {n}") for n in range(30)],
        [act(f"read page {n}", f"text {n}") for n in range(80)],
        [act(f"step {n}", "ok", progress=f"{n} of 80") for n in range(80)],
        [move for n in range(20) for move in (act(f"edit file {n}", f"edited {n}"), act("git status", "clean"))],
        [move for n in range(20) for move in (hand("a", "b", f"case {n}"), act(f"solve {n}", f"done {n}", "b"))],
    ],
    ids=lambda moves: moves[0].content,
)
def test_complaint_41_waiting_and_working_are_no_loops(moves: list[Move]) -> None:
    assert first(moves) is None


def test_waiting_has_a_bound_in_times_and_in_seconds() -> None:
    waiting = [act("job_status 9", "still running")] * 200
    found = first(waiting)
    assert found is not None
    assert (found[0], found[1].kind) == (121, LoopKind.ENDLESS_WAIT)
    found = first(waiting, step_s=100.0)
    assert found is not None
    assert (found[0], found[1].kind) == (38, LoopKind.ENDLESS_WAIT)


def test_a_change_starts_the_wait_afresh() -> None:
    moves = [act("job_status 9", f"running, stage {step // 100}") for step in range(900)]
    assert first(moves) is None


def test_runs_are_kept_apart_and_can_be_started_afresh() -> None:
    detector = LoopDetector()
    for _ in range(2):
        assert detector.observe("one", act("x", "y")) is None
        assert detector.observe("two", act("x", "y")) is None
    detector.forget("one")
    assert detector.observe("one", act("x", "y")) is None
    assert detector.observe("two", act("x", "y")) is not None


def test_each_setting_changes_something() -> None:
    same = [act("x", "y")] * 9
    assert first(same, LoopSettings(exact=5)) is not None
    found = [first(same, LoopSettings(exact=times)) for times in (2, 5)]
    assert [one[0] for one in found if one] == [2, 5]
    near = [say(f"Let me look into your refund once more for you, customer {n}") for n in "abcdefg"]
    assert first(near, LoopSettings(near=7)) is not None
    assert first(near, LoopSettings(likeness=1.0)) is None
    cycle = [act("read a", "x"), act("read b", "y")] * 6
    assert [found[0] for rounds in (2, 4) if (found := first(cycle, LoopSettings(rounds=rounds, exact=9)))] == [4, 8]
    still = [act(f"step {n}", f"r{n}", progress="p") for n in range(9)]
    assert first(still, LoopSettings(no_progress=5)) is not None
    waits = [act("job", "queued")] * 9
    assert first(waits, LoopSettings(waits=3)) is not None
    assert first(waits, LoopSettings(wait_s=3.0)) is not None
    far = [act("x", "y"), *(act(f"s{n}") for n in range(10))] * 3
    assert first(far, LoopSettings(window=8, rounds=9, near=99)) is None
    assert first(far, LoopSettings(window=64, rounds=9, near=99)) is not None


@given(st.lists(st.integers(0, 10_000), unique=True, max_size=60))
def test_steps_that_each_bring_something_new_are_never_a_loop(numbers: list[int]) -> None:
    assert first([act(f"fetch {number}", f"row {number}") for number in numbers]) is None
