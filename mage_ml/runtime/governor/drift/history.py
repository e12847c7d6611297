"""How constraints fare over time: counts for each agent, boundary and verdict, and the trend."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.governor.drift.verdicts import Boundary, Verdict, Verification

MAX_AGENTS: Final = 1_024
WINDOW: Final = 200
_MIN_TREND: Final = 8


@dataclass(frozen=True, slots=True)
class DriftCount:
    """How often a verdict was given.

    Attributes:
        agent_id: The agent that went on with the text.
        boundary: What had happened to it.
        verdict: The verdict.
        count: How many findings.
    """

    agent_id: str
    boundary: Boundary
    verdict: Verdict
    count: int


@dataclass(frozen=True, slots=True)
class DriftTrend:
    """How an agent's losses develop over its latest findings.

    Attributes:
        findings: How many findings it rests on.
        earlier: Share of constraints not kept in the older half; `None` with fewer than eight findings.
        later: The same in the newer half.
    """

    findings: int
    earlier: float | None
    later: float | None

    @property
    def is_worsening(self) -> bool:
        """Whether more is lost lately."""
        return self.earlier is not None and self.later is not None and self.later > self.earlier


class DriftHistory:
    """Counts of findings, and the latest 200 of each agent. Bounded; safe to share between threads.

    Of more than 1,024 agents, the one that was heard of longest ago is forgotten.

    Args:
        sink: Told of each verification, for instance to store it; it is called outside the lock.
    """

    def __init__(self, sink: Callable[[Verification], None] | None = None) -> None:
        self._sink = sink
        self._lock = fork_safe_lock()
        self._counts: dict[str, Counter[tuple[Boundary, Verdict]]] = {}
        self._latest: dict[str, deque[bool]] = {}

    def add(self, verification: Verification) -> None:
        """Count the findings of a verification."""
        agent = verification.agent_id
        with self._lock:
            counts = self._counts.pop(agent, None) or Counter()
            latest = self._latest.pop(agent, None) or deque(maxlen=WINDOW)
            for finding in verification.findings:
                counts[verification.boundary, finding.verdict] += 1
                latest.append(finding.verdict.is_kept)
            self._counts[agent], self._latest[agent] = counts, latest
            while len(self._counts) > MAX_AGENTS:
                oldest = next(iter(self._counts))
                del self._counts[oldest], self._latest[oldest]
        if self._sink is not None:
            self._sink(verification)

    @property
    def agents(self) -> tuple[str, ...]:
        """Agents that are known, the one heard of longest ago first."""
        with self._lock:
            return tuple(self._counts)

    def counts(self, agent_id: str | None = None) -> tuple[DriftCount, ...]:
        """How often each verdict was given at each boundary, for one agent or for all; zeros are left out."""
        with self._lock:
            found = [
                DriftCount(agent, boundary, verdict, count)
                for agent, counter in self._counts.items()
                if agent_id is None or agent == agent_id
                for (boundary, verdict), count in counter.items()
            ]
        return tuple(sorted(found, key=lambda item: (item.agent_id, item.boundary, item.verdict)))

    def totals(self, agent_id: str | None = None) -> Mapping[Verdict, int]:
        """How often each of the seven verdicts was given, zeros included."""
        found = dict.fromkeys(Verdict, 0)
        for item in self.counts(agent_id):
            found[item.verdict] += item.count
        return MappingProxyType(found)

    def lost_share(self, agent_id: str | None = None) -> float:
        """Share of constraints that were not kept, 0 to 1; 0 without findings."""
        totals = self.totals(agent_id)
        every = sum(totals.values())
        return sum(count for verdict, count in totals.items() if not verdict.is_kept) / every if every else 0.0

    def trend(self, agent_id: str) -> DriftTrend:
        """How an agent's losses develop."""
        with self._lock:
            latest = tuple(self._latest.get(agent_id, ()))
        if len(latest) < _MIN_TREND:
            return DriftTrend(len(latest), None, None)
        half = len(latest) // 2
        return DriftTrend(len(latest), _lost(latest[:half]), _lost(latest[half:]))


def _lost(kept: Iterable[bool]) -> float:
    found = list(kept)
    return found.count(False) / len(found)
