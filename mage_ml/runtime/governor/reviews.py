"""Review of what an agent drafts and thinks, before it answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from mage_ml.runtime.governor.constraint import Severity
from mage_ml.runtime.governor.context import Channel, GovernorContext
from mage_ml.runtime.governor.ruling import Finding


class Reviewed(StrEnum):
    """What is reviewed, as constraints name it under `review`."""

    DRAFT = "draft"
    RATIONALE = "rationale"


class Reviewer(Protocol):
    """Checks a text without any consequence; `ConstraintGovernor` is one."""

    def review(
        self, agent_id: str, text: str, what: str, context: GovernorContext | None = None
    ) -> tuple[Finding, ...]:
        """Findings in a draft or a rationale."""


@dataclass(frozen=True, slots=True)
class Review:
    """What was found before an agent answered.

    Attributes:
        draft: Findings in what it means to say.
        rationale: Findings in what it thought.
    """

    draft: tuple[Finding, ...] = ()
    rationale: tuple[Finding, ...] = ()

    @property
    def should_rewrite(self) -> bool:
        """Whether the draft would be held back as it is. What was only thought never holds anything back by itself."""
        return any(finding.severity is Severity.BLOCK and not finding.waived_for for finding in self.draft)

    @property
    def foreshadowed(self) -> tuple[Finding, ...]:
        """Constraints that the agent means to break by its rationale, and has not broken in its draft."""
        broken = {finding.constraint_id for finding in self.draft}
        return tuple(finding for finding in self.rationale if finding.constraint_id not in broken)


def review_before_answer(
    reviewer: Reviewer, agent_id: str, draft: str, rationale: str = "", context: GovernorContext | None = None
) -> Review:
    """Review a draft and the thoughts behind it against the constraints that ask for it.

    Args:
        reviewer: The governor.
        agent_id: The agent.
        draft: What it means to say.
        rationale: Its chain of thought, as far as the host sees it.
        context: What it is said in.
    """
    base = context if context is not None else GovernorContext()
    drafted = reviewer.review(agent_id, draft, Reviewed.DRAFT, replace(base, channel=Channel.DRAFT)) if draft else ()
    thought = (
        reviewer.review(agent_id, rationale, Reviewed.RATIONALE, replace(base, channel=Channel.RATIONALE))
        if rationale
        else ()
    )
    return Review(drafted, thought)
