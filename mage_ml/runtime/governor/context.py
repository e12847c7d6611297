"""What is checked: an output, who says it, and what it is said in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from mage_ml.lazy import lazy_property
from mage_ml.memory import Snapshot
from mage_ml.runtime.evaluators.normalise import layers_of
from mage_ml.runtime.governor.constraint import Constraint
from mage_ml.runtime.governor.expressions import activation
from mage_ml.runtime.guardrail.wording import Language, language_of_text

MAX_OUTPUT_CHARS: Final = 200_000


class Channel(StrEnum):
    """Ways on which something leaves an agent. A host may have others of its own."""

    FINAL_OUTPUT = "final_output"
    AGENT_MESSAGE = "agent_message"
    """A message to another agent: a delegation, an answer, a hand-over."""
    TOOL_ARGUMENTS = "tool_arguments"
    SHARED_MEMORY = "shared_memory"
    DRAFT = "draft"
    """What an agent means to say, before it says it."""
    RATIONALE = "rationale"
    """What an agent thinks before it answers."""


@dataclass(frozen=True, slots=True)
class GovernorContext:
    """What an output is said in; everything is optional.

    Attributes:
        run_id: The conversation or run; retries and loops are counted in it.
        task: Name of the task, for scopes.
        turn: Number of the turn, from 1; 0 when unknown.
        channel: Where the output goes: a `Channel`, or one of the host's own.
        recipient: Who receives it: an agent or an address; empty when unknown.
        user: The user's last message.
        history: Texts of the conversation so far, the oldest first.
        sentiment: Of the user, -1.0 (angry) to 1.0 (content); 0.0 when unknown.
        intents: Intents of the user's message, as far as the host knows them.
        arguments: Arguments of a tool call.
        facts: Whatever expressions and knowledge bases need, by name.
        fields: Values that information-flow constraints confine, by name.
        snapshot: The memory the output rests on, for judges that read it.
    """

    run_id: str = ""
    task: str = ""
    turn: int = 0
    channel: str = Channel.FINAL_OUTPUT
    recipient: str = ""
    user: str = ""
    history: tuple[str, ...] = ()
    sentiment: float = 0.0
    intents: tuple[str, ...] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    snapshot: Snapshot | None = None


class Utterance:
    """An output with its context, read once for all constraints.

    Attributes:
        agent_id: Who says it.
        output: As it was said.
        context: What it is said in.
    """

    def __init__(self, agent_id: str, output: str, context: GovernorContext) -> None:
        self.agent_id = agent_id
        self.output = output
        self.context = context

    @lazy_property
    def readings(self) -> tuple[str, ...]:
        """The text with disguises undone, then whatever is encoded in it; see `normalise`."""
        return tuple(dict.fromkeys(layer.text for layer in layers_of(self.output)))

    @property
    def text(self) -> str:
        """The text as a reader would see it."""
        return self.readings[0]

    @lazy_property
    def language(self) -> Language:
        """Language of the user, or without a message of the output."""
        return language_of_text(self.context.user or self.output)

    @lazy_property
    def activation(self) -> Any:  # noqa: ANN401 - of the CEL library
        """The variables that expressions read.

        Raises:
            EvaluatorError: A fact is of a type that CEL does not have.
        """
        context = self.context
        return activation(
            {
                "output": self.text,
                "agent": self.agent_id,
                "task": context.task,
                "channel": str(context.channel),
                "user": context.user,
                "history": list(context.history),
                "turn": context.turn,
                "sentiment": float(context.sentiment),
                "intents": list(context.intents),
                "arguments": dict(context.arguments),
                "facts": dict(context.facts),
            }
        )


@dataclass(frozen=True, slots=True)
class Question:
    """What a validator is asked: does this output keep this constraint?

    Attributes:
        constraint: The constraint.
        utterance: The output with its context.
    """

    constraint: Constraint
    utterance: Utterance
