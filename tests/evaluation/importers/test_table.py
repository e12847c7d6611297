import json

import pytest
from typer.testing import CliRunner

from mage_ml.cli.main import app
from mage_ml.errors import ConfigError, RecordError
from mage_ml.evaluation.importers.corpus import SplitShares, split_of
from mage_ml.evaluation.importers.reading import corpus_named, import_corpus
from mage_ml.evaluation.importers.table import CORPORA
from mage_ml.evaluation.importers.writing import CARD, write_corpus
from mage_ml.memory import Split
from mage_ml.memory.corpora import check_trainable, is_held_out
from mage_ml.memory.records import digest_of, read_episodes
from mage_ml.risk import RiskAxis
from tests.evaluation.importers.made import stepshield, write_json, write_lines
from tests.evaluation.importers.test_texts import bipia_folder
from tests.evaluation.runs import attacked_run, write_runs

PAIRS = 60


@pytest.fixture
def pairs(tmp_path):
    names = [f"{number:03}" for number in range(PAIRS)]
    records = [stepshield(arm, "UFO" if arm == "ROGUE" else None, name) for name in names for arm in ("ROGUE", "CLEAN")]
    write_lines(tmp_path / "corpus" / "half.jsonl.gz", records)
    return tmp_path / "corpus"


@pytest.fixture
def harmless(tmp_path):
    for count in ("one", "two", "three"):
        prompt = {"prompt": f"May I override it, {count}?", "word_list": ["override"], "category": "Own"}
        write_json(tmp_path / "notinject" / f"NotInject_{count}.json", [prompt])
    return tmp_path / "notinject"


def test_every_corpus_is_described():
    assert len(CORPORA) == 19
    for name, info in CORPORA.items():
        assert info.name == name
        assert info.record_counts
        assert info.axes
        assert set(info.axes) <= set(RiskAxis)
        assert info.label
        assert info.split_key
        assert info.protocol
    assert [name for name, info in CORPORA.items() if not info.may_train] == ["agentdojo_invariant", "notinject"]


def test_a_misspelt_corpus_gets_the_nearest_name():
    with pytest.raises(ConfigError, match="unknown corpus 'stepsheild'; did you mean 'stepshield'"):
        corpus_named("stepsheild")


def test_another_number_of_records_is_refused_and_says_what_was_found(pairs):
    with pytest.raises(RecordError, match="found 120 records of StepShield, expected 574 or 1,278"):
        list(import_corpus("stepshield", pairs))
    assert len(list(import_corpus("stepshield", pairs, check_count=False))) == 120


def test_injected_texts_can_be_said_in_other_words_where_that_is_known(pairs, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    write_runs(folder, "model-b", [attacked_run()])
    (recorded,), (reworded,) = (
        list(import_corpus("agentdyn", folder, check_count=False, reworded=wanted)) for wanted in (False, True)
    )
    assert reworded.episode_id == recorded.episode_id
    assert "<INFORMATION>" in recorded.entries[-1].text
    assert "<INFORMATION>" not in "".join(entry.text for entry in reworded.entries)
    with pytest.raises(ConfigError, match="stepshield cannot be said in other words; that is known for agentdyn"):
        list(import_corpus("stepshield", pairs, reworded=True))


def test_a_record_that_is_there_twice_is_refused(tmp_path):
    write_lines(tmp_path / "half.jsonl", [stepshield(), stepshield()])
    with pytest.raises(RecordError, match="'UFO-L1-001-ROGUE' is there twice"):
        list(import_corpus("stepshield", tmp_path, check_count=False))


def test_a_corpus_for_evaluation_only_is_not_handed_to_training(harmless):
    with pytest.raises(RecordError, match=r"NotInject .* is for evaluation only"):
        list(import_corpus("notinject", harmless, for_training=True))
    episodes = list(import_corpus("notinject", harmless, shares=SplitShares(0.0, 0.0), check_count=False))
    assert {episode.split for episode in episodes} == {Split.TEST}
    relabelled = episodes[0].model_copy(update={"split": Split.TRAIN})
    with pytest.raises(RecordError, match=r"record 1, .*corpus 'notinject' is for evaluation only"):
        check_trainable([relabelled])


def test_test_episodes_of_other_corpora_are_not_trained_on(pairs):
    episodes = list(import_corpus("stepshield", pairs, check_count=False, shares=SplitShares()))
    with pytest.raises(RecordError, match="belongs to the test split"):
        check_trainable(episodes)
    check_trainable(episode for episode in episodes if episode.split is not Split.TEST)


def test_what_a_publisher_holds_out_is_never_training_data(tmp_path):
    episodes = list(import_corpus("bipia", bipia_folder(tmp_path), shares=SplitShares(0.0, 0.0), check_count=False))
    assert {episode.split for episode in episodes if is_held_out(episode)} == {Split.TEST}
    assert {episode.split for episode in episodes if not is_held_out(episode)} == {Split.TRAIN}


def test_groups_never_straddle_a_split_and_the_shares_are_kept(pairs):
    episodes = list(import_corpus("stepshield", pairs, check_count=False, shares=SplitShares(0.25, 0.25)))
    by_group = {}
    for episode in episodes:
        by_group.setdefault(episode.group_id, set()).add(episode.split)
    assert all(len(splits) == 1 for splits in by_group.values())
    test = sum(splits == {Split.TEST} for splits in by_group.values())
    assert 5 <= test <= 25
    assert split_of("a", SplitShares(0.0, 1.0)) is Split.TEST


def test_written_files_are_what_training_and_the_benchmark_read(pairs, tmp_path):
    out = tmp_path / "out"
    card = write_corpus("stepshield", pairs, out, shares=SplitShares(), check_count=False)
    assert sorted(path.name for path in out.iterdir()) == [
        "card.json", "test.parquet", "train.parquet", "validation.parquet",
    ]  # fmt: skip
    for split in Split:
        episodes = list(read_episodes(out / f"{split.value}.parquet"))
        assert {episode.split for episode in episodes} == {split}
        assert card.by_split[split.value] == len(episodes)
        assert card.digests[split.value] == digest_of(episodes)
    assert (card.records, card.episodes, card.groups, card.snapshots) == (120, 120, 60, 360)
    assert card.by_standing == {"clean": 300, "risky": 60}
    assert card.risky_share == pytest.approx(1 / 6, abs=1e-4)
    assert json.loads((out / CARD).read_text())["corpus"] == "stepshield"


def test_a_failed_import_leaves_the_old_files_alone(pairs, tmp_path):
    out = tmp_path / "out"
    write_corpus("stepshield", pairs, out, check_count=False)
    before = (out / "test.parquet").read_bytes()
    with pytest.raises(RecordError):
        write_corpus("stepshield", pairs, out)
    assert (out / "test.parquet").read_bytes() == before
    assert sorted(path.name for path in out.iterdir()) == ["card.json", "test.parquet"]


def test_the_command_imports_and_lists(pairs, harmless, tmp_path):
    run = CliRunner().invoke
    out = str(tmp_path / "out")
    done = run(app, ["data", "import", "stepshield", "--path", str(pairs), "--out", out, "--partial", "-f", "json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["by_split"] == {"test": 120}
    counted = run(app, ["data", "import", "stepshield", "--path", str(pairs), "--out", out])
    assert counted.exit_code == 2
    refused = run(app, ["data", "import", "notinject", "-p", str(harmless), "-o", out, "--for-training", "--partial"])
    assert refused.exit_code == 2
    listed = run(app, ["data", "list", "-f", "json"])
    assert {row["corpus"] for row in json.loads(listed.stdout)} == set(CORPORA)
    text = run(app, ["data", "import", "stepshield", "-p", str(pairs), "-o", out, "--partial"])
    assert "120 in 60 groups" in text.stdout
