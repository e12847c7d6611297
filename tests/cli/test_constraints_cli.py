"""`mage-ml constraints`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from mage_ml.cli.main import app
from mage_ml.runtime.governor import ConstraintGovernor, GovernorSetup, load_constraints
from mage_ml.runtime.governor.schema import constraints_schema

SHIPPED = Path(__file__).parents[2] / "configs" / "constraints.yaml"


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["constraints", *map(str, arguments)])


def test_the_shipped_file_has_no_remark_and_all_its_examples_hold() -> None:
    assert invoke("lint", SHIPPED, "--strict").exit_code == 0
    assert invoke("test", SHIPPED).exit_code == 0


def test_a_misspelt_field_is_refused_with_its_line_and_the_nearest_name(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(SHIPPED.read_text(encoding="utf-8").replace("severity: block", "severty: block", 1), "utf-8")
    result = invoke("lint", path)
    assert result.exit_code == 2
    said = result.output.replace("\n", "")
    assert "severity" in said
    line = next(n for n, text in enumerate(path.read_text("utf-8").split("\n"), 1) if "severty" in text)
    assert f"rules.yaml:{line}" in said


def test_an_example_that_does_not_hold_is_named_with_exit_code_one(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(SHIPPED.read_text("utf-8").replace("allowed: false", "allowed: true", 1), "utf-8")
    result = invoke("test", path)
    assert result.exit_code == 1
    assert "expected to be kept" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("output", "code"),
    [("I will add a free gift voucher.", 1), ("I have passed your case on.", 0), ("我送您一张代金券。", 1)],
)
def test_one_output_can_be_tried(output: str, code: int) -> None:
    result = invoke("test", SHIPPED, "--say", output, "--agent", "dialogue_agent", "--turn", "12")
    assert result.exit_code == code, result.output


def test_history_and_rollback_bring_an_old_version_back(tmp_path: Path) -> None:
    path, state = tmp_path / "rules.yaml", tmp_path / "governor.db"
    old = SHIPPED.read_text(encoding="utf-8")
    path.write_text(old, encoding="utf-8")
    with ConstraintGovernor(path, GovernorSetup(state=state)):
        pass
    (first,) = json.loads(invoke("history", "--state", state, "--format", "json").stdout)
    path.write_text(old.replace("severity: block", "severity: warn", 1), encoding="utf-8")
    who = ("--author", "mei", "--reason", "too lax")
    done = invoke("rollback", path, "--state", state, "--to", str(first["number"]), *who)
    assert done.exit_code == 0, done.output
    assert load_constraints(path).digest == load_constraints(SHIPPED).digest
    listed = json.loads(invoke("history", "--state", state, "--format", "json").stdout)
    assert (listed[-1]["author"], listed[-1]["reason"], listed[-1]["restores"]) == ("mei", "too lax", first["number"])


def test_a_state_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    result = invoke("history", "--state", tmp_path / "none.db")
    assert result.exit_code == 2
    assert "not found" in result.output


def test_the_schema_is_printed_whole() -> None:
    assert json.loads(invoke("schema").stdout) == constraints_schema()
