"""Pairs of policies that differ in one field, and how to see the difference."""

from collections.abc import Iterator

from mage_ml.memory import PendingAction
from mage_ml.testing import FailingEvaluator
from tests.runtime.cases import chain, note, retrieved, thought, user
from tests.runtime.policy_looks import (
    AXES,
    ORDER,
    Probe,
    asked_twice,
    base,
    calibrated,
    classifier_failed,
    decided,
    dropped,
    fixed,
    guarded,
    held_back,
    judge_within_time,
    judged,
    low_share,
    notifiers,
    overwritten,
    released,
    repaired_mixed,
    rows,
    scored,
    tiered,
    told,
    type_and_critical,
    typed_rows,
    verified,
)

# the table


def ladder_probes() -> Iterator[tuple[str, Probe]]:
    for axis in AXES:
        look = decided(fixed(0.6, axis))
        yield f"actions.{axis}", Probe(rows(), rows(**{axis: []}), look)
        yield f"actions.{axis}.at", Probe(rows(), rows(**{axis: [{"at": 0.7, "do": "halt"}]}), look)
        yield f"actions.{axis}.do", Probe(rows(), rows(**{axis: [{"at": 0.5, "do": "warn"}]}), look)
        given = [{"tools": ["send_*"], axis: [{"at": 0.5, "do": "warn"}]}]
        yield f"overrides.{axis}", Probe(base(), base(overrides=given), look)
        later = [{"tools": ["send_*"], axis: [{"at": 0.7, "do": "warn"}]}]
        yield f"overrides.{axis}.at", Probe(base(overrides=given), base(overrides=later), look)
        other = [{"tools": ["send_*"], axis: [{"at": 0.5, "do": "halt"}]}]
        yield f"overrides.{axis}.do", Probe(base(overrides=given), base(overrides=other), look)


HOOK = {"url": "https://h.example/x"}
MAIL = {"host": "m.example", "sender": "a@b.example", "recipients": ["c@d.example"]}
LOGIN = {"username_env": "A", "password_env": "A"}


def hook(**fields):
    return base(notify={"webhooks": [{**HOOK, **fields}]})


def post(**fields):
    return base(notify={"emails": [{**MAIL, **fields}]})


def notify(**fields):
    return base(notify={"attempts": 1, "backoff_s": 0, **fields})


def rule(**fields):
    return base(rules={"rules": {"hidden_instruction": fields}})


DEEP = chain(user(), retrieved(ORDER), note("a", "e1"), note("b", "e2"), note("c", "e3"), note("d", "e4"))
OPEN_ORDER = judged(thought("e1"), chain(user(), retrieved(ORDER)))
WARNS = [{"at": 0.5, "do": "repair"}]
SAFE_REPAIR = rows(safety=WARNS)
ALL_REPAIR = rows(**dict.fromkeys(AXES, WARNS))

PROBES: dict[str, Probe] = {
    **dict(ladder_probes()),
    "version": Probe(base(), base(version="v2"), decided()),
    "mode": Probe(base(), base(mode="shadow"), decided()),
    "own_actions": Probe(
        base(own_actions=["deploy"], actions={**base()["actions"], "deploy": base()["actions"]["final_output"]}),
        base(actions={**base()["actions"], "deploy": base()["actions"]["final_output"]}),
        decided(action=PendingAction(type="deploy")),
    ),
    "actions": Probe(base(), rows(safety=[]), decided()),
    "actions.fail": Probe(rows(), rows(fail="open"), decided(FailingEvaluator())),
    "overrides": Probe(base(), base(overrides=[{"tools": ["send_*"], "safety": []}]), decided()),
    "overrides.tools": Probe(
        base(overrides=[{"tools": ["send_*"], "safety": []}]),
        base(overrides=[{"tools": ["pay_*"], "safety": []}]),
        decided(),
    ),
    "tools": Probe(base(), base(tools={"read": ["get_*"]}), type_and_critical("get_x")),
    "tools.read": Probe(base(), base(tools={"read": ["get_*"]}), type_and_critical("get_x")),
    "tools.write": Probe(
        typed_rows(),
        typed_rows(tools={"write": ["get_*"]}),
        decided(fixed(0.6), PendingAction(type="call_tool:read", tool_name="get_x")),
    ),
    "tools.critical": Probe(base(), base(tools={"critical": ["send_*"]}), tiered(fixed(0.3), fixed(0.1))),
    "rules": Probe(base(), rule(enabled=False), OPEN_ORDER),
    "rules.rules": Probe(base(), rule(enabled=False), OPEN_ORDER),
    "rules.rules.enabled": Probe(base(), rule(enabled=False), OPEN_ORDER),
    "rules.rules.weight": Probe(base(), rule(weight=0.5), OPEN_ORDER),
    "rules.rules.threshold": Probe(base(), rule(threshold=1.0), OPEN_ORDER),
    "rules.ancestors": Probe(
        base(rules={"recent": 0}), base(rules={"recent": 0, "ancestors": 1}), judged(thought("e5"), DEEP)
    ),
    "rules.recent": Probe(
        base(), base(rules={"recent": 0}), judged(thought(), chain(*[user()] * 2, *[user("x")] * 30, retrieved(ORDER)))
    ),
    "tiers": Probe(base(), base(tiers={"settle_above": 0.3}), tiered()),
    "tiers.settle_above": Probe(base(), base(tiers={"settle_above": 0.3}), tiered()),
    "tiers.settle_quiet": Probe(base(), base(tiers={"settle_quiet": []}), tiered(fixed(0.1), action=thought())),
    "tiers.quiet_below": Probe(base(), base(tiers={"quiet_below": 0.05}), tiered(fixed(0.1), action=thought())),
    "tiers.lone_voice_discount": Probe(base(), base(tiers={"lone_voice_discount": 0.4}), tiered()),
    "tiers.judge_above": Probe(base(), base(tiers={"judge_above": 0.2}), tiered()),
    "tiers.classifier_timeout_s": Probe(base(), base(tiers={"classifier_timeout_s": 1e-6}), classifier_failed),
    "tiers.cache_size": Probe(base(), base(tiers={"cache_size": 0}), asked_twice),
    "tiers.judge_timeout_s": Probe(
        base(tools={"critical": ["pay_*"]}),
        base(tools={"critical": ["pay_*"]}, tiers={"judge_timeout_s": 0.005}),
        judge_within_time,
    ),
    "tiers.calibration": Probe(base(tiers={"settle_above": 1.0}), calibrated(), scored),
    "tiers.calibration.combined_thresholds": Probe(
        calibrated(), calibrated(combined_thresholds=dict.fromkeys(AXES, 0.7)), scored
    ),
    "tiers.calibration.model_version": Probe(calibrated(), calibrated(model_version="another model"), scored),
    "max_verifications": Probe(ALL_REPAIR, {**ALL_REPAIR, "max_verifications": 1}, guarded(verified)),
    "max_repairs": Probe(
        rows(consistency=WARNS, factuality=WARNS),
        {**rows(consistency=WARNS, factuality=WARNS, dependency=WARNS), "max_repairs": 1},
        guarded(held_back),
    ),
    "min_token_share": Probe(base(), base(min_token_share=0.9), low_share),
    "mixed_entry_share": Probe(
        {**SAFE_REPAIR, "mixed_entry_share": 0.0}, {**SAFE_REPAIR, "mixed_entry_share": 1.0}, repaired_mixed
    ),
    "allow_overwrite": Probe(base(), base(allow_overwrite=True), overwritten),
    "honour_releases": Probe(
        rows(consistency=WARNS, factuality=WARNS),
        {**rows(consistency=WARNS, factuality=WARNS), "honour_releases": False},
        guarded(released),
    ),
    "notify": Probe(notify(), notify(decisions=["warn"]), told),
    "notify.decisions": Probe(notify(), notify(decisions=["warn"]), told),
    "notify.attempts": Probe(notify(), notify(attempts=3), told),
    "notify.backoff_s": Probe(notify(attempts=2), notify(attempts=2, backoff_s=0.5), told),
    "notify.max_pending": Probe(notify(), notify(max_pending=1), dropped),
    "notify.log": Probe(base(), base(notify={"log": {"enabled": False}}), notifiers),
    "notify.log.enabled": Probe(base(), base(notify={"log": {"enabled": False}}), notifiers),
    "notify.log.logger": Probe(base(), base(notify={"log": {"logger": "x"}}), notifiers),
    "notify.log.level": Probe(base(), base(notify={"log": {"level": "error"}}), notifiers),
    "notify.webhooks": Probe(base(), hook(), notifiers),
    "notify.webhooks.url": Probe(hook(), hook(url="https://other.example/x"), notifiers),
    "notify.webhooks.secret_env": Probe(hook(), hook(secret_env="A"), notifiers),
    "notify.webhooks.timeout_s": Probe(hook(), hook(timeout_s=1.0), notifiers),
    "notify.emails": Probe(base(), post(), notifiers),
    "notify.emails.host": Probe(post(), post(host="n.example"), notifiers),
    "notify.emails.port": Probe(post(), post(port=25), notifiers),
    "notify.emails.security": Probe(post(), post(security="tls"), notifiers),
    "notify.emails.sender": Probe(post(), post(sender="x@y.example"), notifiers),
    "notify.emails.recipients": Probe(post(), post(recipients=["x@y.example"]), notifiers),
    "notify.emails.username_env": Probe(post(**LOGIN), post(**{**LOGIN, "username_env": "B"}), notifiers),
    "notify.emails.password_env": Probe(post(**LOGIN), post(**{**LOGIN, "password_env": "B"}), notifiers),
    "notify.emails.timeout_s": Probe(post(), post(timeout_s=1.0), notifiers),
}
