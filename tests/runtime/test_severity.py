import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mage_ml.errors import ConfigError
from mage_ml.memory import PendingAction
from mage_ml.risk import RiskAxis
from mage_ml.runtime.evaluators import TierSettings
from mage_ml.runtime.guardrail import DecisionAction, PolicyMatrix, load_policy, parse_policy
from mage_ml.runtime.guardrail.severity import SeverityLevel, SeveritySettings

LEVELS = list(SeverityLevel)
PLAIN = load_policy()
SAFETY = RiskAxis.SAFETY


def call(tool, kind="call_tool:write"):
    return PendingAction(type=kind, tool_name=tool)


def policy(**severity):
    return PLAIN.model_copy(update={"severity": SeveritySettings(**severity)})


def rungs(matrix, action):
    return [rung.at for rung in matrix.ladder(action, SAFETY)]


@pytest.mark.parametrize(
    ("settings", "tool", "expected"),
    [
        ({}, "wipe_disk", [0.35, 0.5, 0.8]),
        ({"tools": {"wipe_*": "critical"}}, "wipe_disk", [0.175, 0.25, 0.4]),
        ({"tools": {"WIPE_*": "critical"}}, "Wipe_Disk", [0.175, 0.25, 0.4]),
        ({"tools": {"wipe_*": "high", "*_disk": "critical"}}, "wipe_disk", [0.28, 0.4, 0.64]),
        ({"tools": {"other_*": "critical"}}, "wipe_disk", [0.35, 0.5, 0.8]),
        ({"actions": {"call_tool:write": "high"}}, "wipe_disk", [0.28, 0.4, 0.64]),
        ({"actions": {"call_tool:write": "high"}, "tools": {"wipe_*": "low"}}, "wipe_disk", [0.455, 0.65, 1.0]),
        ({"tools": {"wipe_*": "high"}, "factors": {"high": 0.5}}, "wipe_disk", [0.175, 0.25, 0.4]),
        ({"tools": {"付款*": "critical"}}, "付款给供应商", [0.175, 0.25, 0.4]),
    ],
)
def test_a_level_moves_the_rungs_of_tools_and_action_types(settings, tool, expected):
    assert rungs(policy(**settings), call(tool)) == pytest.approx(expected)


def test_severity_applies_to_overrides_as_well():
    plain, severe = policy(), policy(tools={"send_money": "critical"})
    assert rungs(severe, call("send_money")) == pytest.approx([at * 0.5 for at in rungs(plain, call("send_money"))])


@given(st.sampled_from(LEVELS), st.sampled_from(LEVELS), st.floats(0.0, 1.0))
def test_a_higher_level_is_never_milder(one, other, score):
    low, high = sorted((one, other), key=LEVELS.index)
    verdicts = [
        policy(tools={"wipe_disk": level}).verdict(call("wipe_disk"), SAFETY, score).severity for level in (low, high)
    ]
    assert verdicts[0] <= verdicts[1]


def test_a_declared_level_changes_a_decision():
    assert policy().verdict(call("wipe_disk"), SAFETY, 0.45) is DecisionAction.WARN
    assert policy(tools={"wipe_*": "critical"}).verdict(call("wipe_disk"), SAFETY, 0.45) is DecisionAction.HALT


def test_mistakes_are_refused_with_the_nearest_name():
    text = load_policy().model_dump_json()
    with pytest.raises(ConfigError, match="did you mean 'critical'"):
        parse_policy(text.replace('"severity":{"tools":{}', '"severity":{"tools":{"a":"critcal"}'), "p")
    with pytest.raises(ConfigError, match=r"severity.actions: unknown action type 'call_tool:wite'"):
        parse_policy(text.replace('"actions":{},"factors"', '"actions":{"call_tool:wite":"high"},"factors"'), "p")
    with pytest.raises(ValidationError):
        SeveritySettings(factors={"high": 0.0})


@pytest.mark.parametrize("field", ["latency_budget_ms", "settle_quiet"])
def test_a_tier_setting_that_names_no_action_type_is_refused(field):
    value = {"call_tool:raed": 10.0} if field == "latency_budget_ms" else ("call_tool:raed",)
    data = load_policy().model_dump()
    data["tiers"] = TierSettings(**{field: value}).model_dump()
    with pytest.raises(ValidationError, match="did you mean 'call_tool:read'"):
        PolicyMatrix.model_validate(data)
