"""What the governor's state is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from mage_ml.errors import MageError
from mage_ml.runtime.governor.ruling import Conflict, Finding, Outcome
from mage_ml.runtime.governor.state_tables import COUNTED

_PRIOR_CHECKS: Final = 20.0


class StateError(MageError):
    """The governor's state cannot be read or written."""


@dataclass(frozen=True, slots=True)
class CountKey:
    """What is counted: a constraint, for an agent, in a stretch of time that starts at `bucket` (epoch seconds)."""

    constraint_id: str
    agent_id: str
    bucket: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Counters of one constraint.

    Attributes:
        triggered: Times it was checked.
        violated: Times it was broken, or could not be checked.
        held_back: Times the output was held back for it.
        warned: Times agent and administrators were warned.
        waived: Times another constraint prevailed.
        failed: Times its validator gave no verdict.
    """

    triggered: int = 0
    violated: int = 0
    held_back: int = 0
    warned: int = 0
    waived: int = 0
    failed: int = 0

    def plus(self, other: Counts) -> Counts:
        """The sum of both."""
        return Counts(*(getattr(self, name) + getattr(other, name) for name in COUNTED))


@dataclass(frozen=True, slots=True)
class CountRow:
    """Counters with what they are of."""

    key: CountKey
    counts: Counts


@dataclass(frozen=True, slots=True)
class Health:
    """How a constraint is doing over all time.

    Attributes:
        counts: Its counters.
        last_checked: Seconds since the epoch; `None` for never.
    """

    counts: Counts = Counts()
    last_checked: float | None = None

    def confidence(self, initial: float) -> float:
        """The expected share of checks without a violation.

        The mean of a beta distribution that starts at `initial` with the weight of 20 checks, so that the order in
        which processes count does not matter.
        """
        kept = self.counts.triggered - self.counts.violated
        return (initial * _PRIOR_CHECKS + kept) / (_PRIOR_CHECKS + self.counts.triggered)


@dataclass(frozen=True, slots=True)
class TurnKey:
    """One turn of an agent in a run: retries are counted for it."""

    run_id: str
    agent_id: str
    turn: int


@dataclass(frozen=True, slots=True)
class Rejections:
    """Outputs of one turn that were rejected.

    Attributes:
        attempts: How many.
        constraint_ids: The constraints each of them broke, in order.
    """

    attempts: int = 0
    constraint_ids: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ViolationRow:
    """A recorded violation; what was said is in the audit log under the ruling's id."""

    at: float
    ruling_id: str
    constraint_id: str
    agent_id: str
    run_id: str
    turn: int
    outcome: Outcome
    failed: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a ruling adds to the state.

    Attributes:
        ruling_id: The ruling.
        turn: Whose turn it was.
        outcome: What happened to the output.
        findings: Broken constraints.
        conflicts: Conflicts met.
        counts: What is counted, by constraint.
    """

    ruling_id: str
    turn: TurnKey
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    counts: Mapping[str, Counts] = field(default_factory=dict)
