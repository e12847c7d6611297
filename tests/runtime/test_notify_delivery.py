"""Notices on their way: bounded, retried, never in a decision's way."""

import logging
import os
import threading
import time

import pytest

from mage_ml.errors import AuditError, ConfigError
from mage_ml.risk import RiskAxis
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import DecisionAction, GuardrailEngine, Mode, load_policy, parse_policy
from mage_ml.runtime.notify import (
    Dispatcher,
    NotifyError,
    NotifySettings,
    create_notifiers,
)
from mage_ml.testing import FixedEvaluator
from tests.runtime.cases import GOAL_EN, mail
from tests.runtime.test_notify import NOTICE
from tests.runtime.test_policy import BASE

# delivery


class Script:
    """A notifier that fails as told."""

    def __init__(self, *errors, name="script"):
        self.errors, self.got, self.name = list(errors), [], name

    def notify(self, notice):
        if self.errors:
            error = self.errors.pop(0)
            if error is not None:
                raise error
        self.got.append(notice.decision_id)


def numbered(number):
    return NOTICE.model_copy(update={"decision_id": f"d{number}"})


def test_a_passing_failure_is_tried_again_until_it_works():
    script = Script(NotifyError("x"), OSError("y"))
    dispatcher = Dispatcher([script], backoff_s=0.001)
    assert dispatcher.submit(NOTICE)
    assert dispatcher.flush(5)
    assert script.got == ["d1"]
    assert (dispatcher.stats.delivered, dispatcher.stats.retries, dispatcher.stats.failed) == (1, 2, 0)


def test_attempts_are_bounded_and_a_permanent_failure_ends_them():
    lost = []
    script = Script(*[NotifyError("down")] * 9)
    other = Script(NotifyError("gone", permanent=True), name="other")
    dispatcher = Dispatcher(
        [script, other], attempts=3, backoff_s=0.0, on_failure=lambda n, name, why: lost.append((name, why))
    )
    dispatcher.submit(NOTICE)
    assert dispatcher.flush(5)
    assert lost == [("script", "down"), ("other", "gone")]
    assert (len(script.errors), dispatcher.stats.failed) == (6, 2)


def test_a_full_queue_drops_counts_and_logs_and_never_waits(caplog):
    gate = threading.Event()

    class Stuck(Script):
        def notify(self, notice):
            gate.wait(10)
            super().notify(notice)

    stuck, lost = Stuck(), []
    dispatcher = Dispatcher([stuck], max_pending=3, on_failure=lambda n, name, why: lost.append(n.decision_id))
    started = time.perf_counter()
    with caplog.at_level(logging.ERROR):
        taken = [dispatcher.submit(numbered(n)) for n in range(20)]
    assert time.perf_counter() - started < 1.0
    assert taken.count(True) in (3, 4)
    assert dispatcher.stats.dropped == len(lost) == taken.count(False)
    assert "was not delivered" in caplog.text
    gate.set()
    assert dispatcher.flush(5)
    assert len(stuck.got) == taken.count(True)


def test_notices_keep_their_order_and_the_thread_ends_by_itself(monkeypatch):
    monkeypatch.setattr("mage_ml.runtime.notify.dispatch._IDLE_S", 0.05)
    script = Script()
    dispatcher = Dispatcher([script])
    for round_ in range(3):
        for number in range(5):
            dispatcher.submit(numbered(5 * round_ + number))
        assert dispatcher.flush(5)
        deadline = time.monotonic() + 5
        while dispatcher._thread is not None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert dispatcher._thread is None
    assert script.got == [f"d{n}" for n in range(15)]


def test_closing_drops_what_does_not_get_out_in_time_and_says_so():
    script = Script(*[NotifyError("down")] * 50)
    lost = []
    dispatcher = Dispatcher([script], backoff_s=30.0, on_failure=lambda n, name, why: lost.append(n.decision_id))
    dispatcher.submit(numbered(1))
    dispatcher.submit(numbered(2))
    dispatcher.close(0.1)
    assert dispatcher.flush(5)
    assert sorted(lost) == ["d1", "d2"]
    assert not dispatcher.submit(numbered(3))


def test_the_child_of_a_fork_delivers_its_own_notices_and_not_the_parents(tmp_path):
    gate = threading.Event()

    class ToFile(Script):
        def notify(self, notice):
            gate.wait(10)
            with (tmp_path / "got").open("a") as file:
                file.write(f"{notice.decision_id} {os.getpid()}\n")

    dispatcher = Dispatcher([ToFile()])
    dispatcher.submit(numbered(1))
    dispatcher.submit(numbered(2))
    child = os.fork()
    if not child:
        gate.set()
        dispatcher.submit(numbered(3))
        os._exit(0 if dispatcher.flush(5) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    gate.set()
    assert dispatcher.flush(5)
    got = sorted((tmp_path / "got").read_text().splitlines())
    assert got == [f"d1 {os.getpid()}", f"d2 {os.getpid()}", f"d3 {child}"]


# with a guard


def halting(**options):
    policy = options.pop("policy", None) or load_policy()
    engine = GuardrailEngine(FixedEvaluator({RiskAxis.SAFETY: 1.0}), policy)
    return MageGuard(engine, goal=GOAL_EN, **options)


def plain(decision):
    return decision.model_dump(exclude={"decision_id", "latency_ms"})


def test_a_halt_is_told_and_its_context_is_in_the_log(tmp_path):
    script = Script()
    with AuditLog(tmp_path / "a.sqlite") as log:
        guard = halting(notifiers=[script], audit=log)
        decision = guard.check(mail())
        assert decision.action is DecisionAction.HALT
        assert guard.close(5)
        assert script.got == [decision.decision_id]
        (found,) = log.find(decision.decision_id)
        assert found.payload["pending_action"]["arguments"]["to"]


@pytest.mark.parametrize(
    "notifier", [Script(*[RuntimeError("broken")] * 99), Script(*[NotifyError("x")] * 99), Script()]
)
def test_a_failing_notifier_never_changes_a_verdict_and_is_recorded(tmp_path, notifier):
    policy = parse_policy(BASE + "notify: {attempts: 2, backoff_s: 0}\n", "p")
    with AuditLog(tmp_path / "a.sqlite") as log:
        told, quiet = halting(notifiers=[notifier], audit=log, policy=policy), halting(policy=policy)
        assert plain(told.check(mail())) == plain(quiet.check(mail()))
        assert told.close(5)
        kinds = [item.kind for item in log.records()]
        assert kinds == ["decision"] + ["notifier_failed"] * bool(notifier.errors)


def test_a_log_that_fails_too_leaves_the_verdict():
    class Broken:
        def append(self, event):
            raise AuditError("full")

    guard = halting(notifiers=[Script(NotifyError("x", permanent=True))], audit=Broken())
    assert guard.check(mail()).action is DecisionAction.HALT
    assert guard.close(5)
    assert guard.notice_stats.failed == 1


def test_only_what_the_policy_names_is_told_and_nothing_in_shadow_mode():
    script = Script()
    policy = parse_policy(BASE + "notify: {decisions: [warn]}\n", "p")
    guard = halting(notifiers=[script], policy=policy)
    guard.check(mail())
    shadow = halting(notifiers=[script], policy=load_policy().model_copy(update={"mode": Mode.SHADOW}))
    shadow.check(mail())
    assert guard.close(5)
    assert shadow.close(5)
    assert script.got == []


# settings


def test_secrets_come_from_the_environment_and_a_missing_one_is_refused():
    settings = NotifySettings.model_validate(
        {
            "webhooks": [{"url": "https://h.example/x", "secret_env": "HOOK_KEY"}],
            "emails": [{"host": "m", "sender": "a@b", "recipients": ["c@d"], "username_env": "U", "password_env": "P"}],
        }
    )
    environ = {"HOOK_KEY": "k", "U": "me", "P": "pw"}
    names = [item.name for item in create_notifiers(settings, environ)]
    assert names == ["log", "webhook https://h.example", "smtp m:587"]
    with pytest.raises(ConfigError, match="HOOK_KEY, which is not set"):
        create_notifiers(settings, {**environ, "HOOK_KEY": ""})


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("notify: {webhooks: [{url: 'https://me:pw@h/x'}]}", "secret_env"),
        ("notify: {webhooks: [{url: 'ftp://h/x'}]}", "https://host/path"),
        ("notify: {decisions: [hald]}", "did you mean 'halt'"),
        ("notify: {log: {level: warnin}}", "did you mean 'warning'"),
        ("notify: {emails: [{host: h, sender: a@b, recipients: [c@d], security: startls}]}", "'starttls'"),
        ("notify: {emails: [{host: h, sender: a@b, recipients: [c@d], username_env: U}]}", "go together"),
        ("notify: {emails: [{host: h, sender: a@b, recipients: []}]}", "at least 1"),
        ("notify: {webhook: []}", "did you mean 'webhooks'"),
    ],
)
def test_a_mistake_in_notify_is_refused_with_its_line(text, part):
    with pytest.raises(ConfigError) as caught:
        parse_policy(BASE + text + "\n", "policy.yaml")
    assert "policy.yaml:7" in str(caught.value)
    assert part in str(caught.value)
