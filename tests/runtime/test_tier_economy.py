"""Sampling, latency budgets and figures of the tiers."""

import threading

import pytest
from pydantic import ValidationError

from mage_ml.memory import PendingAction
from mage_ml.risk import RiskAxis
from mage_ml.runtime.evaluators import TieredEvaluator, TierSettings
from mage_ml.runtime.evaluators.sampling import RunSampler
from mage_ml.runtime.evaluators.tier_settings import SamplingSettings
from mage_ml.runtime.evaluators.tier_stats import LatencyHistogram
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import FailMode, GuardrailEngine, load_policy
from mage_ml.testing import FailingEvaluator, FixedEvaluator
from tests.runtime.cases import chain, mail, note, record, snapshot, thought, tool, user

SAFETY = RiskAxis.SAFETY
FACTS = (user(), tool(record(120_000)))
READ = PendingAction(type="call_tool:read", tool_name="query_sales", depends_on=("e0",))


def fixed(name, value=0.0):
    return FixedEvaluator({SAFETY: value}, name=name)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def sampled(rules=0.0, clock=None, **options):
    settings = TierSettings(sampling=SamplingSettings(enabled=True, **options))
    model = fixed("classifier", 0.1)
    tiers = TieredEvaluator(fixed("rules", rules), model, settings=settings)
    return model, tiers, RunSampler(settings.sampling, clock or Clock())


# sampling


def test_harmless_steps_without_anything_new_are_not_looked_at_and_coverage_says_so():
    model, tiers, sampler = sampled()
    result = tiers.assess(snapshot(chain(*FACTS), READ), sampler)
    assert model.calls == 0
    assert result.coverage.skipped["classifier"].startswith("sampling: no new entry")


@pytest.mark.parametrize(
    ("entry", "options", "looks"),
    [
        (note("North is ahead.", "e1"), {}, 1),
        (note("North is ahead.", "e1"), {"reasoning": False, "confidence_below": 0.5}, 0),
        (tool(record(1), confidence=0.4), {}, 1),
        (tool(record(1), confidence=0.4), {"confidence_below": 0.3}, 0),
        (tool(record(1)), {}, 0),
    ],
)
def test_a_new_entry_is_looked_at_when_it_is_weak_or_of_the_agents_own_making(entry, options, looks):
    model, tiers, sampler = sampled(**options)
    tiers.assess(snapshot(chain(*FACTS, entry), READ), sampler)
    assert model.calls == looks


def test_what_was_looked_at_once_is_not_new_again():
    model, tiers, sampler = sampled()
    view = snapshot(chain(*FACTS, note("North is ahead.", "e1")), READ)
    for _ in range(5):
        tiers.assess(view, sampler)
    assert model.calls == 1


@pytest.mark.parametrize(("every", "calls"), [(1, 12), (3, 4), (6, 2)])
def test_the_classifier_looks_at_least_every_so_many_steps(every, calls):
    model, tiers, sampler = sampled(every_steps=every)
    for _ in range(12):
        tiers.assess(snapshot(chain(*FACTS), READ), sampler)
    assert model.calls == calls


def test_the_classifier_looks_after_so_many_seconds_and_when_the_clock_jumps_back():
    clock = Clock()
    model, tiers, sampler = sampled(clock=clock, every_seconds=30.0, every_steps=1000)
    for now, calls in ((10.0, 0), (31.0, 1), (40.0, 1), (5.0, 2), (6.0, 2)):
        clock.now = now
        tiers.assess(snapshot(chain(*FACTS), READ), sampler)
        assert model.calls == calls


@pytest.mark.parametrize("action", [mail("e1"), PendingAction(type="final_output", content="Done.")])
def test_writes_and_final_output_are_never_sampled(action):
    model, tiers, sampler = sampled()
    for _ in range(4):
        tiers.assess(snapshot(chain(*FACTS), action), sampler)
    assert model.calls == 4


def test_a_step_about_which_the_rules_are_not_quiet_is_never_sampled():
    model, tiers, sampler = sampled(rules=0.48)
    tiers.assess(snapshot(chain(*FACTS), READ), sampler)
    assert model.calls == 1


def test_a_look_that_failed_is_no_look():
    settings = TierSettings(sampling=SamplingSettings(enabled=True, every_steps=2))
    tiers = TieredEvaluator(fixed("rules"), FailingEvaluator(name="classifier"), settings=settings)
    sampler = RunSampler(settings.sampling, Clock())
    results = [tiers.assess(snapshot(chain(*FACTS), READ), sampler) for _ in range(4)]
    assert ["classifier" in result.coverage.failed for result in results] == [False, True, True, True]


def test_types_that_are_not_sampled_keep_their_own_rule():
    _, tiers, sampler = sampled(types=("call_tool:read",))
    result = tiers.assess(snapshot(chain(*FACTS), thought("e1")), sampler)
    assert "settled by rules" in result.coverage.skipped["classifier"]
    with pytest.raises(ValidationError, match="cannot be put off"):
        SamplingSettings(types=("call_tool:write",))


def test_what_was_sampled_in_one_run_says_nothing_about_another():
    policy = load_policy().model_copy(
        update={"tiers": TierSettings(sampling=SamplingSettings(enabled=True, every_steps=3))}
    )
    model = fixed("classifier", 0.1)
    engine = GuardrailEngine(TieredEvaluator(fixed("rules"), model, settings=policy.tiers), policy)
    guards = [MageGuard(engine) for _ in range(4)]
    for _ in range(2):
        for guard in guards:
            guard.check(READ.model_copy(update={"depends_on": ()}))
    assert model.calls == 0
    guards[0].check(READ.model_copy(update={"depends_on": ()}))
    assert model.calls == 1


# latency budget


class Slow(FixedEvaluator):
    def __init__(self, clock, seconds, name):
        super().__init__({SAFETY: 0.1}, name=name)
        self._clock, self.seconds = clock, seconds

    def assess(self, snapshot):
        self._clock.now += self.seconds
        return super().assess(snapshot)


def budgeted(budget, *, closed=None, rules_s=0.001, model_s=0.05):
    clock = Clock()
    model = Slow(clock, model_s, "classifier")
    settings = TierSettings(settle_quiet=(), latency_budget_ms={"call_tool:read": budget, "call_tool:write": budget})
    tiers = TieredEvaluator(
        Slow(clock, rules_s, "rules"), model, settings=settings, clock=clock,
        fails_closed=None if closed is None else lambda _action: closed,
    )  # fmt: skip
    return model, tiers


def test_complaint_08_a_tier_that_would_not_fit_is_skipped_and_named():
    model, tiers = budgeted(20)
    view = snapshot(chain(*FACTS), READ)
    assert "classifier" in tiers.assess(view).coverage.ran
    result = tiers.assess(view)
    assert model.calls == 1
    assert result.coverage.skipped["classifier"] == (
        "latency budget: 1.0 of 20 ms are used, and it usually takes 50.0 ms"
    )


def test_a_tier_that_fits_is_asked():
    model, tiers = budgeted(60)
    for _ in range(3):
        tiers.assess(snapshot(chain(*FACTS), READ))
    assert model.calls == 3


def test_for_an_action_that_fails_closed_a_tier_left_out_for_time_has_failed():
    _, tiers = budgeted(20)
    view = snapshot(chain(*FACTS), mail("e1"))
    tiers.assess(view)
    result = tiers.assess(view)
    assert "latency budget" in result.coverage.failed["classifier"]
    assert tiers.stats().tiers[1].failed == 1


@pytest.mark.parametrize(("fail", "allowed"), [("closed", False), ("open", True)])
def test_a_budget_never_loosens_what_fails_closed(fail, allowed):
    policy = load_policy()
    row = policy.actions["call_tool:write"].model_copy(update={"fail": FailMode(fail)})
    policy = policy.model_copy(update={"actions": {**policy.actions, "call_tool:write": row}})
    _, tiers = budgeted(20, closed=fail == "closed")
    engine = GuardrailEngine(tiers, policy)
    view = snapshot(chain(*FACTS), mail("e1"))
    assert engine.decide(view).allowed
    assert engine.decide(view).allowed is allowed


def test_a_tier_left_out_for_time_is_tried_again_now_and_then():
    model, tiers = budgeted(20)
    view = snapshot(chain(*FACTS), READ)
    tiers.assess(view)
    model.seconds = 0.002
    for _ in range(200):
        tiers.assess(view)
    assert model.calls > 50


# figures


def test_the_figures_of_each_tier_add_up():
    tiers = TieredEvaluator(fixed("rules"), fixed("classifier", 0.1), fixed("judge"))
    for action in (READ, thought("e1"), mail("e1"), mail("e1")):
        tiers.assess(snapshot(chain(*FACTS), action))
    stats = tiers.stats()
    rules, model, judge = stats.tiers
    assert (stats.assessments, rules.asked, rules.settled, rules.share_settled) == (4, 4, 2, 0.5)
    assert (model.asked, model.settled, model.skipped, judge.asked, judge.skipped) == (2, 2, 2, 0, 4)
    assert sum(share.settled for share in stats.tiers) == stats.assessments
    assert rules.latency_p50_ms is not None
    assert judge.latency_p50_ms is None
    assert "rules" in stats.to_text()
    assert "2 (50%)" in stats.to_text()


def test_failures_are_counted_and_settle_nothing():
    tiers = TieredEvaluator(fixed("rules"), FailingEvaluator(name="classifier"))
    tiers.assess(snapshot(chain(*FACTS), mail("e1")))
    rules, model = tiers.stats().tiers
    assert (rules.settled, model.failed, model.settled) == (1, 1, 0)


def test_figures_are_whole_under_many_threads():
    tiers = TieredEvaluator(fixed("rules"), fixed("classifier", 0.1))
    view = snapshot(chain(*FACTS), mail("e1"))
    threads = [threading.Thread(target=lambda: [tiers.assess(view) for _ in range(50)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stats = tiers.stats()
    assert (stats.assessments, stats.tiers[0].asked, stats.tiers[1].settled) == (400, 400, 400)


def test_percentiles_are_right_within_a_bucket():
    histogram = LatencyHistogram()
    assert histogram.percentile(0.5) is None
    for value in range(1, 1001):
        histogram.add(float(value))
    for share in (0.5, 0.9, 0.99, 1.0):
        assert share * 1000 <= histogram.percentile(share) <= share * 1000 * 1.1001
    histogram.add(1e12)
    assert histogram.percentile(1.0) < 1e7


def test_the_guard_shows_the_figures_of_its_tiers():
    guard = MageGuard.create(goal="Report the figure.")
    guard.check(PendingAction(type="final_output", content="done"))
    assert guard.tier_stats.tiers[0].asked == 1


def test_quiet_and_alarmed_at_once_is_refused():
    with pytest.raises(ValidationError, match="quiet_below"):
        TierSettings(quiet_below=0.9, settle_above=0.5)
