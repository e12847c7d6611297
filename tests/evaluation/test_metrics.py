import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mage_ml.evaluation import metrics


def test_the_wilson_interval_matches_a_worked_example():
    # 81 of 263: a textbook case of Wilson's score interval.
    found = metrics.proportion(81, 263)
    assert found.value == pytest.approx(0.30798, abs=1e-5)
    assert (found.low, found.high) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))


@given(st.integers(1, 5000), st.data())
def test_a_share_lies_inside_its_interval_and_the_interval_inside_zero_and_one(n, data):
    found = metrics.proportion(data.draw(st.integers(0, n)), n)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0


def test_a_share_of_nothing_is_no_share():
    assert metrics.proportion(0, 0) is None


def test_impossible_counts_are_refused():
    with pytest.raises(ValueError, match="3 successes in 2 cases"):
        metrics.proportion(3, 2)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=60))
def test_the_area_agrees_with_scikit_learn_ties_included(pairs):
    from sklearn.metrics import roc_auc_score

    scores = np.array([score / 5 for score, _ in pairs])
    positive = np.array([flag for _, flag in pairs])
    found = metrics.auroc(scores, positive)
    if positive.all() or not positive.any():
        assert found is None
    else:
        assert found.value == pytest.approx(roc_auc_score(positive, scores))


def test_the_bootstrap_depends_on_its_generator_only_and_brackets_the_area():
    rng = np.random.default_rng(3)
    positive = rng.random(300) < 0.4
    scores = positive * 0.5 + rng.random(300)
    groups = [str(i // 5) for i in range(300)]
    one = metrics.auroc(scores, positive, groups, rng=np.random.default_rng(1))
    two = metrics.auroc(scores, positive, groups, rng=np.random.default_rng(1))
    other = metrics.auroc(scores, positive, groups, rng=np.random.default_rng(2))
    assert one == two
    assert one != other
    assert one.low < one.value < one.high


def test_groups_that_move_together_widen_the_interval():
    rng = np.random.default_rng(0)
    base_positive, base_scores = np.array([True, False] * 20), rng.random(40)
    scores, positive = np.repeat(base_scores, 25), np.repeat(base_positive, 25)
    groups = [str(i) for i in np.repeat(np.arange(40), 25)]
    alone = metrics.auroc(scores, positive, rng=np.random.default_rng(0))
    grouped = metrics.auroc(scores, positive, groups, rng=np.random.default_rng(0))
    assert grouped.high - grouped.low > 2 * (alone.high - alone.low)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=300), st.sampled_from([0.001, 0.01, 0.1, 0.5]))
def test_no_more_negatives_than_allowed_lie_above_the_threshold(scores, fpr):
    negatives = np.array(scores)
    threshold = metrics.threshold_at_fpr(negatives, fpr)
    assert (negatives > threshold).sum() <= math.floor(fpr * len(negatives) + 1e-9)


def test_the_true_positive_rate_counts_positives_above_the_negatives_threshold():
    scores = np.array([0.1] * 98 + [0.5, 0.8] + [0.9, 0.6, 0.4, 0.05])
    positive = np.array([False] * 100 + [True] * 4)
    # One of a hundred negatives may be above: the threshold is the second highest, 0.5.
    assert metrics.tpr_at_fpr(scores, positive, 0.01).value == 0.5
    assert metrics.tpr_at_fpr(scores, positive, 0.001).value == 0.25


def test_equal_scores_for_all_find_nothing():
    scores, positive = np.ones(50), np.arange(50) < 10
    assert metrics.tpr_at_fpr(scores, positive, 0.01).value == 0.0


def test_calibration_error_is_zero_for_true_shares_and_large_for_false_ones():
    scores = np.array([0.25] * 40 + [0.75] * 40)
    honest = np.array([True] * 10 + [False] * 30 + [True] * 30 + [False] * 10)
    assert metrics.ece(scores, honest).value == pytest.approx(0.0)
    assert metrics.ece(scores, ~honest).value == pytest.approx(0.5)


def test_accuracy_and_f1_of_decisions():
    decided = np.array([True, True, False, False, False])
    positive = np.array([True, False, True, False, False])
    assert metrics.accuracy(decided, positive).value == pytest.approx(0.6)
    assert metrics.f1(decided, positive).value == pytest.approx(0.5)
    assert metrics.f1(decided, np.zeros(5, dtype=bool)) is None
