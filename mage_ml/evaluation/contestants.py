"""Who takes part in a benchmark, and how anything that assesses snapshots becomes a contestant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from mage_ml.errors import EvaluatorError
from mage_ml.memory import Snapshot
from mage_ml.risk import RiskAxis

if TYPE_CHECKING:
    from mage_ml.evaluation.replay import Decide
    from mage_ml.runtime.evaluators.base import Evaluator

DEFAULT_THRESHOLD: Final = 0.5


@dataclass(frozen=True, slots=True)
class Scored:
    """What a contestant says about a snapshot.

    Attributes:
        axes: Score by axis, 0 to 1.
        overall: Risk on any axis, 0 to 1.
        entries: Entry id -> how likely it is the contaminated one; empty when the contestant does not say.
    """

    axes: Mapping[RiskAxis, float]
    overall: float
    entries: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


Scorer = Callable[[Snapshot], Scored]


@dataclass(frozen=True, slots=True)
class Contestant:
    """One participant.

    Attributes:
        name: As in the report; see `ContestantName`.
        scorer: Scores a snapshot; what it raises is counted as a failure, never as a verdict.
        thresholds: Its operating point, set before the test data is seen; an axis that is absent has 0.5.
        decide: A guard built on it, for guarded replay; `None` when it takes part in scoring only.
        size_mb: Size of what has to be shipped, in megabytes (10^6 bytes); `None` when it has no data of its own.
    """

    name: str
    scorer: Scorer
    thresholds: Mapping[RiskAxis, float] = field(default_factory=lambda: MappingProxyType({}))
    decide: Decide | None = None
    size_mb: float | None = None

    def threshold(self, axis: RiskAxis) -> float:
        """The operating threshold on an axis; a score at or above it counts as an alarm."""
        return self.thresholds.get(axis, DEFAULT_THRESHOLD)


def scorer_of(evaluator: Evaluator) -> Scorer:
    """Make an evaluator a scorer.

    The scorer raises `EvaluatorError` where a tier failed: half an answer must not be compared with whole ones.
    """

    def score(snapshot: Snapshot) -> Scored:
        assessment = evaluator.assess(snapshot)
        if assessment.coverage.failed:
            reasons = "; ".join(f"{tier}: {reason}" for tier, reason in assessment.coverage.failed.items())
            raise EvaluatorError(f"{evaluator.name}: incomplete assessment: {reasons}")
        axes = {axis: assessment.risk[axis] for axis in RiskAxis}
        return Scored(axes=axes, overall=assessment.risk.peak, entries=assessment.entry_scores)

    return score
