"""What re-verification says of a constraint: seven verdicts, the aspect that changed, and where it is said."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field


class Verdict(StrEnum):
    """What became of a constraint. Only the first two count as kept."""

    PRESERVED = "preserved"
    """It stands there in its own words."""
    PARAPHRASED = "paraphrased"
    """It stands there in other words, all of which are accounted for."""
    WEAKENED = "weakened"
    """It binds less: a looser value, a must made a wish, a rule said to be lifted."""
    MISBOUND = "misbound"
    """It binds or protects somebody or something else."""
    WIDENED = "widened"
    """What it allowed for one case is allowed for more."""
    DROPPED = "dropped"
    """Nothing in the text speaks of it."""
    UNVERIFIABLE = "unverifiable"
    """The text speaks of it, or may do so, in a way that cannot be settled. Never counted as kept."""

    @property
    def is_kept(self) -> bool:
        """Whether the constraint may be relied on without being stated again."""
        return self in _KEPT


_CHANGED: Final = frozenset({Verdict.WEAKENED, Verdict.MISBOUND, Verdict.WIDENED})
STRUCK_MARK: Final = "[…]"
"""Stands where a sentence was taken out because it changed a constraint."""
_KEPT: Final = frozenset({Verdict.PRESERVED, Verdict.PARAPHRASED})


class Boundary(StrEnum):
    """Where constraints get lost: the moments after which they are verified again."""

    COMPACTION = "compaction"
    """A history was summarised."""
    DELEGATION = "delegation"
    """A task was given to another agent."""
    HAND_OFF = "hand_off"
    """Another agent, or a person, goes on with the task."""
    RESUME = "resume"
    """A stored session goes on."""


class Aspect(StrEnum):
    """What of a constraint is compared."""

    TEXT = "text"
    """Its words."""
    VALUE = "value"
    """Its figures."""
    FORCE = "force"
    """How much it binds, and in which direction."""
    SUBJECT = "subject"
    """Whom or what it binds or protects."""
    SCOPE = "scope"
    """For which cases it holds."""


class Finding(BaseModel):
    """The verdict on one constraint in one text.

    Attributes:
        constraint_id: The constraint.
        verdict: What became of it.
        aspect: What changed; `None` where nothing did.
        message: In a sentence.
        span: Start and end of the words in the text, in characters; `None` when the text has none.
        quote: Those words, at most 200 characters.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    constraint_id: str
    verdict: Verdict
    aspect: Aspect | None = None
    message: str = ""
    span: tuple[int, int] | None = None
    quote: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether the text states the constraint, and states it with another force, value, subject or scope."""
        return self.verdict in _CHANGED or (not self.verdict.is_kept and self.aspect is Aspect.VALUE)


class Verification(BaseModel):
    """All constraints of an agent, verified in one text.

    Attributes:
        boundary: What had happened to the text.
        agent_id: The agent that goes on with it.
        findings: One for each constraint that binds the agent, in the order in which they were pinned.
        restored: What has to stand in front of the text so that no constraint is lost; empty when all were kept.
        timestamp: Seconds since the epoch.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    boundary: Boundary
    agent_id: str
    findings: tuple[Finding, ...]
    restored: str = ""
    timestamp: Annotated[float, Field(ge=0.0)] = 0.0

    @property
    def kept(self) -> bool:
        """Whether every constraint was preserved or paraphrased."""
        return all(finding.verdict.is_kept for finding in self.findings)

    @property
    def lost(self) -> tuple[Finding, ...]:
        """The findings on constraints that were not kept."""
        return tuple(finding for finding in self.findings if not finding.verdict.is_kept)

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many constraints got each verdict; all seven are named."""
        found = dict.fromkeys(Verdict, 0)
        for finding in self.findings:
            found[finding.verdict] += 1
        return MappingProxyType(found)

    def restored_text(self, text: str) -> str:
        """The text with the lost constraints stated again in front, and without the sentences that changed them.

        Taken out is what gives a constraint another force, value, subject or scope; it leaves a mark. A sentence that
        could not be settled stays: it may say something else that matters.
        """
        if not self.restored:
            return text
        pieces: list[str] = []
        end = 0
        spans = {item.span for item in self.lost if item.span is not None and item.is_changed}
        for start, stop in sorted(spans):
            if start >= end:
                pieces += (text[end:start], STRUCK_MARK)
            end = max(end, stop)
        return f"{self.restored}\n\n{''.join((*pieces, text[end:]))}"
