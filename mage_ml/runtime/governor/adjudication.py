"""From findings to a ruling: what happens to the output, what the agent is told, how often it may try again."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mage_ml.runtime.governor.bundle import Bundle
from mage_ml.runtime.governor.conflicts import waive
from mage_ml.runtime.governor.constraint import OnViolation, Resort, Severity
from mage_ml.runtime.governor.context import GovernorContext, Utterance
from mage_ml.runtime.governor.rejections import (
    RejectionBook,
    advice,
    choose_resort,
    fallback,
    feedback,
    may_anneal,
    retry_text,
)
from mage_ml.runtime.governor.ruling import Conflict, Finding, Outcome, RetryAdvice
from mage_ml.runtime.governor.state_types import Rejections, StateError, TurnKey

Handover = Callable[[str, GovernorContext, tuple[Finding, ...]], str | None]
"""Hands a turn over: to a stronger agent, which gives its answer, or to a person, for whom `None` is returned.

It is given the rejected output, its context and the findings.
"""
_ORDER = {Severity.BLOCK: 0, Severity.WARN: 1, Severity.LOG: 2}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to happen to an output.

    Attributes:
        outcome: What happens to it.
        output: What may leave.
        findings: Broken constraints, waived ones marked.
        feedback: What the agent is told.
        conflicts: Conflicts met.
        retry: How to try again.
        resort: What was chosen when retries were used up.
        failures: What else went wrong, by name.
    """

    outcome: Outcome
    output: str
    findings: tuple[Finding, ...] = ()
    feedback: str = ""
    conflicts: tuple[Conflict, ...] = ()
    retry: RetryAdvice | None = None
    resort: Resort | None = None
    failures: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Bench:
    """What adjudication needs.

    Attributes:
        book: Counts rejected outputs.
        handovers: How the host hands a turn over.
        rng: Draws for annealing.
    """

    book: RejectionBook
    handovers: Mapping[Resort, Handover]
    rng: random.Random


def ordered(findings: Sequence[Finding], bundle: Bundle) -> list[Finding]:
    """The most severe first, then the most important."""
    return sorted(findings, key=lambda one: (_ORDER[one.severity], -bundle.by_id[one.constraint_id].priority))


def adjudicate(
    bench: Bench,
    bundle: Bundle,
    utterance: Utterance,
    found: Sequence[Finding],
    kept: Sequence[str],
    answer_is_kept: Callable[[str], bool],
) -> Judgement:
    """Decide about an output.

    Args:
        bench: Rejections, hand-overs, chance.
        bundle: The constraints in force.
        utterance: The output.
        found: Broken constraints.
        kept: Ids of the constraints that were checked and kept.
        answer_is_kept: Whether a stronger agent's answer breaks no constraint that holds outputs back.
    """
    conflicts = bundle.arbiter.found_in(utterance, found, kept)
    findings = waive(ordered(found, bundle), conflicts)
    holding = _holding(findings, bundle)
    if not holding:
        return _leaves(bundle, utterance, findings, conflicts)
    if any(bundle.by_id[one.constraint_id].consequence is OnViolation.VETO for one in holding):
        told = feedback(holding, bundle.by_id, utterance.language)
        return Judgement(Outcome.VETOED, "", tuple(findings), told, tuple(conflicts))
    try:
        rejections = bench.book.add(_turn(utterance), [one.constraint_id for one in holding])
    except StateError as error:
        # Without a count there is no bound on retries, so there is no retry.
        told = feedback(holding, bundle.by_id, utterance.language)
        return Judgement(
            Outcome.VETOED, "", tuple(findings), told, tuple(conflicts), failures={"state": str(error)[:500]}
        )
    over = bundle.arbiter.found_over(rejections.constraint_ids, utterance)
    if over:
        conflicts = [*conflicts, *over]
        findings = waive(findings, over)
        holding = _holding(findings, bundle)
        if not holding:
            return _leaves(bundle, utterance, findings, conflicts)
    return _retry(bench, bundle, utterance, findings, holding, conflicts, rejections, answer_is_kept)


def _retry(
    bench: Bench,
    bundle: Bundle,
    utterance: Utterance,
    findings: list[Finding],
    holding: list[Finding],
    conflicts: list[Conflict],
    rejections: Rejections,
    answer_is_kept: Callable[[str], bool],
) -> Judgement:
    settings, language = bundle.constraints.retries, utterance.language
    told = feedback(holding, bundle.by_id, language)
    is_mild = all(one.severity is not Severity.BLOCK for one in holding)
    advised = advice(settings, rejections.attempts)
    if is_mild and (advised is None or may_anneal(settings, rejections.attempts, bench.rng)):
        return Judgement(Outcome.WARNED, utterance.output, tuple(findings), told, tuple(conflicts))
    # Another wording does not mend a validator that gives no verdict.
    if advised is not None and not all(one.failed for one in holding):
        told = f"{told}\n{retry_text(advised, language)}"
        return Judgement(Outcome.REGENERATE, "", tuple(findings), told, tuple(conflicts), retry=advised)
    return _resort(bench, bundle, utterance, findings, holding, conflicts, answer_is_kept)


def _resort(
    bench: Bench,
    bundle: Bundle,
    utterance: Utterance,
    findings: list[Finding],
    holding: list[Finding],
    conflicts: list[Conflict],
    answer_is_kept: Callable[[str], bool],
) -> Judgement:
    settings, offered = bundle.constraints.retries, dict(bench.handovers)
    told = feedback(holding, bundle.by_id, utterance.language)
    instead = fallback(holding, bundle.by_id, utterance.language)
    failures: dict[str, str] = {}
    while True:
        resort = choose_resort(settings, offered)
        output, outcome = instead, Outcome.DEGRADED
        if resort is Resort.STOP:
            output, outcome = "", Outcome.VETOED
        elif resort is not Resort.DEGRADE:
            outcome = Outcome.HANDED_OVER
            try:
                answer = offered.pop(resort)(utterance.output, utterance.context, tuple(findings))
            except Exception as error:
                failures[resort.value] = f"{type(error).__name__}: {error}"[:500]
                continue
            if answer is not None and not answer_is_kept(answer):
                failures[resort.value] = "its answer breaks a constraint, too"
                continue
            output = instead if answer is None else answer
        return Judgement(
            outcome, output, tuple(findings), told, tuple(conflicts), resort=resort, failures=failures or None
        )


def _leaves(bundle: Bundle, utterance: Utterance, findings: list[Finding], conflicts: Sequence[Conflict]) -> Judgement:
    if not findings:
        return Judgement(Outcome.PASS, utterance.output, conflicts=tuple(conflicts))
    warned = [one for one in findings if one.severity is Severity.WARN or one.waived_for]
    told = feedback(warned, bundle.by_id, utterance.language) if warned else ""
    outcome = Outcome.WARNED if warned else Outcome.LOGGED
    return Judgement(outcome, utterance.output, tuple(findings), told, tuple(conflicts))


def _holding(findings: Sequence[Finding], bundle: Bundle) -> list[Finding]:
    """Those that hold the output back."""
    return [
        one
        for one in findings
        if not one.waived_for and bundle.by_id[one.constraint_id].consequence is not OnViolation.PASS
    ]


def _turn(utterance: Utterance) -> TurnKey:
    return TurnKey(utterance.context.run_id, utterance.agent_id, utterance.context.turn)
