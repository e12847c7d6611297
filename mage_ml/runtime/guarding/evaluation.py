"""How one run's actions are scored: sampled, put off, and with what was found afterwards taken into account."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from mage_ml.memory import PendingAction, Snapshot, Status
from mage_ml.risk import Assessment, Coverage, Evidence
from mage_ml.runtime.evaluators import RULE_IDS, Evaluator, TieredEvaluator, TierSettings
from mage_ml.runtime.evaluators.deferred import DeferredQueue
from mage_ml.runtime.evaluators.sampling import RunSampler
from mage_ml.runtime.evaluators.tier_settings import HARMLESS
from mage_ml.runtime.evaluators.tier_stats import TierStats
from mage_ml.runtime.guardrail.decision import Decision

LATE: Final = "deferred"
"""Name in `coverage.failed` of earlier deferred checks that had no answer in time."""
MAX_STANDING: Final = 64
MAX_RESULTS: Final = 1024
_IN_USE: Final = (Status.ACTIVE, Status.SUSPECT)


@dataclass(frozen=True, slots=True)
class DeferredResult:
    """What became of a check that the rules answered first.

    Attributes:
        first_decision_id: The decision that was returned at once.
        decision: The one that was made afterwards, with the answers of all tiers, from memory as it was by then. It has
            an audit record of its own; its patches have been applied.
    """

    first_decision_id: str
    decision: Decision


DecideAfterwards = Callable[[PendingAction, Callable[[Snapshot], Assessment], str], Decision]


@dataclass(frozen=True, slots=True)
class _Question:
    decision_id: str
    action: PendingAction


class Outbox:
    """Hands results on in order, one at a time, outside the guard's lock.

    While a callback takes its time, the latest 1,024 results wait for it; older ones are in the audit log alone.

    Args:
        callback: Told of each result; what it raises is dropped, because the decision is made.
    """

    def __init__(self, callback: Callable[[DeferredResult], None] | None = None) -> None:
        self._callback = callback
        self._results: deque[DeferredResult] = deque(maxlen=MAX_RESULTS)
        self._to_tell: deque[DeferredResult] = deque(maxlen=MAX_RESULTS)
        self._telling = threading.Lock()

    def put(self, result: DeferredResult) -> None:
        """Add the next result. The guard holds its lock."""
        self._results.append(result)
        if self._callback is not None:
            self._to_tell.append(result)

    def collect(self) -> tuple[DeferredResult, ...]:
        """The results since the last call, the latest 1,024 at most; all are in the audit log."""
        found = []
        while self._results:
            found.append(self._results.popleft())
        return tuple(found)

    def deliver(self) -> None:
        """Tell the callback what is new. Whoever is telling already goes on with what comes in meanwhile."""
        while self._to_tell and self._callback is not None and self._telling.acquire(blocking=False):
            try:
                while self._to_tell:
                    result = self._to_tell.popleft()
                    try:
                        self._callback(result)
                    except Exception:
                        continue  # the host's own affair
            finally:
                self._telling.release()


class RunEvaluation:
    """Scores the actions of one run. The guard holds its lock around everything but `wait`.

    A deferred check is answered by the rules at once; the other tiers are asked in the background. What they find
    stands: before a later write or final output all earlier ones have to be in (those that are late count as a failed
    tier), their repairs have been applied, and what they found about entries still in use counts for that action, too.

    Args:
        evaluator: Gives the scores. Only a `TieredEvaluator` can be sampled and deferred.
        on_answer: Told on another thread that `settle` may have something to do.
        on_result: Told of each deferred result, in order.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        on_answer: Callable[[], None],
        on_result: Callable[[DeferredResult], None] | None = None,
    ) -> None:
        self._evaluator = evaluator
        self._tiers = evaluator if isinstance(evaluator, TieredEvaluator) else None
        settings = self._tiers.settings if self._tiers is not None else TierSettings()
        self._settings = settings
        self._sampler = RunSampler(settings.sampling) if settings.sampling.enabled else None
        self._queue: DeferredQueue[_Question] = DeferredQueue(LATE, settings.deferred_queue, on_answer)
        self._rest: Callable[[], Assessment] | None = None
        self._standing: list[Evidence] = []
        self.outbox = Outbox(on_result)

    def deadline(self) -> float:
        """Until when an action that comes in now waits for earlier deferred checks, on the monotonic clock."""
        return time.monotonic() + self._settings.deferred_wait_s

    def wait(self, action_type: str, deadline: float) -> None:
        """Before an action with an effect outside: wait until earlier deferred checks are in, or time is up."""
        if action_type not in HARMLESS and len(self._queue):
            self._queue.wait(max(0.0, deadline - time.monotonic()))

    def is_ready(self, action_type: str, deadline: float) -> bool:
        """Whether an action can be judged: another thread may have put a check off since the wait."""
        return action_type in HARMLESS or not len(self._queue) or time.monotonic() >= deadline

    def drain(self, timeout_s: float) -> int:
        """Wait for everything that was put off; returns how many are still out."""
        return self._queue.wait(timeout_s)

    @property
    def stats(self) -> TierStats:
        """What each tier has done so far."""
        return TierStats() if self._tiers is None else self._tiers.stats()

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Score one snapshot whose action has the policy's type.

        Raises:
            EvaluatorError: Every tier failed.
        """
        self._rest = None
        if self._tiers is None:
            return self._evaluator.assess(snapshot)
        if snapshot.action.type in self._settings.deferred:
            begun = self._tiers.begin(snapshot, self._sampler)
            if begun.rest is None or begun.first is None or len(self._queue) >= self._settings.deferred_queue:
                return begun.rest() if begun.rest is not None else begun.first or Assessment()
            self._rest = begun.rest
            return begun.first
        assessment: Assessment = self._tiers.assess(snapshot, self._sampler)
        return self._with_standing(snapshot, assessment) if snapshot.action.is_consequential else assessment

    def submit(self, decision: Decision, action: PendingAction) -> None:
        """Ask the other tiers about the action that was just decided, if that was put off."""
        rest, self._rest = self._rest, None
        if rest is not None:
            self._queue.submit(_Question(decision.decision_id, action), rest)

    def settle(self, decide: DecideAfterwards) -> None:
        """Decide about what was put off and is in by now, in the order of the checks.

        Args:
            decide: Decides about an action with the given way to score it, records and enforces that. The text goes
                into the decision's reasons.
        """
        while taken := self._queue.take(1):  # one at a time: a decision that raises must not lose the others
            question, assessment = taken[0].tag, taken[0].assessment
            # The rules look at every action anew; what the other tiers found would not be looked for again.
            self._stand(item for item in assessment.evidence if item.found_by not in RULE_IDS and item.entry_ids)
            note = f"Judged afterwards by all tiers; decision {question.decision_id} was by the rules alone."
            decision = decide(question.action, _always(assessment), note)
            self.outbox.put(DeferredResult(question.decision_id, decision))

    def _stand(self, found: Iterable[Evidence]) -> None:
        """Remember findings: the strongest of each voice about an entry, and of all these the strongest."""
        strongest: dict[tuple[str, str, str], Evidence] = {}
        for item in sorted((*self._standing, *found), key=lambda item: -item.score):
            strongest.setdefault((item.entry_ids[0], item.axis, item.found_by), item)
        self._standing = list(strongest.values())[:MAX_STANDING]

    def _with_standing(self, snapshot: Snapshot, assessment: Assessment) -> Assessment:
        self._standing = kept = [item for item in self._standing if _is_in_use(snapshot, item)]
        coverage = assessment.coverage
        late = len(self._queue)
        if late:
            text = f"{late} earlier deferred checks had no answer within {self._settings.deferred_wait_s:g} s"
            coverage = coverage.merged(Coverage(failed={LATE: text}))
        bearing = [item for item in kept if _bears_on(snapshot, item)]
        if not bearing and coverage is assessment.coverage:
            return assessment
        found = Assessment.from_evidence(bearing, Coverage())
        known = set(assessment.evidence)
        evidence = (*assessment.evidence, *(item for item in bearing if item not in known))
        entries = {**found.entry_scores, **assessment.entry_scores}
        return assessment.model_copy(
            update={
                "risk": assessment.risk.combined(found.risk),
                "evidence": tuple(sorted(evidence, key=lambda item: -item.score)),
                "coverage": coverage,
                "entry_scores": entries,
            }
        )


def _always(assessment: Assessment) -> Callable[[Snapshot], Assessment]:
    return lambda _snapshot: assessment


def _is_in_use(snapshot: Snapshot, item: Evidence) -> bool:
    return any(name in snapshot and snapshot.entry(name).status in _IN_USE for name in item.entry_ids[:1])


def _bears_on(snapshot: Snapshot, item: Evidence) -> bool:
    """Whether an action may rest on a blamed entry. One that names no basis may rest on any."""
    named = snapshot.action.depends_on
    return not named or item.entry_ids[0] in {*named, *snapshot.graph.ancestors(*named, max_nodes=512)}
