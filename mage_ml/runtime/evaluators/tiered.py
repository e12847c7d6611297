"""Tiers: rules settle the clear cases, the classifier the unsure ones, a judge the gravest."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from mage_ml.errors import EvaluatorError
from mage_ml.forking import fork_safe_lock
from mage_ml.memory import PendingAction, Snapshot
from mage_ml.risk import Assessment, Coverage, RiskAxis
from mage_ml.runtime.evaluators.base import Evaluator, NotAskedError, ask_later, checked
from mage_ml.runtime.evaluators.cache import CachedEvaluator
from mage_ml.runtime.evaluators.sampling import RunSampler
from mage_ml.runtime.evaluators.scale import OPERATING_POINT, full_on_failure, rescale_assessment, weaken
from mage_ml.runtime.evaluators.tier_assessment import TieredAssessment, TierRun, all_failed, combine
from mage_ml.runtime.evaluators.tier_settings import TierSettings
from mage_ml.runtime.evaluators.tier_stats import TierCounter, TierStats

__all__ = ["BegunAssessment", "TierRun", "TierSettings", "TieredAssessment", "TieredEvaluator"]

_PROBE_EVERY: Final = 16
"""A tier that is left out for its latency would never be seen to get faster: so often it is asked all the same."""

_Ask = Callable[[], Assessment]


@dataclass(frozen=True, slots=True)
class BegunAssessment:
    """What the rules say at once, and the rest.

    Attributes:
        first: The rules' own assessment; `None` when they failed.
        rest: Asks the other tiers and gives the whole assessment, on any thread, whatever has happened to memory since;
            `None` when `first` is the whole.
    """

    first: TieredAssessment | None
    rest: Callable[[], TieredAssessment] | None


@dataclass(slots=True)
class _Progress:
    """What is known so far about one snapshot."""

    action: PendingAction
    started: float | None
    """When the time that is to be kept began; `None` where none is."""
    coverage: Coverage
    runs: list[TierRun] = field(default_factory=list)

    def skip(self, tier: str, reason: str) -> None:
        self.coverage = self.coverage.merged(Coverage(skipped={tier: reason}))

    def fail(self, tier: str, reason: str) -> None:
        self.coverage = self.coverage.merged(Coverage(failed={tier: reason}))


class TieredEvaluator:
    """Asks one tier after another, as far as needed. Safe to share between threads.

    Rules are on the common scale by their weights; classifier and judge are rescaled by their thresholds. On each axis
    the higher score counts, less a share of the difference when another tier looked at the same case and saw less: two
    evaluators that alarm independently would together alarm too often. What is left of that is calibrated away by
    `combined_thresholds`. A tier that fails is named in `coverage.failed` and lowers nothing.

    A tier that would not fit into the action type's latency budget, by the running median of its latency, is not asked.
    Where the action type fails closed that is a failure of the tier, named in `coverage.failed`: a budget never loosens
    a verdict. Elsewhere it is named in `coverage.skipped`.

    Args:
        rules: First tier.
        classifier: Second tier, if there is one.
        judge: Third tier, if there is one.
        thresholds: The classifier's operating threshold by axis, from its manifest.
        entry_threshold: The classifier's threshold of entry scores, from its manifest.
        combined_thresholds: The combined score by axis that becomes 0.5, from a calibration with this model.
        settings: When a tier is asked.
        is_critical: Tells whether an action is critical enough for the judge.
        fails_closed: Tells whether a missing tier counts as a failure for an action.
        weight_of: Factor, at most 1, on what a rule (by its id) or a tier (by its name) says; 1 where it raises.
        gaps: What does not hold in this set-up, with the reason; named as skipped in every assessment.
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
        combined_thresholds: Mapping[RiskAxis, float] | None = None,
        settings: TierSettings | None = None,
        is_critical: Callable[[PendingAction], bool] | None = None,
        fails_closed: Callable[[PendingAction], bool] | None = None,
        weight_of: Callable[[str], float] | None = None,
        gaps: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.settings = settings or TierSettings()
        self._rules = rules
        self._classifier = classifier
        self._judge = judge
        self._thresholds = dict(thresholds or {})
        self._entry_threshold = entry_threshold
        self._combined_thresholds = dict(combined_thresholds or {})
        self._is_critical = is_critical or (lambda _action: False)
        self._fails_closed = fails_closed or (lambda action: action.is_consequential)
        self._weight_of = None if weight_of is None else full_on_failure(weight_of)
        self._gaps = Coverage(skipped=dict(gaps or {}))
        self._clock = clock
        self._tiers = [tier for tier in (rules, classifier, judge) if tier is not None]
        self._counter = TierCounter(tier.name for tier in self._tiers)
        self._left_out = dict.fromkeys((tier.name for tier in self._tiers), 0)
        self._lock = fork_safe_lock()

    def assess(self, snapshot: Snapshot, sampler: RunSampler | None = None) -> TieredAssessment:
        """Score one snapshot.

        Args:
            snapshot: What is judged.
            sampler: The run's, where harmless steps are sampled.

        Raises:
            EvaluatorError: Every tier that was asked failed.
        """
        state = _Progress(snapshot.action, self._clock(), self._gaps)
        first = self._ask_rules(snapshot, state)
        reason = self._reason_to_stop(snapshot, first, sampler)
        classifier, judge = self._classifier, self._judge
        return self._finish(
            state,
            first,
            reason,
            ask_classifier=None if classifier is None else lambda: classifier.assess(snapshot),
            ask_judge=None if judge is None else lambda: judge.assess(snapshot),
            looked=None if sampler is None else sampler.look_at(snapshot),
        )

    def begin(self, snapshot: Snapshot, sampler: RunSampler | None = None) -> BegunAssessment:
        """Ask the rules now and read what the other tiers need, so that they can be asked later.

        No latency budget holds for the later part: nobody waits for it.
        """
        state = _Progress(snapshot.action, None, self._gaps)
        first = self._ask_rules(snapshot, state)
        reason = self._reason_to_stop(snapshot, first, sampler)
        classifier, judge = self._classifier, self._judge
        if (
            first is not None
            and (reason or classifier is None)
            and (judge is None or not self._is_critical(state.action))
        ):
            return BegunAssessment(self._finish(state, first, reason, None, None, None), None)
        ask_classifier = None if classifier is None or reason else ask_later(classifier, snapshot)
        ask_judge = None if judge is None else ask_later(judge, snapshot)
        looked = None if sampler is None else sampler.look_at(snapshot)

        def rest() -> TieredAssessment:
            return self._finish(state, first, reason, ask_classifier, ask_judge, looked)

        later = "deferred: asked in the background"
        waiting = {tier.name: later for tier in self._tiers[1:] if not (reason and tier is classifier)}
        coverage = state.coverage.merged(Coverage(skipped=waiting))
        return BegunAssessment(None if first is None else self._combined([first], state.runs, coverage), rest)

    def stats(self) -> TierStats:
        """What each tier has done so far, in this process."""
        caches = {tier.name: tier.stats for tier in self._tiers if isinstance(tier, CachedEvaluator)}
        return self._counter.stats(caches)

    def _finish(
        self,
        state: _Progress,
        first: Assessment | None,
        reason: str,
        ask_classifier: _Ask | None,
        ask_judge: _Ask | None,
        looked: Callable[[], None] | None,
    ) -> TieredAssessment:
        second = None
        if self._classifier is not None:
            if reason:
                self._skip(self._classifier, state, reason)
            elif ask_classifier is not None and self._fits(self._classifier, state):
                raw = self._run(self._classifier, ask_classifier, state)
                second = raw and self._on_scale(raw, self._classifier.name)
                if second is not None and looked is not None:
                    looked()
        third = self._ask_judge(first, second, ask_judge, state)
        known = [item for item in (first, second, third) if item is not None]
        if not known:
            self._counter.settled(None)
            raise EvaluatorError(all_failed(state.coverage))
        self._counter.settled(state.runs[-1].tier)
        return self._combined(known, state.runs, state.coverage)

    def _ask_rules(self, snapshot: Snapshot, state: _Progress) -> Assessment | None:
        found = self._run(self._rules, lambda: self._rules.assess(snapshot), state)
        return found if found is None or self._weight_of is None else weaken(found, self._weight_of)

    def _on_scale(self, raw: Assessment, tier: str) -> Assessment:
        scaled = rescale_assessment(raw, self._thresholds, self._entry_threshold)
        if self._weight_of is None:
            return scaled
        factor = self._weight_of(tier)
        return weaken(scaled, lambda _voice: factor, keep_blame=True)

    def _reason_to_stop(self, snapshot: Snapshot, rules: Assessment | None, sampler: RunSampler | None) -> str:
        """Why the classifier is not asked; empty when it is."""
        settings = self.settings
        if self._classifier is None or rules is None or rules.coverage.failed:
            return ""
        if rules.risk.peak >= settings.settle_above:
            return "settled by rules: clear risk"
        if rules.risk.peak >= settings.quiet_below or not rules.coverage.language_supported:
            return ""
        sampling = settings.sampling
        if sampler is not None and sampling.enabled and snapshot.action.type in sampling.types:
            return sampler.reason_to_skip(snapshot)
        if snapshot.action.type in settings.settle_quiet:
            return "settled by rules: no sign of risk, and the action has no effect outside"
        return ""

    def _ask_judge(
        self, rules: Assessment | None, classifier: Assessment | None, ask: _Ask | None, state: _Progress
    ) -> Assessment | None:
        if self._judge is None or ask is None:
            return None
        limit = self.settings.judge_above
        both = rules is not None and classifier is not None and min(rules.risk.peak, classifier.risk.peak) >= limit
        if not both and not self._is_critical(state.action):
            reason = "the action is not critical, and rules and classifier do not both see high risk"
            self._skip(self._judge, state, reason)
            return None
        return self._run(self._judge, ask, state) if self._fits(self._judge, state) else None

    def _fits(self, tier: Evaluator, state: _Progress) -> bool:
        """Whether a tier fits into what is left of the action type's latency budget; if not, that is noted."""
        budget = self.settings.latency_budget_ms.get(state.action.type)
        usual = self._counter.running_median(tier.name)
        if budget is None or usual is None or state.started is None:
            return True
        used = max(0.0, self._clock() - state.started) * 1000.0
        if used + usual <= budget or self._is_probe(tier.name):
            return True
        reason = f"latency budget: {used:.1f} of {budget:g} ms are used, and it usually takes {usual:.1f} ms"
        self._leave_out(tier, state, reason)
        return False

    def _leave_out(self, tier: Evaluator, state: _Progress, reason: str) -> None:
        """A budget never loosens a verdict: what it leaves out has failed, where the action fails closed."""
        if self._fails_closed(state.action):
            self._counter.skipped(tier.name, failed=True)
            state.fail(tier.name, reason)
        else:
            self._skip(tier, state, reason)

    def _is_probe(self, tier: str) -> bool:
        with self._lock:
            self._left_out[tier] += 1
            return self._left_out[tier] % _PROBE_EVERY == 0

    def _skip(self, tier: Evaluator, state: _Progress, reason: str) -> None:
        self._counter.skipped(tier.name)
        state.skip(tier.name, reason)

    def _run(self, tier: Evaluator, ask: _Ask, state: _Progress) -> Assessment | None:
        started = self._clock()
        try:
            assessment = checked(ask(), tier.name)
        except NotAskedError as error:
            self._leave_out(tier, state, str(error))
            return None
        except Exception as error:
            message = str(error) if isinstance(error, EvaluatorError) else f"{type(error).__name__}: {error}"
            self._counter.asked(tier.name, None)
            state.fail(tier.name, message)
            return None
        elapsed = max(0.0, self._clock() - started) * 1000.0
        self._counter.asked(tier.name, elapsed)
        state.runs.append(TierRun(tier=tier.name, raw=assessment.risk, latency_ms=elapsed, settled=False))
        state.coverage = state.coverage.merged(assessment.coverage)
        return assessment

    def _combined(self, known: list[Assessment], runs: list[TierRun], coverage: Coverage) -> TieredAssessment:
        discount, thresholds = self.settings.lone_voice_discount, self._combined_thresholds
        return combine(known, runs, coverage, discount=discount, thresholds=thresholds)
