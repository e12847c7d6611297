"""Thresholds keep their promise on finite data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.risk import RiskAxis
from mage_ml.training.calibration import choose_threshold, clopper_pearson_upper, fit_calibration

PROBABILITY = st.floats(0, 0.999999)


@pytest.mark.parametrize(("count", "bound"), [(59, 0.05), (299, 0.01), (2995, 0.001)])
def test_the_published_sample_sizes_support_their_bounds(count: int, bound: float) -> None:
    assert clopper_pearson_upper(0, count) <= bound
    assert clopper_pearson_upper(0, count - 2) > bound


@settings(max_examples=60, deadline=None)
@given(st.lists(PROBABILITY, min_size=1, max_size=400), st.floats(0.005, 0.5), st.lists(PROBABILITY, max_size=9))
def test_alarms_on_the_calibration_set_never_exceed_what_the_bound_allows(
    peaks: list[float], target: float, risky: list[float]
) -> None:
    point = choose_threshold(peaks, target, risky)
    assert sum(peak >= point.threshold for peak in peaks) == point.alarms
    assert clopper_pearson_upper(point.alarms, len(peaks)) <= max(target, point.bound) + 1e-12


def test_too_few_episodes_report_the_bound_that_holds() -> None:
    point = choose_threshold([0.1, 0.2, 0.3], target=0.01)
    assert point.bound > 0.5
    assert point.alarms == 0


def test_realised_false_alarms_stay_within_the_bound_on_fresh_episodes() -> None:
    rng = np.random.default_rng(3)
    broken = 0
    for _ in range(200):
        point = choose_threshold(rng.beta(1, 6, size=300).tolist(), target=0.05)
        broken += float((rng.beta(1, 6, size=4000) >= point.threshold).mean()) > point.bound
    # The bound holds with 95 % confidence: about 10 of 200 may break it, 25 would refute it.
    assert broken <= 20


def test_the_threshold_lies_between_benign_and_risky_scores() -> None:
    point = choose_threshold([0.01] * 99 + [0.02], target=0.05, risky_scores=[0.9, 0.95])
    assert 0.02 < point.threshold < 0.9
    assert point.threshold == pytest.approx(0.3, abs=0.2)


def test_no_benign_episodes_is_an_error() -> None:
    with pytest.raises(ValueError, match="299"):
        choose_threshold([], target=0.01)


def test_platt_scaling_makes_overconfident_scores_honest() -> None:
    rng = np.random.default_rng(0)
    truth = (rng.random(4000) < 0.3).astype(float)
    honest = np.log(0.3 / 0.7) + np.where(truth > 0, 1.0, -1.0) + rng.normal(size=4000)
    logits = np.repeat((honest * 5)[:, None], 4, axis=1)
    labels = np.repeat(truth[:, None], 4, axis=1)
    fitted = fit_calibration(logits, labels, np.ones_like(labels))[RiskAxis.SAFETY]
    probabilities = 1 / (1 + np.exp(-(fitted.slope * logits[:, 0] + fitted.offset)))
    assert probabilities.mean() == pytest.approx(truth.mean(), abs=0.02)
    assert fitted.slope < 1


def test_an_axis_without_enough_labels_keeps_its_raw_score() -> None:
    logits, labels = np.zeros((50, 4)), np.zeros((50, 4))
    fitted = fit_calibration(logits, labels, np.ones_like(labels))
    assert all(item.slope == 1.0 and item.offset == 0.0 for item in fitted.values())
