from pathlib import Path

import pytest
import yaml

from mage_ml.errors import ConfigError
from mage_ml.memory import ActionType, PendingAction
from mage_ml.risk import RiskAxis, RiskVector
from mage_ml.runtime.guardrail import DecisionAction, FailMode, GuardrailEngine, Mode, load_policy, parse_policy
from mage_ml.testing import FailingEvaluator, FixedEvaluator
from tests.runtime.cases import chain, mail, note, record, snapshot, tool, user

CONFIGS = Path(__file__).parents[2] / "configs"
ROW = "{fail: closed, safety: [{at: 0.5, do: halt}]}"
BASE = f"""version: test-1
actions:
  internal_reasoning: {ROW}
  call_tool:read: {ROW}
  call_tool:write: {ROW}
  final_output: {ROW}
"""


def write(tool_name="send_mail"):
    return PendingAction(type="call_tool:write", tool_name=tool_name)


def error_of(text):
    with pytest.raises(ConfigError) as caught:
        parse_policy(text, "policy.yaml")
    return str(caught.value)


@pytest.mark.parametrize("path", [None, *sorted(CONFIGS.glob("policy*.yaml"))], ids=str)
def test_every_shipped_policy_loads_and_fails_closed_where_it_matters(path):
    policy = load_policy(path)
    assert policy.fail_mode(write()) is FailMode.CLOSED
    assert policy.fail_mode(PendingAction(type="final_output")) is FailMode.CLOSED
    assert policy.mode is Mode.ENFORCE


def test_the_documented_policy_is_the_default_one():
    assert load_policy(CONFIGS / "policy.yaml") == load_policy()


def test_the_strict_policy_halts_mail_and_payment_at_safety_above_a_tenth():
    policy = load_policy(CONFIGS / "policy_strict.yaml")
    for name in ("send_mail", "create_payment", "转账给供应商"):
        assert policy.verdict(write(name), RiskAxis.SAFETY, 0.11) is DecisionAction.HALT
        assert policy.verdict(write(name), RiskAxis.SAFETY, 0.09) is DecisionAction.PROCEED
    assert policy.verdict(write("write_report"), RiskAxis.SAFETY, 0.11) is DecisionAction.PROCEED


# complaints 3, 4, 5: mistakes are refused at load, with file, line and the nearest name


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (BASE.replace("version", "verison"), ["policy.yaml:1", "did you mean 'version'"]),
        (BASE + "mod: shadow\n", ["policy.yaml:7", "did you mean 'mode'"]),
        (BASE + "mode: shaddow\n", ["policy.yaml:7", "did you mean 'shadow'"]),
        (BASE.replace("call_tool:write", "call_tool:wirte"), ["policy.yaml:5", "did you mean 'call_tool:write'"]),
        (BASE.replace("final_output", "final_ouput"), ["policy.yaml:6", "did you mean 'final_output'"]),
        (BASE + "rules: {rules: {hiden_instruction: {weight: 1}}}\n", ["policy.yaml:7", "'hidden_instruction'"]),
        (BASE + "rules:\n  rules:\n    contradiction: {wieght: 1}\n", ["policy.yaml:9", "did you mean 'weight'"]),
        (BASE.replace("do: halt}]}\n  final", "do: hlat}]}\n  final"), ["policy.yaml:5", "did you mean 'halt'"]),
        (BASE.replace("fail: closed", "fail: close", 1), ["policy.yaml:3", "did you mean 'closed'"]),
        (BASE.replace("safety", "saftey", 1), ["policy.yaml:3", "did you mean 'safety'"]),
        (BASE.replace("at: 0.5", "at: 1.5", 1), ["policy.yaml:3", "less than or equal to 1"]),
        (BASE.replace("at: 0.5", "at: 0", 1), ["policy.yaml:3", "greater than 0"]),
        (BASE + "max_verifications: -1\n", ["policy.yaml:7"]),
        (BASE + "overrides:\n  - {tools: [], safety: []}\n", ["policy.yaml:8"]),
        (BASE + "version: again\n", ["policy.yaml:7", "given twice"]),
        ("version: [\n", ["policy.yaml:2", "not valid YAML"]),
        ("- a\n", ["policy.yaml:1", "expected a mapping"]),
    ],
)
def test_complaint_04_a_mistake_is_refused_with_file_line_and_nearest_name(text, parts):
    message = error_of(text)
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("ladder", "part"),
    [
        ("[{at: 0.5, do: warn}, {at: 0.5, do: halt}]", "can never be reached"),
        ("[{at: 0.8, do: warn}, {at: 0.5, do: halt}]", "can never be reached"),
        ("[{at: 0.5, do: halt}, {at: 0.8, do: halt}]", "adds nothing"),
        ("[{at: 0.5, do: halt}, {at: 0.8, do: warn}]", "more strictly"),
    ],
)
def test_an_unreachable_rung_is_refused_with_its_line(ladder, part):
    message = error_of(BASE.replace("[{at: 0.5, do: halt}]}\n  final", ladder + "}\n  final"))
    assert "policy.yaml:5" in message
    assert part in message


@pytest.mark.parametrize("text", ["", "version: x\n", BASE.replace(f"  final_output: {ROW}\n", "")])
def test_complaint_03_a_policy_that_names_nothing_is_refused(text):
    assert "policy.yaml" in error_of(text)


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match=r"absent\.yaml: cannot be read"):
        load_policy(Path("absent.yaml"))


def test_complaint_03_an_action_type_without_a_row_is_an_error_and_no_pass():
    policy = parse_policy(BASE, "policy.yaml")
    engine = GuardrailEngine(FixedEvaluator(), policy)
    with pytest.raises(ConfigError, match="did you mean 'final_output'"):
        engine.decide(snapshot(chain(user()), PendingAction(type="final_outputs")))


def test_own_action_types_need_a_declaration_and_a_row():
    assert "no row for deploy" in error_of(BASE + "own_actions: [deploy]\n")
    text = BASE.replace("  final_output", f"  deploy: {ROW}\n  final_output") + "own_actions: [deploy]\n"
    policy = parse_policy(text, "policy.yaml")
    assert policy.verdict(PendingAction(type="deploy"), RiskAxis.SAFETY, 0.6) is DecisionAction.HALT


# complaint 28: every field changes something


def decision_with(extra="", *, old="", new="", action=None, evaluator=None, memory=None):
    data = yaml.safe_load((BASE + extra).replace(old, new) if old else BASE + extra)
    policy = parse_policy(yaml.safe_dump(data), "policy.yaml")
    evaluator = evaluator or FixedEvaluator({RiskAxis.SAFETY: 0.6})
    return GuardrailEngine(evaluator, policy).decide(snapshot(memory or chain(user()), action or write()))


CHANGES = {
    "version": lambda: decision_with(old="test-1", new="test-2").policy_version,
    "mode shadow": lambda: decision_with("mode: shadow\n").allowed,
    "mode off": lambda: decision_with("mode: 'off'\n").coverage.skipped,
    "rung at": lambda: decision_with(old="at: 0.5", new="at: 0.7").action,
    "rung do": lambda: decision_with(old="do: halt", new="do: warn").action,
    "override": lambda: decision_with("overrides: [{tools: [send_*], safety: [{at: 0.9, do: halt}]}]\n").action,
}


@pytest.mark.parametrize("name", list(CHANGES))
def test_complaint_28_a_changed_field_changes_the_decision(name):
    base = decision_with()
    observed = CHANGES[name]()
    assert observed not in (base.policy_version, base.allowed, base.coverage.skipped, base.action)


def test_complaint_28_fail_mode_counts():
    failing = FailingEvaluator()
    assert decision_with(evaluator=failing).allowed is False
    assert decision_with(old="fail: closed", new="fail: open", evaluator=failing).allowed is True


@pytest.mark.parametrize("axis", list(RiskAxis))
def test_complaint_28_every_axis_has_its_own_ladder(axis):
    policy = parse_policy(BASE.replace("safety", axis.value), "policy.yaml")
    for other in RiskAxis:
        expected = DecisionAction.HALT if other is axis else DecisionAction.PROCEED
        assert policy.strictest(write(), RiskVector.from_scores({other: 0.6})) is expected


def test_complaint_28_tool_types_count():
    policy = parse_policy(BASE + "tools: {read: [get_*], write: [get_key], critical: [wire_*]}\n", "policy.yaml")
    assert policy.type_of_tool("get_mail") is ActionType.READ
    assert policy.type_of_tool("get_key") is ActionType.WRITE
    assert policy.type_of_tool("unknown") is ActionType.WRITE
    assert policy.is_critical(write("WIRE_money"))
    assert not policy.is_critical(write("send_mail"))
    read = PendingAction(type="call_tool:read", tool_name="get_key")
    assert policy.action_type(read) == ActionType.WRITE


def test_complaint_28_rules_tiers_and_limits_reach_their_users():
    extra = (
        "rules: {rules: {contradiction: {enabled: false}}, ancestors: 7, recent: 3}\n"
        "tiers: {settle_above: 0.7}\nmax_verifications: 5\nmin_token_share: 0.9\nmixed_entry_share: 0.1\n"
        "allow_overwrite: true\n"
    )
    policy = parse_policy(BASE + extra, "policy.yaml")
    assert policy.rules.rules["contradiction"].enabled is False
    assert (policy.rules.limits.ancestors, policy.rules.limits.recent) == (7, 3)
    assert policy.tiers.settle_above == 0.7
    assert (policy.max_verifications, policy.min_token_share, policy.mixed_entry_share) == (5, 0.9, 0.1)
    assert policy.allow_overwrite is True


def test_the_first_override_that_matches_counts_and_the_rest_is_inherited():
    extra = (
        "overrides:\n  - {tools: [send_mail], factuality: [{at: 0.2, do: halt}]}\n"
        "  - {tools: [send_*], safety: [{at: 0.1, do: halt}]}\n"
    )
    policy = parse_policy(BASE + extra, "policy.yaml")
    assert policy.verdict(write("send_mail"), RiskAxis.SAFETY, 0.2) is DecisionAction.PROCEED
    assert policy.verdict(write("send_mail"), RiskAxis.FACTUALITY, 0.2) is DecisionAction.HALT
    assert policy.verdict(write("send_sms"), RiskAxis.SAFETY, 0.2) is DecisionAction.HALT


def test_the_default_policy_lets_a_clean_run_through():
    memory = chain(user(), tool(record(120_000)), note("North revenue in Q1 2025 was 120,000.", "e1"))
    decision = GuardrailEngine(FixedEvaluator(), load_policy()).decide(snapshot(memory, mail("e2")))
    assert (decision.action, decision.allowed) == (DecisionAction.PROCEED, True)
