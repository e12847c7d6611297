"""The guardrail: policy, decisions, repair, redirect, diagnosis."""

from mage_ml.runtime.guardrail import wording
from mage_ml.runtime.guardrail.causal import causal_quarantine
from mage_ml.runtime.guardrail.decision import Decision, Reason, ReasonKind
from mage_ml.runtime.guardrail.diagnosis import Diagnosis, diagnose
from mage_ml.runtime.guardrail.engine import GuardrailEngine
from mage_ml.runtime.guardrail.history import RunHistory
from mage_ml.runtime.guardrail.policy import (
    ActionPolicy,
    DecisionAction,
    FailMode,
    Mode,
    PolicyMatrix,
    Preset,
    Rung,
    ToolOverride,
    ToolTypes,
    load_policy,
    parse_policy,
)
from mage_ml.runtime.guardrail.quarantine import RepairPlan, plan_repair
from mage_ml.runtime.guardrail.redirect import VerificationTask, plan_verification
from mage_ml.runtime.guardrail.repair import (
    InMemoryStore,
    MemoryPatch,
    MemoryStore,
    PatchOperation,
    PatchReceipt,
    apply_patch,
    undo,
)

__all__ = [
    "ActionPolicy",
    "Decision",
    "DecisionAction",
    "Diagnosis",
    "FailMode",
    "GuardrailEngine",
    "InMemoryStore",
    "MemoryPatch",
    "MemoryStore",
    "Mode",
    "PatchOperation",
    "PatchReceipt",
    "PolicyMatrix",
    "Preset",
    "Reason",
    "ReasonKind",
    "RepairPlan",
    "RunHistory",
    "Rung",
    "ToolOverride",
    "ToolTypes",
    "VerificationTask",
    "apply_patch",
    "causal_quarantine",
    "diagnose",
    "load_policy",
    "parse_policy",
    "plan_repair",
    "plan_verification",
    "undo",
    "wording",
]
