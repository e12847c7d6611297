"""Which row and which override of a policy apply to a tool, and why."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from mage_ml.memory import ActionType, PendingAction
from mage_ml.risk import RiskAxis
from mage_ml.runtime.guardrail.policy_matrix import PolicyMatrix, tool_matches
from mage_ml.runtime.guardrail.policy_terms import FailMode, Rung


class LadderChoice(BaseModel):
    """The ladder for one axis.

    Attributes:
        axis: The axis.
        rungs: The ladder.
        origin: Where it comes from: the row, or an override.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    axis: RiskAxis
    rungs: tuple[Rung, ...]
    origin: str

    def to_text(self) -> str:
        """One line: the axis, its rungs, where they come from."""
        steps = ", ".join(f"{rung.at:g} {rung.do}" for rung in self.rungs) or "always proceed"
        return f"{self.axis}: {steps} ({self.origin})"


class PolicyExplanation(BaseModel):
    """What a policy says about a tool.

    Attributes:
        tool_name: The tool.
        action_type: The row that applies.
        because: Why this row.
        is_critical: Whether the judge is asked for it.
        fail: What a failure means.
        ladders: One per axis.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool_name: str
    action_type: str
    because: str
    is_critical: bool
    fail: FailMode
    ladders: tuple[LadderChoice, ...]

    def to_text(self) -> str:
        """The explanation as plain text."""
        lines = [f"{self.tool_name}: {self.action_type}, because {self.because}"]
        lines.append(f"critical: {'yes' if self.is_critical else 'no'}; when a check fails: {self.fail}")
        return "\n".join([*lines, *(ladder.to_text() for ladder in self.ladders)])


def explain_tool(policy: PolicyMatrix, tool_name: str, action_type: str | None = None) -> PolicyExplanation:
    """Say which row and override apply to a tool.

    Args:
        policy: The policy.
        tool_name: The tool.
        action_type: What the host calls it; by default what the policy's tool list says.

    Raises:
        ConfigError: The policy has no row for this type.
    """
    stated = action_type or policy.type_of_tool(tool_name).value
    action = PendingAction(type=stated, tool_name=tool_name)
    kind = policy.action_type(action)
    number = next((n for n, item in enumerate(policy.overrides) if tool_matches(tool_name, item.tools)), None)
    ladders = []
    for axis in RiskAxis:
        overridden = number is not None and getattr(policy.overrides[number], axis.value) is not None
        origin = f"row {kind}"
        if overridden and number is not None:
            pattern = _matching(tool_name, policy.overrides[number].tools)
            origin = f"override {number + 1}, pattern {pattern!r}"
        ladders.append(LadderChoice(axis=axis, rungs=policy.ladder(action, axis), origin=origin))
    return PolicyExplanation(
        tool_name=tool_name,
        action_type=kind,
        because=_why(policy, tool_name, action_type, kind),
        is_critical=policy.is_critical(action),
        fail=policy.fail_mode(action),
        ladders=tuple(ladders),
    )


def _why(policy: PolicyMatrix, tool_name: str, stated: str | None, kind: str) -> str:
    write = _matching(tool_name, policy.tools.write)
    if kind == ActionType.WRITE and write:
        return f"{write!r} under tools.write matches it"
    if stated is not None:
        return "the host says so"
    read = _matching(tool_name, policy.tools.read)
    return f"{read!r} under tools.read matches it" if read else "no pattern names it, and such a tool is a write"


def _matching(tool_name: str, patterns: tuple[str, ...]) -> str:
    return next((pattern for pattern in patterns if tool_matches(tool_name, (pattern,))), "")
