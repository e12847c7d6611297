"""The command line as a newcomer meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mage_ml.cli.main import app
from mage_ml.memory import MemoryChain, Split
from mage_ml.memory.records import write_chain, write_episodes
from tests.builders import tiny_episodes
from tests.conftest import TinyRun

COMMANDS = ("demo", "generate", "train", "export", "benchmark", "guard", "inspect", "doctor")
runner = CliRunner()


@pytest.fixture
def poisoned_chain(tmp_path: Path) -> Path:
    chain = MemoryChain(chain_id="run-1")
    chain.add(id="m0", content="Mail the Q1 revenue of the north region to ann@corp.example", source="user")
    chain.add(
        id="m1",
        content={"region": "north", "quarter": "2025-Q1", "revenue": 120000},
        source="tool",
        tool_name="query_sales",
        depends_on=["m0"],
    )
    chain.add(id="m2", content="North region Q1 2025 revenue was 210000.", source="llm_reasoning", depends_on=["m1"])
    write_chain(tmp_path / "chain.jsonl", chain)
    return tmp_path / "chain.jsonl"


def mail(body: str, basis: list[str]) -> str:
    arguments = {"to": "ann@corp.example", "body": body}
    action = {"type": "call_tool:write", "tool_name": "send_mail", "arguments": arguments, "depends_on": basis}
    return json.dumps(action)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_a_command_does(command: str) -> None:
    result = runner.invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert len(result.output) > 300


def test_without_a_command_the_help_lists_all() -> None:
    result = runner.invoke(app, [])
    assert all(command in result.output for command in COMMANDS)


@pytest.mark.parametrize("command", ["generate", "train", "export", "benchmark"])
def test_fields_lists_every_setting_with_its_meaning(command: str) -> None:
    result = runner.invoke(app, [command, "--fields"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    wanted = {"generate": "seeds_per_proof", "train": "encoding.max_tokens", "export": "min_int8_agreement"}
    assert wanted.get(command, "baseline_cases") in result.output


@pytest.mark.parametrize("command", ["generate", "train", "export", "benchmark"])
def test_a_misspelt_setting_is_refused_with_the_nearest_name(command: str, tmp_path: Path) -> None:
    config = tmp_path / "c.yaml"
    wanted = {"generate": "triples", "train": "head_epochs", "export": "gate_snapshots", "benchmark": "baseline_cases"}
    config.write_text(f"# a comment\n{wanted[command]}x: 3\n", encoding="utf-8")
    result = runner.invoke(app, [command, "--config", str(config)])
    message = result.stderr.replace("\n", "")
    assert result.exit_code == 2
    assert "c.yaml:2" in message
    assert f"did you mean '{wanted[command]}'" in message


def test_guard_exits_1_when_the_action_may_not_go_ahead(poisoned_chain: Path) -> None:
    action = mail("North region Q1 2025 revenue was 210000.", ["m0", "m2"])
    result = runner.invoke(app, ["guard", str(poisoned_chain), "--action", action, "--rules-only"])
    assert result.exit_code == 1, result.output
    assert "m2" in result.output


def test_guard_exits_0_when_the_action_may_go_ahead(poisoned_chain: Path, tmp_path: Path) -> None:
    lines = poisoned_chain.read_text(encoding="utf-8").splitlines()[:-1]
    clean = tmp_path / "clean.jsonl"
    clean.write_text("\n".join(lines) + "\n", encoding="utf-8")
    action = mail("North region Q1 2025 revenue was 120000.", ["m0", "m1"])
    result = runner.invoke(app, ["guard", str(clean), "--action", action, "--rules-only", "--format", "json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["allowed"] is True


def test_guard_says_which_line_of_a_chain_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "m0", "content": "x", "source": "user"}\n{"id": "m1", "source": "oracle"}\n', "utf-8")
    result = runner.invoke(app, ["guard", str(path), "--action", mail("x", [])])
    assert result.exit_code == 2
    assert "record 2" in result.stderr
    assert "m1" in result.stderr


def test_guard_refuses_an_action_that_is_none(poisoned_chain: Path) -> None:
    result = runner.invoke(app, ["guard", str(poisoned_chain), "--action", '{"typ": "x"}'])
    assert result.exit_code == 2


def test_inspect_shows_a_triple_side_by_side(tmp_path: Path) -> None:
    write_episodes(tmp_path / "train.parquet", tiny_episodes(3, Split.TRAIN))
    result = runner.invoke(app, ["inspect", str(tmp_path), "--index", "1"], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    assert all(arm in result.output for arm in ("clean", "sham", "contaminated"))
    as_json = runner.invoke(app, ["inspect", str(tmp_path), "--language", "zh", "--format", "json"])
    assert {episode["language"] for episode in json.loads(as_json.stdout)} == {"zh"}


def test_inspect_shows_a_chain_with_its_origins(poisoned_chain: Path) -> None:
    result = runner.invoke(app, ["inspect", str(poisoned_chain)], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    assert "query_sales" in result.output


def test_inspect_names_what_is_missing(tmp_path: Path) -> None:
    assert runner.invoke(app, ["inspect", str(tmp_path)]).exit_code == 2
    write_episodes(tmp_path / "train.jsonl", tiny_episodes(1, Split.TRAIN))
    result = runner.invoke(app, ["inspect", str(tmp_path), "--index", "7"])
    assert result.exit_code == 2
    assert "smaller --index" in result.stderr


def test_progress_goes_to_stderr_and_results_to_stdout(tiny_run: TinyRun, tmp_path: Path) -> None:
    arguments = ["export", "--model", str(tiny_run.model), "--out", str(tmp_path / "a"), "--format", "json"]
    result = runner.invoke(app, [*arguments, "--set", "ablations=false"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["name"] == "tiny"
    assert "exporting" in result.stderr


def test_version_is_printed() -> None:
    assert runner.invoke(app, ["--version"]).output.strip().count(".") == 2


def test_the_demo_leaves_a_folder_with_other_files_alone(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine", encoding="utf-8")
    result = runner.invoke(app, ["demo", "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert (tmp_path / "precious.txt").exists()


def test_a_path_option_is_no_yaml(tmp_path: Path) -> None:
    result = runner.invoke(app, ["train", "--data", str(tmp_path / "my data #2: x"), "--out", str(tmp_path / "o")])
    assert result.exit_code == 2
    assert "my data #2: x" in result.stderr.replace("\n", "")
