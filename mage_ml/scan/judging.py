"""Judges every action of a trace by what the agent had in memory just before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from mage_ml.evaluation.importers.transcript import Act
from mage_ml.memory import Episode, Snapshot
from mage_ml.memory.dependencies import ValueCache
from mage_ml.memory.shadow import ShadowMemory
from mage_ml.risk import Evidence
from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.evaluators import RULE_IDS
from mage_ml.runtime.evaluators.scale import OPERATING_POINT
from mage_ml.runtime.guardrail import Decision, DecisionAction, PolicyMatrix
from mage_ml.runtime.guardrail.engine import GuardrailEngine
from mage_ml.runtime.guardrail.history import RunHistory
from mage_ml.scan.corpus import trace_of_episode
from mage_ml.scan.detect import READERS
from mage_ml.scan.masking import Masker
from mage_ml.scan.positions import line_of
from mage_ml.scan.quoting import quoted_from
from mage_ml.scan.records import parse_part
from mage_ml.scan.refusal import refused
from mage_ml.scan.results import Culprit, Location, RiskyStep, TraceResult
from mage_ml.scan.trace import Pointer, RawTrace, Trace, TraceFormat

MAX_CULPRITS: Final = 5
_ACTION: Final = 400
_PATIENT_S: Final = 60.0
_REMEMBERED_CHARS: Final = 20_000_000


class TraceJudge:
    """Judges traces with one policy. Not for several threads at once.

    A recorded run went on whatever a guard would have said, so each action is judged by the memory as it was recorded,
    without repairs. Latency budgets, sampling and deferral of the policy are left aside: nobody waits for the answer.

    Args:
        engine: Decides.
        masker: Takes secrets out of the findings.
    """

    def __init__(self, engine: GuardrailEngine, masker: Masker) -> None:
        self._engine = engine
        self._masker = masker
        self._values = ValueCache()
        self._remembered = 0

    @classmethod
    def create(
        cls,
        policy: PolicyMatrix,
        artifact: Path | Literal["default"] | None,
        salt: bytes,
        *,
        show_secrets: bool = False,
    ) -> TraceJudge:
        """A judge with rules, and with a model if one is named (`default` for the one that ships).

        Args:
            policy: Sets the rules and what is masked, too.
            artifact: Folder of the model; `None` for rules only.
            salt: See `Masker`.
            show_secrets: Leave keys, mail addresses and the like in the findings as they are.

        Raises:
            ArtifactError: The model is missing, damaged, or too new.
        """
        masker = Masker(policy.audit, salt, off=show_secrets)
        return cls(create_engine(patient(policy), artifact), masker)

    @property
    def engine(self) -> GuardrailEngine:
        """What decides."""
        return self._engine

    def judge(self, raw: RawTrace | Episode) -> Iterator[TraceResult]:
        """Judge the traces of a raw trace, or an imported run.

        Raises:
            RecordError: It is not what its format says; file and line are named.
        """
        if isinstance(raw, Episode):
            yield self._judged(RawTrace(raw.corpus, raw.episode_id, ()), trace_of_episode(raw))
            return
        self._remembered += sum(len(part.text) for part in raw.parts)
        if self._remembered > _REMEMBERED_CHARS:
            self._values, self._remembered = ValueCache(), 0
        parts = [parse_part(part, raw.path) for part in raw.parts]
        for trace in read_traces(raw, parts, self._values):
            yield self._judged(raw, trace)

    def _judged(self, raw: RawTrace, trace: Trace) -> TraceResult:
        script = trace.transcript
        shadow = ShadowMemory(goal=script.goal, chain_id=trace.trace_id)
        actions: Counter[str] = Counter()
        risky: list[RiskyStep] = []
        seen = failed = 0
        for number, act in enumerate(script.acts, start=1):
            for entry in script.entries[seen : act.visible]:
                shadow.observe(entry)
            seen = max(seen, act.visible)
            snapshot = shadow.snapshot(act.action)
            decision = self._engine.decide(snapshot, RunHistory(calls=shadow.calls))
            shadow.announce(act.action)
            actions[decision.action_type] += 1
            failed += bool(decision.coverage.failed)
            if decision.is_intervention:
                risky.append(self._step(raw, trace, number, act, snapshot, decision))
        return TraceResult(
            trace_id=trace.trace_id,
            format=raw.format,
            outcome=trace.outcome,
            actions=dict(actions),
            entries=len(script.entries),
            risky=self._masker.masked(risky, script),
            failed_checks=failed,
        )

    def _step(
        self, raw: RawTrace, trace: Trace, number: int, act: Act, snapshot: Snapshot, decision: Decision
    ) -> RiskyStep:
        shown = [item for item in decision.evidence if item.score > 0.0][:MAX_CULPRITS]
        axis = decision.risk.highest
        telling = _telling([item for item in shown if item.axis is axis])
        return RiskyStep(
            trace_id=trace.trace_id,
            outcome=trace.outcome,
            step=number,
            location=_location(raw, trace.pointers[act.message]),
            action_type=decision.action_type,
            tool=act.action.tool_name or "",
            action=_flat(act.action.text, _ACTION),
            decision=decision.action,
            stopped=decision.action in (DecisionAction.HALT, DecisionAction.REDIRECT) or not decision.allowed,
            axis=axis,
            score=decision.risk[axis],
            risk=decision.risk,
            rule=telling.found_by if telling is not None else self._engine.evaluator.name,
            culprits=tuple(self._culprit(raw, trace, snapshot, item) for item in shown),
            reasons=tuple(reason.text for reason in decision.reasons),
            unchecked=dict(decision.coverage.failed),
        )

    def _culprit(self, raw: RawTrace, trace: Trace, snapshot: Snapshot, item: Evidence) -> Culprit:
        about = {"found_by": item.found_by, "axis": item.axis, "score": item.score, "message": item.message}
        name = item.entry_ids[0] if item.entry_ids else ""
        if name not in snapshot:
            return Culprit.model_validate(about)
        entry = snapshot.entry(name)
        words = quoted_from(entry.text, item)
        pointer = trace.pointers[trace.transcript.message_of[name]]
        return Culprit.model_validate(
            {
                **about,
                "entry_id": name,
                "source": entry.source.value,
                "origin": entry.origin or "",
                "before": words.before,
                "quote": words.quote,
                "after": words.after,
                "location": _location(raw, pointer),
            }
        )


def _telling(found: Sequence[Evidence]) -> Evidence | None:
    """The finding that says most to a person: a rule that alarms by itself before a mere score, else the strongest."""
    rules = (item for item in found if item.found_by in RULE_IDS and item.score >= OPERATING_POINT)
    return next(rules, found[0] if found else None)


def patient(policy: PolicyMatrix) -> PolicyMatrix:
    """The policy without what saves time in a live run, so that the same trace always gets the same verdict."""
    tiers = policy.tiers.model_copy(
        update={
            "latency_budget_ms": {},
            "deferred": (),
            "sampling": policy.tiers.sampling.model_copy(update={"enabled": False}),
            "classifier_timeout_s": max(policy.tiers.classifier_timeout_s, _PATIENT_S),
        }
    )
    return policy.model_copy(update={"tiers": tiers})


def read_traces(raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
    """The traces of a raw trace; see `TraceReader.read`.

    Raises:
        RecordError: It is not what its format says; file and line are named.
    """
    reading = READERS[TraceFormat(raw.format)].read(raw, parts, values)
    while True:
        with refused(raw.path, raw.parts[0], raw.format):
            trace = next(reading, None)
        if trace is None:
            return
        yield trace


def _location(raw: RawTrace, pointer: Pointer) -> Location:
    if not raw.parts:
        return Location(path=raw.path)
    member = raw.parts[pointer.part].member
    if member:
        return Location(path=raw.path, inside=f"{member}#{pointer.text}")
    inside = pointer.text or (f"[{pointer.part}]" if len(raw.parts) > 1 else "")
    return Location(path=raw.path, line=line_of(raw, pointer), inside=inside)


def _flat(text: str, limit: int) -> str:
    flat = " ".join(text[: 2 * limit].split())
    return flat[:limit] + ("…" if len(flat) > limit or len(text) > 2 * limit else "")
