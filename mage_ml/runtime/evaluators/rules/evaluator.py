"""The rule tier."""

from __future__ import annotations

from typing import Final

from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, Coverage, Evidence
from mage_ml.runtime.evaluators.rules.arguments import UntrustedArgument
from mage_ml.runtime.evaluators.rules.base import Rule, RuleSettings, RuleUse
from mage_ml.runtime.evaluators.rules.claims import UnsupportedClaim
from mage_ml.runtime.evaluators.rules.confidence import LowConfidenceChain
from mage_ml.runtime.evaluators.rules.constraints import DroppedConstraint
from mage_ml.runtime.evaluators.rules.contradiction import Contradiction
from mage_ml.runtime.evaluators.rules.dependency import BrokenDependency
from mage_ml.runtime.evaluators.rules.deviation import GoalDeviation
from mage_ml.runtime.evaluators.rules.echo import SelfCorroboration
from mage_ml.runtime.evaluators.rules.exemptions import (
    Today,
    exempted,
    expired_exemptions,
    first_covering,
    today_utc,
)
from mage_ml.runtime.evaluators.rules.instructions import HiddenInstruction
from mage_ml.runtime.evaluators.rules.reading import ReadingCache
from mage_ml.runtime.evaluators.rules.scope import Scope
from mage_ml.runtime.evaluators.rules.sources import SourceSpoofing
from mage_ml.runtime.evaluators.rules.staleness import StaleFact
from mage_ml.runtime.evaluators.rules.sums import Arithmetic

MAX_EVIDENCE: Final = 32
MAX_EXEMPTED: Final = 16


def default_rules() -> tuple[Rule, ...]:
    """All rules there are."""
    return (
        Contradiction(),
        LowConfidenceChain(),
        BrokenDependency(),
        UnsupportedClaim(),
        HiddenInstruction(),
        UntrustedArgument(),
        SelfCorroboration(),
        SourceSpoofing(),
        GoalDeviation(),
        StaleFact(),
        Arithmetic(),
        DroppedConstraint(),
    )


class RuleEvaluator:
    """Runs the rules over a snapshot. Deterministic; the cost does not grow with the chain.

    A rule that raises is named in `coverage.failed` as `rules.<id>`; the other rules still count. Exempted findings
    stay in the evidence with score 0; an exemption that is over is ignored and named in `coverage.skipped`.

    Args:
        settings: Which rules, with which weights, how far they look, and what is exempted.
        rules: The rules; all there are by default.
        today: The day it is, for the expiry of exemptions; UTC by default.
    """

    name = "rules"

    def __init__(
        self,
        settings: RuleSettings | None = None,
        rules: tuple[Rule, ...] | None = None,
        *,
        today: Today = today_utc,
    ) -> None:
        self.settings = settings or RuleSettings()
        self._rules: list[tuple[Rule, RuleUse]] = [
            (rule, self.settings.of(rule)) for rule in (default_rules() if rules is None else rules)
        ]
        self._readings = ReadingCache()
        self._today = today

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
        found, allowed = self._exempt(scope, found, skipped) if self.settings.exemptions else (found, [])
        found.sort(key=lambda item: (-item.score, item.found_by, item.entry_ids))
        coverage = Coverage(
            ran=(self.name,) if self._rules else (),
            skipped=skipped,
            failed=failed,
            language_supported=all(reading.language_supported for reading in scope.readings),
        )
        return Assessment.from_evidence([*found[:MAX_EVIDENCE], *allowed[:MAX_EXEMPTED]], coverage)

    def _exempt(
        self, scope: Scope, found: list[Evidence], skipped: dict[str, str]
    ) -> tuple[list[Evidence], list[Evidence]]:
        """The findings that count, and those that an exemption allows."""
        today, exemptions = self._today(), self.settings.exemptions
        skipped.update(expired_exemptions(exemptions, today))
        valid = [item for item in exemptions if not item.is_expired(today)]
        counting: list[Evidence] = []
        allowed: list[Evidence] = []
        for item in found:
            exemption = first_covering(valid, scope, item)
            if exemption is None:
                counting.append(item)
            else:
                allowed.append(exempted(item, exemption))
        return counting, allowed


def _weighted(rule: Rule, use: RuleUse, scope: Scope) -> list[Evidence]:
    kept = []
    for item in rule.find(scope):
        score = min(1.0, item.score * use.weight)
        if item.score >= use.threshold and score > 0.0:
            kept.append(item if score == item.score else item.model_copy(update={"score": score}))
    return kept
