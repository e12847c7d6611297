"""Tries constraints on the examples they come with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mage_ml.config import nearest
from mage_ml.errors import ConfigError
from mage_ml.progress import Progress
from mage_ml.runtime.governor.bundle import Bundle
from mage_ml.runtime.governor.constraint import Constraint, Example
from mage_ml.runtime.governor.constraint_file import ConstraintSource
from mage_ml.runtime.governor.context import GovernorContext, Utterance
from mage_ml.runtime.governor.validators.build import Resources


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """How one example came out.

    Attributes:
        constraint_id: The constraint.
        place: File and line of the example.
        output: What was said.
        expected: Whether the constraint should let it pass.
        passed: Whether it did.
        triggered: Whether it was checked at all.
        reason: What was found, or why the check failed.
    """

    constraint_id: str
    place: str
    output: str
    expected: bool
    passed: bool
    triggered: bool
    reason: str

    @property
    def is_right(self) -> bool:
        """Whether it came out as expected."""
        return self.expected == self.passed


def try_examples(
    source: ConstraintSource,
    *,
    resources: Resources | None = None,
    only: Sequence[str] = (),
    progress: Progress | None = None,
) -> list[ExampleResult]:
    """Check every example against its constraint, triggers included: what is not triggered passes.

    Args:
        source: The constraints.
        resources: Knowledge bases, judge and validators of the host's.
        only: Ids of the constraints to try; all when empty.
        progress: Told of each constraint.

    Raises:
        ConfigError: A validator cannot be made, or an id is unknown.
    """
    bundle = Bundle.of(source, resources or Resources(), None)
    for wanted in only:
        if wanted not in bundle.by_id:
            raise ConfigError(f"unknown constraint {wanted!r}; {nearest(wanted, list(bundle.by_id))}")
    results = []
    for index, constraint in enumerate(source.constraints.constraints):
        if not only or constraint.id in only:
            for place, example in enumerate(constraint.examples):
                line = source.line("constraints", index, "examples", place)
                results.append(_tried(bundle, constraint, example, f"{source.name}:{line}"))
        if progress is not None:
            progress("examples", index + 1, len(source.constraints.constraints))
    return results


def _tried(bundle: Bundle, constraint: Constraint, example: Example, place: str) -> ExampleResult:
    agents, tasks, channels = constraint.scope.agents, constraint.scope.tasks, constraint.scope.channels
    context = GovernorContext(
        run_id="example",
        task=_concrete(tasks),
        channel=_concrete(channels) or "final_output",
        turn=example.turn,
        user=example.user,
        arguments=example.arguments,
        facts=example.facts,
    )
    utterance = Utterance(_concrete(agents) or "agent", example.output, context)
    due = [one for one in bundle.index.triggered(utterance, lambda _: True) if one.constraint.id == constraint.id]
    finding = bundle.check(due[0], utterance) if due else None
    reason = "" if due else "not triggered"
    if finding is not None:
        reason = finding.failed or finding.offending or finding.explanation
    return ExampleResult(constraint.id, place, example.output, example.allowed, finding is None, bool(due), reason)


def _concrete(patterns: Sequence[str]) -> str:
    """A name that a scope covers: its first one, with something in the place of wildcards."""
    return patterns[0].replace("*", "x").replace("?", "x") if patterns else ""
