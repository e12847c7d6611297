"""The policy: from scores to decisions, as data. See the three modules behind it."""

from mage_ml.runtime.guardrail.policy_file import Preset, load_policy, parse_policy
from mage_ml.runtime.guardrail.policy_matrix import PolicyMatrix
from mage_ml.runtime.guardrail.policy_terms import (
    ActionPolicy,
    DecisionAction,
    FailMode,
    Ladder,
    Mode,
    Rung,
    ToolOverride,
    ToolTypes,
)

__all__ = [
    "ActionPolicy",
    "DecisionAction",
    "FailMode",
    "Ladder",
    "Mode",
    "PolicyMatrix",
    "Preset",
    "Rung",
    "ToolOverride",
    "ToolTypes",
    "load_policy",
    "parse_policy",
]
