"""The one seam every evaluator fits."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment


@runtime_checkable
class Evaluator(Protocol):
    """Scores snapshots. Stateless between calls as far as the caller can tell, and safe to share between threads."""

    @property
    def name(self) -> str:
        """Short name, used in coverage and evidence."""
        ...

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Score one snapshot.

        Raises:
            EvaluatorError: No score could be given. Anything else raised is treated the same way: as a failure of this
                evaluator, never as a verdict.
        """
        ...
