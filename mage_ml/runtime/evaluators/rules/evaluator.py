"""The rule tier."""

from __future__ import annotations

from typing import Final

from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, Coverage, Evidence
from mage_ml.runtime.evaluators.rules.arguments import UntrustedArgument
from mage_ml.runtime.evaluators.rules.base import Rule, RuleSettings, RuleUse
from mage_ml.runtime.evaluators.rules.claims import UnsupportedClaim
from mage_ml.runtime.evaluators.rules.confidence import LowConfidenceChain
from mage_ml.runtime.evaluators.rules.contradiction import Contradiction
from mage_ml.runtime.evaluators.rules.dependency import BrokenDependency
from mage_ml.runtime.evaluators.rules.instructions import HiddenInstruction
from mage_ml.runtime.evaluators.rules.reading import ReadingCache
from mage_ml.runtime.evaluators.rules.scope import Scope

MAX_EVIDENCE: Final = 32


def default_rules() -> tuple[Rule, ...]:
    """All rules there are."""
    return (
        Contradiction(),
        LowConfidenceChain(),
        BrokenDependency(),
        UnsupportedClaim(),
        HiddenInstruction(),
        UntrustedArgument(),
    )


class RuleEvaluator:
    """Runs the rules over a snapshot. Deterministic; the cost does not grow with the chain.

    A rule that raises is named in `coverage.failed` as `rules.<id>`; the other rules still count.

    Args:
        settings: Which rules, with which weights, and how far they look.
        rules: The rules; all there are by default.
    """

    name = "rules"

    def __init__(self, settings: RuleSettings | None = None, rules: tuple[Rule, ...] | None = None) -> None:
        self.settings = settings or RuleSettings()
        self._rules: list[tuple[Rule, RuleUse]] = [
            (rule, self.settings.of(rule)) for rule in (default_rules() if rules is None else rules)
        ]
        self._readings = ReadingCache()

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Score one snapshot. Scores are on the common scale: 0.5 is the point at which to act."""
        scope = Scope(snapshot, self._readings, self.settings.limits)
        found: list[Evidence] = []
        failed: dict[str, str] = {}
        skipped: dict[str, str] = {}
        for rule, use in self._rules:
            name = f"{self.name}.{rule.id}"
            if not use.enabled:
                skipped[name] = "switched off in the policy"
                continue
            try:
                found += _weighted(rule, use, scope)
            except Exception as error:
                failed[name] = f"{type(error).__name__}: {error}"
        found.sort(key=lambda item: (-item.score, item.found_by, item.entry_ids))
        coverage = Coverage(ran=(self.name,) if self._rules else (), skipped=skipped, failed=failed)
        return Assessment.from_evidence(found[:MAX_EVIDENCE], coverage)


def _weighted(rule: Rule, use: RuleUse, scope: Scope) -> list[Evidence]:
    kept = []
    for item in rule.find(scope):
        score = min(1.0, item.score * use.weight)
        if item.score >= use.threshold and score > 0.0:
            kept.append(item if score == item.score else item.model_copy(update={"score": score}))
    return kept
