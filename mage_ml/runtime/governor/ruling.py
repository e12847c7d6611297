"""What the governor says about an output."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.risk import Score
from mage_ml.runtime.governor.constraint import Resort, Severity


class Outcome(StrEnum):
    """What happens to an output, from mildest to strictest."""

    PASS = "pass"
    LOGGED = "logged"
    """It leaves; a violation was recorded."""
    WARNED = "warned"
    """It leaves; agent and administrators were told."""
    REGENERATE = "regenerate"
    """It does not leave; the agent is asked to write again, with the feedback."""
    DEGRADED = "degraded"
    """It does not leave; `Ruling.output` holds what may be said instead."""
    HANDED_OVER = "handed_over"
    """It does not leave; a person or a stronger agent takes over."""
    VETOED = "vetoed"
    """It does not leave."""


class Finding(BaseModel):
    """One broken constraint, or one that could not be checked.

    Attributes:
        constraint_id: The constraint.
        version: Its version.
        severity: Its severity.
        clause: Where it is written.
        triggered_by: What made it be checked.
        offending: The words that break it.
        explanation: One phrase for a person.
        score: How sure the validator was.
        found_by: What found it.
        failed: Why the validator gave no verdict; empty where it gave one. A failure counts as a violation.
        waived_for: The constraint that prevailed over it; empty for none. It is then recorded and does not hold back.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    constraint_id: str
    version: int
    severity: Severity
    clause: str = ""
    triggered_by: str = ""
    offending: str = ""
    explanation: str = ""
    score: Score = 1.0
    found_by: str = ""
    failed: str = ""
    waived_for: str = ""


class HowResolved(StrEnum):
    """What decided a conflict."""

    ARBITRATION = "arbitration"
    PRIORITY = "priority"
    UNRESOLVED = "unresolved"
    """Nothing did: both hold, and somebody has to look."""


class Conflict(BaseModel):
    """Two constraints that an output cannot both keep.

    Attributes:
        winner: The one that holds; for an unresolved conflict, the first of both.
        loser: The one that gives way.
        how: What decided.
        reason: Why, in a sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    winner: str
    loser: str
    how: HowResolved
    reason: str


class RetryAdvice(BaseModel):
    """How the agent should try again.

    Attributes:
        attempt: How many outputs of this turn were rejected, this one included.
        left: How many more may be.
        temperature: Sampling temperature for the next one; falls from retry to retry.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    attempt: int
    left: int
    temperature: float


class Ruling(BaseModel):
    """What the governor says about an output.

    Attributes:
        ruling_id: Unique; the audit log has it as the decision's id.
        outcome: What happens to it.
        output: What may leave: the output itself, its replacement when degraded, otherwise nothing.
        findings: Broken constraints, the most severe and important first.
        feedback: For the agent: what to change, or what it was warned of; empty for none.
        retry: How to try again; `None` unless it should.
        resort: What was chosen when retries were used up; `None` before.
        conflicts: Conflicts met on the way.
        checked: Ids of the constraints that were checked.
        deferred: Ids of the constraints that are checked after the output has left.
        failures: What else went wrong, by name: state, audit.
        constraints_version: Version of the constraint file.
        digest: SHA-256 of the constraint file.
        latency_ms: Time it took.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ruling_id: str
    outcome: Outcome
    output: str
    findings: tuple[Finding, ...] = ()
    feedback: str = ""
    retry: RetryAdvice | None = None
    resort: Resort | None = None
    conflicts: tuple[Conflict, ...] = ()
    checked: tuple[str, ...] = ()
    deferred: tuple[str, ...] = ()
    failures: Mapping[str, str] = Field(default_factory=dict)
    constraints_version: str = ""
    digest: str = ""
    latency_ms: float = 0.0

    @property
    def allowed(self) -> bool:
        """Whether the agent's own output leaves."""
        return self.outcome in (Outcome.PASS, Outcome.LOGGED, Outcome.WARNED)
