"""Tiers: rules settle the clear cases, the classifier the unsure ones, a judge the gravest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.config import Config
from mage_ml.errors import EvaluatorError
from mage_ml.memory import ActionType, PendingAction, Snapshot
from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis, RiskVector
from mage_ml.runtime.evaluators.base import Evaluator
from mage_ml.runtime.evaluators.scale import OPERATING_POINT, rescale_assessment


class TierSettings(Config):
    """When a tier is asked, and how two tiers are combined."""

    settle_above: Annotated[
        float,
        Field(gt=0.0, le=1.0, description="Rules at or above this settle the case as risky without the classifier."),
    ] = 0.9
    settle_quiet: Annotated[
        tuple[str, ...],
        Field(description="Action types that quiet rules settle as safe without the classifier."),
    ] = (ActionType.INTERNAL_REASONING.value, ActionType.READ.value)
    quiet_below: Annotated[
        float, Field(ge=0.0, le=1.0, description="Rules are quiet when their highest score is below this.")
    ] = 0.2
    lone_voice_discount: Annotated[
        float,
        Field(
            ge=0.0,
            le=0.5,
            description="Where two tiers ran, the higher score gives up this share of their difference.",
        ),
    ] = 0.2
    judge_above: Annotated[
        float, Field(ge=0.0, le=1.0, description="The judge is asked where rules and classifier both reach this.")
    ] = OPERATING_POINT
    classifier_timeout_s: Annotated[float, Field(gt=0.0, le=600.0, description="Time limit of the classifier.")] = 2.0
    judge_timeout_s: Annotated[float, Field(gt=0.0, le=600.0, description="Time limit of the judge.")] = 15.0


class TierRun(BaseModel):
    """One tier's part in an assessment.

    Attributes:
        tier: Name of the tier.
        raw: Its own scores, before rescaling and combination.
        latency_ms: How long it took.
        settled: Whether its answer was final.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tier: str
    raw: RiskVector
    latency_ms: Annotated[float, Field(ge=0.0)]
    settled: bool


class TieredAssessment(Assessment):
    """An assessment with each tier's part in it.

    Attributes:
        tiers: In the order they were asked.
    """

    tiers: tuple[TierRun, ...] = ()

    @property
    def settled_by(self) -> str:
        """The tier whose answer was final; empty when every tier failed."""
        return next((run.tier for run in reversed(self.tiers) if run.settled), "")


@dataclass(slots=True)
class _Progress:
    """What is known so far about one snapshot."""

    coverage: Coverage
    runs: list[TierRun]
    failures: int = 0


class TieredEvaluator:
    """Asks one tier after another, as far as needed.

    Rules are on the common scale by their weights; classifier and judge are rescaled by their thresholds. On each axis
    the higher score counts, less a share of the difference when another tier looked at the same case and saw less: two
    evaluators that alarm independently would together alarm too often. A tier that fails is named in
    `coverage.failed` and lowers nothing.

    Args:
        rules: First tier.
        classifier: Second tier, if there is one.
        judge: Third tier, if there is one.
        thresholds: The classifier's operating threshold by axis, from its manifest.
        entry_threshold: The classifier's threshold of entry scores, from its manifest.
        settings: When a tier is asked.
        is_critical: Tells whether an action is critical enough for the judge.
        clock: Seconds, for latencies.
    """

    name = "tiers"

    def __init__(
        self,
        rules: Evaluator,
        classifier: Evaluator | None = None,
        judge: Evaluator | None = None,
        *,
        thresholds: Mapping[RiskAxis, float] | None = None,
        entry_threshold: float = OPERATING_POINT,
        settings: TierSettings | None = None,
        is_critical: Callable[[PendingAction], bool] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.settings = settings or TierSettings()
        self._rules = rules
        self._classifier = classifier
        self._judge = judge
        self._thresholds = dict(thresholds or {})
        self._entry_threshold = entry_threshold
        self._is_critical = is_critical or (lambda _action: False)
        self._clock = clock

    def assess(self, snapshot: Snapshot) -> TieredAssessment:
        """Score one snapshot.

        Raises:
            EvaluatorError: Every tier that was asked failed.
        """
        state = _Progress(Coverage(), [])
        first = self._run(self._rules, snapshot, state)
        reason = self._settled_by_rules(snapshot, first)
        second: Assessment | None = None
        if self._classifier is not None:
            if reason:
                state.coverage = state.coverage.merged(Coverage(skipped={self._classifier.name: reason}))
            else:
                raw = self._run(self._classifier, snapshot, state)
                second = raw and rescale_assessment(raw, self._thresholds, self._entry_threshold)
        third = self._ask_judge(snapshot, first, second, state)
        known = [item for item in (first, second, third) if item is not None]
        if not known:
            raise EvaluatorError(_all_failed(state.coverage))
        return self._combined(known, state)

    def _settled_by_rules(self, snapshot: Snapshot, rules: Assessment | None) -> str:
        if rules is None or rules.coverage.failed:
            return ""
        if rules.risk.peak >= self.settings.settle_above:
            return "settled by rules: clear risk"
        if rules.risk.peak < self.settings.quiet_below and snapshot.action.type in self.settings.settle_quiet:
            return "settled by rules: no sign of risk, and the action has no effect outside"
        return ""

    def _ask_judge(
        self, snapshot: Snapshot, rules: Assessment | None, classifier: Assessment | None, state: _Progress
    ) -> Assessment | None:
        if self._judge is None:
            return None
        limit = self.settings.judge_above
        both = rules is not None and classifier is not None and min(rules.risk.peak, classifier.risk.peak) >= limit
        if both or self._is_critical(snapshot.action):
            return self._run(self._judge, snapshot, state)
        reason = "the action is not critical, and rules and classifier do not both see high risk"
        state.coverage = state.coverage.merged(Coverage(skipped={self._judge.name: reason}))
        return None

    def _run(self, evaluator: Evaluator, snapshot: Snapshot, state: _Progress) -> Assessment | None:
        started = self._clock()
        try:
            assessment = evaluator.assess(snapshot)
        except Exception as error:
            message = str(error) if isinstance(error, EvaluatorError) else f"{type(error).__name__}: {error}"
            state.coverage = state.coverage.merged(Coverage(failed={evaluator.name: message}))
            return None
        elapsed = max(0.0, self._clock() - started) * 1000.0
        state.runs.append(TierRun(tier=evaluator.name, raw=assessment.risk, latency_ms=elapsed, settled=False))
        state.coverage = state.coverage.merged(assessment.coverage)
        return assessment

    def _combined(self, known: list[Assessment], state: _Progress) -> TieredAssessment:
        runs = [*state.runs[:-1], state.runs[-1].model_copy(update={"settled": True})]
        discount = self.settings.lone_voice_discount
        risk = {axis: _with_discount([item.risk[axis] for item in known], discount) for axis in RiskAxis}
        evidence = [
            item.model_copy(update={"score": min(item.score, risk[item.axis])})
            for part in known
            for item in part.evidence
        ]
        entries: dict[str, float] = {}
        for part in known:
            for name, score in part.entry_scores.items():
                entries[name] = max(entries.get(name, 0.0), score)
        return TieredAssessment(
            risk=RiskVector.from_scores(risk),
            evidence=_ordered(evidence),
            coverage=state.coverage,
            entry_scores=entries,
            tiers=tuple(runs),
        )


def _with_discount(scores: list[float], discount: float) -> float:
    return max(scores) - discount * (max(scores) - min(scores))


def _ordered(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(sorted(evidence, key=lambda item: -item.score))


def _all_failed(coverage: Coverage) -> str:
    return "no tier gave a score: " + "; ".join(f"{name}: {reason}" for name, reason in coverage.failed.items())
