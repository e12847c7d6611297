"""`mage-ml audit` does from the shell what the library does."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mage_ml.cli.main import app
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import load_policy
from tests.runtime.cases import GOAL_EN, chain, contact, mail, note, record, tool, user

GOLDEN = Path(__file__).parent.parent / "golden" / "audit_v1.sqlite"


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A log with a repair and a proceed, as a path."""
    path = tmp_path_factory.mktemp("cli") / "a.sqlite"
    entries = (user(), tool(record(120_000)), note("North revenue in Q1 2025 was 80,000.", "e1"), tool(contact()))
    names = iter(("d-bad", "d-good"))
    with AuditLog(path) as opened:
        guard = MageGuard.create(goal=GOAL_EN, audit=opened, run_id="run-1")
        guard._new_id = lambda: next(names)
        for entry in chain(*entries):
            guard.observe(entry)
        guard.check(mail("e2", "e3"))
        guard.remember(content="North revenue in Q1 2025 was 120,000.", source="llm_reasoning", depends_on=("e1",))
        guard.check(mail("e4", "e3", body="North revenue in Q1 2025 was 120,000 USD."))
    return path


def run(*arguments, code=0):
    result = CliRunner().invoke(app, ["audit", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result.stdout


def run_json(*arguments, code=0):
    return json.loads(run(*arguments, "--format", "json", code=code))


def test_every_command_explains_itself_with_an_example():
    for command in ("verify", "head", "query", "show", "export", "upgrade", "replay"):
        text = run(command, "--help")
        assert "Example: mage-ml audit" in text


def test_verify_and_head_agree_and_a_noted_head_is_looked_for(log):
    head = run_json("head", log)
    assert run("verify", log).startswith("WHOLE: 2 records")
    assert run_json("verify", log, "--head", head["hash"])["problems"] == []
    assert "rewritten" in run("verify", log, "--head", "0" * 64, code=1)


def test_query_filters_counts_and_pages(log):
    assert "d-bad" in run("query", log, "--action", "repair")
    assert run("query", log, "--tool", "send_mail", "--count") == "2\n"
    assert run("query", log, "--reason", "fail_open", "--count") == "0\n"
    page = run_json("query", log, "--limit", "1")
    assert [item["decision_id"] for item in page["records"]] == ["d-bad"]
    rest = run_json("query", log, "--limit", "1", "--cursor", page["cursor"])
    assert [item["decision_id"] for item in rest["records"]] == ["d-good"]
    assert run("query", log, "--since", "2200-01-01") == "no record matches\n"


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (("--kind", "desicion"), "did you mean 'decision'"),
        (("--since", "yesterday"), "expected a time"),
        (("--since", "2026-01-02", "--until", "2026-01-01"), "not before until"),
        (("--cursor", "x"), "cursor"),
    ],
)
def test_a_wrong_filter_is_one_message(log, options, part):
    result = CliRunner().invoke(app, ["audit", "query", str(log), *options])
    assert result.exit_code == 2
    assert part in " ".join(result.output.split())


def test_show_prints_what_was_decided_and_why(log):
    text = run("show", log, "d-bad")
    assert "outcome   repair" in text
    assert "80,000" in text
    assert CliRunner().invoke(app, ["audit", "show", str(log), "nobody"]).exit_code == 2


def test_an_export_is_written_verified_and_replayed(log, tmp_path):
    target = tmp_path / "a.jsonl.gz"
    run("export", log, target)
    assert run("verify", target).startswith("WHOLE: 2 records")
    assert run_json("export", log, tmp_path / "b.jsonl", "--action", "repair")["records"] == 1
    policy = tmp_path / "new.yaml"
    policy.write_text(shipped_policy().replace("mode: enforce", "mode: shadow"), encoding="utf-8")
    report = run_json("replay", target, "--policy", policy)
    assert report["decisions"] == 2
    same = tmp_path / "same.yaml"
    same.write_text(shipped_policy(), encoding="utf-8")
    assert "0 different, 0 unknown" in run("replay", log, "--policy", same, "--fail-on-change")
    run("replay", log, "--policy", policy, "--fail-on-change", code=1)


def shipped_policy():
    from mage_ml.config import dump_config

    return dump_config(load_policy())


def test_a_log_of_an_older_release_is_upgraded_by_a_command(tmp_path):
    path = tmp_path / "old.sqlite"
    shutil.copy(GOLDEN, path)
    assert "audit upgrade" in " ".join(CliRunner().invoke(app, ["audit", "query", str(path)]).output.split())
    run("upgrade", path)
    assert run("query", path, "--count") == "4\n"
    assert CliRunner().invoke(app, ["audit", "upgrade", str(tmp_path / "none.sqlite")]).exit_code == 2
    assert not (tmp_path / "none.sqlite").exists()
