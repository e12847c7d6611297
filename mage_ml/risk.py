"""What an evaluator says about a snapshot: scores, the evidence for them, and what was not checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

Score = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class RiskAxis(StrEnum):
    """The four ways in which memory can lead an agent astray. The order is the order of every score array."""

    CONSISTENCY = "consistency"
    """Entries contradict each other or the task."""
    FACTUALITY = "factuality"
    """An entry states what no evidence supports."""
    SAFETY = "safety"
    """Data carries orders, or an action serves somebody other than the user."""
    DEPENDENCY = "dependency"
    """A conclusion rests on missing, cyclic, weak or self-confirming support."""


class RiskVector(BaseModel):
    """One score per axis, each 0 (no sign of risk) to 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    consistency: Score = 0.0
    factuality: Score = 0.0
    safety: Score = 0.0
    dependency: Score = 0.0

    @classmethod
    def from_scores(cls, scores: Mapping[RiskAxis, float]) -> Self:
        """Build a vector; axes that are not named are 0."""
        return cls(**{axis.value: float(score) for axis, score in scores.items()})

    def __getitem__(self, axis: RiskAxis) -> float:
        return float(getattr(self, axis.value))

    def combined(self, other: RiskVector) -> RiskVector:
        """Axis by axis, the larger of two scores."""
        return RiskVector.from_scores({axis: max(self[axis], other[axis]) for axis in RiskAxis})

    @property
    def highest(self) -> RiskAxis:
        """The axis with the highest score; the first in order on a tie."""
        return max(RiskAxis, key=lambda axis: self[axis])

    @property
    def peak(self) -> float:
        """The highest score."""
        return self[self.highest]


class Evidence(BaseModel):
    """One reason for a score.

    Attributes:
        axis: The axis it speaks to.
        score: Strength, 0 to 1.
        found_by: Id of the rule, or name of the model.
        entry_ids: The entries it points at, the most suspicious first.
        message: One sentence for a person.
        span: Start and end character in the first entry's text, when one place is meant.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    axis: RiskAxis
    score: Score
    found_by: str
    entry_ids: tuple[str, ...] = ()
    message: str = ""
    span: tuple[int, int] | None = None


class Coverage(BaseModel):
    """What was checked and what was not.

    Attributes:
        ran: Tiers that gave a score.
        skipped: Tiers that were not asked, with the reason.
        failed: Tiers that were asked and gave none, with the reason. A failure is never a verdict.
        tokens_seen: Tokens that the classifier read.
        tokens_total: Tokens that there were.
        language_supported: Whether the tiers that ran were built for the languages found.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ran: tuple[str, ...] = ()
    skipped: Mapping[str, str] = Field(default_factory=dict)
    failed: Mapping[str, str] = Field(default_factory=dict)
    tokens_seen: Annotated[int, Field(ge=0)] = 0
    tokens_total: Annotated[int, Field(ge=0)] = 0
    language_supported: bool = True

    def merged(self, other: Coverage) -> Coverage:
        """Coverage of two tiers together."""
        return Coverage(
            ran=tuple(dict.fromkeys((*self.ran, *other.ran))),
            skipped={**self.skipped, **other.skipped},
            failed={**self.failed, **other.failed},
            tokens_seen=self.tokens_seen + other.tokens_seen,
            tokens_total=self.tokens_total + other.tokens_total,
            language_supported=self.language_supported and other.language_supported,
        )


class Assessment(BaseModel):
    """What an evaluator says about one snapshot.

    Attributes:
        risk: Scores by axis.
        evidence: Reasons, strongest first.
        coverage: What was and was not checked.
        entry_scores: Entry id -> how likely it is the contaminated one, 0 to 1; entries without a score are absent.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    risk: RiskVector = RiskVector()
    evidence: tuple[Evidence, ...] = ()
    coverage: Coverage = Coverage()
    entry_scores: Mapping[str, Score] = Field(default_factory=dict)

    @classmethod
    def from_evidence(cls, evidence: Iterable[Evidence], coverage: Coverage) -> Self:
        """Assessment whose score on each axis is its strongest evidence, and so for each entry."""
        ordered = tuple(sorted(evidence, key=lambda item: -item.score))
        axes: dict[RiskAxis, float] = {}
        entries: dict[str, float] = {}
        for item in ordered:
            axes[item.axis] = max(axes.get(item.axis, 0.0), item.score)
            for entry_id in item.entry_ids[:1]:
                entries[entry_id] = max(entries.get(entry_id, 0.0), item.score)
        return cls(risk=RiskVector.from_scores(axes), evidence=ordered, coverage=coverage, entry_scores=entries)

    def merged(self, other: Assessment) -> Assessment:
        """The two assessments together: larger scores, all evidence, all coverage."""
        entries = dict(self.entry_scores)
        for entry_id, score in other.entry_scores.items():
            entries[entry_id] = max(entries.get(entry_id, 0.0), score)
        return Assessment(
            risk=self.risk.combined(other.risk),
            evidence=tuple(sorted((*self.evidence, *other.evidence), key=lambda item: -item.score)),
            coverage=self.coverage.merged(other.coverage),
            entry_scores=entries,
        )
