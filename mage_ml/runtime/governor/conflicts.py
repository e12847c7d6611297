"""Constraints that cannot both be kept: found, resolved by rule or priority, and always recorded.

Two signs of a conflict: the very words that one constraint forbids are what another one needs (without them, the other
would be broken); or an agent is rejected for one, then for the other, then for the first again. An arbitration rule of
the constraint file decides without any sign, wherever both constraints apply.

A constraint that gives way never gives way to a milder one unless an arbitration rule says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mage_ml.errors import EvaluatorError
from mage_ml.runtime.governor.constraint import Arbitration, Constraint, ConstraintSet, Severity
from mage_ml.runtime.governor.context import Question, Utterance
from mage_ml.runtime.governor.expressions import Expression
from mage_ml.runtime.governor.ruling import Conflict, Finding, HowResolved
from mage_ml.runtime.governor.validators.base import Validator

_RANK: Final = {Severity.LOG: 0, Severity.WARN: 1, Severity.BLOCK: 2}
_CHEAP: Final = frozenset({"regex", "cel", "allow_list"})


@dataclass(frozen=True, slots=True)
class _Rule:
    rule: Arbitration
    when: Expression | None


class Arbiter:
    """Finds and resolves conflicts.

    Args:
        constraints: The constraint file.
        validators: Validators by constraint.
    """

    def __init__(self, constraints: ConstraintSet, validators: Mapping[str, Validator]) -> None:
        self._by_id = {constraint.id: constraint for constraint in constraints.constraints}
        self._validators = validators
        self._rules = {
            frozenset(rule.between): _Rule(rule, Expression(rule.when) if rule.when is not None else None)
            for rule in constraints.arbitration
        }

    def found_in(self, utterance: Utterance, findings: Sequence[Finding], kept: Sequence[str]) -> list[Conflict]:
        """Conflicts between a broken constraint and one that was checked and kept.

        Args:
            utterance: The output.
            findings: What is broken.
            kept: Ids of the constraints that were checked and kept.
        """
        conflicts = []
        for finding in findings:
            if finding.failed:
                continue
            for other in kept:
                resolved = self._by_rule(other, finding.constraint_id, utterance)
                if resolved is None and self._needs(other, finding, utterance):
                    reason = f"what {finding.constraint_id} forbids is what {other} needs"
                    resolved = self._by_priority(other, finding.constraint_id, reason)
                if resolved is not None:
                    conflicts.append(resolved)
        return conflicts

    def found_over(self, rejected: Sequence[Sequence[str]], utterance: Utterance) -> list[Conflict]:
        """Conflicts that show in a turn's rejections: one constraint, then another, then the first again.

        Args:
            rejected: Ids broken by each rejected output, the present one last.
            utterance: The present output.
        """
        if len(rejected) < 3:
            return []
        last, middle, first = (set(ids) for ids in (rejected[-1], rejected[-2], rejected[-3]))
        again = (last & first) - middle
        between = middle - last
        conflicts = []
        for one in sorted(again):
            for other in sorted(between):
                if one in self._by_id and other in self._by_id:
                    reason = f"outputs that keep {one} break {other}, and the other way round"
                    resolved = self._by_rule(one, other, utterance) or self._by_priority(one, other, reason)
                    conflicts.append(resolved)
        return conflicts

    def _needs(self, other: str, finding: Finding, utterance: Utterance) -> bool:
        """Whether a kept constraint would be broken without the words that break another one."""
        constraint = self._by_id[other]
        words = finding.offending
        if not words or words not in utterance.output or constraint.validator.kind not in _CHEAP:
            return False
        without = Utterance(utterance.agent_id, utterance.output.replace(words, " "), utterance.context)
        try:
            return self._validators[other].check(Question(constraint, without)).violated
        except EvaluatorError:
            return False  # no sign of a conflict, so both constraints hold

    def _by_rule(self, one: str, other: str, utterance: Utterance) -> Conflict | None:
        found = self._rules.get(frozenset((one, other)))
        if found is None:
            return None
        try:
            if found.when is not None and not found.when.holds(utterance.activation):
                return None
        except EvaluatorError:
            return None  # nobody knows whether the rule applies, so both constraints hold
        rule = found.rule
        loser = rule.between[0] if rule.prevails == rule.between[1] else rule.between[1]
        return Conflict(winner=rule.prevails, loser=loser, how=HowResolved.ARBITRATION, reason=rule.reason)

    def _by_priority(self, one: str, other: str, reason: str) -> Conflict:
        first, second = self._by_id[one], self._by_id[other]
        if first.priority < second.priority:
            first, second = second, first
        if first.priority == second.priority or _RANK[first.severity] < _RANK[second.severity]:
            return Conflict(winner=first.id, loser=second.id, how=HowResolved.UNRESOLVED, reason=reason)
        said = f"{reason}; {first.id} has priority {first.priority}, {second.id} {second.priority}"
        return Conflict(winner=first.id, loser=second.id, how=HowResolved.PRIORITY, reason=said)


def waive(findings: Sequence[Finding], conflicts: Sequence[Conflict]) -> list[Finding]:
    """Findings with those marked that give way in a resolved conflict to a constraint that is kept."""
    broken = {finding.constraint_id for finding in findings}
    gives_way = {
        conflict.loser: conflict.winner
        for conflict in conflicts
        if conflict.how is not HowResolved.UNRESOLVED and conflict.winner not in broken
    }
    return [
        finding.model_copy(update={"waived_for": gives_way[finding.constraint_id]})
        if finding.constraint_id in gives_way and not finding.failed
        else finding
        for finding in findings
    ]


def constraints_by_id(constraints: ConstraintSet) -> dict[str, Constraint]:
    """The constraints of a set by id."""
    return {constraint.id: constraint for constraint in constraints.constraints}
