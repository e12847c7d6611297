import pytest

from mage_ml.errors import ConfigError
from mage_ml.evaluation.policy_trial import (
    Figure,
    TrialRun,
    compare_policies,
    exact_mcnemar,
    replay_trial,
)
from mage_ml.memory import Outcome, Split
from mage_ml.risk import RiskAxis
from mage_ml.runtime.guardrail import DecisionAction, GuardrailEngine, load_policy
from mage_ml.testing import FixedEvaluator
from tests.builders import tiny_triple

PROCEED, WARN, HALT = DecisionAction.PROCEED, DecisionAction.WARN, DecisionAction.HALT


def run(number, *, attacked=False, solved=True, harmed=False, halted=False, decisions=None):
    return TrialRun(f"c{number}", attacked, solved, harmed, halted, decisions or {PROCEED: 3})


def compared(runs_a, runs_b):
    return compare_policies(runs_a, runs_b, policy_a="mild", policy_b="hard", how="made up")


def figure(found, name):
    return next(item for item in found.figures if item.figure is name)


@pytest.mark.parametrize(
    ("only_a", "only_b", "expected"), [(0, 0, 1.0), (0, 5, 0.0625), (5, 0, 0.0625), (3, 3, 1.0), (1, 9, 0.021484375)]
)
def test_the_paired_test_is_exact(only_a, only_b, expected):
    assert exact_mcnemar(only_a, only_b) == pytest.approx(expected)
    stats = pytest.importorskip("scipy.stats")
    if only_a + only_b:
        assert exact_mcnemar(only_a, only_b) == pytest.approx(stats.binomtest(only_a, only_a + only_b).pvalue)


def test_shares_have_wilson_intervals_and_count_discordant_cases():
    found = compared(
        [run(n, solved=n < 8, attacked=n % 2 == 0) for n in range(10)],
        [run(n, solved=n < 4, attacked=n % 2 == 0) for n in range(10)],
    )
    success = figure(found, Figure.SUCCESS)
    assert (success.a.value, success.b.value, success.only_a, success.only_b) == (0.8, 0.4, 4, 0)
    assert success.a.low < 0.8 < success.a.high
    assert (figure(found, Figure.SUCCESS_BENIGN).a.n, figure(found, Figure.SUCCESS_ATTACKED).a.n) == (5, 5)


def test_the_verdict_names_who_is_better_in_what_and_chance_where_it_is():
    mild = [run(n, attacked=True, harmed=True, solved=False) for n in range(20)] + [run(n) for n in range(20, 40)]
    hard = [run(n, attacked=True, halted=True, solved=False) for n in range(20)] + [
        run(n, solved=False, halted=True, decisions={HALT: 1}) for n in range(20, 40)
    ]
    verdict = compared(mild, hard).verdict
    assert "hard is better in harm done, contaminated (100.0% against 0.0%" in verdict
    assert "mild is better in task success, benign (100.0% against 0.0%" in verdict
    assert "within chance" in verdict
    assert "No figure tells mild and hard apart" in compared(mild, mild).verdict


def test_cases_are_paired_by_name_and_must_be_the_same():
    runs = [run(n) for n in range(5)]
    assert compared(runs, list(reversed(runs))).cases == 5
    for other in (runs[:4], [*runs[:4], run(9)], []):
        with pytest.raises(ConfigError, match="the same cases"):
            compared(runs, other)


def test_decisions_are_counted_by_kind():
    found = compared([run(1, decisions={PROCEED: 2, WARN: 1})], [run(1, decisions={HALT: 1})])
    assert (found.decisions_a[WARN], found.decisions_a[HALT], found.decisions_b[HALT]) == (1, 0, 1)
    assert figure(found, Figure.TOUCHED_BENIGN).a.value == 1.0
    assert found.model_validate_json(found.model_dump_json()) == found


def test_recorded_runs_are_replayed_under_each_policy():
    episodes = [
        episode.model_copy(update={"outcome": Outcome(task_solved=True, harm_done=False)})
        for number in range(3)
        for episode in tiny_triple(number, Split.TEST)
    ]

    def trial(score):
        engine = GuardrailEngine(FixedEvaluator({RiskAxis.SAFETY: score}), load_policy())
        return replay_trial(episodes, engine)

    quiet, loud = trial(0.0), trial(0.95)
    assert all(item.solved and not item.halted for item in quiet)
    assert all(item.halted and not item.solved for item in loud)
    found = compare_policies(quiet, loud, policy_a="quiet", policy_b="loud", how="replayed")
    assert figure(found, Figure.HALTED).p_value < 0.05
    assert "quiet is better in task success, benign" in found.verdict
