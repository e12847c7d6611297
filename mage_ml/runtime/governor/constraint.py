"""Constraints as data: what holds, for whom, when it is checked, how, and what follows."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, Self

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from mage_ml.config import Config, nearest
from mage_ml.runtime.governor.local_text import LocalText
from mage_ml.runtime.governor.validator_specs import Expression, Pattern, ValidatorSpec

ID_PATTERN: Final = r"^[A-Za-z][A-Za-z0-9_.\-]{0,127}$"
Name = Annotated[str, Field(min_length=1, max_length=256)]


class Severity(StrEnum):
    """How bad it is when a constraint is broken."""

    BLOCK = "block"
    """The output does not leave."""
    WARN = "warn"
    """It leaves, and the agent and the administrators are told."""
    LOG = "log"
    """It leaves and is recorded."""


class OnViolation(StrEnum):
    """What is done with an output that breaks a constraint."""

    REGENERATE = "regenerate"
    """The agent is told what to change and writes again, a bounded number of times."""
    VETO = "veto"
    """The output is stopped for good."""
    PASS = "pass"
    """The output leaves."""


def _word_of(names: type[StrEnum]) -> Any:  # noqa: ANN401 - a pydantic validator
    known = [item.value for item in names]

    def check(value: object) -> object:
        if isinstance(value, str) and value not in known:
            raise ValueError(f"unknown word {value!r}; {nearest(value, known)}")
        return value

    return BeforeValidator(check)


class Scope(Config):
    """Where a constraint holds. Names may hold `*` and `?`; an empty list means everywhere."""

    agents: Annotated[tuple[Name, ...], Field(description="Agents it holds for.")] = ()
    tasks: Annotated[tuple[Name, ...], Field(description="Tasks it holds in.")] = ()
    channels: Annotated[
        tuple[Name, ...],
        Field(description="Channels it is checked on, such as final_output or agent_message; all when empty."),
    ] = ()

    def covers(self, agent_id: str, task: str = "", channel: str = "") -> bool:
        """Whether it holds for an agent in a task on a channel.

        A task or channel that is not known (empty) is inside: not knowing is no way out of a constraint.
        """
        return (
            _fits(self.agents, agent_id)
            and (not task or _fits(self.tasks, task))
            and (not channel or _fits(self.channels, channel))
        )


class TurnTrigger(Config):
    """The number of turns of a conversation."""

    at_least: Annotated[int, Field(ge=0, description="First turn in which it triggers.")]
    every: Annotated[int, Field(ge=1, description="From then on only every so many turns.")] = 1


class Trigger(Config):
    """One reason to check a constraint; exactly one field is given."""

    keywords: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=200)], ...],
        Field(description="Words in the output, in any case; a word's beginning is enough, Chinese anywhere."),
    ] = ()
    regex: Annotated[Pattern | None, Field(description="RE2 pattern in the output.")] = None
    intent: Annotated[Name | None, Field(description="Intent of the user's message, or of the output.")] = None
    turns: Annotated[TurnTrigger | None, Field(description="The number of turns so far.")] = None
    cel: Annotated[Expression | None, Field(description="CEL expression over the output and its context.")] = None

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        given = [name for name in Trigger.model_fields if getattr(self, name) not in ((), None)]
        if len(given) != 1:
            found = ", ".join(given) or "none"
            raise ValueError(f"expected one of keywords, regex, intent, turns, cel in each trigger, found {found}")
        return self


class ConstraintState(Config):
    """How a constraint is doing.

    In a constraint file these are the values it starts with; from then on they are counted in the state store.
    """

    active: Annotated[bool, Field(description="Whether it is checked at all.")] = True
    confidence: Annotated[
        float, Field(ge=0.0, le=1.0, description="How well it holds: the expected share of checks without a violation.")
    ] = 0.95
    violation_count: Annotated[int, Field(ge=0, description="Violations so far.")] = 0
    last_checked: Annotated[float | None, Field(ge=0.0, description="Seconds since the epoch; null for never.")] = None


class Example(Config):
    """An output, and whether the constraint lets it pass; `mage-ml constraints test` checks them."""

    output: Annotated[str, Field(min_length=1, max_length=20_000, description="What the agent says.")]
    allowed: Annotated[bool, Field(description="Whether it keeps the constraint.")]
    user: Annotated[str, Field(description="What the user said before.")] = ""
    turn: Annotated[int, Field(ge=0, description="Turn of the conversation.")] = 0
    arguments: Annotated[dict[str, JsonValue], Field(description="Arguments of a tool call.")] = Field(
        default_factory=dict
    )
    facts: Annotated[dict[str, JsonValue], Field(description="Facts that expressions read.")] = Field(
        default_factory=dict
    )


class Constraint(Config):
    """One constraint, immutable. What changes over time is in the state store, not here."""

    id: Annotated[str, Field(pattern=ID_PATTERN, description="Unique among the constraints.")]
    text: Annotated[LocalText, Field(description="The rule as a person would say it.")]
    clause: Annotated[str, Field(max_length=200, description="Where it is written, such as `policy 3.2`.")] = ""
    remedy: Annotated[
        LocalText | None, Field(description="What is allowed instead; completes the feedback to the agent.")
    ] = None
    fallback: Annotated[
        LocalText | None,
        Field(description="What is said instead when the agent cannot do it; else a neutral sentence."),
    ] = None
    scope: Annotated[Scope, Field(description="Agents, tasks and channels it holds for.")] = Scope()
    triggers: Annotated[
        tuple[Trigger, ...], Field(description="When it is checked: any of them is enough; always when empty.")
    ] = ()
    validator: Annotated[ValidatorSpec, Field(description="How it is checked.")]
    severity: Annotated[Severity, _word_of(Severity), Field(description="block, warn or log.")] = Severity.BLOCK
    on_violation: Annotated[
        OnViolation | None,
        _word_of(OnViolation),
        Field(description="regenerate or veto for block, pass or regenerate for warn, pass for log; see the docs."),
    ] = None
    priority: Annotated[int, Field(ge=-1000, le=1000, description="The higher one prevails in a conflict.")] = 0
    version: Annotated[int, Field(ge=1, description="Raised with every change of the constraint.")] = 1
    hot_path: Annotated[
        bool | None,
        Field(
            description="Whether the output waits for the check; by default unless it is slow and holds nothing back."
        ),
    ] = None
    review: Annotated[
        tuple[Name, ...], Field(description="What is checked besides the output: `draft`, `rationale`.")
    ] = ()
    state: Annotated[ConstraintState, Field(description="What its state starts with.")] = ConstraintState()
    examples: Annotated[tuple[Example, ...], Field(description="Outputs that do and do not keep it.")] = ()

    @model_validator(mode="after")
    def _consequence_fits(self) -> Self:
        allowed = _CONSEQUENCES[self.severity]
        if self.on_violation is not None and self.on_violation not in allowed:
            raise ValueError(
                f"on_violation {self.on_violation} does not go with severity {self.severity}; {_one_of(allowed)}"
            )
        if self.hot_path is False and self.consequence is not OnViolation.PASS:
            raise ValueError("hot_path: false would let an output leave before the check that may hold it back")
        return self

    @property
    def consequence(self) -> OnViolation:
        """What is done with an output that breaks it."""
        return self.on_violation or _CONSEQUENCES[self.severity][0]

    @property
    def is_awaited(self) -> bool:
        """Whether an output waits for the check: where it may be held back, or where waiting costs next to nothing."""
        if self.hot_path is not None:
            return self.hot_path
        return self.consequence is not OnViolation.PASS or self.validator.kind in _CHEAP


class Arbitration(Config):
    """What holds where two constraints cannot both be kept."""

    between: Annotated[tuple[Name, Name], Field(description="The two constraints.")]
    prevails: Annotated[Name, Field(description="The one that holds.")]
    when: Annotated[Expression | None, Field(description="CEL expression; only where it is true.")] = None
    reason: Annotated[str, Field(min_length=1, description="Why, for the record.")]

    @model_validator(mode="after")
    def _is_between(self) -> Self:
        if self.prevails not in self.between or self.between[0] == self.between[1]:
            raise ValueError(
                f"expected two constraints and one of them to prevail, found {self.between}, {self.prevails}"
            )
        return self


class Intent(Config):
    """How an intent is told from a message; the host may tell intents in its own way instead."""

    keywords: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(description="Words that show it.")
    ] = ()
    regex: Annotated[tuple[Pattern, ...], Field(description="RE2 patterns that show it.")] = ()

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.keywords or self.regex):
            raise ValueError("expected `keywords` or `regex`")
        return self


class Resort(StrEnum):
    """What is done when an agent cannot write an output that keeps the constraints."""

    STRONGER_AGENT = "stronger_agent"
    """A stronger agent answers, where the host has one."""
    PERSON = "person"
    """A person answers, where the host has named somebody."""
    DEGRADE = "degrade"
    """The constraint's fallback is said instead, or a neutral sentence."""
    STOP = "stop"
    """Nothing is said."""


class RetrySettings(Config):
    """How rejection loops end."""

    max_attempts: Annotated[int, Field(ge=1, le=20, description="Outputs that may be rejected for one turn.")] = 3
    temperature: Annotated[float, Field(ge=0.0, le=2.0, description="Advised for the first retry.")] = 0.7
    cooling: Annotated[float, Field(gt=0.0, le=1.0, description="Its factor from one retry to the next.")] = 0.5
    anneal_from: Annotated[
        int, Field(ge=1, description="Rejections from which a warn-level output may pass with its warning.")
    ] = 2
    anneal_chance: Annotated[
        float, Field(ge=0.0, le=1.0, description="How likely it then passes; block-level outputs never do.")
    ] = 0.5
    then: Annotated[
        tuple[Annotated[Resort, _word_of(Resort)], ...],
        Field(min_length=1, description="What is done afterwards: the first that the host offers."),
    ] = (Resort.STRONGER_AGENT, Resort.PERSON, Resort.DEGRADE)


class PressureSettings(Config):
    """When the administrators are told that a constraint is under pressure."""

    violations: Annotated[int, Field(ge=1, description="Violations of one constraint within the window.")] = 5
    window_s: Annotated[float, Field(gt=0.0, description="Seconds of the window.")] = 600.0


class Change(Config):
    """Who changed a constraint file, and why; kept in the version history."""

    author: Annotated[str, Field(max_length=200, description="Who.")] = ""
    reason: Annotated[str, Field(max_length=2000, description="Why.")] = ""


class ConstraintSet(Config):
    """A constraint file."""

    version: Annotated[str, Field(min_length=1, description="Version of the file.")] = "1"
    change: Annotated[Change, Field(description="Who changed it last, and why.")] = Change()
    intents: Annotated[Mapping[str, Intent], Field(description="Intents by name.")] = Field(default_factory=dict)
    constraints: Annotated[tuple[Constraint, ...], Field(description="The constraints.")] = ()
    arbitration: Annotated[tuple[Arbitration, ...], Field(description="Rules for conflicts.")] = ()
    retries: Annotated[RetrySettings, Field(description="How rejection loops end.")] = RetrySettings()
    pressure: Annotated[PressureSettings, Field(description="When pressure is reported.")] = PressureSettings()


_CHEAP: Final = frozenset({"regex", "cel", "allow_list"})
_CONSEQUENCES: Final = {
    Severity.BLOCK: (OnViolation.REGENERATE, OnViolation.VETO),
    Severity.WARN: (OnViolation.PASS, OnViolation.REGENERATE),
    Severity.LOG: (OnViolation.PASS,),
}


def _fits(patterns: tuple[str, ...], name: str) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _one_of(names: tuple[OnViolation, ...]) -> str:
    return f"expected {' or '.join(name.value for name in names)}"
