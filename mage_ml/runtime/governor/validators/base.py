"""The seam every validator fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.risk import Score
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.validator_specs import OwnSpec


class Verdict(BaseModel):
    """Whether an output keeps a constraint.

    Attributes:
        violated: Whether it is broken.
        offending: The words that break it; empty where something is missing.
        explanation: One phrase for a person; empty where the offending words say it all.
        score: How sure, 0 to 1.
        found_by: What found it: a pattern, a model, a knowledge base.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    violated: bool
    offending: str = ""
    explanation: str = ""
    score: Score = 1.0
    found_by: Annotated[str, Field(max_length=200)] = ""


KEPT = Verdict(violated=False)


class Validator(Protocol):
    """Checks outputs against a constraint. Safe to share between threads."""

    def check(self, question: Question) -> Verdict:
        """Give a verdict.

        Raises:
            EvaluatorError: None could be given. Anything else raised is treated the same way: as a failure, never as
                a verdict that the constraint is kept.
        """
        ...


OwnCheck = Callable[[Question, OwnSpec], Verdict]
"""A validator of the host's own."""
OwnChecks = Mapping[str, OwnCheck]
