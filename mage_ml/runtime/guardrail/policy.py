"""The policy: from scores to decisions, as data.

Scores are on the common scale, where 0.5 is the operating threshold of whatever gave them (see
`mage_ml.runtime.evaluators.scale`), so that a policy keeps its meaning when the model changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from mage_ml.config import Config, build_config, nearest, parse_yaml
from mage_ml.errors import ConfigError
from mage_ml.memory import ActionType, PendingAction
from mage_ml.risk import RiskAxis, RiskVector
from mage_ml.runtime.evaluators.rules import RuleSettings
from mage_ml.runtime.evaluators.tiered import TierSettings

STANDARD_TYPES: Final = tuple(kind.value for kind in ActionType)


class DecisionAction(StrEnum):
    """What to do about a pending action, from mildest to strictest."""

    PROCEED = "proceed"
    WARN = "warn"
    REPAIR = "repair"
    REDIRECT = "redirect"
    HALT = "halt"

    @property
    def severity(self) -> int:
        """Rank, 0 for proceed."""
        return list(DecisionAction).index(self)


class FailMode(StrEnum):
    """What happens when an evaluator or the audit log fails."""

    CLOSED = "closed"
    """The action does not go ahead."""
    OPEN = "open"
    """The action goes ahead on what is known; every such case is named in the decision's reasons."""


class Mode(StrEnum):
    """Whether decisions bind."""

    ENFORCE = "enforce"
    SHADOW = "shadow"
    OFF = "off"


def _known_name(names: Sequence[str], what: str) -> Any:  # noqa: ANN401 - a pydantic validator
    def check(value: object) -> object:
        if isinstance(value, str) and value not in names:
            raise ValueError(f"unknown {what} {value!r}; {nearest(value, names)}")
        return value

    return BeforeValidator(check)


class Rung(Config):
    """One step of a ladder: from this score on, do this."""

    at: Annotated[float, Field(gt=0.0, le=1.0, description="Score from which on it applies, on the common scale.")]
    do: Annotated[
        DecisionAction,
        _known_name([action.value for action in DecisionAction], "decision"),
        Field(description="proceed, warn, repair, redirect or halt."),
    ]


def _climbs(ladder: tuple[Rung, ...]) -> tuple[Rung, ...]:
    for lower, upper in pairwise(ladder):
        if upper.at <= lower.at:
            raise ValueError(
                f"the rung at {upper.at:g} ({upper.do}) can never be reached: an earlier one starts at {lower.at:g}; "
                "sort the rungs by rising score"
            )
        if upper.do.severity <= lower.do.severity:
            raise ValueError(
                f"the rung at {upper.at:g} ({upper.do}) adds nothing to the one at {lower.at:g} ({lower.do}); "
                "a higher score must be met more strictly, in the order proceed, warn, repair, redirect, halt"
            )
    return ladder


Ladder = Annotated[tuple[Rung, ...], AfterValidator(_climbs)]


class ActionPolicy(Config):
    """One row of the matrix."""

    fail: Annotated[
        FailMode,
        _known_name([mode.value for mode in FailMode], "fail mode"),
        Field(description="closed or open, when an evaluator or the audit log fails."),
    ]
    consistency: Annotated[Ladder, Field(description="Ladder for the consistency score.")] = ()
    factuality: Annotated[Ladder, Field(description="Ladder for the factuality score.")] = ()
    safety: Annotated[Ladder, Field(description="Ladder for the safety score.")] = ()
    dependency: Annotated[Ladder, Field(description="Ladder for the dependency score.")] = ()


class ToolOverride(Config):
    """Stricter or milder ladders for some tools. What is not given is taken from the action type."""

    tools: Annotated[tuple[str, ...], Field(min_length=1, description="Tool names; * and ? are wildcards.")]
    consistency: Annotated[Ladder | None, Field(description="Ladder instead of the action type's.")] = None
    factuality: Annotated[Ladder | None, Field(description="Ladder instead of the action type's.")] = None
    safety: Annotated[Ladder | None, Field(description="Ladder instead of the action type's.")] = None
    dependency: Annotated[Ladder | None, Field(description="Ladder instead of the action type's.")] = None


class ToolTypes(Config):
    """What kinds of tools there are, by name. A tool that no pattern names is a write."""

    read: Annotated[tuple[str, ...], Field(description="Tools without effect outside; * and ? are wildcards.")] = ()
    write: Annotated[
        tuple[str, ...], Field(description="Tools with an effect; wins over `read` and over what the host says.")
    ] = ()
    critical: Annotated[tuple[str, ...], Field(description="Write tools for which the judge is asked.")] = ()


class PolicyMatrix(Config):
    """A whole policy. See `default_policy.yaml` for a commented one."""

    version: Annotated[str, Field(min_length=1, description="Version, recorded with every decision.")]
    mode: Annotated[
        Mode, _known_name([mode.value for mode in Mode], "mode"), Field(description="enforce, shadow or off.")
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
    allow_overwrite: Annotated[bool, Field(description="Whether patches may change the content of entries.")] = False

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        problems = [message for _, message in action_problems(self.actions, self.own_actions)]
        missing = [name for name in (*STANDARD_TYPES, *self.own_actions) if name not in self.actions]
        if missing:
            problems.append(f"no row for {', '.join(missing)}; a policy names every action type")
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
        if harmless and action.tool_name and _matches(action.tool_name, self.tools.write):
            return ActionType.WRITE.value
        if action.type not in self.actions:
            raise ConfigError(
                f"policy {self.version}: no row for action type {action.type!r}; "
                f"{nearest(action.type, list(self.actions))} Add it to own_actions and actions, or use one of these."
            )
        return action.type

    def type_of_tool(self, tool_name: str) -> ActionType:
        """Read or write, for a host that does not know: a tool that no pattern names is a write."""
        if _matches(tool_name, self.tools.write) or not _matches(tool_name, self.tools.read):
            return ActionType.WRITE
        return ActionType.READ

    def is_critical(self, action: PendingAction) -> bool:
        """Whether an action is critical."""
        return action.tool_name is not None and _matches(action.tool_name, self.tools.critical)

    def ladder(self, action: PendingAction, axis: RiskAxis) -> tuple[Rung, ...]:
        """The ladder for an action and an axis.

        Raises:
            ConfigError: See `action_type`.
        """
        row = self.actions[self.action_type(action)]
        for override in self.overrides:
            if action.tool_name is not None and _matches(action.tool_name, override.tools):
                ladder: tuple[Rung, ...] | None = getattr(override, axis.value)
                if ladder is not None:
                    return ladder
                break
        own: tuple[Rung, ...] = getattr(row, axis.value)
        return own

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


def load_policy(path: Path | None = None) -> PolicyMatrix:
    """Read a policy.

    Args:
        path: A YAML file; `None` for the policy that ships with the package.

    Raises:
        ConfigError: One line per mistake, each with file, line and the nearest valid name.
    """
    if path is None:
        source = resources.files("mage_ml.runtime.guardrail").joinpath("default_policy.yaml")
        return parse_policy(source.read_text(encoding="utf-8"), "default_policy.yaml")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    return parse_policy(text, str(path))


def parse_policy(text: str, name: str) -> PolicyMatrix:
    """Read a policy from YAML text; `name` stands for the file in error messages. See `load_policy`."""
    data, lines = parse_yaml(text, name)
    actions, own = data.get("actions"), data.get("own_actions") or ()
    if isinstance(actions, dict) and isinstance(own, list | tuple):
        problems = action_problems(actions, [str(item) for item in own])
        if problems:
            raise ConfigError("\n".join(f"{name}:{lines['actions', key]}: {message}" for key, message in problems))
    return build_config(PolicyMatrix, data, lines, name)


def action_problems(actions: Mapping[str, Any], own: Sequence[str]) -> list[tuple[str, str]]:
    """Rows of a matrix that no action type names, each with what is wrong."""
    known = [*STANDARD_TYPES, *own]
    return [
        (key, f"unknown action type {key!r}; {nearest(str(key), known)} (declare types of your own in own_actions)")
        for key in actions
        if key not in known
    ]


def _matches(tool_name: str, patterns: Sequence[str]) -> bool:
    lowered = tool_name.lower()
    return any(fnmatchcase(lowered, pattern.lower()) for pattern in patterns)
