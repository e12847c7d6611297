"""`mage-ml policy`: lint, schema, show."""

import datetime
import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from mage_ml.cli.policy import app
from mage_ml.errors import ConfigError
from mage_ml.runtime.guardrail import load_policy, parse_policy
from mage_ml.runtime.guardrail.policy_explain import explain_tool
from mage_ml.runtime.guardrail.policy_lint import Level, lint_policy
from mage_ml.runtime.guardrail.policy_schema import policy_schema
from tests.runtime.test_policy import BASE, CONFIGS, ROW

SCHEMA = Path(__file__).parents[2] / "docs/schemas/policy.schema.json"
FULL = BASE.replace(
    ROW,
    "{fail: closed, " + ", ".join(f"{a}: [{{at: 0.5, do: halt}}]" for a in ("consistency", "factuality")) + ", "
    "safety: [{at: 0.5, do: halt}], dependency: [{at: 0.5, do: halt}]}",
)


def warnings(tmp_path, text, **options):
    path = tmp_path / "p.yaml"
    path.write_text(text, encoding="utf-8")
    found = lint_policy(path, **options)
    assert all(str(path) in item.text for item in found)
    return [item.text.removeprefix(f"{path}:") for item in found]


def test_the_published_schema_is_current():
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == policy_schema(), "run: mage-ml policy schema > " + str(
        SCHEMA
    )


@pytest.mark.parametrize("source", ["permissive", "balanced", "strict", *sorted(CONFIGS.glob("policy*.yaml"))], ids=str)
def test_the_shipped_policies_have_no_finding_and_name_only_fields_of_the_schema(source):
    assert lint_policy(source, today=datetime.date(2026, 1, 1)) == ()
    fields = set(policy_schema()["properties"])
    assert set(load_policy(source).model_dump()) <= fields


def test_a_clean_policy_has_no_findings(tmp_path):
    assert warnings(tmp_path, FULL, tools=["send_mail"]) == []


@pytest.mark.parametrize(
    ("extra", "line", "part"),
    [
        ("mode: shadow\n", 7, "nothing is blocked"),
        ("overrides:\n  - {tools: [send_*], safety: []}\n  - {tools: [send_mail], safety: []}\n", 9, "never reached"),
        ("overrides:\n  - {tools: [send_*]}\n", 8, "changes nothing"),
        ("tools:\n  read: [get_*]\n", 8, "matches none"),
        ("tools:\n  read: [send_mail]\n  write: ['send_*']\n", 8, "has no effect"),
        ("rules:\n  rules:\n    contradiction: {enabled: false}\n", 9, "switched off"),
        ("tiers:\n  settle_quiet: ['call_tool:write']\n", 8, "without the classifier"),
    ],
)
def test_what_loads_but_is_not_meant_is_named_with_its_line(tmp_path, extra, line, part):
    found = warnings(tmp_path, FULL + extra, tools=["send_mail"])
    assert any(text.startswith(f"{line}:") and part in text for text in found), found


def test_a_write_that_fails_open_is_named(tmp_path):
    lines = FULL.splitlines()
    lines[4] = lines[4].replace("fail: closed", "fail: open")
    assert any(text.startswith("5:") and "fails open" in text for text in warnings(tmp_path, "\n".join(lines)))


def test_a_row_without_a_ladder_is_named(tmp_path):
    found = warnings(tmp_path, BASE)
    assert sum("no ladder for" in text for text in found) == 6


def test_a_refused_policy_is_an_error_and_not_a_crash(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(BASE.replace("version", "verison"), encoding="utf-8")
    found = lint_policy(path)
    assert {item.level for item in found} == {Level.ERROR}
    assert any("did you mean 'version'" in item.text for item in found)


# files that are refused before they are read as a policy


def error_of(text):
    with pytest.raises(ConfigError) as caught:
        parse_policy(text, "policy.yaml")
    return str(caught.value)


def test_a_tab_is_refused_with_its_line():
    assert error_of(BASE + "tools:\n\tread: []\n").startswith("policy.yaml:8")


def test_aliases_that_stand_for_too_much_are_refused_at_once():
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
    assert "policy.yaml:" in error_of(BASE + bomb)
    assert "aliases are written out" in error_of(BASE + bomb)


def test_an_alias_of_itself_is_refused():
    assert "policy.yaml:" in error_of(BASE + "own_actions: &a [*a]\n")


def test_a_huge_file_is_refused_with_a_line(tmp_path):
    path = tmp_path / "huge.yaml"
    path.write_text("# filler\n" * 600_000, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"huge\.yaml:\d+: longer than"):
        load_policy(path)


def test_a_duplicate_key_deep_inside_is_refused_with_its_line():
    assert "policy.yaml:9" in error_of(BASE + "tools:\n  read: []\n  read: []\n")


# the command


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_lint_exits_by_what_it_found(tmp_path):
    bad, odd = tmp_path / "bad.yaml", tmp_path / "odd.yaml"
    bad.write_text("version: x\n", encoding="utf-8")
    odd.write_text(FULL + "mode: shadow\n", encoding="utf-8")
    assert run("lint", "strict").exit_code == 0
    assert run("lint", str(odd)).exit_code == 0
    assert run("lint", str(odd), "--strict").exit_code == 1
    assert run("lint", str(bad), str(odd)).exit_code == 2
    data = json.loads(run("lint", str(odd), "--format", "json").stdout)
    assert data[0]["level"] == "warning"


def test_lint_reads_tools_from_a_file(tmp_path):
    names = tmp_path / "tools.txt"
    names.write_text("send_mail\nquery_sales\n", encoding="utf-8")
    assert "matches none of the 2 tools" in run("lint", "strict", "--tools", str(names)).stdout


def test_show_prints_the_policy_and_explains_a_tool():
    shown = yaml.safe_load(run("show", "strict").stdout)
    assert shown["version"] == load_policy("strict").version
    text = run("show", "strict", "--tool", "send_mail").stdout
    assert "override 1, pattern 'send_*'" in text
    assert "'send_*' under tools.write matches it" in text
    assert set(json.loads(run("show", "--tool", "查询余额", "--format", "json").stdout)) >= {"ladders", "because"}


@pytest.mark.parametrize(
    ("name", "stated", "because"),
    [
        ("send_mail", None, "tools.write"),
        ("get_mail", None, "tools.read"),
        ("wipe", None, "no pattern names it"),
        ("wipe", "call_tool:read", "the host says so"),
        ("send_mail", "call_tool:read", "tools.write"),
    ],
)
def test_an_explanation_names_the_reason(name, stated, because):
    found = explain_tool(load_policy(), name, stated)
    assert because in found.because
    assert len(found.ladders) == 4


def test_schema_prints_what_is_published():
    assert json.loads(run("schema").stdout) == policy_schema()
