"""Evaluators with a known answer, for tests of code that uses the guard."""

from __future__ import annotations

import time
from collections.abc import Mapping

from mage_ml.errors import EvaluatorError
from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis, RiskVector


class FixedEvaluator:
    """Gives the same scores for every snapshot.

    Args:
        scores: Score by axis; axes that are not named are 0.
        entry_ids: The entries it blames.
        name: Its name in coverage and evidence.
        coverage: What it claims to have checked; by default just that it ran.
    """

    def __init__(
        self,
        scores: Mapping[RiskAxis, float] | None = None,
        *,
        entry_ids: tuple[str, ...] = (),
        name: str = "fixed",
        coverage: Coverage | None = None,
    ) -> None:
        self.name = name
        self.calls = 0
        self._risk = RiskVector.from_scores(scores or {})
        self._entry_ids = entry_ids
        self._coverage = coverage or Coverage(ran=(name,))

    def assess(self, snapshot: Snapshot) -> Assessment:
        """The fixed scores, with one piece of evidence for each axis above 0."""
        self.calls += 1
        evidence = tuple(
            Evidence(axis=axis, score=self._risk[axis], found_by=self.name, entry_ids=self._entry_ids)
            for axis in RiskAxis
            if self._risk[axis] > 0.0
        )
        return Assessment(
            risk=self._risk,
            evidence=evidence,
            coverage=self._coverage,
            entry_scores=dict.fromkeys((name for name in self._entry_ids if name in snapshot), self._risk.peak),
        )


class FailingEvaluator:
    """Raises on every snapshot.

    Args:
        error: What it raises.
        name: Its name in coverage.
    """

    def __init__(self, error: Exception | None = None, *, name: str = "failing") -> None:
        self.name = name
        self._error = error or EvaluatorError("this evaluator always fails")

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Raise.

        Raises:
            Exception: Always.
        """
        raise self._error


class SlowEvaluator(FixedEvaluator):
    """Gives fixed scores after a pause.

    Args:
        delay_s: Seconds it takes.
        scores: Score by axis.
        name: Its name in coverage and evidence.
    """

    def __init__(self, delay_s: float, scores: Mapping[RiskAxis, float] | None = None, *, name: str = "slow") -> None:
        super().__init__(scores, name=name)
        self._delay_s = delay_s

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Wait, then give the fixed scores."""
        time.sleep(self._delay_s)
        return super().assess(snapshot)
