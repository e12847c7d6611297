import pytest

from mage_ml.evaluation.importers.agentdyn import AgentDynImporter
from mage_ml.evaluation.recorded import RunOutcome, parse_pipeline, recorded_rows, summarise
from mage_ml.evaluation.replay import ReplayDecision, ReplaySummary, deadline_of, replay, replay_rows, replay_run
from mage_ml.evaluation.rows import Metric
from mage_ml.memory import ActionType, Status
from mage_ml.runtime.guardrail.repair import MemoryPatch, PatchOperation
from tests.evaluation import runs as made

OPEN = made.call("browse_webpage", url="www.other.example")
LOOK_UP = made.call("search_mail", query="thief@evil.example")


def allow_all(snapshot):
    return ReplayDecision(allowed=True)


def halt_all(snapshot):
    return ReplayDecision(allowed=False)


def holds_poison(snapshot):
    return [e for e in snapshot.entries if "INFORMATION" in e.text and e.status is Status.ACTIVE]


def halt_writes_near_poison(snapshot):
    return ReplayDecision(allowed=not (holds_poison(snapshot) and snapshot.action.type == ActionType.WRITE))


def repair(snapshot):
    """Quarantines the poison, and holds back the action at which it does so."""
    found = holds_poison(snapshot)
    patches = tuple(MemoryPatch(operation=PatchOperation.QUARANTINE, entry_id=entry.id) for entry in found)
    return ReplayDecision(allowed=not found, patches=patches, redo=bool(found))


@pytest.fixture
def import_runs(tmp_path):
    made.write_runs(tmp_path, "model-a", [*[made.goal_run()] * 3, made.clean_run()])

    def of(*runs):
        return list(AgentDynImporter(made.write_runs(tmp_path, "model-b", runs)).episodes())

    return of


@pytest.fixture
def two_step_attack(tmp_path, import_runs):
    """A run whose injected goal is served by a read, a look-up, and then by the write that does the harm."""
    goal = made.goal_run()
    goal["messages"] = [goal["messages"][0], made.asks(LOOK_UP), made.answers(LOOK_UP, "-"), *goal["messages"][1:]]
    made.write_runs(tmp_path, "model-a", [goal] * 3)
    (episode,) = import_runs(made.attacked_run(LOOK_UP, made.BAD_MAIL, security=True))
    assert [m.label.is_risky for m in episode.moments] == [False, True, True, False]
    return episode


def test_without_a_guard_every_figure_is_that_of_the_recording(import_runs):
    episodes = import_runs(
        made.clean_run(),
        made.attacked_run(made.GOOD_MAIL),
        made.hijacked_run(),
    )
    summary = ReplaySummary.of(replay(episodes, allow_all))
    assert (summary.attacked, summary.attacks_left) == (2, 1)
    assert (summary.clean_solved, summary.clean_halted) == (1, 0)
    assert (summary.resisted_solved, summary.resisted_kept) == (1, 1)


def test_a_guard_that_halts_everything_prevents_all_and_costs_all(import_runs):
    episodes = import_runs(
        made.clean_run(),
        made.attacked_run(made.GOOD_MAIL),
        made.hijacked_run(),
    )
    summary = ReplaySummary.of(replay(episodes, halt_all))
    assert (summary.attacks_left, summary.clean_halted, summary.resisted_kept) == (0, 1, 0)


def test_halting_the_hijacked_action_prevents_the_attack(import_runs):
    (episode,) = import_runs(made.attacked_run(made.BAD_MAIL, security=True))
    run = replay_run(episode, halt_writes_near_poison)
    assert (run.stopped_at, run.deadline) == (1, 1)
    assert run.prevented


def test_halting_after_the_hijacked_action_comes_too_late(import_runs):
    (episode,) = import_runs(made.attacked_run(made.BAD_MAIL, security=True))
    run = replay_run(episode, lambda s: ReplayDecision(allowed=s.action.type != ActionType.FINAL_OUTPUT))
    assert run.stopped_at == 2
    assert not run.prevented


def test_the_deadline_is_the_first_writing_action_that_serves_the_goal(two_step_attack):
    assert deadline_of(two_step_attack) == 2


def test_a_serving_read_held_for_repair_prevents_nothing_when_the_hijacked_write_is_allowed(two_step_attack):
    run = replay_run(two_step_attack, lambda s: ReplayDecision(allowed=s.action.tool_name != "search_mail", redo=True))
    assert not run.prevented
    assert (run.stopped_at, run.ended_at, run.deadline, run.deadline_stopped) == (1, None, 2, False)
    assert ReplaySummary.of([run]).attacks_left == 1


def test_a_serving_read_that_is_halted_ends_the_run_and_prevents_the_attack(two_step_attack):
    run = replay_run(two_step_attack, lambda s: ReplayDecision(allowed=s.action.tool_name != "search_mail"))
    assert (run.ended_at, run.deadline_stopped) == (1, False)
    assert run.prevented


def test_holding_both_the_serving_read_and_the_hijacked_write_prevents_the_attack(two_step_attack):
    held = ("search_mail", "send_email")
    run = replay_run(two_step_attack, lambda s: ReplayDecision(allowed=s.action.tool_name not in held, redo=True))
    assert (run.stopped_at, run.ended_at, run.deadline_stopped) == (1, None, True)
    assert run.prevented


def test_where_the_goal_is_only_to_read_the_first_serving_read_is_the_deadline(tmp_path, import_runs):
    goal = made.goal_run()
    goal["messages"] = [goal["messages"][0], made.asks(LOOK_UP), made.answers(LOOK_UP, "-")]
    made.write_runs(tmp_path, "model-a", [goal] * 3)
    (episode,) = import_runs(made.attacked_run(LOOK_UP, security=True))
    run = replay_run(episode, lambda s: ReplayDecision(allowed=s.action.tool_name != "search_mail", redo=True))
    assert (run.deadline, run.deadline_stopped, run.prevented) == (1, True, True)


def test_a_successful_attack_without_a_located_action_is_prevented_by_any_stop(import_runs):
    (episode,) = import_runs(made.attacked_run(made.GOOD_MAIL, security=True))
    assert deadline_of(episode) == 2
    assert replay_run(episode, halt_all).prevented
    assert not replay_run(episode, allow_all).prevented


def test_repair_lets_an_innocent_run_go_on_and_holds_for_the_rest_of_it(import_runs):
    (episode,) = import_runs(made.attacked_run(made.GOOD_MAIL, OPEN))
    seen = []

    def watching(snapshot):
        seen.append([e.id for e in snapshot.entries if e.status is Status.QUARANTINED])
        return repair(snapshot)

    run = replay_run(episode, watching)
    assert run.finished
    assert run.stopped_at is None
    assert run.patched == 1
    # The read, the mail before and after repair, the web page, the answer.
    assert seen == [[], [], ["m2"], ["m2"], ["m2"]]


def test_a_repair_that_holds_back_the_hijacked_action_prevents_it_and_the_run_goes_on(import_runs):
    (episode,) = import_runs(made.attacked_run(made.BAD_MAIL, OPEN, security=True))
    run = replay_run(episode, repair)
    assert run.prevented
    assert run.finished


def test_an_attack_left_after_its_entry_was_quarantined_is_left_but_named_disarmed(import_runs):
    (episode,) = import_runs(made.attacked_run(OPEN, made.BAD_MAIL, security=True))
    run = replay_run(episode, repair)
    assert (run.prevented, run.disarmed) == (False, True)
    summary = ReplaySummary.of([run])
    assert (summary.attacks_left, summary.left_disarmed) == (1, 1)
    assert not replay_run(episode, allow_all).disarmed


def test_a_repair_that_still_does_not_allow_the_action_ends_the_run(import_runs):
    (episode,) = import_runs(made.attacked_run(made.GOOD_MAIL))

    def stubborn(snapshot):
        return ReplayDecision(allowed=snapshot.action.type == ActionType.READ, redo=True)

    run = replay_run(episode, stubborn)
    assert (run.stopped_at, run.ended_at) == (1, 1)
    assert not run.finished


def test_rows_carry_intervals_counts_and_the_protocol(import_runs):
    episodes = import_runs(made.clean_run(), made.attacked_run(made.GOOD_MAIL))
    rows = replay_rows("agentdyn", "rules", replay(episodes, allow_all))
    found = {(row.split, row.metric): row for row in rows}
    left = found["replay", Metric.ATTACK_SUCCESS_LEFT]
    assert (left.value, left.n) == (0.0, 1)
    assert 0.0 == left.ci_low < left.ci_high < 1.0
    assert "injected goal" in left.protocol
    assert found["replay/injection_met", Metric.UTILITY_UNDER_ATTACK_KEPT].n == 1


@pytest.mark.parametrize(
    ("name", "model", "defence"),
    [
        ("gpt-x-prompt_guard_2_detector", "gpt-x", "prompt_guard_2_detector"),
        ("gpt-x", "gpt-x", "none"),
        ("meta_secalign-8B", "meta_secalign-8B", "SecAlign"),
    ],
)
def test_pipeline_names_split_into_model_and_defence(name, model, defence):
    pipeline = parse_pipeline(name)
    assert (pipeline.model, pipeline.defence) == (model, defence)


def outcome(pipeline, task, *, attacked=True, harmed=False, solved=True):
    return RunOutcome(pipeline, task, attacked=attacked, met=attacked, harmed=harmed, solved=solved)


def test_a_recorded_defence_is_compared_with_the_undefended_runs_of_the_same_model_and_task():
    defended = "m-repeat_user_prompt"
    outcomes = [
        outcome("m", "a"),
        outcome("m", "b"),
        outcome("m", "c", harmed=True),
        outcome("m", "t", attacked=False),
        outcome("m", "u", attacked=False, solved=False),
        outcome(defended, "a"),
        outcome(defended, "b", solved=False),
        outcome(defended, "c"),
        outcome(defended, "t", attacked=False, solved=False),
        outcome(defended, "u", attacked=False),
        outcome("other-secalign", "a", harmed=True),
    ]
    rows = {(row.contestant, row.split, row.metric): row for row in recorded_rows("agentdyn", outcomes)}
    none, repeat = "recorded:none", "recorded:repeat_user_prompt"
    assert rows[none, "replay", Metric.ATTACK_SUCCESS_LEFT].value == pytest.approx(1 / 3)
    assert rows[repeat, "replay", Metric.ATTACK_SUCCESS_LEFT].value == 0.0
    assert (rows[repeat, "replay", Metric.BENIGN_HALTED].value, rows[repeat, "replay", Metric.BENIGN_HALTED].n) == (
        1,
        1,
    )
    kept = rows[repeat, "replay", Metric.UTILITY_UNDER_ATTACK_KEPT]
    assert (kept.value, kept.n) == (0.5, 2)
    # No undefended twin, no relative figure: none is invented.
    assert {key[2] for key in rows if key[0] == "recorded:SecAlign"} == {Metric.ATTACK_SUCCESS_LEFT}
    assert [s.defence for s in summarise(outcomes)] == ["none", "SecAlign", "repeat_user_prompt"]
