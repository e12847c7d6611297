"""Tells agents that go in circles from agents that wait.

What counts as progress is a result that changes: a job at 41 % after 40 %, a new message of the user, another step with
a result not seen before. Times, dates and ids in a result are masked first, or every clock would count as progress.
"""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import re2

from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.evaluators.normalise import normalised
from mage_ml.runtime.governor.loop_types import LoopFinding, LoopKind, LoopSettings, Move, MoveKind

_MAX_RUNS: Final = 2048
_MAX_CHARS: Final = 4000
_MAX_PERIOD: Final = 6
_SHINGLE: Final = 3
_VARYING = re2.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]+Z?(?:[+-][0-9:]+)?)?|\b[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]+)?"
    r"|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|\b[0-9a-f]{24,64}\b"
    r"|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日|[0-9]{1,2}[点时][0-9]{1,2}分"
    r"|(?i)\b(?:elapsed|after|for|uptime)[: ]+[0-9.]+ ?(?:ms|s|sec|seconds|min|minutes)\b"
    r"|已(?:等待|运行|用时)[0-9.]+(?:秒|分钟)"
)
_PENDING = re2.compile(
    r"(?i)\b(?:pending|running|queued|in progress|in_progress|processing|not ready|still waiting|scheduled)\b"
    r"|处理中|排队|运行中|进行中|等待中|尚未完成|还没(?:有)?(?:好|完成)|稍后"
)
_SPACES = re2.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Seen:
    move: Move
    key: str
    result: str
    shingles: frozenset[str]
    is_wait: bool
    at: float

    def is_step(self, other: _Seen) -> bool:
        return self.key == other.key and self.result == other.result


@dataclass(slots=True)
class _Run:
    moves: deque[_Seen]
    stands_still: int = 0
    progress: str = ""
    waits: dict[str, _Waiting] = field(default_factory=dict)


@dataclass(slots=True)
class _Waiting:
    result: str
    times: int
    since: float


class LoopDetector:
    """Watches runs for loops. Safe between threads; the runs that were active last are remembered.

    Args:
        settings: When repetition is a loop.
        clock: Seconds of a clock that never goes back.
    """

    def __init__(self, settings: LoopSettings | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings or LoopSettings()
        self._clock = clock
        self._lock = fork_safe_lock()
        self._runs: OrderedDict[str, _Run] = OrderedDict()

    def observe(self, run_id: str, move: Move) -> LoopFinding | None:
        """Take note of a step; a loop, when it closes one."""
        seen = _seen(move, self._clock())
        with self._lock:
            run = self._runs.setdefault(run_id, _Run(deque(maxlen=self._settings.window)))
            self._runs.move_to_end(run_id)
            if len(self._runs) > _MAX_RUNS:
                self._runs.popitem(last=False)
            if seen.is_wait:
                return self._waiting(run, seen)
            run.moves.append(seen)
            return self._repeated(run) or self._standing_still(run, move) or self._handed_about(run)

    def forget(self, run_id: str) -> None:
        """Start a run afresh, for example after a person has stepped in."""
        with self._lock:
            self._runs.pop(run_id, None)

    def _waiting(self, run: _Run, seen: _Seen) -> LoopFinding | None:
        known = run.waits.get(seen.key)
        if known is None or known.result != seen.result:
            if len(run.waits) >= self._settings.window:
                run.waits.pop(next(iter(run.waits)))
            run.waits[seen.key] = _Waiting(seen.result, 1, seen.at)
            return None
        known.times += 1
        waited_s = seen.at - known.since
        if known.times <= self._settings.waits and waited_s <= self._settings.wait_s:
            return None
        detail = f"asked {known.times} times within {waited_s:.0f} s, and nothing changed"
        return LoopFinding(LoopKind.ENDLESS_WAIT, (seen.move.agent_id,), known.times, detail)

    def _repeated(self, run: _Run) -> LoopFinding | None:
        moves = list(run.moves)
        return self._in_rounds(moves) or self._same_again(moves) or self._nearly_the_same(moves)

    def _in_rounds(self, moves: list[_Seen]) -> LoopFinding | None:
        for period in range(2, _MAX_PERIOD + 1):
            times = _rounds(moves, period)
            if times >= self._settings.rounds:
                agents = tuple(dict.fromkeys(one.move.agent_id for one in moves[-period:]))
                hands_over = any(one.move.kind is MoveKind.DELEGATE for one in moves[-period:])
                kind = LoopKind.PING_PONG if hands_over and len(agents) > 1 else LoopKind.CYCLE
                return LoopFinding(kind, agents, times, f"{period} steps repeated {times} times with the same results")
        return None

    def _same_again(self, moves: list[_Seen]) -> LoopFinding | None:
        last = moves[-1]
        same = [place for place, one in enumerate(moves) if one.is_step(last)]
        if len(same) < self._settings.exact or _something_new(moves, same[-self._settings.exact :]):
            return None
        if last.move.kind is MoveKind.DELEGATE and same[-1] - same[-2] > 1:
            return None  # it came back in between: that is handing about
        detail = f"the same step with the same result {len(same)} times: {last.move.content[:80]!r}"
        return LoopFinding(LoopKind.EXACT, (last.move.agent_id,), len(same), detail)

    def _nearly_the_same(self, moves: list[_Seen]) -> LoopFinding | None:
        last = moves[-1]
        near = [place for place, one in enumerate(moves[:-1]) if self._is_near(one, last) and not one.is_step(last)]
        near.append(len(moves) - 1)
        if len(near) < self._settings.near or _something_new(moves, near[-self._settings.near :]):
            return None
        detail = f"nearly the same step {len(near)} times with the same result: {last.move.content[:80]!r}"
        return LoopFinding(LoopKind.NEAR, (last.move.agent_id,), len(near), detail)

    def _is_near(self, one: _Seen, last: _Seen) -> bool:
        return (
            one.move.agent_id == last.move.agent_id
            and one.move.kind is last.move.kind
            and one.move.target == last.move.target
            and one.result == last.result
            and _likeness(one.shingles, last.shingles) >= self._settings.likeness
        )

    def _standing_still(self, run: _Run, move: Move) -> LoopFinding | None:
        if not move.progress:
            return None
        run.stands_still = run.stands_still + 1 if move.progress == run.progress else 1
        run.progress = move.progress
        if run.stands_still < self._settings.no_progress:
            return None
        agents = tuple(dict.fromkeys(one.move.agent_id for one in run.moves))
        detail = f"{run.stands_still} steps, and progress stands at {move.progress[:60]!r}"
        return LoopFinding(LoopKind.NO_PROGRESS, agents, run.stands_still, detail)

    def _handed_about(self, run: _Run) -> LoopFinding | None:
        """A task that two or more agents hand to one another, in whatever words, with nothing done in between."""
        handed: list[_Seen] = []
        for one in reversed(run.moves):
            if one.move.kind is MoveKind.ACT:
                break  # somebody did something
            if one.move.kind is MoveKind.DELEGATE:
                if handed and one.result != handed[-1].result:
                    break
                handed.append(one)
        if len(handed) < 2 * self._settings.rounds:
            return None
        handed.reverse()
        agents = tuple(dict.fromkeys(one.move.agent_id for one in handed))
        closed = all(one.move.target == other.move.agent_id for one, other in itertools.pairwise(handed))
        if not closed or len(agents) < 2 or len(handed) < len(agents) * self._settings.rounds:
            return None
        times = len(handed) // len(agents)
        return LoopFinding(
            LoopKind.PING_PONG, agents, times, f"handed over {len(handed)} times, and nobody did anything"
        )


def _seen(move: Move, at: float) -> _Seen:
    content, result = _plain(move.content), _plain(move.result)
    is_wait = move.kind is MoveKind.WAIT or (move.kind is MoveKind.ACT and bool(_PENDING.search(result)))
    key = "\n".join((move.agent_id, move.kind.value, move.target, content))
    shingles = frozenset(content[start : start + _SHINGLE] for start in range(max(1, len(content) - _SHINGLE + 1)))
    return _Seen(move, key, result, shingles, is_wait, at)


def _plain(text: str) -> str:
    short = normalised(text[:_MAX_CHARS]).lower()
    return str(_SPACES.sub(" ", _VARYING.sub("~", short))).strip()


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    either = len(one | other)
    return len(one & other) / either if either else 1.0


def _something_new(moves: list[_Seen], places: list[int]) -> bool:
    """Whether other steps in between brought a result for the first time, so that somebody got on."""
    known = {(one.key, one.result) for one in moves[: places[0]]}
    for place in range(places[0], places[-1]):
        one = moves[place]
        if place not in places and one.result and (one.key, one.result) not in known:
            return True
        known.add((one.key, one.result))
    return False


def _rounds(moves: list[_Seen], period: int) -> int:
    """How often the last `period` steps were made in a row; 1 for once. Steps that are all the same are no series."""
    if len(moves) < 2 * period:
        return 1
    pattern = moves[-period:]
    if all(one.is_step(pattern[0]) for one in pattern):
        return 1
    times = 1
    for end in range(len(moves) - period, period - 1, -period):
        if not all(one.is_step(other) for one, other in zip(moves[end - period : end], pattern, strict=True)):
            break
        times += 1
    return times
