"""The policy matrix: from scores to decisions, as data.

Scores are on the common scale, where 0.5 is the operating threshold of whatever gave them (see
`mage_ml.runtime.evaluators.scale`), so that a policy keeps its meaning when the model changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from mage_ml.config import Config, nearest
from mage_ml.errors import ConfigError
from mage_ml.memory import ActionType, PendingAction
from mage_ml.risk import RiskAxis, RiskVector
from mage_ml.runtime.evaluators.rules import RuleSettings
from mage_ml.runtime.evaluators.tiered import TierSettings
from mage_ml.runtime.guardrail.feedback_settings import FeedbackSettings
from mage_ml.runtime.guardrail.policy_terms import (
    STANDARD_TYPES,
    ActionPolicy,
    DecisionAction,
    FailMode,
    Mode,
    Rung,
    ToolOverride,
    ToolTypes,
    known_name,
)
from mage_ml.runtime.guardrail.severity import SeveritySettings
from mage_ml.runtime.notify.settings import NotifySettings
from mage_ml.runtime.redaction import AuditSettings


class PolicyMatrix(Config):
    """A whole policy. See `default_policy.yaml` for a commented one."""

    version: Annotated[str, Field(min_length=1, description="Version, recorded with every decision.")]
    mode: Annotated[
        Mode,
        known_name([mode.value for mode in Mode], "mode"),
        BeforeValidator(lambda value: Mode.OFF.value if value is False else value),  # YAML reads a bare `off` as false
        Field(description="enforce, shadow or off."),
    ] = Mode.ENFORCE
    own_actions: Annotated[
        tuple[str, ...], Field(description="Action types of your own, beside the standard four.")
    ] = ()
    actions: Annotated[
        Mapping[str, ActionPolicy], Field(description="The matrix: action type, then axis, then ladder.")
    ]
    overrides: Annotated[
        tuple[ToolOverride, ...], Field(description="Ladders for some tools; the first match counts.")
    ] = ()
    tools: Annotated[ToolTypes, Field(description="What kinds of tools there are.")] = ToolTypes()
    rules: Annotated[RuleSettings, Field(description="The rule tier.")] = RuleSettings()
    tiers: Annotated[TierSettings, Field(description="When a tier is asked.")] = TierSettings()
    severity: Annotated[SeveritySettings, Field(description="How severe tools and action types are.")] = (
        SeveritySettings()
    )
    feedback: Annotated[FeedbackSettings, Field(description="How far outcome feedback may go.")] = FeedbackSettings()
    audit: Annotated[AuditSettings, Field(description="What is recorded of a run, and how.")] = AuditSettings()
    max_verifications: Annotated[
        int,
        Field(ge=0, le=20, description="How often the same doubt may send the agent to verify before it is a halt."),
    ] = 2
    max_repairs: Annotated[
        int,
        Field(
            ge=0,
            le=100,
            description="How often an action is held back to repair the same doubt before it is a halt.",
        ),
    ] = 3
    min_token_share: Annotated[
        float,
        Field(
            ge=0.0,
            le=1.0,
            description="Below this share of seen tokens that bear on the action, a proceed becomes a warning.",
        ),
    ] = 0.25
    mixed_entry_share: Annotated[
        float,
        Field(
            ge=0.0,
            le=1.0,
            description="An order that fills less of its entry is noted there; otherwise the entry goes.",
        ),
    ] = 0.4
    notify: Annotated[NotifySettings, Field(description="Whom to tell of halts.")] = NotifySettings()
    honour_releases: Annotated[
        bool,
        Field(description="Whether an entry released from quarantine is not condemned again by the same evidence."),
    ] = True
    allow_overwrite: Annotated[bool, Field(description="Whether patches may change the content of entries.")] = False

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        problems = [message for _, message in action_problems(self.actions, self.own_actions)]
        missing = [name for name in (*STANDARD_TYPES, *self.own_actions) if name not in self.actions]
        if missing:
            problems.append(f"no row for {', '.join(missing)}; a policy names every action type")
        for place, names in (
            ("severity.actions", self.severity.actions),
            ("tiers.latency_budget_ms", self.tiers.latency_budget_ms),
            ("tiers.settle_quiet", self.tiers.settle_quiet),
        ):
            unknown = [name for name in names if name not in self.actions]
            problems += [f"{place}: unknown action type {n!r}; {nearest(n, list(self.actions))}" for n in unknown]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def action_type(self, action: PendingAction) -> str:
        """The row that applies to an action.

        A read or a thought that calls a tool which the policy's tool list calls a write is a write: the host's word
        alone does not loosen anything.

        Raises:
            ConfigError: The policy has no row for this type.
        """
        harmless = action.type in (ActionType.READ, ActionType.INTERNAL_REASONING)
        if harmless and action.tool_name and tool_matches(action.tool_name, self.tools.write):
            return ActionType.WRITE.value
        if action.type not in self.actions:
            raise ConfigError(
                f"policy {self.version}: no row for action type {action.type!r}; "
                f"{nearest(action.type, list(self.actions))} Add it to own_actions and actions, or use one of these."
            )
        return action.type

    def type_of_tool(self, tool_name: str) -> ActionType:
        """Read or write, for a host that does not know: a tool that no pattern names is a write."""
        if tool_matches(tool_name, self.tools.write) or not tool_matches(tool_name, self.tools.read):
            return ActionType.WRITE
        return ActionType.READ

    def is_critical(self, action: PendingAction) -> bool:
        """Whether an action is critical."""
        return action.tool_name is not None and tool_matches(action.tool_name, self.tools.critical)

    def ladder(self, action: PendingAction, axis: RiskAxis) -> tuple[Rung, ...]:
        """The ladder for an action and an axis.

        Raises:
            ConfigError: See `action_type`.
        """
        kind = self.action_type(action)
        own: tuple[Rung, ...] = getattr(self.actions[kind], axis.value)
        for override in self.overrides:
            if action.tool_name is not None and tool_matches(action.tool_name, override.tools):
                ladder: tuple[Rung, ...] | None = getattr(override, axis.value)
                own = own if ladder is None else ladder
                break
        return self.severity.moved(own, self.severity.level_of(action, kind))

    def verdict(self, action: PendingAction, axis: RiskAxis, score: float) -> DecisionAction:
        """What the matrix says about one score."""
        reached = [rung.do for rung in self.ladder(action, axis) if score >= rung.at]
        return reached[-1] if reached else DecisionAction.PROCEED

    def strictest(self, action: PendingAction, risk: RiskVector) -> DecisionAction:
        """What the matrix says about four scores."""
        return max((self.verdict(action, axis, risk[axis]) for axis in RiskAxis), key=lambda item: item.severity)

    def fail_mode(self, action: PendingAction) -> FailMode:
        """What a failure means for an action."""
        return self.actions[self.action_type(action)].fail


def action_problems(actions: Mapping[str, Any], own: Sequence[str]) -> list[tuple[str, str]]:
    """Rows of a matrix that no action type names, each with what is wrong."""
    known = [*STANDARD_TYPES, *own]
    return [
        (key, f"unknown action type {key!r}; {nearest(str(key), known)} (declare types of your own in own_actions)")
        for key in actions
        if key not in known
    ]


def tool_matches(tool_name: str, patterns: Sequence[str]) -> bool:
    """Whether a tool name fits one of the patterns; * and ? are wildcards, case does not matter."""
    return _matches(tool_name.lower(), tuple(patterns))


@lru_cache(maxsize=4096)
def _matches(lowered: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(lowered, pattern.lower()) for pattern in patterns)
