from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mage_ml.cli.main import app
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.governor import ConstraintGovernor, GovernorSetup, StateStore
from mage_ml.runtime.governor.adaptive import Tuner, TuningPlan
from tests.runtime.governor.make import at, constraint_set, regex

RUNNER = CliRunner()
HINTS = ("Between you and me, it works out.", "Between you and me, yes.", "Well, between you and me: done.")
FINE = "The review is open.\nThe review is open.\nNobody can say how it ends.\n"


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """A state and an audit log of a governor that was busy."""
    rules = constraint_set(
        regex("tone", "(?i)between you", severity="warn"), pressure={"violations": 3, "window_s": 60}
    )
    store, log = StateStore(tmp_path / "governor.db"), AuditLog(tmp_path / "audit.sqlite", durable=False)
    with ConstraintGovernor(rules, GovernorSetup(state=store, audit=log)) as governor:
        for number, text in enumerate((*HINTS, "fine")):
            governor.check_and_enforce("dialogue", text, at(number))
        governor.drain()
        Tuner(governor, TuningPlan()).label("tone", is_violation=True, flagged=False, author="mei", text="Our secret.")
    store.close()
    log.close()
    return tmp_path


def test_report_prints_counts_and_pressure_and_writes_a_page(places: Path) -> None:
    page = places / "report.html"
    done = RUNNER.invoke(app, ["governor", "report", "--state", str(places / "governor.db"), "--html", str(page)])
    assert done.exit_code == 0, done.output
    assert "tone" in done.stdout
    assert "3 violations" in done.stdout
    assert "<svg" in page.read_text(encoding="utf-8")


def test_report_as_json_holds_the_same_figures(places: Path) -> None:
    asked = ["governor", "report", "--state", str(places / "governor.db"), "--audit", str(places / "audit.sqlite")]
    done = RUNNER.invoke(app, [*asked, "--format", "json"])
    (row,) = json.loads(done.stdout)["constraints"]
    assert (row["constraint_id"], row["counts"]["violated"], row["counts"]["triggered"]) == ("tone", 3, 4)


def test_report_in_chinese_and_its_exit_code_under_pressure(places: Path) -> None:
    asked = ["governor", "report", "--state", str(places / "governor.db"), "--language", "zh"]
    done = RUNNER.invoke(app, asked)
    assert done.exit_code == 0
    assert "压力告警" in done.stdout
    constraints = places / "constraints.yaml"
    constraints.write_text(
        "constraints: [{id: tone, text: rule, severity: warn, validator: {kind: regex, forbid: [between]}}]\n"
        "pressure: {violations: 3, window_s: 60}\n"
    )
    assert RUNNER.invoke(app, [*asked, "--strict", "-c", str(constraints)]).exit_code == 1


def test_propose_writes_constraints_that_lint_and_test_accept(places: Path) -> None:
    out, good = places / "proposed.yaml", places / "good.txt"
    good.write_text(FINE, encoding="utf-8")
    asked = ["governor", "propose", "--audit", str(places / "audit.sqlite"), "--state", str(places / "governor.db")]
    done = RUNNER.invoke(app, [*asked, "--accepted", str(good), "--baseline", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "4 near-misses, 3 accepted outputs, 2 constraints proposed" in done.stdout
    from mage_ml.runtime.governor import load_constraints
    from mage_ml.runtime.governor.lint import LintLevel, lint_constraints
    from mage_ml.runtime.governor.trial import try_examples

    assert [one for one in lint_constraints(out) if one.level is LintLevel.ERROR] == []
    assert all(result.is_right for result in try_examples(load_constraints(out)))
    kinds = {one.validator.kind for one in load_constraints(out).constraints.constraints}
    assert kinds == {"regex", "allow_list"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["report", "--state", "nowhere.db"], "not found"),
        (["propose", "--out", "x.yaml"], "expected --state, --audit, or both"),
        (["propose", "--out", "x.yaml", "--audit", "nowhere.sqlite"], "not found"),
    ],
)
def test_what_is_missing_is_named_and_the_exit_code_is_2(asked: list[str], said: str) -> None:
    done = RUNNER.invoke(app, ["governor", *asked])
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())


def test_an_unknown_language_is_refused(places: Path) -> None:
    done = RUNNER.invoke(app, ["governor", "report", "--state", str(places / "governor.db"), "--language", "fr"])
    assert done.exit_code == 2
    assert "expected one of en, zh" in done.stderr


def test_nothing_is_written_when_there_is_nothing_to_propose(places: Path) -> None:
    out, asked = places / "none.yaml", ["governor", "propose", "--state", str(places / "governor.db")]
    done = RUNNER.invoke(app, [*asked, "--out", str(out)])
    assert done.exit_code == 0
    assert "0 constraints proposed" in done.stdout
    assert not out.exists()
