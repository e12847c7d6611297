"""The governance loop: what happens to outputs, what agents are told, what is recorded, who hears of it."""

from __future__ import annotations

import asyncio
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from mage_ml.errors import AuditError, ConfigError
from mage_ml.runtime.audit import AuditEvent, AuditLog, AuditQuery, AuditRecord, EventKind, verify
from mage_ml.runtime.governor import (
    ChangeKind,
    ConstraintGovernor,
    Finding,
    GovernorContext,
    GovernorSetup,
    Outcome,
    Resort,
    Resources,
    StateChange,
    StateStore,
    Verdict,
)
from mage_ml.runtime.notify import Dispatcher, Notice

from .make import at, constraint_set, regex, rule

GIFT = "I will send you a small gift."


def governor(*rules: dict[str, Any], setup: GovernorSetup | None = None, **fields: Any) -> ConstraintGovernor:
    return ConstraintGovernor(constraint_set(*rules, **fields), setup)


def test_a_kept_constraint_lets_the_output_pass_unchanged() -> None:
    ruling = governor().check_and_enforce("agent", "Your refund is on its way.", at())
    assert (ruling.outcome, ruling.output, ruling.allowed) == (Outcome.PASS, "Your refund is on its way.", True)
    assert ruling.findings == ()


@pytest.mark.parametrize(
    ("severity", "on_violation", "outcome", "leaves"),
    [
        ("block", None, Outcome.REGENERATE, False),
        ("block", "regenerate", Outcome.REGENERATE, False),
        ("block", "veto", Outcome.VETOED, False),
        ("warn", None, Outcome.WARNED, True),
        ("warn", "regenerate", Outcome.REGENERATE, False),
        ("log", None, Outcome.LOGGED, True),
    ],
)
def test_severity_and_consequence_decide_what_happens(
    severity: str, on_violation: str | None, outcome: Outcome, leaves: bool
) -> None:
    ruling = governor(rule(severity=severity, on_violation=on_violation)).check_and_enforce("agent", GIFT, at())
    assert ruling.outcome is outcome
    assert (ruling.output, ruling.allowed) == ((GIFT, True) if leaves else ("", False))


def test_the_feedback_names_the_words_the_clause_and_what_is_allowed_in_the_users_language() -> None:
    ruling = governor().check_and_enforce("agent", GIFT, at(user="I want a refund"))
    for words in ('You wrote "gift"', "policy 3.2", "Do not promise gifts", "only if the parcel was lost", "2 more"):
        assert words in ruling.feedback
    ruling = governor().check_and_enforce("agent", GIFT, at(user="我要退款"))
    for words in ("你写了“gift”", "policy 3.2", "不得承诺礼品", "仅在包裹丢失时", "还可再试 2 次"):
        assert words in ruling.feedback


def test_retries_are_bounded_cool_down_and_then_degrade() -> None:
    one = governor(rule(fallback={"en": "A colleague will write."}))
    rulings = [one.check_and_enforce("agent", GIFT, at(turn=4)) for _ in range(3)]
    assert [ruling.outcome for ruling in rulings] == [Outcome.REGENERATE, Outcome.REGENERATE, Outcome.DEGRADED]
    advised = [ruling.retry for ruling in rulings]
    assert [(one.attempt, one.left, one.temperature) for one in advised if one is not None] == [
        (1, 2, 0.7),
        (2, 1, 0.35),
    ]
    assert (rulings[2].resort, rulings[2].output) == (Resort.DEGRADE, "A colleague will write.")
    assert one.check_and_enforce("agent", GIFT, at(turn=5)).outcome is Outcome.REGENERATE


def test_an_accepted_output_starts_the_count_afresh() -> None:
    one = governor()
    for _ in range(4):
        ruling = one.check_and_enforce("agent", GIFT, at())
        assert ruling.retry is not None
        assert ruling.retry.attempt == 1
        one.check_and_enforce("agent", "Fine.", at())


def test_retries_used_up_go_to_a_stronger_agent_whose_answer_is_checked_then_to_a_person() -> None:
    answers = iter(["A gift from me.", "Your refund is on its way."])
    told: list[tuple[str, GovernorContext, tuple[Finding, ...]]] = []

    def stronger(output: str, context: GovernorContext, findings: tuple[Finding, ...]) -> str:
        return next(answers)

    def person(output: str, context: GovernorContext, findings: tuple[Finding, ...]) -> None:
        told.append((output, context, findings))

    setup = GovernorSetup(handovers={Resort.STRONGER_AGENT: stronger, Resort.PERSON: person})
    one = governor(setup=setup, retries={"max_attempts": 1})
    first = one.check_and_enforce("agent", GIFT, at(turn=1))
    assert (first.outcome, first.resort) == (Outcome.HANDED_OVER, Resort.PERSON)
    assert "breaks a constraint" in first.failures["stronger_agent"]
    assert told[0][0] == GIFT
    second = one.check_and_enforce("agent", GIFT, at(turn=2))
    assert (second.outcome, second.resort) == (Outcome.HANDED_OVER, Resort.STRONGER_AGENT)
    assert second.output == "Your refund is on its way."


def test_a_failing_handover_goes_on_to_the_next_resort_and_stop_says_nothing() -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("nobody there")

    setup = GovernorSetup(handovers={Resort.PERSON: fails})
    ruling = governor(setup=setup, retries={"max_attempts": 1}).check_and_enforce("agent", GIFT, at())
    assert (ruling.outcome, ruling.resort) == (Outcome.DEGRADED, Resort.DEGRADE)
    assert "nobody there" in ruling.failures["person"]
    ruling = governor(retries={"max_attempts": 1, "then": ["stop"]}).check_and_enforce("agent", GIFT, at())
    assert (ruling.outcome, ruling.output) == (Outcome.VETOED, "")


def test_annealing_lets_warn_level_outputs_pass_and_never_block_level_ones() -> None:
    retries = {"max_attempts": 9, "anneal_from": 2, "anneal_chance": 1.0}
    mild = governor(rule(severity="warn", on_violation="regenerate"), retries=retries)
    assert [mild.check_and_enforce("a", GIFT, at()).outcome for _ in range(2)] == [Outcome.REGENERATE, Outcome.WARNED]
    hard = governor(retries=retries)
    assert {hard.check_and_enforce("a", GIFT, at()).outcome for _ in range(8)} == {Outcome.REGENERATE}


def test_annealing_draws_from_the_given_generator() -> None:
    def outcomes(seed: int) -> list[Outcome]:
        setup = GovernorSetup(rng=random.Random(seed))
        one = governor(rule(severity="warn", on_violation="regenerate"), setup=setup, retries={"max_attempts": 20})
        return [one.check_and_enforce("a", GIFT, at(turn=turn)).outcome for turn in range(3) for _ in range(4)]

    assert outcomes(3) == outcomes(3)
    assert len({tuple(outcomes(seed)) for seed in range(6)}) > 1


def fails(*_: object) -> Verdict:
    raise RuntimeError("the model is gone")


@pytest.mark.parametrize(("severity", "allowed"), [("block", False), ("warn", True), ("log", True)])
def test_a_failed_validator_is_a_failure_and_blocks_where_the_constraint_blocks(severity: str, allowed: bool) -> None:
    own = {"id": "a", "text": "r", "severity": severity, "hot_path": True, "validator": {"kind": "own", "name": "x"}}
    ruling = governor(own, setup=GovernorSetup(resources=Resources(own={"x": fails}))).check_and_enforce("b", "x", at())
    assert ruling.allowed is allowed
    assert "the model is gone" in ruling.findings[0].failed


def test_rewriting_does_not_mend_a_failed_validator_so_no_retry_is_asked_for() -> None:
    own = {"id": "a", "text": "r", "validator": {"kind": "own", "name": "x"}}
    ruling = governor(own, setup=GovernorSetup(resources=Resources(own={"x": fails}))).check_and_enforce("b", "x", at())
    assert (ruling.outcome, ruling.retry) == (Outcome.DEGRADED, None)


def test_slow_checks_that_hold_nothing_back_are_made_off_the_hot_path_and_none_is_lost() -> None:
    release, seen = threading.Event(), []

    def slow(question: Any, spec: Any) -> Verdict:
        release.wait(5)
        seen.append(question.utterance.output)
        return Verdict(violated=True)

    own = {"id": "a", "text": "r", "severity": "warn", "validator": {"kind": "own", "name": "x"}}
    one = governor(own, setup=GovernorSetup(resources=Resources(own={"x": slow})))
    rulings = [one.check_and_enforce("b", f"text {number}", at()) for number in range(20)]
    assert {ruling.outcome for ruling in rulings} == {Outcome.PASS}
    assert rulings[0].deferred == ("a",)
    release.set()
    assert one.drain()
    assert seen == [f"text {number}" for number in range(20)]
    assert one.state.health("a").counts.violated == 20
    assert {row.ruling_id for row in one.state.violations()} == {ruling.ruling_id for ruling in rulings}
    one.close()


def test_async_checks_run_in_a_loop_without_holding_it_up() -> None:
    async def main() -> list[Outcome]:
        one = governor()
        rulings = await asyncio.gather(*(one.acheck_and_enforce("a", GIFT, at(run=str(n))) for n in range(8)))
        one.close()
        return [ruling.outcome for ruling in rulings]

    assert asyncio.run(main()) == [Outcome.REGENERATE] * 8


def test_what_is_not_a_pass_is_in_the_audit_log_before_the_ruling_is_given(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.db")
    one = governor(setup=GovernorSetup(audit=log))
    ruling = one.check_and_enforce("agent", GIFT, at(turn=3, user="refund?"))
    one.check_and_enforce("agent", "Fine.", at())
    (record,) = log.find(ruling.ruling_id)
    assert (record.kind, record.action, record.run_id) == (EventKind.CONSTRAINT_RULING, "regenerate", "run")
    assert record.payload["output"] == GIFT
    assert record.payload["ruling"]["digest"] == one.digest  # type: ignore[index, call-overload]
    assert [found.decision_id for found in log.query(AuditQuery(rule="no_gift")).records] == [ruling.ruling_id]
    assert len(log) == 1
    assert verify(log).problems == ()


class FullDisk:
    """An audit log that cannot be written."""

    def append(self, event: AuditEvent) -> AuditRecord:
        raise AuditError("disk full")


@pytest.mark.parametrize("severity", ["warn", "log"])
def test_an_output_that_should_be_on_record_and_is_not_does_not_leave(severity: str) -> None:
    ruling = governor(rule(severity=severity), setup=GovernorSetup(audit=FullDisk())).check_and_enforce("a", GIFT, at())
    assert (ruling.outcome, ruling.output) == (Outcome.VETOED, "")
    assert "disk full" in ruling.failures["audit"]


def test_a_state_that_cannot_be_written_never_loosens_a_ruling(tmp_path: Path) -> None:
    place = tmp_path / "state.db"
    one = governor(setup=GovernorSetup(state=place))
    one.state.close()
    place.unlink()
    place.mkdir()  # nothing can be opened there any more
    ruling = one.check_and_enforce("agent", GIFT, at())
    assert (ruling.outcome, ruling.output) == (Outcome.VETOED, "")
    assert "cannot be" in ruling.failures["state"]


def test_two_broken_constraints_are_reported_the_most_important_first() -> None:
    rules = (
        regex("log", "gift", severity="log", priority=9),
        regex("low", "gift", priority=1),
        regex("high", "gift", priority=5),
    )
    ruling = governor(*rules).check_and_enforce("a", "gift", at())
    assert [finding.constraint_id for finding in ruling.findings] == ["high", "low", "log"]


def conflict_rules(**winner: Any) -> list[dict[str, Any]]:
    needs = {"id": "speed", "text": "Name a time.", "validator": {"kind": "regex", "require": ["tomorrow"]}, **winner}
    return [needs, regex("truth", "tomorrow")]


def test_words_that_one_constraint_needs_and_another_forbids_are_a_conflict_settled_by_priority() -> None:
    one = governor(*conflict_rules(priority=5))
    ruling = one.check_and_enforce("a", "It comes tomorrow.", at())
    (conflict,) = ruling.conflicts
    assert (conflict.winner, conflict.loser, conflict.how) == ("speed", "truth", "priority")
    assert (ruling.outcome, ruling.findings[0].waived_for) == (Outcome.WARNED, "speed")
    assert one.state.conflicts()[0] == conflict


def test_without_a_difference_in_priority_both_hold_and_the_conflict_is_recorded() -> None:
    ruling = governor(*conflict_rules()).check_and_enforce("a", "It comes tomorrow.", at())
    assert (ruling.outcome, ruling.conflicts[0].how) == (Outcome.REGENERATE, "unresolved")


def test_a_milder_constraint_never_prevails_by_priority_over_one_that_blocks() -> None:
    rules = conflict_rules(priority=900, severity="warn")
    ruling = governor(*rules).check_and_enforce("a", "It comes tomorrow.", at())
    assert (ruling.outcome, ruling.conflicts[0].how) == (Outcome.REGENERATE, "unresolved")


def test_an_arbitration_rule_decides_where_its_condition_holds() -> None:
    decided = {
        "between": ["speed", "truth"],
        "prevails": "speed",
        "when": "turn > 5",
        "reason": "angry customers first",
    }
    one = governor(*conflict_rules(), arbitration=[decided])
    assert one.check_and_enforce("a", "It comes tomorrow.", at(turn=2)).outcome is Outcome.REGENERATE
    ruling = one.check_and_enforce("a", "It comes tomorrow.", at(turn=6))
    assert (ruling.outcome, ruling.conflicts[0].how) == (Outcome.WARNED, "arbitration")
    assert ruling.conflicts[0].reason == "angry customers first"


def test_going_to_and_fro_between_two_constraints_is_a_conflict() -> None:
    rules = (regex("a", "alpha", priority=1), regex("b", "beta", priority=2))
    one = governor(*rules, retries={"max_attempts": 9})
    outcomes = [one.check_and_enforce("x", text, at()) for text in ("alpha", "beta", "alpha")]
    assert [ruling.outcome for ruling in outcomes] == [Outcome.REGENERATE, Outcome.REGENERATE, Outcome.WARNED]
    assert outcomes[2].findings[0].waived_for == "b"


def test_pressure_is_reported_once_a_window_and_reaches_people() -> None:
    notices: list[Notice] = []
    delivered = threading.Event()

    class People:
        name = "people"

        def notify(self, notice: Notice) -> None:
            notices.append(notice)
            delivered.set()

    now = [1000.0]
    state = StateStore(clock=lambda: now[0])
    dispatcher = Dispatcher([People()])
    setup = GovernorSetup(state=state, dispatcher=dispatcher)
    one = governor(setup=setup, pressure={"violations": 3, "window_s": 60})
    changes: list[StateChange] = []
    stop = one.listen(changes.append)
    for turn in range(5):
        one.check_and_enforce("agent", GIFT, at(turn=turn))
    pressed = [change for change in changes if change.kind is ChangeKind.PRESSURE]
    assert [(change.constraint_id, change.detail) for change in pressed] == [("no_gift", "broken 3 times within 60 s")]
    assert delivered.wait(5)
    assert notices[0].decision == "constraint_pressure"
    now[0] += 61
    for turn in range(5, 8):
        one.check_and_enforce("agent", GIFT, at(turn=turn))
    assert sum(change.kind is ChangeKind.PRESSURE for change in changes) == 2
    stop()
    dispatcher.close()
    one.close()


def test_a_listener_that_raises_stops_no_check() -> None:
    one = governor()
    one.listen(lambda change: 1 / 0)
    assert one.check_and_enforce("a", GIFT, at()).outcome is Outcome.REGENERATE


def test_agents_can_wait_for_changes_in_a_bounded_queue() -> None:
    async def main() -> tuple[list[ChangeKind], int]:
        one = governor()
        subscription = one.subscribe(max_pending=2)
        for turn in range(3):
            await one.acheck_and_enforce("a", GIFT, at(turn=turn))
        await asyncio.sleep(0.05)
        kinds = [subscription.queue.get_nowait().kind for _ in range(2)]
        one.unsubscribe(subscription)
        one.close()
        return kinds, subscription.lost

    assert asyncio.run(main()) == ([ChangeKind.HELD_BACK] * 2, 1)


def test_drafts_and_rationales_are_reviewed_without_counting_retries() -> None:
    one = governor(rule(review=["draft"]), regex("other", "gift"))
    (finding,) = one.review("agent", GIFT, "draft")
    assert finding.constraint_id == "no_gift"
    assert one.review("agent", GIFT, "rationale") == ()
    retry = one.check_and_enforce("agent", GIFT, at()).retry
    assert retry is not None
    assert retry.attempt == 1


def test_state_counts_checks_violations_and_confidence() -> None:
    one = governor()
    for turn in range(10):
        one.check_and_enforce("agent", "We cannot send a gift." if turn % 5 else GIFT, at(turn=turn))
    state = one.state_of("no_gift")
    assert (state.violation_count, state.active) == (2, True)
    assert state.confidence == pytest.approx((0.95 * 20 + 8) / 30)
    assert state.last_checked is not None


def test_switching_needs_a_name_a_reason_and_a_known_constraint() -> None:
    one = governor()
    with pytest.raises(ConfigError, match="did you mean 'no_gift'"):
        one.switch("no_gifts", False, author="mei", reason="r")
    with pytest.raises(ConfigError, match="author and a reason"):
        one.switch("no_gift", False, author="", reason="r")
    one.switch("no_gift", False, author="mei", reason="campaign")
    assert one.check_and_enforce("agent", GIFT, at()).outcome is Outcome.PASS
    assert one.applicable("agent") == ()


def test_threads_share_one_governor_and_count_exactly() -> None:
    one = governor()

    def work(number: int) -> None:
        for turn in range(25):
            one.check_and_enforce(
                f"agent{number}", GIFT if turn % 5 == 0 else "a gift we cannot send", at(turn, str(number))
            )

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = one.state.health("no_gift").counts
    assert (counts.triggered, counts.violated, counts.held_back) == (200, 40, 40)
    assert sum(row.counts.triggered for row in one.state.counts(agent_id="agent3")) == 25
