"""Judges traces in this process or in several, in order and with the same result."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final, Literal

from mage_ml.errors import RecordError
from mage_ml.memory import Episode
from mage_ml.runtime.guardrail import PolicyMatrix
from mage_ml.scan.judging import TraceJudge
from mage_ml.scan.results import TraceResult
from mage_ml.scan.trace import RawTrace

_PER_JOB: Final = 4
_BATCH: Final = 8


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one raw trace.

    Attributes:
        results: The traces in it.
        error: Why the rest of it could not be read.
    """

    results: tuple[TraceResult, ...]
    error: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a process needs to make its judge; see `TraceJudge.create`."""

    policy: PolicyMatrix
    model: Path | Literal["default"] | None
    salt: bytes
    show_secrets: bool

    def judge(self) -> TraceJudge:
        """Make one."""
        return TraceJudge.create(self.policy, self.model, self.salt, show_secrets=self.show_secrets)


def judged(raws: Iterable[RawTrace | Episode], judge: TraceJudge, recipe: Recipe, jobs: int) -> Iterator[Judged]:
    """Judge traces in order.

    Args:
        raws: The traces; only a few are asked for ahead of the results.
        judge: The judge of this process.
        recipe: How other processes make theirs.
        jobs: How many processes.
    """
    if jobs == 1:
        yield from (_judge_one(judge, raw) for raw in raws)
        return
    # Spawned, not forked: the parent has a model and its threads.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start_worker, initargs=(recipe,))
    waiting: deque[Future[tuple[Judged, ...]]] = deque()
    with pool:
        try:
            for batch in _batches(raws):
                waiting.append(pool.submit(_work, batch))
                if len(waiting) >= jobs * _PER_JOB:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _judge_one(judge: TraceJudge, raw: RawTrace | Episode) -> Judged:
    results: list[TraceResult] = []
    try:
        results.extend(judge.judge(raw))
    except RecordError as error:
        return Judged(tuple(results), str(error))
    return Judged(tuple(results))


def _batches(raws: Iterable[RawTrace | Episode]) -> Iterator[tuple[RawTrace | Episode, ...]]:
    batch: list[RawTrace | Episode] = []
    for raw in raws:
        batch.append(raw)
        if len(batch) >= _BATCH:
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)


_WORKER: Final[dict[str, TraceJudge]] = {}
"""The judge of a worker process; empty in the parent."""


def _start_worker(recipe: Recipe) -> None:
    _WORKER["judge"] = recipe.judge()


def _work(batch: tuple[RawTrace | Episode, ...]) -> tuple[Judged, ...]:
    return tuple(_judge_one(_WORKER["judge"], raw) for raw in batch)
