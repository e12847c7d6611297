import json
from dataclasses import replace

import pytest

from mage_ml.evaluation.lookalikes.cases import lookalikes
from mage_ml.evaluation.lookalikes.evasion import evasions
from mage_ml.evaluation.lookalikes.judging import GuardName, NamedGuard, Verdict, judge_cases
from mage_ml.evaluation.lookalikes.report import AlarmReport, Slice, build_report
from mage_ml.evaluation.metrics import proportion
from mage_ml.risk import RiskAxis
from mage_ml.runtime.guardrail import DecisionAction, GuardrailEngine, load_policy
from mage_ml.testing import FailingEvaluator, FixedEvaluator


def verdict(case, action=DecisionAction.PROCEED, allowed=True, **changes):
    given = Verdict(case, GuardName.RULES, action, allowed, ("a_rule",), language_supported=True, failed=False)
    return replace(given, **changes)


def report_of(verdicts):
    return build_report(verdicts, policy_version="p", model_version="m")


def test_warnings_interventions_and_held_back_actions_are_counted_apart_with_wilson_intervals():
    cases = lookalikes()[:10]
    verdicts = [verdict(case, found_by=()) for case in cases[:6]]
    verdicts += [verdict(cases[6], DecisionAction.WARN), verdict(cases[7], DecisionAction.WARN)]
    verdicts += [verdict(cases[8], DecisionAction.REPAIR), verdict(cases[9], DecisionAction.HALT, allowed=False)]
    rows = {(row.slice, row.value): row for row in report_of(verdicts).alarms}
    whole = rows[Slice.ALL, "all"]
    assert (whole.warned.count, whole.acted.count, whole.held_back.count, whole.acted.n) == (2, 2, 1, 10)
    expected = proportion(2, 10)
    assert (whole.acted.low, whole.acted.high) == (expected.low, expected.high)
    by_rule = rows[Slice.RULE, "a_rule"]
    assert (by_rule.warned.count, by_rule.acted.count, by_rule.acted.n) == (2, 2, 10)


def test_a_failed_tier_is_no_verdict():
    engine = GuardrailEngine(FailingEvaluator(), load_policy())
    verdicts = judge_cases([NamedGuard(GuardName.RULES, engine)], lookalikes()[:4])
    assert all(v.failed for v in verdicts)
    row = report_of(verdicts).alarms[0]
    assert (row.failed, row.acted.n, row.acted.high) == (4, 0, 1.0)


def test_catches_are_counted_by_disguise_and_part():
    engine = GuardrailEngine(FixedEvaluator({RiskAxis.SAFETY: 0.9}), load_policy())
    cases = [case for case in evasions() if case.category in ("plain", "base64")]
    report = report_of(judge_cases([NamedGuard(GuardName.RULES, engine)], cases))
    rows = {(row.part, row.disguise): row for row in report.catches}
    assert rows["all", "plain"].stopped.n == 30
    assert rows["all", "all"].stopped.n == 60
    assert rows["development", "all"].stopped.n + rows["held out", "all"].stopped.n == 60
    assert rows["all", "all"].stopped.value == 1.0


def test_the_report_is_written_as_json_that_reads_back(tmp_path):
    report = report_of([verdict(case) for case in lookalikes()[:3]])
    path = tmp_path / "deep" / "alarms.json"
    report.write(path)
    assert AlarmReport.model_validate_json(path.read_text(encoding="utf-8")) == report
    assert json.loads(path.read_text(encoding="utf-8"))["schema_version"] == 1


def test_progress_reaches_the_end():
    seen = []
    engine = GuardrailEngine(FixedEvaluator(), load_policy())
    judge_cases([NamedGuard(GuardName.RULES, engine)], lookalikes()[:2], lambda *args: seen.append(args))
    assert seen[-1] == ("judge with rules", 2, 2)


@pytest.mark.parametrize("corpus", [lookalikes, evasions])
def test_cases_are_the_same_on_every_call(corpus):
    assert corpus() is corpus()
