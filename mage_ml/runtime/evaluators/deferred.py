"""Work done in the background, one piece after another, with the results in the order of the questions."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from mage_ml.forking import fork_safe_lock
from mage_ml.risk import Assessment, Coverage

Tag = TypeVar("Tag")


@dataclass(slots=True)
class _Job(Generic[Tag]):
    tag: Tag
    ask: Callable[[], Assessment]
    done: threading.Event = field(default_factory=threading.Event)
    answer: Assessment | None = None


@dataclass(frozen=True, slots=True)
class Answered(Generic[Tag]):
    """An answer that came in.

    Attributes:
        tag: What was submitted with the question.
        assessment: The answer. A question that failed has it in `coverage.failed`.
    """

    tag: Tag
    assessment: Assessment


class DeferredQueue(Generic[Tag]):
    """Asks questions on a thread of its own, in order. Safe to share between threads.

    The thread starts with the first question and ends when none is left, so that an idle queue costs nothing and a
    program that ends waits for what it had begun.

    Args:
        name: Named in failures.
        capacity: Questions under way or not yet taken at most.
        on_answer: Told, on the background thread, that `take` may have something. It must not wait for the queue.
    """

    def __init__(self, name: str, capacity: int, on_answer: Callable[[], None]) -> None:
        self._name = name
        self._capacity = capacity
        self._on_answer = on_answer
        self._lock = fork_safe_lock()
        self._waiting: deque[_Job[Tag]] = deque()
        self._begun: deque[_Job[Tag]] = deque()
        self._thread: threading.Thread | None = None

    def submit(self, tag: Tag, ask: Callable[[], Assessment]) -> bool:
        """Put a question at the end; `False` when the queue is full, and nothing was taken."""
        with self._lock:
            if len(self._begun) >= self._capacity:
                return False
            job = _Job(tag, ask)
            self._begun.append(job)
            self._waiting.append(job)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name=f"mage-ml {self._name}", daemon=False)
                self._thread.start()
            return True

    def take(self, at_most: int | None = None) -> tuple[Answered[Tag], ...]:
        """The answers that are in and were not taken, in order; none after one that is still out.

        Args:
            at_most: How many; `None` for all.
        """
        taken: list[Answered[Tag]] = []
        with self._lock:
            while self._begun and self._begun[0].answer is not None and len(taken) != at_most:
                job = self._begun.popleft()
                assert job.answer is not None
                taken.append(Answered(job.tag, job.answer))
        return tuple(taken)

    def wait(self, timeout_s: float) -> int:
        """Wait for all questions submitted so far.

        Args:
            timeout_s: Seconds to wait at most.

        Returns:
            How many of them have no answer yet.
        """
        with self._lock:
            jobs = list(self._begun)
            is_worker = threading.current_thread() is self._thread
        deadline = time.monotonic() + timeout_s
        while is_worker and time.monotonic() < deadline and self._work_once():
            pass  # called from within `on_answer`: nobody else would do the work that is waited for
        return sum(not job.done.wait(max(0.0, deadline - time.monotonic())) for job in jobs)

    def __len__(self) -> int:
        with self._lock:
            return len(self._begun)

    def _work(self) -> None:
        while self._work_once():
            self._on_answer()

    def _work_once(self) -> bool:
        with self._lock:
            if not self._waiting:
                if threading.current_thread() is self._thread:
                    self._thread = None  # under the lock: the next submit starts a new one
                return False
            job = self._waiting.popleft()
        try:
            answer = job.ask()
        except BaseException as error:
            answer = Assessment(coverage=Coverage(failed={self._name: f"{type(error).__name__}: {error}"}))
        job.answer = answer
        job.done.set()
        return True
