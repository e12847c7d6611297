"""What a policy said about one decision: recorded with it, so that it can be recomputed under another policy."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, ConfigDict

from mage_ml.memory import PendingAction
from mage_ml.risk import Evidence, RiskAxis, RiskVector
from mage_ml.runtime.guardrail.policy import DecisionAction, FailMode, Mode, PolicyMatrix

_REMEMBERED: Final = 8


@dataclass(frozen=True, slots=True)
class PolicyDigests:
    """Names for the content of a policy.

    Attributes:
        whole: SHA-256 over the whole policy.
        scoring: SHA-256 over the parts that the scores depend on: rules and tiers.
    """

    whole: str
    scoring: str


class AppliedPolicy(BaseModel):
    """A policy's part in one decision.

    Attributes:
        policy_digest: SHA-256 over the whole policy.
        scoring_digest: SHA-256 over the parts that the scores depend on: rules and tiers.
        mode: The policy's mode.
        fail_mode: Its fail mode for the action.
        wanted: The strictest verdict on the four scores.
        telling: For each piece of evidence, whether it alone calls for a repair or more.
        limits: What else bears on how a repair or a redirect is carried out.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    policy_digest: str
    scoring_digest: str
    mode: Mode
    fail_mode: FailMode
    wanted: DecisionAction
    telling: tuple[bool, ...]
    limits: tuple[float, ...]

    def demands_the_same(self, other: AppliedPolicy) -> bool:
        """Whether two policies lead from the same case to the same outcome, gaps in coverage apart."""
        return (self.wanted, self.telling, self.limits) == (other.wanted, other.telling, other.limits)


def apply_policy(
    policy: PolicyMatrix, action: PendingAction, risk: RiskVector, evidence: Sequence[Evidence]
) -> AppliedPolicy:
    """What a policy says about one decision.

    Raises:
        ConfigError: The policy has no row for the action's type.
    """
    digests = digests_of(policy)
    action = action.model_copy(update={"type": policy.action_type(action)})
    floor = DecisionAction.REPAIR.severity
    scores = [(item.axis, item.score) for item in evidence] + [(axis, risk[axis]) for axis in RiskAxis]
    return AppliedPolicy(
        policy_digest=digests.whole,
        scoring_digest=digests.scoring,
        mode=policy.mode,
        fail_mode=policy.fail_mode(action),
        wanted=policy.strictest(action, risk),
        telling=tuple(policy.verdict(action, axis, score).severity >= floor for axis, score in scores),
        limits=(policy.max_verifications, policy.max_repairs, policy.mixed_entry_share, float(policy.allow_overwrite)),
    )


def digests_of(policy: PolicyMatrix) -> PolicyDigests:
    """Digests of a policy; those of the latest eight policies are remembered."""
    known = _digests_by_identity.get(id(policy))
    if known is not None and known[0] is policy:
        return known[1]
    scoring = policy.rules.model_dump_json() + policy.tiers.model_dump_json()
    digests = PolicyDigests(whole=_digest(policy.model_dump_json()), scoring=_digest(scoring))
    if len(_digests_by_identity) >= _REMEMBERED:
        _digests_by_identity.clear()
    _digests_by_identity[id(policy)] = policy, digests
    return digests


# Policies are immutable but not hashable; a kept reference makes sure that an id is not used again.
_digests_by_identity: dict[int, tuple[PolicyMatrix, PolicyDigests]] = {}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
