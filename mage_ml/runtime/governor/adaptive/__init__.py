"""A governor that learns from people: labels, bounded tuning, proposals, auditing agents, allow-list baselines."""

from mage_ml.runtime.governor.adaptive.auditors import AuditingAgent, auditor_checks, llm_review
from mage_ml.runtime.governor.adaptive.bandit import Choice
from mage_ml.runtime.governor.adaptive.baseline import allow_list, templates_from
from mage_ml.runtime.governor.adaptive.bounds import ThresholdBounds, Tunable, TuningPlan, check_plan
from mage_ml.runtime.governor.adaptive.labels import Label, LabelBook
from mage_ml.runtime.governor.adaptive.near_misses import NearMiss, WhyNear, from_audit, from_labels
from mage_ml.runtime.governor.adaptive.proposals import Cluster, ProposalSettings, clusters_of, propose
from mage_ml.runtime.governor.adaptive.settings import Setting, setting_of
from mage_ml.runtime.governor.adaptive.tuner import Tuner, Tuning

__all__ = [
    "AuditingAgent",
    "Choice",
    "Cluster",
    "Label",
    "LabelBook",
    "NearMiss",
    "ProposalSettings",
    "Setting",
    "ThresholdBounds",
    "Tunable",
    "Tuner",
    "Tuning",
    "TuningPlan",
    "WhyNear",
    "allow_list",
    "auditor_checks",
    "check_plan",
    "clusters_of",
    "from_audit",
    "from_labels",
    "llm_review",
    "propose",
    "setting_of",
    "templates_from",
]
