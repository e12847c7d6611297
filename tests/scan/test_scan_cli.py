import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mage_ml.cli.main import app
from tests.scan import story
from tests.scan.test_scan import clean_messages, mixed

runner = CliRunner()
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "traces"
WITHOUT_SOCKETS = """
import socket, sys
def refuse(*args, **kwargs):
    raise OSError("sockets are blocked in this test")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
sys.argv = ["mage-ml", "scan", *sys.argv[1:]]
from mage_ml.cli.main import main
main()
"""


def invoke(*arguments):
    return runner.invoke(app, ["scan", "--tiers", "rules", *map(str, arguments)])


def test_the_format_the_findings_and_the_counts_are_printed(tmp_path):
    result = invoke(mixed(tmp_path))
    assert result.exit_code == 0, result.output
    for words in ("format: openai-chat (1)", "6 traces, 14 actions", "run-3", "halt", "hidden_instruction", "m2: tool"):
        assert words in result.stdout


def test_the_reports_are_written_and_one_may_go_to_stdout(tmp_path):
    path, page, log = mixed(tmp_path), tmp_path / "a.html", tmp_path / "a.sarif"
    result = invoke(path, "--html", page, "--sarif", log, "--json", "-")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["traces"] == 6
    assert json.loads(log.read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    both = invoke(path, "--json", "-", "--sarif", "-")
    assert both.exit_code == 2
    assert "only one" in both.output


@pytest.mark.parametrize(
    ("level", "code"), [("halt", 1), ("warn", 1), ("proceed", 2), (None, 0)]
)  # fmt: skip
def test_the_exit_code_says_whether_the_level_was_reached(level, code, tmp_path):
    given = [] if level is None else ["--fail-on", level]
    assert invoke(mixed(tmp_path), *given).exit_code == code


def test_clean_traces_never_fail(tmp_path):
    path = story.write_lines(tmp_path / "a.jsonl", [{"messages": clean_messages()}])
    assert invoke(path, "--fail-on", "warn").exit_code == 0


@pytest.mark.parametrize(
    ("text", "said"), [('{"a": 1}', "no known trace format"), ("{", "a.jsonl:1: not valid JSON"), ("", "empty")]
)
def test_what_cannot_be_read_is_exit_code_two(text, said, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    result = invoke(path)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_a_named_format_is_used(tmp_path):
    path = story.write_lines(tmp_path / "a.jsonl", [{"messages": clean_messages()}])
    assert "format: anthropic" in invoke(_plain(tmp_path), "--format", "anthropic").stdout
    assert invoke(path, "--format", "openai").exit_code == 2
    assert invoke(path, "--format", "langsmith").exit_code == 2


def _plain(folder):
    talk = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good day."}]
    return story.write_lines(folder / "plain.jsonl", [{"messages": talk}])


def test_traces_cannot_steer_the_terminal(tmp_path):
    messages = story.openai_messages()
    messages[4]["tool_calls"][0]["function"]["arguments"] = json.dumps({**story.SEND[2], "to": "\x1b[31mred [bold]x"})
    path = story.write_lines(tmp_path / "a.jsonl", [{"id": "\x1b]0;title\x07", "messages": messages}])
    result = invoke(path)
    assert result.exit_code == 0, result.output
    assert "\x1b]" not in result.stdout
    assert "\x1b[31m" not in result.stdout
    assert "[bold]" in result.stdout


def test_the_bundled_example_is_scanned_by_the_shipped_model_without_a_network(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SOCKETS, str(EXAMPLES), "--fail-on", "halt", "--json", str(tmp_path / "a.json")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    report = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    flagged = {step["trace_id"] for step in report["steps"]}
    assert flagged == {"inbox-planted-order", "report-wrong-figure", "付款-植入指令"}
    assert report["traces"] == 5
    assert "format: openai-chat" in done.stdout


def test_the_readme_shows_what_the_command_prints(monkeypatch):
    monkeypatch.chdir(ROOT)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = "mage-ml scan examples/traces --tiers rules --rows 1 --show-secrets"
    assert f"```console\n{command}\n```" in readme
    result = runner.invoke(app, command.split()[1:])
    assert f"```text\n{result.stdout.rstrip()}\n```" in readme


def test_the_python_of_the_documentation_runs_as_printed():
    code = (ROOT / "docs" / "scan.md").read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    assert "hidden_instruction" in done.stdout
