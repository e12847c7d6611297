"""A time limit around an evaluator: too late is a failure, never a verdict."""

from __future__ import annotations

import queue
import threading
from typing import Final

from mage_ml.errors import EvaluatorError
from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment
from mage_ml.runtime.evaluators.base import Evaluator

MAX_ABANDONED: Final = 8


class TimeLimited:
    """Runs an evaluator on a thread of its own and gives up after a while.

    A thread cannot be stopped from outside, so one that is late goes on until it ends by itself. At most eight may be
    under way; beyond that the evaluator counts as failed at once, which keeps memory and threads bounded.

    Args:
        evaluator: What to run.
        timeout_s: Seconds to wait for its answer.
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
            EvaluatorError: No answer in time, or too many late answers are still under way.
        """
        if not self._slots.acquire(timeout=self._timeout_s):
            raise EvaluatorError(f"{self.name}: {MAX_ABANDONED} earlier calls are still running; no new one is started")
        answers: queue.SimpleQueue[Assessment | BaseException] = queue.SimpleQueue()

        def work() -> None:
            try:
                answers.put(self._evaluator.assess(snapshot))
            except BaseException as error:
                answers.put(error)
            finally:
                self._slots.release()

        threading.Thread(target=work, name=f"mage-ml {self.name}", daemon=True).start()
        try:
            answer = answers.get(timeout=self._timeout_s)
        except queue.Empty:
            raise EvaluatorError(f"{self.name}: no answer within {self._timeout_s:g} s") from None
        if isinstance(answer, BaseException):
            raise answer
        return answer
