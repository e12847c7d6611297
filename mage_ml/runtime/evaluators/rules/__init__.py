"""The rule tier: deterministic checks with evidence, in English and Chinese."""

from mage_ml.runtime.evaluators.rules.base import RULE_IDS, Rule, RuleId, RuleSetting, RuleSettings
from mage_ml.runtime.evaluators.rules.evaluator import RuleEvaluator, default_rules
from mage_ml.runtime.evaluators.rules.exemptions import Exemption, ExemptionScope, expired_exemptions

__all__ = [
    "RULE_IDS",
    "Exemption",
    "ExemptionScope",
    "Rule",
    "RuleEvaluator",
    "RuleId",
    "RuleSetting",
    "RuleSettings",
    "default_rules",
    "expired_exemptions",
]
