"""What a release from quarantine means for later decisions: the same evidence does not count a second time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, Evidence, RiskAxis, RiskVector
from mage_ml.runtime.evaluators.rules import RuleId

_SLACK: Final = 0.05
_EPSILON: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Pardon:
    """A finding that a person has looked at and overruled by releasing the entry.

    Attributes:
        entry_id: The released entry.
        found_by: The rule or model.
        axis: The axis it spoke to.
        span: The place in the entry, when one was meant.
        score: Its score then. A clearly higher one is new evidence.
        beside: The other entries it named. Another one that says something else is new evidence.
    """

    entry_id: str
    found_by: str
    axis: RiskAxis
    span: tuple[int, int] | None
    score: float
    beside: frozenset[str] = frozenset()

    @classmethod
    def of(cls, evidence: Evidence) -> Pardon:
        """The pardon for one piece of evidence about its first entry."""
        first, *others = evidence.entry_ids
        return cls(first, evidence.found_by, evidence.axis, evidence.span, evidence.score, frozenset(others))

    def covers(self, evidence: Evidence, snapshot: Snapshot) -> bool:
        """Whether evidence says the same again, and neither more strongly nor with another entry's support."""
        return (
            evidence.entry_ids[:1] == (self.entry_id,)
            and (evidence.found_by, evidence.axis, evidence.span) == (self.found_by, self.axis, self.span)
            and evidence.score <= self.score + _SLACK
            and all(self._has_seen(name, snapshot) for name in evidence.entry_ids[1:])
        )

    def _has_seen(self, name: str, snapshot: Snapshot) -> bool:
        if name in self.beside:
            return True
        texts = {snapshot.entry(known).text for known in self.beside if known in snapshot}
        return name in snapshot and snapshot.entry(name).text in texts


def pardons_for(entry_id: str, evidence: Iterable[Evidence], *, followed: bool) -> tuple[Pardon, ...]:
    """The pardons that go with a release.

    Args:
        entry_id: The released entry.
        evidence: What the decision that condemned it had found.
        followed: Whether it only went along with another entry, so that resting on that one is pardoned.
    """
    found = [Pardon.of(item) for item in evidence if item.entry_ids[:1] == (entry_id,)]
    if followed:
        found.append(Pardon(entry_id, RuleId.BROKEN_DEPENDENCY.value, RiskAxis.DEPENDENCY, None, 1.0))
    return tuple(dict.fromkeys(found))


def without_pardoned(
    assessment: Assessment, pardons: Collection[Pardon], snapshot: Snapshot
) -> tuple[Assessment, tuple[Evidence, ...]]:
    """An assessment in which pardoned findings count nothing, and those findings.

    They stay in the evidence with score 0. A score falls to the strongest finding left on its axis where a pardoned one
    explains it; where something else raised it higher, it stays.
    """
    pardoned = tuple(item for item in assessment.evidence if any(pardon.covers(item, snapshot) for pardon in pardons))
    if not pardoned:
        return assessment, ()
    kept = [item for item in assessment.evidence if item not in pardoned]
    scores = {}
    for axis in RiskAxis:
        highest = max((item.score for item in pardoned if item.axis is axis), default=0.0)
        rest = max((item.score for item in kept if item.axis is axis), default=0.0)
        explained = highest > 0.0 and assessment.risk[axis] <= highest + _EPSILON
        scores[axis] = min(assessment.risk[axis], rest) if explained else assessment.risk[axis]
    cleared = {item.entry_ids[0] for item in pardoned} - {name for item in kept for name in item.entry_ids[:1]}
    changed = {
        "risk": RiskVector.from_scores(scores),
        "evidence": (*kept, *(item.model_copy(update={"score": 0.0}) for item in pardoned)),
        "entry_scores": {name: score for name, score in assessment.entry_scores.items() if name not in cleared},
    }
    return assessment.model_copy(update=changed), pardoned
