"""The one seam every evaluator fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mage_ml.errors import EvaluatorError
from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, RiskAxis


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


class NotAskedError(EvaluatorError):
    """An evaluator was not asked, because a budget is spent: a gap, and a failure where the action fails closed."""


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A question to an evaluator with everything read that it needs, so that memory may change before it is asked.

    Attributes:
        key: Name of the question; equal names mean equal answers.
        ask: Gives the answer, on any thread.
    """

    key: str
    ask: Callable[[], Assessment]


@runtime_checkable
class PreparedEvaluator(Evaluator, Protocol):
    """An evaluator that can read a snapshot first and answer later."""

    def prepare(self, snapshot: Snapshot) -> PreparedCall:
        """Read all that is needed of a snapshot now."""
        ...


def prepare(evaluator: Evaluator, snapshot: Snapshot) -> PreparedCall:
    """Prepare a question to any evaluator.

    One without `prepare` of its own is later given a copy of the snapshot, because graph and facts of a live one go on
    to change. Making the copy costs as much as the chain is long.
    """
    if isinstance(evaluator, PreparedEvaluator):
        return evaluator.prepare(snapshot)

    def ask() -> Assessment:
        return evaluator.assess(Snapshot.of(snapshot.entries, snapshot.action, goal=snapshot.goal))

    return PreparedCall("", ask)


def checked(answer: object, name: str) -> Assessment:
    """An evaluator's answer, if it is one: a score that is no number would pass every threshold unseen.

    Args:
        answer: What the evaluator returned.
        name: Its name.

    Raises:
        EvaluatorError: It is no assessment, or a score is not between 0 and 1.
    """
    if not isinstance(answer, Assessment):
        raise EvaluatorError(f"{name}: answered with {type(answer).__name__}; expected an Assessment")
    scores = [
        *(answer.risk[axis] for axis in RiskAxis),
        *(item.score for item in answer.evidence),
        *answer.entry_scores.values(),
    ]
    wrong = next((score for score in scores if not 0.0 <= score <= 1.0), None)
    if wrong is not None:
        raise EvaluatorError(f"{name}: gave the score {wrong}; expected 0 to 1")
    return answer


def ask_later(evaluator: Evaluator, snapshot: Snapshot) -> Callable[[], Assessment]:
    """A question read now and asked later. What goes wrong in reading is the evaluator's failure when it is asked."""
    try:
        return prepare(evaluator, snapshot).ask
    except Exception as error:
        failure = error

        def fail() -> Assessment:
            raise failure

        return fail
