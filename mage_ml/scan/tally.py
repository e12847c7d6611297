"""Counts of a scan, kept as traces pass; of the risky steps only the gravest are kept."""

from __future__ import annotations

import heapq
from collections import Counter
from typing import Final

from mage_ml.errors import RecordError
from mage_ml.risk import RiskAxis
from mage_ml.runtime.guardrail import DecisionAction
from mage_ml.scan.results import OutcomeCount, RiskyStep, ScanReport, TraceResult

_MALFORMED_KEPT: Final = 100
_OUTCOMES_KEPT: Final = 50
_OTHER: Final = "other outcomes"


class Tally:
    """Takes in results one by one.

    Args:
        max_steps: How many risky steps are kept.
    """

    def __init__(self, max_steps: int) -> None:
        self._max_steps = max_steps
        self._files: Counter[str] = Counter()
        self._traces = self._empty = self._entries = self._failed = self._malformed_count = 0
        self._actions: Counter[str] = Counter()
        self._decisions: Counter[DecisionAction] = Counter()
        self._rules: Counter[str] = Counter()
        self._axes: Counter[RiskAxis] = Counter()
        self._outcomes: dict[str, Counter[str]] = {}
        self._malformed: list[str] = []
        # Gravest first; of equals the one that came first.
        self._kept: list[tuple[tuple[int, float], int, RiskyStep]] = []
        self._number = 0

    @property
    def traces(self) -> int:
        """How many traces there were so far."""
        return self._traces

    def file(self, form: str) -> None:
        """A file was begun."""
        self._files[form] += 1

    def malformed(self, error: RecordError) -> None:
        """A record could not be read."""
        self._malformed_count += 1
        if len(self._malformed) < _MALFORMED_KEPT:
            self._malformed.append(str(error))

    def add(self, result: TraceResult) -> None:
        """A trace was judged."""
        self._traces += 1
        self._entries += result.entries
        self._empty += not result.entries and not result.actions
        self._failed += result.failed_checks
        self._actions.update(result.actions)
        for step in result.risky:
            self._decisions[step.decision] += 1
            self._rules[step.rule] += 1
            self._axes[step.axis] += 1
            self._keep(step)
        if result.outcome:
            self._count_outcome(result)

    def _keep(self, step: RiskyStep) -> None:
        self._number += 1
        item = (step.rank, -self._number, step)
        if len(self._kept) < self._max_steps:
            heapq.heappush(self._kept, item)
        elif self._max_steps and item[:2] > self._kept[0][:2]:
            heapq.heapreplace(self._kept, item)

    def _count_outcome(self, result: TraceResult) -> None:
        full = len(self._outcomes) >= _OUTCOMES_KEPT and result.outcome not in self._outcomes
        counts = self._outcomes.setdefault(_OTHER if full else result.outcome, Counter())
        counts["traces"] += 1
        counts["flagged"] += bool(result.risky)
        counts["stopped"] += any(step.stopped for step in result.risky)
        counts["halted"] += any(step.decision is DecisionAction.HALT for step in result.risky)
        counts["actions"] += sum(result.actions.values())
        counts["risky"] += len(result.risky)

    def report(self, *, policy_version: str, mode: str, model_version: str) -> ScanReport:
        """The report."""
        ordered = sorted(self._kept, key=lambda item: -item[1])
        return ScanReport(
            policy_version=policy_version,
            mode=mode,
            model_version=model_version,
            files=dict(self._files),
            traces=self._traces,
            empty=self._empty,
            actions=dict(sorted(self._actions.items())),
            entries=self._entries,
            decisions={action: self._decisions[action] for action in DecisionAction if self._decisions[action]},
            by_rule=dict(self._rules.most_common()),
            by_axis={axis: self._axes[axis] for axis in RiskAxis if self._axes[axis]},
            by_outcome=tuple(
                OutcomeCount.model_validate({"outcome": name, **counts})
                for name, counts in sorted(self._outcomes.items())
            ),
            steps=tuple(step for _, _, step in ordered),
            left_out=self._number - len(ordered),
            malformed=tuple(self._malformed),
            malformed_count=self._malformed_count,
            failed_checks=self._failed,
        )
