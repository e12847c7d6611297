"""Steps behind which the same entry stands, put together: one bad entry is met again at every later step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mage_ml.scan.results import Culprit, RiskyStep


@dataclass(frozen=True, slots=True)
class StepGroup:
    """The steps of one trace whose telling finding points at the same entry.

    Attributes:
        gravest: The step to show; of equals the first.
        others: The rest, in order.
    """

    gravest: RiskyStep
    others: tuple[RiskyStep, ...]

    @property
    def culprit(self) -> Culprit | None:
        """The telling finding of the step that is shown."""
        return leading(self.gravest)


def leading(step: RiskyStep) -> Culprit | None:
    """The finding that gave a step its rule."""
    named = (item for item in step.culprits if item.found_by == step.rule and item.axis is step.axis)
    return next(named, step.culprits[0] if step.culprits else None)


def grouped(steps: Iterable[RiskyStep]) -> tuple[StepGroup, ...]:
    """Steps by trace and the entry behind them, the gravest group first."""
    groups: dict[tuple[str, str, str], list[RiskyStep]] = {}
    for step in steps:
        culprit = leading(step)
        about = "" if culprit is None else culprit.entry_id or culprit.message
        groups.setdefault((step.location.path, step.trace_id, about), []).append(step)
    found = []
    for members in groups.values():
        gravest = max(members, key=lambda step: (step.rank, -step.step))
        found.append(StepGroup(gravest, tuple(step for step in members if step is not gravest)))
    return tuple(sorted(found, key=lambda group: (-group.gravest.decision.severity, -group.gravest.score)))
