"""The constraint governor: listens, triggers, validates, adjudicates, keeps the state, and tells whoever listens."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Final

from mage_ml.runtime.governor.adjudication import Judgement, adjudicate
from mage_ml.runtime.governor.administration import LivingConstraints
from mage_ml.runtime.governor.bundle import Bundle
from mage_ml.runtime.governor.constraint import OnViolation
from mage_ml.runtime.governor.context import GovernorContext, Utterance
from mage_ml.runtime.governor.ruling import Finding, Ruling
from mage_ml.runtime.governor.triggers import Triggered

EMPTY: Final = GovernorContext()


class ConstraintGovernor(LivingConstraints):
    """Holds agents to their constraints. Safe between threads; state is shared between processes.

    See `LivingConstraints` for what it is made from and how it is administered.
    """

    def check_and_enforce(self, agent_id: str, output: str, context: GovernorContext | None = None) -> Ruling:
        """Check an output before it leaves.

        Never raises for what an output or a validator does: a validator that gives no verdict counts as a violation.

        Args:
            agent_id: The agent that wants to say it.
            output: What it wants to say.
            context: What it is said in. Retries are counted by run, agent and turn, so give `run_id` and `turn`.
        """
        started = time.perf_counter()
        bundle, utterance = self._current(), Utterance(agent_id, output, context or EMPTY)
        triggered = self._triggered(bundle, utterance)
        awaited = [one for one in triggered if one.constraint.is_awaited]
        later = [one for one in triggered if not one.constraint.is_awaited]
        findings, kept = _validated(bundle, awaited, utterance)

        def answer_is_kept(text: str) -> bool:
            return self._is_kept(bundle, Utterance(agent_id, text, utterance.context))

        judgement = adjudicate(self._bench, bundle, utterance, findings, kept, answer_is_kept)
        ruling = self._recorder.record(
            _ruling(judgement, bundle, awaited, later, started),
            utterance,
            [one.constraint.id for one in awaited],
            bundle,
        )
        if later:
            self._background.submit(lambda: self._check_later(bundle, later, utterance, ruling.ruling_id))
        return ruling

    async def acheck_and_enforce(self, agent_id: str, output: str, context: GovernorContext | None = None) -> Ruling:
        """Check an output without holding up the event loop; see `check_and_enforce`."""
        return await asyncio.to_thread(self.check_and_enforce, agent_id, output, context)

    def review(
        self, agent_id: str, text: str, what: str, context: GovernorContext | None = None
    ) -> tuple[Finding, ...]:
        """Findings in a draft or a rationale, without counting retries: the constraints whose `review` names it.

        Args:
            agent_id: The agent.
            text: What it drafted or thought.
            what: `draft`, `rationale`, or another word that constraints use.
            context: What it is said in.
        """
        bundle, utterance = self._current(), Utterance(agent_id, text, context or EMPTY)
        wanted = [
            Triggered(one, place, what)
            for place, one in enumerate(bundle.constraints.constraints)
            if what in one.review
            and one.scope.covers(agent_id, utterance.context.task)
            and self.switches.is_active(one)
        ]
        findings, _ = _validated(bundle, wanted, utterance)
        self._recorder.count_review(agent_id, wanted, findings)
        return tuple(findings)

    def _triggered(self, bundle: Bundle, utterance: Utterance) -> list[Triggered]:
        try:
            return bundle.index.triggered(utterance, self.switches.is_active)
        except Exception as error:
            # Nobody knows what is due, so everything is.
            why = f"{type(error).__name__}: {error}"[:200]
            context = utterance.context
            return [
                Triggered(one, place, "triggers failed", why)
                for place, one in enumerate(bundle.constraints.constraints)
                if one.scope.covers(utterance.agent_id, context.task, context.channel) and self.switches.is_active(one)
            ]

    def _is_kept(self, bundle: Bundle, utterance: Utterance) -> bool:
        awaited = [one for one in self._triggered(bundle, utterance) if one.constraint.is_awaited]
        findings, _ = _validated(bundle, awaited, utterance)
        return all(bundle.by_id[one.constraint_id].consequence is OnViolation.PASS for one in findings)

    def _check_later(self, bundle: Bundle, later: list[Triggered], utterance: Utterance, ruling_id: str) -> None:
        findings, _ = _validated(bundle, later, utterance)
        self._recorder.record_later(ruling_id, utterance, [one.constraint.id for one in later], findings)


def _validated(bundle: Bundle, triggered: list[Triggered], utterance: Utterance) -> tuple[list[Finding], list[str]]:
    findings, kept = [], []
    for one in triggered:
        finding = bundle.check(one, utterance)
        if finding is None:
            kept.append(one.constraint.id)
        else:
            findings.append(finding)
    return findings, kept


def _ruling(
    judgement: Judgement, bundle: Bundle, awaited: list[Triggered], later: list[Triggered], started: float
) -> Ruling:
    return Ruling.model_construct(
        ruling_id=uuid.uuid4().hex,
        outcome=judgement.outcome,
        output=judgement.output,
        findings=judgement.findings,
        feedback=judgement.feedback,
        retry=judgement.retry,
        resort=judgement.resort,
        conflicts=judgement.conflicts,
        checked=tuple(one.constraint.id for one in awaited),
        deferred=tuple(one.constraint.id for one in later),
        failures=dict(judgement.failures or {}),
        constraints_version=bundle.constraints.version,
        digest=bundle.digest,
        latency_ms=(time.perf_counter() - started) * 1000,
    )
