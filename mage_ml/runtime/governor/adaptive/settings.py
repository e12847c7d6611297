"""A setting of a constraint that may be tuned: its threshold and its severity."""

from __future__ import annotations

from dataclasses import dataclass

from mage_ml.runtime.governor.adaptive.bounds import Tunable
from mage_ml.runtime.governor.adaptive.labels import Label
from mage_ml.runtime.governor.constraint import Constraint, Severity
from mage_ml.runtime.governor.validator_specs import ClassifierSpec, JudgeSpec


@dataclass(frozen=True, slots=True)
class Setting:
    """How strict a constraint is.

    Attributes:
        threshold: Score from which it is broken; `None` where its validator has none, or keeps the model's own.
        severity: Its severity.
    """

    threshold: float | None
    severity: Severity

    def acts_on(self, label: Label) -> bool | None:
        """Whether somebody would have been told, or the output held back; `None` where that cannot be known."""
        if self.severity is Severity.LOG:
            return False
        if label.score is not None and self.threshold is not None:
            return label.score >= self.threshold
        return label.flagged if self.threshold == label.threshold else None

    def __str__(self) -> str:
        """As `threshold 0.5, severity warn`."""
        threshold = "" if self.threshold is None else f"threshold {self.threshold:g}, "
        return f"{threshold}severity {self.severity.value}"


def setting_of(constraint: Constraint) -> Setting:
    """The setting in force."""
    spec = constraint.validator
    threshold = spec.threshold if isinstance(spec, ClassifierSpec | JudgeSpec) else None
    return Setting(threshold, constraint.severity)


def settings_within(tunable: Tunable, constraint: Constraint) -> tuple[Setting, ...]:
    """All settings within the bounds, from the strictest."""
    now = setting_of(constraint)
    thresholds = tunable.threshold.values if tunable.threshold is not None else (now.threshold,)
    severities = tunable.severities or (now.severity,)
    return tuple(Setting(threshold, severity) for severity in severities for threshold in thresholds)


def with_setting(constraint: Constraint, setting: Setting) -> Constraint:
    """The constraint with another setting, as a new version of it."""
    data = constraint.model_dump(mode="json")
    data["severity"], data["version"] = setting.severity.value, constraint.version + 1
    if setting.severity is not constraint.severity:
        data["on_violation"] = None  # what goes with one severity does not go with another
    if setting.threshold is not None:
        data["validator"]["threshold"] = setting.threshold
    return Constraint.model_validate(data)
