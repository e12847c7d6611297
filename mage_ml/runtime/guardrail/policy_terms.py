"""The words of a policy: decisions, modes, ladders, rows."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field

from mage_ml.config import Config, nearest
from mage_ml.memory import ActionType

STANDARD_TYPES: Final = tuple(kind.value for kind in ActionType)


class DecisionAction(StrEnum):
    """What to do about a pending action, from mildest to strictest."""

    PROCEED = "proceed"
    WARN = "warn"
    REPAIR = "repair"
    REDIRECT = "redirect"
    HALT = "halt"

    @property
    def severity(self) -> int:
        """Rank, 0 for proceed."""
        return list(DecisionAction).index(self)


class FailMode(StrEnum):
    """What happens when an evaluator or the audit log fails."""

    CLOSED = "closed"
    """The action does not go ahead."""
    OPEN = "open"
    """The action goes ahead on what is known; every such case is named in the decision's reasons."""


class Mode(StrEnum):
    """Whether decisions bind."""

    ENFORCE = "enforce"
    SHADOW = "shadow"
    OFF = "off"


def known_name(names: Sequence[str], what: str) -> Any:  # noqa: ANN401 - a pydantic validator
    """A validator that refuses a word which is none of these, naming the nearest."""

    def check(value: object) -> object:
        if isinstance(value, str) and value not in names:
            raise ValueError(f"unknown {what} {value!r}; {nearest(value, names)}")
        return value

    return BeforeValidator(check)


class Rung(Config):
    """One step of a ladder: from this score on, do this."""

    at: Annotated[float, Field(gt=0.0, le=1.0, description="Score from which on it applies, on the common scale.")]
    do: Annotated[
        DecisionAction,
        known_name([action.value for action in DecisionAction], "decision"),
        Field(description="proceed, warn, repair, redirect or halt."),
    ]


def _climbs(ladder: tuple[Rung, ...]) -> tuple[Rung, ...]:
    for lower, upper in pairwise(ladder):
        if upper.at <= lower.at:
            raise ValueError(
                f"the rung at {upper.at:g} ({upper.do}) can never be reached: an earlier one starts at {lower.at:g}; "
                "sort the rungs by rising score"
            )
        if upper.do.severity <= lower.do.severity:
            raise ValueError(
                f"the rung at {upper.at:g} ({upper.do}) adds nothing to the one at {lower.at:g} ({lower.do}); "
                "a higher score must be met more strictly, in the order proceed, warn, repair, redirect, halt"
            )
    return ladder


Ladder = Annotated[tuple[Rung, ...], AfterValidator(_climbs)]


class ActionPolicy(Config):
    """One row of the matrix."""

    fail: Annotated[
        FailMode,
        known_name([mode.value for mode in FailMode], "fail mode"),
        Field(description="closed or open, when an evaluator or the audit log fails."),
    ]
    consistency: Annotated[Ladder, Field(description="Ladder for the consistency score.")] = ()
    factuality: Annotated[Ladder, Field(description="Ladder for the factuality score.")] = ()
    safety: Annotated[Ladder, Field(description="Ladder for the safety score.")] = ()
    dependency: Annotated[Ladder, Field(description="Ladder for the dependency score.")] = ()


class ToolOverride(Config):
    """Stricter or milder ladders for some tools. What is not given is taken from the action type."""

    tools: Annotated[tuple[str, ...], Field(min_length=1, description="Tool names; * and ? are wildcards.")]
    consistency: Annotated[Ladder | None, Field(description="Ladder instead of the action type's.")] = None
    factuality: Annotated[Ladder | None, Field(description="Ladder instead of the action type's.")] = None
    safety: Annotated[Ladder | None, Field(description="Ladder instead of the action type's.")] = None
    dependency: Annotated[Ladder | None, Field(description="Ladder instead of the action type's.")] = None


class ToolTypes(Config):
    """What kinds of tools there are, by name. A tool that no pattern names is a write."""

    read: Annotated[tuple[str, ...], Field(description="Tools without effect outside; * and ? are wildcards.")] = ()
    write: Annotated[
        tuple[str, ...], Field(description="Tools with an effect; wins over `read` and over what the host says.")
    ] = ()
    critical: Annotated[tuple[str, ...], Field(description="Write tools for which the judge is asked.")] = ()
