import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.calibration import beta_quantile, binomial_cdf, clopper_pearson_upper, episodes_needed
from mage_ml.errors import ConfigError
from mage_ml.evaluation.tier_calibration import BenignPeaks, benign_peaks, fit_combined, statement
from mage_ml.memory import Arm, MomentLabel, Outcome, Split
from mage_ml.risk import Coverage, RiskAxis, RiskVector
from mage_ml.runtime.assembly import combined_thresholds
from mage_ml.runtime.evaluators import TieredEvaluator, TierSettings
from mage_ml.runtime.guardrail import load_policy
from mage_ml.testing import FixedEvaluator
from tests.builders import tiny_triple
from tests.runtime.cases import chain, mail, snapshot, user

SAFETY = RiskAxis.SAFETY


def peaks(values):
    return BenignPeaks(tuple(values), tuple(RiskVector(safety=value) for value in values), "digest", 0)


def fit(values, target=0.02, **options):
    return fit_combined(peaks(values), "model 1", target=target, **options)


# the bound


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400), st.integers(0, 20), st.floats(0.5, 0.99))
def test_the_bound_is_the_exact_one(count, hits, confidence):
    stats = pytest.importorskip("scipy.stats")
    hits = min(hits, count)
    expected = 1.0 if hits == count else stats.beta.ppf(confidence, hits + 1, count - hits)
    assert clopper_pearson_upper(hits, count, confidence) == pytest.approx(expected, abs=1e-9)


def test_the_binomial_sums_hold_at_their_ends():
    assert (binomial_cdf(5, 5, 0.3), binomial_cdf(0, 5, 0.0), binomial_cdf(0, 5, 1.0)) == (1.0, 1.0, 0.0)
    assert binomial_cdf(0, 3, 0.5) == pytest.approx(0.125)
    assert beta_quantile(0.5, 3, 3) == pytest.approx(0.5)


def test_how_many_episodes_a_bound_needs():
    assert [episodes_needed(target) for target in (0.05, 0.01, 0.001)] == [59, 299, 2995]
    for target in (0.2, 0.05, 0.01):
        needed = episodes_needed(target)
        assert clopper_pearson_upper(0, needed) <= target < clopper_pearson_upper(0, needed - 1)


# the fit


def test_too_few_episodes_are_refused_and_the_number_needed_is_named():
    with pytest.raises(ConfigError, match=r"58 independent .* at least 59 are needed"):
        fit([0.1] * 58, 0.05)
    assert fit([0.1] * 59, 0.05).alarms == 0


def test_the_threshold_lies_above_all_but_the_allowed_alarms():
    scores = np.linspace(0.3, 0.95, 600).tolist()
    found = fit(scores, 0.02)
    (threshold,) = set(found.combined_thresholds.values())
    assert found.alarms == sum(score >= threshold for score in scores) > 0
    assert found.bound == clopper_pearson_upper(found.alarms, 600) <= 0.02
    assert clopper_pearson_upper(found.alarms + 1, 600) > 0.02


def test_quiet_episodes_are_no_reason_to_alarm_earlier():
    found = fit([0.1] * 300, 0.01)
    assert set(found.combined_thresholds.values()) == {0.5}
    assert (found.alarms, found.bound) == (0, clopper_pearson_upper(0, 300))
    assert max(fit([0.1] * 300, 0.01, may_lower=True).combined_thresholds.values()) < 0.11


@pytest.mark.slow
def test_the_bound_holds_on_new_episodes_as_often_as_it_says():
    rng = np.random.default_rng(7)
    broken = 0
    for _ in range(120):
        found = fit(rng.beta(4, 3, size=200).tolist(), 0.05)
        (threshold,) = set(found.combined_thresholds.values())
        broken += (rng.beta(4, 3, size=20_000) >= threshold).mean() > 0.05
    assert broken / 120 <= 0.05 + 0.05


# scoring


def test_a_group_counts_once_and_contaminated_episodes_are_left_out():
    episodes = [episode for number in range(3) for episode in tiny_triple(number, Split.VALIDATION)]
    found = benign_peaks(episodes, FixedEvaluator({SAFETY: 0.3}, name="tiers"))
    assert (found.peaks, found.contaminated) == ((0.3,) * 3, 3)
    benign = [episode for episode in episodes if episode.arm is not Arm.CONTAMINATED]
    assert benign_peaks(benign, FixedEvaluator({}, name="tiers")).digest == found.digest


def test_what_was_planted_without_effect_is_not_benign_either():
    clean, _, contaminated = tiny_triple(1, Split.VALIDATION)
    harmless = [moment.model_copy(update={"label": MomentLabel()}) for moment in contaminated.moments]
    resisted = contaminated.model_copy(update={"moments": tuple(harmless), "outcome": Outcome(task_solved=True)})
    recorded = resisted.model_copy(update={"arm": Arm.RECORDED})
    found = benign_peaks([clean, resisted, recorded], FixedEvaluator({}, name="tiers"))
    assert (len(found.peaks), found.contaminated) == (1, 2)


def test_complaint_12_a_failed_tier_is_no_ground_for_a_promise():
    broken = FixedEvaluator({}, name="tiers", coverage=Coverage(ran=("rules",), failed={"classifier": "late"}))
    with pytest.raises(ConfigError, match="classifier: late"):
        benign_peaks(tiny_triple(1, Split.VALIDATION), broken)


# use


def test_the_fitted_score_becomes_the_operating_point_and_the_order_is_kept():
    found = fit(np.linspace(0.3, 0.95, 600).tolist())
    (threshold,) = set(found.combined_thresholds.values())

    def combined(score):
        tiers = TieredEvaluator(
            FixedEvaluator({SAFETY: score}, name="rules"), combined_thresholds=found.combined_thresholds
        )
        result = tiers.assess(snapshot(chain(user()), mail()))
        assert result.evidence[0].score == result.risk.safety
        assert result.tiers[0].raw.safety == score
        return result.risk.safety

    assert combined(threshold) == pytest.approx(0.5)
    assert combined(threshold - 0.01) < 0.5 < combined(threshold + 0.01)
    scores = [combined(step / 50) for step in range(1, 51)]
    assert scores == sorted(scores)


def test_thresholds_fitted_with_another_model_are_not_used():
    calibration = fit([0.1] * 200)
    policy = load_policy().model_copy(update={"tiers": TierSettings(calibration=calibration)})
    assert combined_thresholds(policy, "model 1") == calibration.combined_thresholds
    assert combined_thresholds(policy, "model 2") == {}
    tiers = TieredEvaluator(FixedEvaluator({}, name="rules"), gaps={"calibration": "fitted with model 1"})
    assert "fitted with" in tiers.assess(snapshot(chain(user()), mail())).coverage.skipped["calibration"]


def test_the_statement_names_bound_confidence_and_counts():
    text = statement(fit([0.1] * 299, 0.01))
    assert "95% confidence" in text
    assert "1.00%" in text
    assert "0 of 299" in text
