"""The constraint governor: constraints as data, checked where they matter, with their health kept."""

from mage_ml.runtime.governor.administration import GovernorSetup
from mage_ml.runtime.governor.broadcast import ChangeKind, StateChange
from mage_ml.runtime.governor.constraint import (
    Constraint,
    ConstraintSet,
    ConstraintState,
    OnViolation,
    Resort,
    Severity,
)
from mage_ml.runtime.governor.constraint_file import ConstraintSource, load_constraints, parse_constraints
from mage_ml.runtime.governor.context import Channel, GovernorContext
from mage_ml.runtime.governor.loop import ConstraintGovernor
from mage_ml.runtime.governor.ruling import Finding, Outcome, Ruling
from mage_ml.runtime.governor.state import StateStore
from mage_ml.runtime.governor.state_types import StateError
from mage_ml.runtime.governor.validators.base import Verdict
from mage_ml.runtime.governor.validators.build import Resources

__all__ = [
    "ChangeKind",
    "Channel",
    "Constraint",
    "ConstraintGovernor",
    "ConstraintSet",
    "ConstraintSource",
    "ConstraintState",
    "Finding",
    "GovernorContext",
    "GovernorSetup",
    "OnViolation",
    "Outcome",
    "Resort",
    "Resources",
    "Ruling",
    "Severity",
    "StateChange",
    "StateError",
    "StateStore",
    "Verdict",
    "load_constraints",
    "parse_constraints",
]
