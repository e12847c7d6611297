"""Faults at the seams of the guard: evaluators, stores, logs and clocks that break in a chosen way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from mage_ml.errors import AuditError
from mage_ml.memory import MemoryEntry, Snapshot
from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis, RiskVector
from mage_ml.runtime.audit import AuditEvent, AuditRecord
from mage_ml.runtime.evaluators import Evaluator
from mage_ml.runtime.guarding import AuditSink
from mage_ml.runtime.guardrail import MemoryStore

_DEPTH: Final = 100_000


class EvaluatorFault(StrEnum):
    """How an evaluator breaks."""

    RAISES = "raises"
    RUNS_OUT_OF_MEMORY = "runs_out_of_memory"
    RECURSES = "recurses"
    ENDS_THE_PROGRAM = "ends_the_program"
    IS_CANCELLED = "is_cancelled"
    IS_SLOW = "is_slow"
    GIVES_NAN = "gives_nan"
    GIVES_NOTHING = "gives_nothing"
    NAMES_UNKNOWN_ENTRIES = "names_unknown_entries"
    FAILS_PARTLY = "fails_partly"


class FaultyEvaluator:
    """An evaluator that breaks in a chosen way.

    Args:
        fault: How it breaks.
        evaluator: Gives the answer that the fault spoils.
        delay_s: How long a slow one takes.
    """

    def __init__(self, fault: EvaluatorFault, evaluator: Evaluator, *, delay_s: float = 0.5) -> None:
        self.name = evaluator.name
        self.fault = fault
        self._evaluator = evaluator
        self._delay_s = delay_s

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Break.

        Raises:
            BaseException: Depends on the fault.
        """
        match self.fault:
            case EvaluatorFault.RAISES:
                raise RuntimeError("injected fault")
            case EvaluatorFault.RUNS_OUT_OF_MEMORY:
                raise MemoryError("injected fault")
            case EvaluatorFault.RECURSES:
                return self._recurse(snapshot, _DEPTH)
            case EvaluatorFault.ENDS_THE_PROGRAM:
                raise SystemExit("injected fault")
            case EvaluatorFault.IS_CANCELLED:
                raise asyncio.CancelledError("injected fault")
            case EvaluatorFault.IS_SLOW:
                time.sleep(self._delay_s)
                return self._evaluator.assess(snapshot)
        return self._spoilt(self._evaluator.assess(snapshot))

    def _spoilt(self, answer: Assessment) -> Assessment:
        match self.fault:
            case EvaluatorFault.GIVES_NAN:
                scores = dict.fromkeys((axis.value for axis in RiskAxis), float("nan"))
                return answer.model_copy(update={"risk": RiskVector.model_construct(None, **scores)})
            case EvaluatorFault.NAMES_UNKNOWN_ENTRIES:
                blamed = Evidence(axis=RiskAxis.SAFETY, score=1.0, found_by=self.name, entry_ids=("no such entry",))
                risk = answer.risk.combined(RiskVector(safety=1.0))
                return answer.model_copy(update={"evidence": (blamed, *answer.evidence), "risk": risk})
            case EvaluatorFault.FAILS_PARTLY:
                failed = Coverage(failed={f"{self.name}.part": "injected fault"})
                return answer.model_copy(update={"risk": RiskVector(), "coverage": answer.coverage.merged(failed)})
        return None  # type: ignore[return-value] # the fault is an answer of the wrong type

    def _recurse(self, snapshot: Snapshot, depth: int) -> Assessment:
        return self._recurse(snapshot, depth - 1) if depth else self._evaluator.assess(snapshot)


class StoreFault(StrEnum):
    """How a memory store breaks."""

    CANNOT_READ = "cannot_read"
    CANNOT_WRITE = "cannot_write"
    BREAKS_HALF_WAY = "breaks_half_way"
    BREAKS_HALF_WAY_FOR_GOOD = "breaks_half_way_for_good"
    """The roll-back fails, too."""
    LOSES_AN_ENTRY = "loses_an_entry"


class FaultyStore:
    """A memory store that breaks in a chosen way.

    Args:
        fault: How it breaks.
        store: The store behind it.
        good_writes: Writes that still work before one breaks half way.
    """

    def __init__(self, fault: StoreFault, store: MemoryStore, *, good_writes: int = 1) -> None:
        self.fault: StoreFault | None = fault
        self.store = store
        self._left = good_writes
        self._broken = False

    def heal(self) -> None:
        """Work from now on."""
        self.fault = None

    def get(self, entry_id: str) -> MemoryEntry | None:
        """The current version of an entry.

        Raises:
            OSError: The fault.
        """
        if self.fault is StoreFault.CANNOT_READ:
            raise OSError("injected fault: cannot read")
        return None if self.fault is StoreFault.LOSES_AN_ENTRY else self.store.get(entry_id)

    def replace(self, entry: MemoryEntry) -> None:
        """Put a new version of an entry in its place.

        Raises:
            OSError: The fault.
        """
        match self.fault:
            case StoreFault.CANNOT_WRITE:
                raise OSError("injected fault: cannot write")
            case StoreFault.BREAKS_HALF_WAY if not self._broken and self._is_due():
                self._broken = True
                raise OSError("injected fault: broke half way")
            case StoreFault.BREAKS_HALF_WAY_FOR_GOOD if self._is_due():
                raise OSError("injected fault: broke half way, for good")
        self.store.replace(entry)

    def list(self) -> Sequence[MemoryEntry]:
        """All entries in order."""
        return self.store.list()

    def _is_due(self) -> bool:
        self._left -= 1
        return self._left < 0


class SinkFault(StrEnum):
    """How an audit log breaks."""

    REFUSES = "refuses"
    RAISES = "raises"
    REFUSES_EVERY_OTHER = "refuses_every_other"
    FORGETS_TO_ANSWER = "forgets_to_answer"
    """The event is recorded, but the caller is told otherwise."""


class FaultySink:
    """An audit log that breaks in a chosen way.

    Args:
        fault: How it breaks.
        sink: The log behind it.
    """

    def __init__(self, fault: SinkFault, sink: AuditSink) -> None:
        self.fault = fault
        self._sink = sink
        self._calls = 0

    def append(self, event: AuditEvent) -> AuditRecord:
        """Record an event, or break.

        Raises:
            AuditError: The fault.
            OSError: The fault.
        """
        self._calls += 1
        match self.fault:
            case SinkFault.RAISES:
                raise OSError("injected fault")
            case SinkFault.FORGETS_TO_ANSWER:
                self._sink.append(event)
                raise AuditError("injected fault: no answer")
            case SinkFault.REFUSES_EVERY_OTHER if self._calls % 2:
                return self._sink.append(event)
        raise AuditError("injected fault: disk full")


class JumpingClock:
    """A clock that is set forward and back.

    Args:
        jumps: Seconds by which it jumps at each call, over and over.
        clock: The clock behind it.
    """

    def __init__(self, jumps: Sequence[float], clock: Callable[[], float] = time.time) -> None:
        self._jumps = jumps
        self._clock = clock
        self._calls = 0
        self._offset = 0.0

    def __call__(self) -> float:
        """The time, as far as this clock knows."""
        self._offset += self._jumps[self._calls % len(self._jumps)]
        self._calls += 1
        return self._clock() + self._offset
