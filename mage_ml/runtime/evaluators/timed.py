"""A time limit around an evaluator: too late is a failure, never a verdict."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Final

from mage_ml.errors import EvaluatorError
from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment
from mage_ml.runtime.evaluators.base import Evaluator, PreparedCall, prepare

MAX_ABANDONED: Final = 8


class TimeLimited:
    """Runs an evaluator on a thread of its own and gives up after a while.

    A thread cannot be stopped from outside, so one that is late goes on until it ends by itself. At most eight may be
    under way; beyond that a call waits for one to end, which keeps memory and threads bounded. The limit covers the
    wait for a free thread and the answer together.

    Args:
        evaluator: What to run.
        timeout_s: Seconds within which a call answers or fails.
    """

    def __init__(self, evaluator: Evaluator, timeout_s: float) -> None:
        self._evaluator = evaluator
        self._timeout_s = timeout_s
        self._slots = threading.BoundedSemaphore(MAX_ABANDONED)

    @property
    def name(self) -> str:
        """The name of the evaluator inside."""
        return self._evaluator.name

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Score one snapshot.

        Raises:
            EvaluatorError: No answer in time, no thread was free in time, or the evaluator tried to end the program.
        """
        return self._limited(lambda: self._evaluator.assess(snapshot))

    def prepare(self, snapshot: Snapshot) -> PreparedCall:
        """Read all that is needed of a snapshot now, outside the limit; the limit covers the answer."""
        call = prepare(self._evaluator, snapshot)
        return PreparedCall(call.key, lambda: self._limited(call.ask))

    def _limited(self, ask: Callable[[], Assessment]) -> Assessment:
        deadline = time.monotonic() + self._timeout_s
        if not self._slots.acquire(timeout=self._timeout_s):
            raise EvaluatorError(
                f"{self.name}: {MAX_ABANDONED} earlier calls are still running; none ended in time for a new one"
            )
        answers: queue.SimpleQueue[Assessment | BaseException] = queue.SimpleQueue()

        def work() -> None:
            try:
                answers.put(ask())
            except BaseException as error:
                answers.put(error)
            finally:
                self._slots.release()

        try:
            threading.Thread(target=work, name=f"mage-ml {self.name}", daemon=True).start()
        except RuntimeError as error:  # no more threads, or the program is ending
            self._slots.release()
            raise EvaluatorError(f"{self.name}: no thread could be started: {error}") from error
        try:
            answer = answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise EvaluatorError(f"{self.name}: no answer within {self._timeout_s:g} s") from None
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, BaseException):  # ending the thread does not end the program
            raise EvaluatorError(f"{self.name}: ended by {type(answer).__name__}: {answer}") from answer
        return answer
