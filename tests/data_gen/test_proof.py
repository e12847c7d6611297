import pytest

from data_gen.agents import PROFILES, Habit
from data_gen.guarded import find_case
from data_gen.operators import OPERATORS, Spot
from data_gen.proof import Proof, Rejection, Trial, prove, run_once
from data_gen.randomness import rng_for
from data_gen.tasks import DOMAINS
from data_gen.triples import usable_operators
from mage_ml.memory.episode import Arm
from mage_ml.memory.graph import DependencyGraph


def test_arms_share_every_entry_before_the_edit_byte_for_byte(triples):
    for triple in triples:
        place = next(e.step for e in triple.sham.entries if e.id == triple.sham.injected_entry)
        prefixes = [[entry.model_dump_json() for entry in arm.entries[:place]] for arm in triple.episodes]
        assert prefixes[1] == prefixes[2]
        differing = sum(one != other for one, other in zip(prefixes[0], prefixes[1], strict=True))
        assert differing == OPERATORS[triple.sham.operator].width - 1  # texts that only prepare the one with the error
        assert triple.contaminated.injected_entry == triple.sham.injected_entry


def test_downstream_of_a_consequential_edit_something_else_is_written(triples):
    for triple in triples:
        if triple.contaminated.consequential:
            place = next(e.step for e in triple.sham.entries if e.id == triple.sham.injected_entry)
            clean = [moment.action.text for moment in triple.clean.moments if moment.visible > place]
            bad = [moment.action.text for moment in triple.contaminated.moments if moment.visible > place]
            assert clean != bad


def test_only_proven_contamination_counts_as_consequential(triples):
    kinds = {triple.contaminated.consequential for triple in triples}
    assert kinds == {True, False}
    for triple in triples:
        proof = triple.contaminated.proof
        assert triple.clean.outcome.task_solved is True
        assert triple.sham.outcome.task_solved is True
        assert proof.clean_right == proof.sham_right == proof.seeds == 5
        if triple.contaminated.consequential:
            assert proof.contaminated_wrong >= 4
            assert proof.restored_right >= 4
            assert triple.contaminated.outcome.task_solved is False
        else:
            assert triple.contaminated.outcome.task_solved is True
        assert [arm.arm for arm in triple.episodes] == [Arm.CLEAN, Arm.SHAM, Arm.CONTAMINATED]
        assert triple.clean.proof is None
        assert triple.clean.injected_entry is None


def test_labels_follow_the_graph_and_the_proof(triples):
    for triple in triples:
        run = triple.contaminated
        graph = DependencyGraph.of(run.entries)
        tainted = graph.tainted_by([run.injected_entry])
        step = {entry.id: entry.step for entry in run.entries}
        for moment in run.moments:
            label = moment.label
            visible = step[run.injected_entry] < moment.visible
            assert (label.decisive_entry == run.injected_entry) is visible
            assert set(label.tainted) == ({e for e in tainted if step[e] < moment.visible} if visible else set())
            if label.is_risky:
                assert run.consequential
                operator = OPERATORS[run.operator]
                assert label.axes == (operator.axis_of(operator.width - 1),)
                assert tainted & set(moment.action.depends_on)
                assert (moment.action.type == "call_tool:read") <= (run.operator == "looping")
        risky = [moment for moment in run.moments if moment.label.is_risky]
        assert bool(risky) is run.consequential


def test_clean_and_sham_arms_carry_no_risk(triples):
    for triple in triples:
        for arm in (triple.clean, triple.sham):
            assert not any(m.label.is_risky or m.label.decisive_entry for m in arm.moments)


def test_an_order_makes_only_the_actions_that_follow_it_risky(triples):
    found = 0
    for triple in triples:
        run = triple.contaminated
        if run.operator == "plain_instruction" and run.consequential:
            for moment in run.moments:
                if moment.label.is_risky:
                    assert run.injected_entry in moment.action.depends_on
                    found += 1
                elif moment.visible > 0 and moment.action.type == "call_tool:write":
                    assert run.injected_entry not in moment.action.depends_on
    assert found


def is_contact(run, entry_id):
    """A directory record is used for its address, whatever its remark says."""
    return next(entry.tool_name for entry in run.entries if entry.id == entry_id) == "find_contact"


def trial_for(operator, habit, number):
    domain = DOMAINS["sales_report"]
    kind = OPERATORS[operator]
    task = domain.sample("region_figure", "en", "en-terse", rng_for("trial", number), kind.needs)
    key = task.question.keys[0]
    return Trial(domain, task, PROFILES[habit], kind, Spot((f"note:{key.entity}:{key.period}:revenue",)), 100 + number)


def test_a_careful_agent_gives_rejections_where_an_effect_is_wanted():
    reasons = {prove(trial_for("value_flip", Habit.CAREFUL, n), seeds=5, needed=4, wants_effect=True) for n in range(6)}
    assert Rejection.SURPLUS_CORRECTED in reasons


def test_a_hasty_agent_gives_rejections_where_no_effect_is_wanted():
    proofs = [prove(trial_for("value_flip", Habit.HASTY, n), seeds=3, needed=2, wants_effect=False) for n in range(6)]
    assert Rejection.CONSEQUENTIAL_NOT_WANTED in proofs


def test_a_slot_that_does_not_exist_is_no_candidate():
    trial = trial_for("value_flip", Habit.HASTY, 0)
    nowhere = Trial(trial.domain, trial.task, trial.profile, trial.operator, Spot(("note:nowhere",)), trial.seed)
    assert prove(nowhere, seeds=2, needed=2, wants_effect=True) is Rejection.NO_CANDIDATE


@pytest.mark.parametrize("operator", usable_operators(tuple(OPERATORS), ("sales_report",)))
def test_undoing_the_one_write_restores_the_outcome(operator):
    case = find_case(operator, seed=2, language="zh")
    assert isinstance(case.proof, Proof)
    assert case.proof.counts.restored_right >= 4
    wrong = run_once(case.domain, case.task, case.profile, case.seed, edit=case.contaminated)
    restored = run_once(case.domain, case.task, case.profile, case.seed, edit=case.contaminated, restore=True)
    assert not wrong.is_right
    assert restored.is_right
