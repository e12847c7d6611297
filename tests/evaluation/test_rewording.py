import pytest

from mage_ml.evaluation.importers.agentdyn import AgentDynImporter
from mage_ml.evaluation.importers.rewording import reword
from tests.evaluation import runs as made

BEFORE, AFTER = "Opening hours: nine to five.\n", "\nClosed on Sundays."
RESULT = BEFORE + made.INJECTED + AFTER
TEMPLATE = ("INFORMATION", "important message", "following first", "After you do that", "see to the summary")


def test_the_published_template_is_gone_and_goal_and_surroundings_stay():
    found = reword(RESULT, (made.INJECTED,), "key")
    for phrase in TEMPLATE:
        assert phrase in RESULT
        assert phrase not in found
    assert made.GOAL in found
    assert found.startswith(BEFORE)
    assert found.endswith(AFTER)


def test_the_same_key_gives_the_same_words_and_keys_choose_among_several():
    keys = [f"suite/task/{number}" for number in range(30)]
    first = [reword(RESULT, (made.INJECTED,), key) for key in keys]
    assert first == [reword(RESULT, (made.INJECTED,), key) for key in keys]
    assert len(set(first)) > 5


@pytest.mark.parametrize(
    ("text", "injections"),
    [
        (BEFORE + made.UNTAGGED, (made.INJECTED,)),
        (RESULT, (made.UNTAGGED,)),
        (RESULT, ()),
    ],
    ids=["no tag in the text", "no template in the injection", "no injection"],
)
def test_a_text_without_the_template_is_not_reworded(text, injections):
    assert reword(text, injections, "key") is None


def test_a_goal_folded_over_lines_is_put_on_one_line_and_its_characters_stay_as_they_are():
    goal = "Save {this} as C:\\1\\g<0>\n   and 发送 it"
    planted = made.INJECTED.replace(made.GOAL, goal)
    found = reword(BEFORE + planted + AFTER, (planted,), "key")
    assert "Save {this} as C:\\1\\g<0> and 发送 it" in found


def test_every_injected_text_of_a_result_is_replaced():
    found = reword(RESULT + made.INJECTED, (made.INJECTED,), "key")
    assert found.count(made.GOAL) == 2
    assert "INFORMATION" not in found


def imported(folder, *runs, reworded):
    made.write_runs(folder, "model-a", [made.goal_run()] * 3)
    importer = AgentDynImporter(made.write_runs(folder, "model-b", runs), reworded=reworded)
    return list(importer.episodes()), importer.tally


def test_a_reworded_run_differs_in_the_poisoned_entry_only(tmp_path):
    run = made.attacked_run(made.BAD_MAIL, security=True)
    (published,), _ = imported(tmp_path, run, reworded=False)
    (reworded,), tally = imported(tmp_path, run, reworded=True)
    changed = [a.id for a, b in zip(published.entries, reworded.entries, strict=True) if a.text != b.text]
    assert changed == [published.injected_entry] == [reworded.injected_entry]
    text = reworded.entries[2].text
    assert text.startswith(made.CLEAN_TEXT)
    assert made.GOAL in text
    assert not any(phrase in text for phrase in TEMPLATE)
    assert reworded.moments == published.moments
    assert (tally.attacked, tally.not_reworded) == (1, 0)


def test_the_words_depend_on_the_task_and_not_on_the_agent(tmp_path):
    run = made.attacked_run(made.GOOD_MAIL)
    made.write_runs(tmp_path, "model-c", [run])
    (one,), _ = imported(tmp_path, run, reworded=True)
    (other,) = AgentDynImporter(tmp_path / "model-c.jsonl.gz", reworded=True).episodes()
    assert one.writer != other.writer
    assert one.entries[2].text == other.entries[2].text


def test_a_run_whose_injected_text_cannot_be_reworded_is_left_out_and_counted(tmp_path):
    untagged = made.attacked_run(made.GOOD_MAIL, planted=made.UNTAGGED)
    unmet = made.attacked_run(made.GOOD_MAIL, poisoned=False, user_task_id="user_task_1")
    clean = made.clean_run(user_task_id="user_task_2")
    episodes, tally = imported(tmp_path, untagged, unmet, clean, reworded=True)
    assert [episode.template for episode in episodes] == ["user_task_1", "user_task_2"]
    assert (tally.not_reworded, tally.attacked, tally.not_met, tally.clean) == (1, 1, 1, 1)
    (published, _, _), tally = imported(tmp_path, untagged, unmet, clean, reworded=False)
    assert published.injected_entry == "m2"
    assert tally.not_reworded == 0
