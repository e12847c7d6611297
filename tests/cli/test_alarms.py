import json

import pytest
from typer.testing import CliRunner

from mage_ml.cli.main import app

runner = CliRunner()


def test_alarms_prints_every_figure_as_json_and_writes_the_same_file(tmp_path):
    path = tmp_path / "alarms.json"
    result = runner.invoke(app, ["alarms", "lookalikes", "--guard", "rules", "--format", "json", "--out", str(path)])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report == json.loads(path.read_text(encoding="utf-8"))
    assert {row["guard"] for row in report["alarms"]} == {"rules"}
    assert report["alarms"][0]["acted"]["n"] >= 360


def test_alarms_prints_a_table():
    result = runner.invoke(app, ["alarms", "lookalikes", "-g", "rules"])
    assert result.exit_code == 0, result.output
    assert "false alarms on lookalikes" in result.stdout
    assert "customer_phrase" in result.stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["lookalike"], "lookalikes"),
        (["lookalikes", "-g", "rule"], "rules"),
        (["notinject"], "--path"),
        (["notinject", "--path", "/nowhere"], "not found"),
    ],
)
def test_alarms_names_what_is_wrong(given, said):
    result = runner.invoke(app, ["alarms", *given])
    assert result.exit_code == 2
    assert said in result.output
