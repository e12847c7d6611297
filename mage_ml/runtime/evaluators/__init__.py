"""Evaluators: each turns a snapshot into scores with evidence and coverage, and decides nothing."""

from mage_ml.runtime.evaluators.base import Evaluator
from mage_ml.runtime.evaluators.rules import RULE_IDS, RuleEvaluator, RuleSettings
from mage_ml.runtime.evaluators.scale import OPERATING_POINT, rescale, rescale_assessment
from mage_ml.runtime.evaluators.tiered import TieredAssessment, TieredEvaluator, TierRun, TierSettings
from mage_ml.runtime.evaluators.timed import TimeLimited

__all__ = [
    "OPERATING_POINT",
    "RULE_IDS",
    "Evaluator",
    "RuleEvaluator",
    "RuleSettings",
    "TierRun",
    "TierSettings",
    "TieredAssessment",
    "TieredEvaluator",
    "TimeLimited",
    "rescale",
    "rescale_assessment",
]
