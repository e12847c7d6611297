"""What adaptation may change, and how far: hard bounds, set by a person."""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from mage_ml.config import Config, nearest
from mage_ml.errors import ConfigError
from mage_ml.runtime.governor.constraint import Constraint, ConstraintSet, Name, Severity
from mage_ml.runtime.governor.validator_specs import ClassifierSpec, JudgeSpec


class ThresholdBounds(Config):
    """Thresholds that may be chosen."""

    low: Annotated[float, Field(gt=0.0, lt=1.0, description="The lowest: the strictest setting.")]
    high: Annotated[float, Field(gt=0.0, lt=1.0, description="The highest: the laxest setting.")]
    steps: Annotated[int, Field(ge=2, le=20, description="How many thresholds there are, both ends included.")] = 5

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"expected low below high, found {self.low} and {self.high}")
        return self

    @property
    def values(self) -> tuple[float, ...]:
        """The thresholds, from the lowest."""
        width = (self.high - self.low) / (self.steps - 1)
        return tuple(round(self.low + place * width, 6) for place in range(self.steps))


class Tunable(Config):
    """A constraint that may be tuned."""

    constraint: Annotated[Name, Field(description="Its id.")]
    threshold: Annotated[
        ThresholdBounds | None, Field(description="Bounds of its validator's threshold; null leaves that alone.")
    ] = None
    severities: Annotated[
        tuple[Severity, ...],
        Field(description="Severities that may be chosen, of warn and log; empty leaves it alone."),
    ] = ()

    @model_validator(mode="after")
    def _tunes_something(self) -> Self:
        if self.threshold is None and not self.severities:
            raise ValueError("expected `threshold`, `severities`, or both")
        return self


class TuningPlan(Config):
    """What may be tuned, and when."""

    tunables: Annotated[tuple[Tunable, ...], Field(description="The constraints that may be tuned.")] = ()
    min_labels: Annotated[int, Field(ge=1, description="Labels of a constraint before anything is changed.")] = 30
    miss_weight: Annotated[
        int, Field(ge=1, le=100, description="How many false alarms weigh as much as one missed violation.")
    ] = 3


_WITH_THRESHOLD: Final = (ClassifierSpec, JudgeSpec)


def check_plan(plan: TuningPlan, constraints: ConstraintSet) -> None:
    """Refuse a plan that the constraints do not allow.

    A constraint of severity block stays one, and none becomes one by tuning: who may hold outputs back is decided by a
    person.

    Raises:
        ConfigError: One line for each mistake.
    """
    known = {one.id: one for one in constraints.constraints}
    mistakes = []
    for tunable in plan.tunables:
        constraint = known.get(tunable.constraint)
        if constraint is None:
            hint = nearest(tunable.constraint, list(known))
            mistakes.append(f"tunables: unknown constraint {tunable.constraint!r}; {hint}")
            continue
        mistakes += [f"tunables: {constraint.id}: {text}" for text in _mistakes(tunable, constraint)]
    if mistakes:
        raise ConfigError("\n".join(mistakes))


def _mistakes(tunable: Tunable, constraint: Constraint) -> list[str]:
    found = []
    if constraint.severity is Severity.BLOCK and tunable.severities:
        found.append("its severity is block, which tuning never changes; leave `severities` out")
    if constraint.severity is not Severity.BLOCK and Severity.BLOCK in tunable.severities:
        found.append("tuning makes no constraint block; expected warn and log under `severities`")
    if tunable.severities and constraint.severity not in tunable.severities:
        found.append(f"its severity {constraint.severity.value} is not among `severities`")
    if tunable.threshold is not None and not isinstance(constraint.validator, _WITH_THRESHOLD):
        found.append(f"a validator of kind {constraint.validator.kind} has no threshold; expected classifier or llm")
    return found
