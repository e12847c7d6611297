import pytest

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.agentrx import read_agentrx
from mage_ml.evaluation.importers.corpus import ImportCount
from mage_ml.evaluation.importers.sentinel import parse_step, read_sentinel
from mage_ml.evaluation.importers.stepshield import read_stepshield
from mage_ml.evaluation.importers.tau_bench import read_tau_bench
from mage_ml.evaluation.importers.team_log import SEND, TeamMessage, speaker_of
from mage_ml.evaluation.importers.who_and_when import axis_of, read_who_and_when
from mage_ml.memory import ActionType, Source
from mage_ml.risk import RiskAxis
from tests.evaluation.importers.made import (
    imported,
    openai_call,
    risky_at,
    sentinel,
    stepshield,
    tau_run,
    texts,
    write_json,
    write_lines,
)

CANCEL = openai_call("cancel_order", 1, order_id="A-100")
OTHER = openai_call("cancel_order", 2, order_id="B-200")
GOLD = [("cancel_order", {"order_id": "A-100"})]


@pytest.mark.parametrize(
    ("category", "axis"), [("UFO", RiskAxis.SAFETY), ("TST", RiskAxis.CONSISTENCY), ("DEC", RiskAxis.FACTUALITY)]
)
def test_a_rogue_step_is_judged_with_the_rules_and_the_steps_before_it(tmp_path, category, axis):
    write_lines(tmp_path / "half.jsonl", [stepshield(label=category), stepshield("CLEAN")])
    rogue, clean = imported(read_stepshield, tmp_path)
    assert risky_at(rogue) == [1]
    assert rogue.moments[1].label.axes == (axis,)
    assert texts(rogue)[: rogue.moments[1].visible] == [
        "Tidy the notes.", "Delete nothing.", "Notes tidy.", "I do step 1.", "text", "I do step 2.",
    ]  # fmt: skip
    assert [moment.action.type for moment in rogue.moments] == [
        ActionType.READ, ActionType.WRITE, ActionType.FINAL_OUTPUT,
    ]  # fmt: skip
    assert risky_at(clean) == []
    assert clean.group_id == rogue.group_id


def test_an_unknown_category_is_refused(tmp_path):
    write_lines(tmp_path / "half.jsonl", [stepshield(label="ODD")])
    with pytest.raises(RecordError, match=r"half\.jsonl:1: step 2: category 'ODD'; expected one of UFO"):
        imported(read_stepshield, tmp_path)


def test_actions_after_a_faulty_result_are_at_risk_and_rest_on_it(tmp_path):
    write_lines(tmp_path / "langgraph.jsonl.gz", [sentinel("context_corruption", 1), sentinel(name="run-2")])
    faulty, healthy = imported(read_sentinel, tmp_path)
    assert risky_at(faulty) == [2]
    label = faulty.moments[2].label
    assert (label.axes, label.decisive_entry) == ((RiskAxis.FACTUALITY,), faulty.entries[2].id)
    assert faulty.entries[2].text == "$12 $990"
    assert risky_at(healthy) == []
    assert len(healthy.moments[0].label.known_axes) == 3
    assert faulty.group_id == healthy.group_id


def test_a_fault_that_the_record_does_not_show_has_no_contaminated_entry(tmp_path):
    write_lines(tmp_path / "ollama.jsonl", [sentinel("goal_drift", 1, injector="task_rewrite")])
    (episode,) = imported(read_sentinel, tmp_path)
    assert risky_at(episode) == [1, 2]
    assert all(moment.label.decisive_entry is None for moment in episode.moments)
    assert episode.operator_family == "task_rewrite"


def test_healthy_runs_that_nobody_checked_have_no_label(tmp_path):
    write_lines(tmp_path / "organic7b.jsonl", [sentinel()])
    (episode,) = imported(read_sentinel, tmp_path)
    assert all(moment.label.known_axes == () for moment in episode.moments)


def test_an_unknown_fault_is_refused(tmp_path):
    write_lines(tmp_path / "x.jsonl", [sentinel("gremlin", 1)])
    with pytest.raises(RecordError, match="fault 'gremlin' at step 1; expected a step and one of context_corruption"):
        imported(read_sentinel, tmp_path)


def test_steps_without_events_are_read_from_their_text():
    step = parse_step('Trying. [web_search({"query": "a ) -> b"}) -> No results]')
    assert step.said == "Trying."
    assert (step.events[0].name, step.events[0].args, step.events[0].result) == (
        "web_search", {"query": "a ) -> b"}, "No results",
    )  # fmt: skip
    assert parse_step("[not a call] just words").events == ()


def test_calls_of_a_solved_run_are_safe_and_its_words_unlabelled(tmp_path):
    write_json(tmp_path / "gpt-airline.json", [tau_run([CANCEL], 1.0, GOLD)])
    (episode,) = imported(read_tau_bench, tmp_path)
    call, said = episode.moments
    assert call.label.known_axes == (RiskAxis.CONSISTENCY, RiskAxis.FACTUALITY)
    assert not call.label.is_risky
    assert said.label.known_axes == ()
    assert (episode.domain, episode.outcome.task_solved) == ("airline", True)


def test_of_a_failed_run_only_the_first_effective_call_that_is_not_gold_is_at_risk(tmp_path):
    run = tau_run([OTHER, CANCEL, OTHER], 0.0, GOLD, results=["Error: no such order", "done", "done"])
    write_json(tmp_path / "gpt-airline.json.gz", [run])
    (episode,) = imported(read_tau_bench, tmp_path)
    assert risky_at(episode) == [2]
    assert [moment.label.known_axes for moment in episode.moments[:2]] == [(), ()]


def test_few_shot_dialogues_give_clean_chains_without_labels(tmp_path):
    shown = "user: Cancel A-100.\nassistant: None\ntool: done\nassistant: It is cancelled.\nAnything else?"
    write_lines(tmp_path / "MockRetailDomainEnv-few_shot.jsonl", [{"messages_display": shown}])
    (episode,) = imported(read_tau_bench, tmp_path)
    assert [entry.source for entry in episode.entries] == [Source.USER, Source.TOOL, Source.LLM_REASONING]
    assert episode.moments[0].action.content == "It is cancelled.\nAnything else?"
    assert episode.moments[0].label.known_axes == ()


def team_log():
    return [
        {"content": "How many moons has Mars?", "role": "human"},
        {"content": "Plan: search.", "role": "Orchestrator (thought)"},
        {"content": "Please search.", "role": "Orchestrator (-> WebSurfer)"},
        {"content": "I found: three moons.", "role": "WebSurfer"},
        {"content": "exitcode: 0", "role": "ComputerTerminal"},
        {"content": "FINAL ANSWER: three", "role": "Orchestrator (thought)"},
    ]


def failed_log(step="3", reason="The number is wrong."):
    run = {
        "question": "How many moons has Mars?", "question_ID": "q1", "history": team_log(),
        "mistake_agent": "WebSurfer", "mistake_step": step, "mistake_reason": reason,
    }  # fmt: skip
    return {"path": "Who&When/Hand-Crafted/7.json", "run": run}


def test_what_comes_after_the_mistake_rests_on_it(tmp_path):
    write_lines(tmp_path / "Hand-Crafted.jsonl", [failed_log()])
    (episode,) = imported(read_who_and_when, tmp_path)
    assert [moment.action.content or moment.action.arguments.get("content") for moment in episode.moments] == [
        "Plan: search.", "Please search.", "I found: three moons.", "FINAL ANSWER: three",
    ]  # fmt: skip
    assert risky_at(episode) == [2, 3]
    assert episode.moments[2].label.decisive_entry is None
    wrong = episode.moments[3].label.decisive_entry
    assert next(entry.text for entry in episode.entries if entry.id == wrong) == "I found: three moons."
    assert episode.moments[1].action.tool_name == SEND
    assert episode.group_id == "gaia/q1"


def test_a_mistake_outside_the_log_is_refused(tmp_path):
    write_lines(tmp_path / "Hand-Crafted.jsonl", [failed_log(step="9")])
    with pytest.raises(RecordError, match="mistake_step 9; expected a message from 0 to 5"):
        imported(read_who_and_when, tmp_path)


def test_the_axis_of_a_mistake_is_read_off_the_reason():
    assert axis_of("The plan was not followed.") is RiskAxis.CONSISTENCY
    assert axis_of("The code does not run.") is RiskAxis.DEPENDENCY
    assert axis_of("The number is wrong.") is RiskAxis.FACTUALITY


def test_speakers_are_told_apart_by_name_or_role():
    assert speaker_of(TeamMessage(content="", role="human")).agent == ""
    assert speaker_of(TeamMessage(content="", role="user", name="Expert")).agent == "Expert"
    sent = speaker_of(TeamMessage(content="", role="Orchestrator (-> WebSurfer)"))
    assert (sent.agent, sent.target, sent.thinks) == ("Orchestrator", "WebSurfer", False)
    assert speaker_of(TeamMessage(content="", role="Orchestrator (termination condition)")).thinks


def agentrx_folder(folder, category="Misinterpretation of Tool Output"):
    def truth(name, step):
        failure = {"failure_id": 4, "step_number": step, "failure_category": category}
        return {"trajectory_id": name, "failures": [failure], "root_cause": {"failure_id": 4}}

    write_json(folder / "ground_truth/tau_ground_truth.json", [truth(3, 3)])
    write_json(folder / "ground_truth/magentic_one_ground_truth.json.gz", [truth("q1", 4)])
    failed = tau_run([CANCEL], 0.0, GOLD, task_id=3)
    write_json(folder / "tau_retail/tau_dataset_failed.json", [failed])
    write_json(folder / "tau_retail/tau_dataset_full.json", [failed, tau_run([CANCEL], 1.0, GOLD, task_id=5)])
    write_json(folder / "magentic_dataset/q1.json", team_log())
    write_json(folder / "magentic_dataset/q2.json", team_log())
    return folder


def test_step_numbers_count_from_one_and_the_root_cause_taints_what_follows(tmp_path):
    count = ImportCount()
    failed, passed, log = imported(read_agentrx, agentrx_folder(tmp_path), count)
    # Step 3 is the first call: message 1 is the policy, message 2 the user's.
    assert risky_at(failed) == [0, 1]
    assert failed.moments[0].label.decisive_entry is None
    assert failed.moments[1].label.decisive_entry == "m2"
    assert risky_at(passed) == []
    assert risky_at(log) == [2, 3]
    assert log.group_id == "gaia/q1"
    assert count.records == 5
    assert sum(count.left_out.values()) == 2


def test_failures_of_the_user_are_not_labelled(tmp_path):
    failed, _, _ = imported(read_agentrx, agentrx_folder(tmp_path, "Underspecified User Intent"))
    assert risky_at(failed) == []
    assert failed.moments[0].label.known_axes == ()


def test_an_unknown_category_of_failure_is_refused(tmp_path):
    with pytest.raises(RecordError, match=r"ground_truth\.json(\.gz)?:1: category 'Bad Luck'; expected one of"):
        imported(read_agentrx, agentrx_folder(tmp_path, "Bad Luck"))
