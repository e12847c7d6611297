"""Presets, and what a stricter policy promises."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import ConfigError
from mage_ml.memory import ActionType, PendingAction
from mage_ml.risk import RiskVector
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import FailMode, GuardrailEngine, Mode, Preset, load_policy
from mage_ml.testing import FailingEvaluator, FixedEvaluator
from tests.runtime.cases import chain, note, record, snapshot, tool, user

CONFIGS = Path(__file__).parents[2] / "configs"
MILD_TO_STRICT = [load_policy(preset.value) for preset in Preset]
TOOLS = ["send_mail", "send_money", "create_payment", "get_mail", "delete_file", "update_row", "pay_bill", "发送邮件"]
TOOLS += [
    "转账给供应商",
    "查询余额",
    "reset_password",
    "send_message_now",
    "describe_key",
    "check_status",
    "refund_order",
]
scores = st.floats(0.0, 1.0, allow_nan=False)
vectors = st.builds(RiskVector, consistency=scores, factuality=scores, safety=scores, dependency=scores)
actions = st.builds(
    lambda kind, name: PendingAction(type=kind.value, tool_name=name),
    st.sampled_from(list(ActionType)),
    st.sampled_from([None, *TOOLS]),
)


def test_the_presets_are_what_the_configs_show():
    assert load_policy("strict") == load_policy(CONFIGS / "policy_strict.yaml")
    assert load_policy("permissive") == load_policy(CONFIGS / "policy_permissive.yaml")
    assert load_policy("balanced") == load_policy() == load_policy(CONFIGS / "policy.yaml")
    assert MageGuard.create(policy="strict").policy == load_policy(Path("strict"))


def test_complaint_05_a_misspelt_preset_is_refused_with_the_nearest_name():
    with pytest.raises(ConfigError, match="did you mean 'strict'"):
        load_policy("strikt")


def test_a_file_called_like_a_preset_is_reached_by_its_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (CONFIGS / "policy.yaml").read_text(encoding="utf-8").replace("default-1", "mine")
    Path("strict").write_text(text, encoding="utf-8")
    assert load_policy("./strict").version == "mine"
    assert load_policy("strict").version != "mine"


@settings(max_examples=300, deadline=None)
@given(actions, vectors)
def test_a_stricter_preset_never_says_less(action, risk):
    verdicts = [policy.strictest(action, risk).severity for policy in MILD_TO_STRICT]
    assert verdicts == sorted(verdicts)


@settings(max_examples=300, deadline=None)
@given(actions)
def test_a_stricter_preset_never_fails_more_openly_and_calls_no_write_a_read(action):
    closed = [policy.fail_mode(action) is FailMode.CLOSED for policy in MILD_TO_STRICT]
    critical = [policy.is_critical(action) for policy in MILD_TO_STRICT]
    writes = [policy.type_of_tool(action.tool_name or "x") is ActionType.WRITE for policy in MILD_TO_STRICT]
    assert (closed, critical, writes) == (sorted(closed), sorted(critical), sorted(writes))


@settings(max_examples=150, deadline=None)
@given(actions, vectors, st.booleans())
def test_what_a_stricter_preset_allows_a_milder_one_allows(action, risk, blames):
    memory = chain(user(), tool(record(120_000)), note("North revenue in Q1 2025 was 80,000.", "e1"))
    view = snapshot(memory, action.model_copy(update={"depends_on": ("e2",)}))
    evaluator = FixedEvaluator({axis: risk[axis] for axis in type(risk.highest)}, entry_ids=("e2",) * blames)
    allowed = [GuardrailEngine(evaluator, policy).decide(view).allowed for policy in MILD_TO_STRICT]
    assert allowed == sorted(allowed, reverse=True)


def test_the_presets_share_what_does_not_make_them_strict():
    for policy in MILD_TO_STRICT:
        assert policy.rules.limits == load_policy().rules.limits
        assert all(setting.enabled and setting.weight is None for setting in policy.rules.rules.values())
        assert policy.tiers == load_policy().tiers
        assert (policy.mixed_entry_share, policy.allow_overwrite) == (0.4, False)
    limits = [(p.max_verifications, p.max_repairs, -p.min_token_share) for p in MILD_TO_STRICT]
    assert limits == sorted(limits, reverse=True)


# modes and failures, on every preset


@settings(max_examples=100, deadline=None)
@given(actions, vectors, st.sampled_from(MILD_TO_STRICT))
def test_shadow_never_blocks_and_decides_as_enforce_does(action, risk, policy):
    evaluator = FixedEvaluator({axis: risk[axis] for axis in type(risk.highest)})
    view = snapshot(chain(user()), action)
    shadow = GuardrailEngine(evaluator, policy.model_copy(update={"mode": Mode.SHADOW})).decide(view)
    enforced = GuardrailEngine(evaluator, policy).decide(view)
    assert shadow.allowed
    assert shadow.action is enforced.action


@settings(max_examples=100, deadline=None)
@given(actions, vectors, st.sampled_from(MILD_TO_STRICT))
def test_off_never_evaluates(action, risk, policy):
    evaluator = FixedEvaluator({axis: risk[axis] for axis in type(risk.highest)})
    engine = GuardrailEngine(evaluator, policy.model_copy(update={"mode": Mode.OFF}))
    assert engine.decide(snapshot(chain(user()), action)).allowed
    assert evaluator.calls == 0


class PartlyFailing(FixedEvaluator):
    """Gives scores and reports that another tier failed."""

    def assess(self, snapshot):
        given = super().assess(snapshot)
        return given.model_copy(update={"coverage": given.coverage.model_copy(update={"failed": {"other": "broken"}})})


@settings(max_examples=150, deadline=None)
@given(actions, vectors, st.sampled_from(MILD_TO_STRICT))
def test_complaint_02_a_failure_never_loosens_a_verdict(action, risk, policy):
    scores_ = {axis: risk[axis] for axis in type(risk.highest)}
    view = snapshot(chain(user()), action)
    whole = GuardrailEngine(FixedEvaluator(scores_), policy).decide(view)
    partly = GuardrailEngine(PartlyFailing(scores_), policy).decide(view)
    assert partly.action.severity >= whole.action.severity
    assert partly.allowed <= whole.allowed
    failed = GuardrailEngine(FailingEvaluator(), policy).decide(view)
    assert failed.allowed is (policy.fail_mode(action) is FailMode.OPEN)
