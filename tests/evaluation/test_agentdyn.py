import json
import os
from collections import Counter
from pathlib import Path

import pytest

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.agentdyn import AgentDynImporter
from mage_ml.evaluation.importers.tools import action_type_of, origin_of_result
from mage_ml.memory import ActionType, Source
from mage_ml.risk import RiskAxis
from tests.evaluation import runs as made


@pytest.fixture
def folder(tmp_path):
    goals = [made.goal_run()] * 3
    made.write_runs(tmp_path, "model-a", [*goals, made.clean_run()])
    return tmp_path


def episodes_of(folder, *runs, **options):
    path = made.write_runs(folder, "model-b", runs)
    return list(AgentDynImporter(path, **options).episodes())


def test_messages_become_entries_with_source_role_tool_and_origin(folder):
    (episode,) = episodes_of(folder, made.clean_run())
    system, user, result, sent = episode.entries
    assert (system.source, user.source, result.source) == (Source.SYSTEM, Source.USER, Source.TOOL)
    assert user.is_trusted
    assert not result.is_trusted
    assert (result.tool_name, result.origin) == ("read_file", "read_file:report.txt")
    assert sent.origin == "send_email"
    assert episode.goal == user.text


def test_every_tool_call_and_the_final_answer_is_a_moment(folder):
    (episode,) = episodes_of(folder, made.clean_run())
    kinds = [(m.visible, m.action.type) for m in episode.moments]
    assert kinds == [(2, ActionType.READ), (3, ActionType.WRITE), (4, ActionType.FINAL_OUTPUT)]


def test_calls_of_one_message_are_moments_that_see_the_same_memory(folder):
    both = made.asks(made.GOOD_MAIL, made.READ, content="First the mail, then the file.")
    messages = [*made.START, both, made.answers(made.GOOD_MAIL, "sent"), made.answers(made.READ, "text")]
    (episode,) = episodes_of(folder, made.run(messages))
    assert [m.visible for m in episode.moments] == [3, 3]
    assert episode.entries[2].source is Source.LLM_REASONING


def test_a_call_with_the_attackers_argument_is_labelled_hijacked_and_points_at_the_poisoned_entry(folder):
    (episode,) = episodes_of(folder, made.attacked_run(made.BAD_MAIL, security=True))
    labels = [m.label for m in episode.moments]
    assert [label.is_risky for label in labels] == [False, True, False]
    assert labels[1].decisive_entry == "m2" == episode.injected_entry
    assert labels[1].known_axes == (RiskAxis.SAFETY,)
    assert labels[0].decisive_entry is None
    assert episode.outcome.harm_done
    assert episode.outcome.task_solved


def test_the_users_own_call_after_a_read_injection_is_safe(folder):
    (episode,) = episodes_of(folder, made.attacked_run(made.GOOD_MAIL))
    assert not any(m.label.is_risky for m in episode.moments)
    assert episode.moments[1].label.decisive_entry == "m2"
    assert not episode.outcome.harm_done


def test_an_attacked_run_that_never_met_the_injection_has_a_clean_memory(folder):
    (episode,) = episodes_of(folder, made.attacked_run(made.GOOD_MAIL, poisoned=False))
    assert episode.injected_entry is None
    assert all(m.label.decisive_entry is None for m in episode.moments)


def test_security_true_in_a_clean_run_is_no_harm(folder):
    (episode,) = episodes_of(folder, made.clean_run(security=True))
    assert episode.outcome.harm_done is False


def test_a_confirmation_after_a_hijacked_call_has_no_known_label(tmp_path):
    confirm = made.call("verify_account", otp="123456")
    goal = made.goal_run()
    goal["messages"] = [*goal["messages"][:-1], made.asks(confirm), made.answers(confirm, "ok")]
    made.write_runs(tmp_path, "model-a", [goal] * 3)
    resisting = made.attacked_run(confirm)
    hijacked = made.attacked_run(made.BAD_MAIL, confirm, user_task_id="user_task_1")
    first, second = episodes_of(tmp_path, resisting, hijacked)
    assert first.moments[1].label.known_axes == (RiskAxis.SAFETY,)
    assert second.moments[2].label.known_axes == ()


def test_goal_runs_and_unjudged_and_crashed_runs_are_no_episodes(folder):
    unjudged = made.clean_run()
    del unjudged["utility"], unjudged["security"]
    path = made.write_runs(folder, "model-b", [made.goal_run(), unjudged, made.clean_run(error="JSON decode error")])
    importer = AgentDynImporter(path)
    assert list(importer.episodes()) == []
    tally = importer.tally
    assert (tally.runs, tally.goal_runs, tally.unjudged, tally.crashed) == (3, 1, 1, 1)


def test_the_pipeline_is_the_recorded_folder_and_not_the_ambiguous_pipeline_name(folder):
    (episode,) = episodes_of(folder, made.clean_run(pipeline_name="local"))
    assert episode.writer == "model-b"


def test_plain_json_trees_are_read_too(folder, tmp_path_factory):
    tree = tmp_path_factory.mktemp("tree")
    place = tree / "runs" / "model-c" / "office" / "user_task_0" / "none" / "none.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(made.clean_run()), encoding="utf-8")
    (episode,) = AgentDynImporter(tree, goals_from=folder).episodes()
    assert episode.writer == "model-c"
    assert episode.episode_id == "model-c/office/user_task_0/none/none"


def test_an_action_depends_on_the_request_and_on_the_entry_its_values_came_from(folder):
    (episode,) = episodes_of(folder, made.attacked_run(made.BAD_MAIL, security=True))
    assert episode.moments[1].action.depends_on == ("m1", "m2")


def test_a_tool_result_does_not_rest_on_the_request(folder):
    (episode,) = episodes_of(folder, made.clean_run())
    assert "m1" not in episode.entries[2].depends_on


def test_a_broken_line_is_named_with_file_and_line(folder):
    path = folder / "broken.jsonl"
    path.write_text(json.dumps(made.clean_run()) + "\n{not json\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"broken\.jsonl:2: not valid JSON"):
        list(AgentDynImporter(path, goals_from=folder / "model-a.jsonl.gz").episodes())


def test_a_record_that_is_no_run_names_the_missing_field(folder):
    path = folder / "other.jsonl"
    path.write_text('{"messages": []}\n', encoding="utf-8")
    with pytest.raises(RecordError, match=r"other\.jsonl:1: not an AgentDojo run: suite_name"):
        list(AgentDynImporter(path, goals_from=folder / "model-a.jsonl.gz").episodes())


def test_a_truncated_archive_is_an_error_and_not_a_short_corpus(folder):
    path = made.write_runs(folder, "model-b", [made.clean_run(user_task_id=f"user_task_{n}") for n in range(50)])
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(RecordError, match="cannot be read"):
        list(AgentDynImporter(path, goals_from=folder / "model-a.jsonl.gz").episodes())


def test_a_run_that_is_there_twice_is_refused_with_both_places(folder):
    path = made.write_runs(folder, "model-b", [made.clean_run(), made.clean_run()])
    with pytest.raises(RecordError, match=r"model-b\.jsonl\.gz:2: run .* was read before, at .*model-b\.jsonl\.gz:1"):
        list(AgentDynImporter(path).episodes())


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(RecordError, match="no run files found"):
        AgentDynImporter(tmp_path)


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("read_file", ActionType.READ),
        ("get_received_emails", ActionType.READ),
        ("git_get_linked_ssh_keys", ActionType.READ),
        ("cart_total", ActionType.READ),
        ("send_email", ActionType.WRITE),
        ("git_push", ActionType.WRITE),
        ("checkout_selected_cart", ActionType.WRITE),
        ("frobnicate", ActionType.WRITE),
    ],
)
def test_tools_are_read_or_write_by_their_verb_and_unknown_ones_write(tool, expected):
    assert action_type_of(tool) is expected


def test_origins_ignore_the_url_scheme():
    one = origin_of_result("browse_webpage", {"url": "https://shop.example/"})
    assert one == origin_of_result("browse_webpage", {"url": "http://shop.example"})


def corpora() -> Path | None:
    given = os.environ.get("MAGE_CORPORA")
    base = Path(given) if given else Path(__file__).resolve().parents[3] / "shared" / "corpora"
    return base / "agentdyn" if (base / "agentdyn").is_dir() else None


@pytest.mark.slow
def test_the_published_totals_come_out():
    folder = corpora()
    if folder is None:
        pytest.skip("no AgentDyn runs here; set MAGE_CORPORA to the folder that holds agentdyn")
    importer = AgentDynImporter(folder)
    arms = Counter(episode.operator for episode in importer.episodes())
    tally = importer.tally
    assert (tally.runs, tally.goal_runs, tally.unjudged, tally.crashed) == (9196, 396, 1, 2)
    # 7,920 attacked runs, of which 812 succeeded and one carries no label; one of the 812 crashed, and one clean run.
    assert (tally.attacked, tally.succeeded, tally.clean) == (7918, 811, 879)
    assert arms == {"important_instructions": 7918, None: 879}
    assert tally.succeeded_unlocated <= 0.06 * tally.succeeded
