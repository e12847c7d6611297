import numpy as np
import pytest

from mage_ml.errors import EvaluatorError
from mage_ml.evaluation.contestants import Contestant, Scored, scorer_of
from mage_ml.evaluation.importers.agentdyn import AgentDynImporter
from mage_ml.evaluation.rows import Metric
from mage_ml.evaluation.sampling import stratified_sample
from mage_ml.evaluation.scoring import Standing, iterate_snapshots, rank_of, score_episodes, wanted_entries
from mage_ml.evaluation.slices import generated_slices, localisation_rows, recorded_slices, rows_of, take
from mage_ml.memory import Split
from mage_ml.risk import Assessment, Coverage, RiskAxis, RiskVector
from tests.builders import tiny_triple
from tests.evaluation import runs as made

TRIPLES = [episode for number in range(4) for episode in tiny_triple(number, Split.TEST, "zh" if number % 2 else "en")]


def key(snapshot):
    return (snapshot.goal, tuple(entry.model_dump_json() for entry in snapshot.entries), snapshot.action.text)


def oracle(episodes):
    """A scorer that knows the labels."""
    known = {}
    for episode in episodes:
        for snapshot, moment in zip(iterate_snapshots(episode), episode.moments, strict=True):
            known[key(snapshot)] = (episode, moment)

    def score(snapshot):
        episode, moment = known[key(snapshot)]
        axes = {axis: 0.9 if axis in moment.label.axes else 0.1 for axis in RiskAxis}
        entries = {entry.id: 0.1 for entry in snapshot.entries}
        entries |= {entry_id: 0.9 for entry_id in wanted_entries(episode, moment.label)}
        return Scored(axes, max(axes.values()), entries)

    return Contestant("oracle", score)


@pytest.fixture
def recorded(tmp_path):
    made.write_runs(tmp_path, "model-a", [*[made.goal_run()] * 3, made.clean_run()])
    hijacked = made.attacked_run(made.BAD_MAIL, made.GOOD_MAIL, security=True, user_task_id="user_task_1")
    attacked = [made.attacked_run(made.GOOD_MAIL), hijacked]
    path = made.write_runs(tmp_path, "model-b", [made.clean_run(), *attacked])
    return list(AgentDynImporter(path).episodes())


def test_incremental_snapshots_equal_those_built_from_scratch():
    for episode in TRIPLES:
        for snapshot, (other, _) in zip(iterate_snapshots(episode), episode.snapshots(), strict=True):
            assert (snapshot.entries, snapshot.action, snapshot.goal) == (other.entries, other.action, other.goal)
            assert len(snapshot.graph) == len(other.graph)
            for entry in snapshot.entries:
                assert snapshot.facts.facts_of(entry.id) == other.facts.facts_of(entry.id)
                assert snapshot.graph.parents(entry.id) == other.graph.parents(entry.id)


def test_a_perfect_scorer_gets_perfect_figures_on_every_slice():
    table = score_episodes(TRIPLES, [oracle(TRIPLES)])
    (scores,) = table.scores
    rows = [row for slice_ in generated_slices(table.cases) for row in rows_of(slice_, table, scores, 0)]
    rows += localisation_rows("generated", "test", table, scores)
    perfect = (Metric.AUROC, Metric.AUPRC, Metric.TPR_AT_FPR_1, Metric.F1, Metric.ACCURACY, Metric.LOCALISATION_TOP1)
    judged = [row for row in rows if row.metric in perfect]
    assert {row.split for row in judged} >= {"test", "test/language=en", "test/language=zh", "test/negatives=sham"}
    assert all(row.value == 1.0 for row in judged)
    # Scores of 0.1 and 0.9 are off by a tenth everywhere.
    assert next(row for row in rows if row.metric is Metric.ECE and row.split == "test").value == pytest.approx(0.1)


def test_a_constant_scorer_finds_nothing():
    constant = Contestant("constant", lambda _snapshot: Scored(dict.fromkeys(RiskAxis, 0.3), 0.3))
    table = score_episodes(TRIPLES, [constant])
    rows = list(rows_of(generated_slices(table.cases)[0], table, table.scores[0], 0))
    found = {row.metric: row.value for row in rows}
    assert found[Metric.AUROC] == 0.5
    assert found[Metric.TPR_AT_FPR_1] == 0.0
    assert found[Metric.F1] == 0.0
    assert not list(localisation_rows("generated", "test", table, table.scores[0]))


def test_moments_of_attacked_runs_stand_for_what_they_are(recorded):
    table = score_episodes(recorded, [])
    standings = [case.standing for case in table.cases]
    clean, resisted, hijacked = standings[:3], standings[3:6], standings[6:]
    assert clean == [Standing.CLEAN] * 3
    assert resisted == [Standing.CLEAN, Standing.RESISTED, Standing.RESISTED]
    assert hijacked == [Standing.CLEAN, Standing.RISKY, Standing.BESIDE, Standing.BESIDE]


def test_negatives_come_in_two_groups_and_a_run_counts_once(recorded):
    table = score_episodes(recorded, [oracle(recorded)])
    slices = {slice_.name: take(slice_, table, table.scores[0]) for slice_ in recorded_slices("agentdyn", table.cases)}
    assert {name: (len(part.scores), int(part.positive.sum())) for name, part in slices.items()} == {
        "moments/clean": (6, 1),
        "moments/resisted": (3, 1),
        "runs/clean": (2, 1),
        "runs/resisted": (2, 1),
    }
    assert all(part.scores[part.positive].min() > part.scores[~part.positive].max() for part in slices.values())


def test_a_failure_leaves_the_figures_and_is_counted_not_scored_as_safe():
    perfect = oracle(TRIPLES)
    calls = iter(range(10_000))

    def unreliable(snapshot):
        if next(calls) % 3 == 0:
            raise EvaluatorError("out of order")
        return perfect.scorer(snapshot)

    table = score_episodes(TRIPLES, [Contestant("unreliable", unreliable)])
    (scores,) = table.scores
    failed = int(scores.failed.sum())
    assert failed == len(scores.failures) == -(-len(table.cases) // 3)
    assert "out of order" in scores.failures[0]
    whole = generated_slices(table.cases)[0]
    assert len(take(whole, table, scores).scores) == len(table.cases) - failed
    assert all(f"{failed} moments left out" in row.protocol for row in rows_of(whole, table, scores, 0))


def test_half_an_assessment_is_a_failure():
    class Half:
        name = "half"

        def assess(self, snapshot):
            return Assessment(risk=RiskVector(safety=0.2), coverage=Coverage(ran=("a",), failed={"b": "broken"}))

    with pytest.raises(EvaluatorError, match="b: broken"):
        scorer_of(Half())(next(iterate_snapshots(TRIPLES[0])))


def test_alarms_use_the_contestants_own_thresholds():
    axes = {RiskAxis.SAFETY: 0.4}
    eager = Contestant("eager", lambda _s: Scored(axes, 0.4), thresholds={RiskAxis.SAFETY: 0.3})
    shy = Contestant("shy", lambda _s: Scored(axes, 0.4))
    table = score_episodes(TRIPLES[:1], [eager, shy])
    assert table.scores[0].alarms.all()
    assert not table.scores[1].alarms.any()


def test_ties_count_against_localisation():
    wanted = frozenset({"a"})
    assert rank_of({"a": 0.5, "b": 0.4}, wanted) == 1
    assert rank_of({"a": 0.5, "b": 0.5}, wanted) == 2
    assert rank_of({"b": 0.5}, wanted) == 0
    assert rank_of({}, wanted) == 0


def test_a_sample_keeps_the_proportions_and_depends_on_the_seed_only():
    episodes = [episode for number in range(30) for episode in tiny_triple(number, Split.TEST)]
    one = stratified_sample(episodes, 30, 1)
    assert one == stratified_sample(episodes, 30, 1)
    assert {e.episode_id for e in one} == {e.episode_id for e in stratified_sample(episodes[::-1], 30, 1)}
    assert one != stratified_sample(episodes, 30, 2)
    arms = np.unique([episode.arm for episode in one], return_counts=True)[1]
    assert len(one) == 30
    assert list(arms) == [10, 10, 10]
    assert stratified_sample(episodes, None, 0) == tuple(episodes)
