import json

import pytest
from typer.testing import CliRunner

from mage_ml.cli.main import app
from mage_ml.memory import Arm, Outcome, Split
from mage_ml.memory.records import write_episodes
from mage_ml.runtime.guardrail import load_policy
from tests.builders import tiny_episodes

RUN = CliRunner()


@pytest.fixture
def episodes(tmp_path):
    path = tmp_path / "episodes.jsonl"
    write_episodes(path, tiny_episodes(6, Split.VALIDATION))
    return path


def test_a_calibration_ends_in_a_policy_that_states_its_bound(episodes, tmp_path):
    out = tmp_path / "policy.yaml"
    args = ["calibrate", "--benign", str(episodes), "--out", str(out), "--bound", "0.5", "--format", "json"]
    result = RUN.invoke(app, args)
    assert result.exit_code == 0, result.output
    found = load_policy(out).tiers.calibration
    assert found == type(found).model_validate(json.loads(result.stdout))
    assert (found.episodes, found.alarms <= 6, len(found.data_digest)) == (6, True, 64)
    assert load_policy(out).version == "default-1+calibrated"
    assert load_policy(out).actions == load_policy().actions


def test_too_few_episodes_end_in_an_error_that_says_how_many_it_takes(episodes, tmp_path):
    out = tmp_path / "policy.yaml"
    result = RUN.invoke(app, ["calibrate", "--benign", str(episodes), "--out", str(out), "--bound", "0.01"])
    assert result.exit_code == 2
    assert "299 are needed" in " ".join(result.output.split())
    assert not out.exists()


def test_recorded_runs_are_compared_by_replay(tmp_path):
    path = tmp_path / "recorded.jsonl"
    recorded = [
        episode.model_copy(update={"arm": Arm.RECORDED, "outcome": Outcome(task_solved=True, harm_done=False)})
        for episode in tiny_episodes(3, Split.TEST)
    ]
    write_episodes(path, recorded)
    args = ["policy", "compare", "permissive", "strict", "--episodes", str(path), "--rules-only"]
    result = RUN.invoke(app, [*args, "--format", "json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["cases"], found["policy_a"], found["policy_b"]) == (9, "permissive-1", "strict-1")
    assert "replayed" in found["how"]
    text = RUN.invoke(app, args).output
    assert "task success" in text
    assert RUN.invoke(app, ["policy", "compare", "permissive", "nowhere.yaml", "-e", str(path)]).exit_code == 2


@pytest.mark.slow
def test_generated_episodes_are_run_again_live(tmp_path):
    from data_gen.config import GenerateConfig
    from data_gen.runner import generate

    generate(GenerateConfig(triples=6, seed=3, operators=("value_flip",), max_probe_auroc=1.0), tmp_path)
    args = ["policy", "compare", "permissive", "strict", "--episodes", str(tmp_path), "--limit", "2", "--rules-only"]
    result = RUN.invoke(app, [*args, "--format", "json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["cases"] == 6
    assert "run again" in found["how"]
