"""What an adapter has to do, as data; and the seam for whoever else has a say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol

from pydantic import JsonValue

from mage_ml.errors import MageError
from mage_ml.runtime.guardrail import Decision, DecisionAction
from mage_ml.runtime.integrations.core.messages import Speaker, ToolRequest


class Point(StrEnum):
    """Where in a run the guard is asked."""

    MEMORY_WRITE = "memory_write"
    BEFORE_MODEL = "before_model"
    BEFORE_TOOL = "before_tool"
    AFTER_TOOL = "after_tool"
    BEFORE_OUTPUT = "before_output"
    COMPACTION = "compaction"
    HAND_OFF = "hand_off"


CLOSED_POINTS: Final = frozenset({Point.MEMORY_WRITE, Point.BEFORE_OUTPUT, Point.COMPACTION, Point.HAND_OFF})
"""Points at which a failure of the guard always stops the step; a tool call goes by the fail mode of its type."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A stored message that has to read differently from now on.

    Attributes:
        key: Key of the message.
        text: What stands in its place.
        entry_id: The entry of memory that it is.
    """

    key: str
    text: str
    entry_id: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the adapter has to do about one step.

    * proceed: let the step go.
    * warn: let it go. `before_model` hands `text` out by itself.
    * repair: put `replacements` in place. Not `allowed`: leave the step out, and `text` is its result.
    * redirect: leave the step out. Run `verification` first if there is one, hand its result to `after_tool`, and give
      the model `text` and that result. This is bounded: the guard halts after its policy's number of attempts.
    * halt: leave the step out and end the run with `text`.

    Attributes:
        point: Where it was asked.
        action: One of the five decisions.
        allowed: Whether the step may go ahead as it is.
        text: For the model (warn, repair, redirect) or the user (halt). At `before_model` everything that has to be in
            the request, whatever the action.
        replacements: Messages to be changed where the framework stores them.
        verification: A tool call without effects that settles the doubt; `None` where the text asks the agent to see to
            it itself.
        decision: The guard's decision behind it, where one was made.
        failure: What failed, when the verdict follows from a failure and not from a judgement.
    """

    point: Point
    action: DecisionAction = DecisionAction.PROCEED
    allowed: bool = True
    text: str = ""
    replacements: tuple[Replacement, ...] = ()
    verification: ToolRequest | None = None
    decision: Decision | None = None
    failure: str = ""

    @property
    def halts(self) -> bool:
        """Whether the run ends here."""
        return self.action is DecisionAction.HALT


class StoppedError(MageError):
    """The guard stopped the run, in a framework where raising is the way to stop it.

    Attributes:
        verdict: Why.
    """

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.text or verdict.failure or "stopped by the memory guard")
        self.verdict = verdict


@dataclass(frozen=True, slots=True)
class Step:
    """What an overseer is shown.

    Attributes:
        point: Where in the run.
        text: What is said: the message, the answer, the summary, the text handed over.
        speaker: Who says it.
        tool_name: The tool, at `before_tool` and `after_tool`.
        arguments: Its arguments.
        agent_id: The agent that acts or whose memory it is.
        receiver: The agent that takes over, at `hand_off`.
        conversation: Name of the session.
    """

    point: Point
    text: str = ""
    speaker: Speaker = Speaker.ASSISTANT
    tool_name: str | None = None
    arguments: Mapping[str, JsonValue] = field(default_factory=lambda: MappingProxyType({}))
    agent_id: str = "agent"
    receiver: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an overseer wants: warn (tell the agent), repair (do the step again, with this feedback), halt (veto).

    Attributes:
        action: Anything but redirect, which needs evidence about memory.
        text: For the agent, or on a halt for the user.
    """

    action: DecisionAction
    text: str


class Overseer(Protocol):
    """Has a say beside the guard: a constraint governor. One object may serve many sessions at once."""

    @property
    def name(self) -> str:
        """Short name, for failures."""
        ...

    def review(self, step: Step) -> Opinion | None:
        """Look at a step; `None` when there is nothing to say. What it raises is a failure, never an approval."""
        ...

    def reminders(self, agent_id: str, conversation: str) -> Sequence[str]:
        """What has to stand in the agent's next model request."""
        ...


def merged(verdict: Verdict, opinions: Iterable[Opinion]) -> Verdict:
    """The strictest of a verdict and opinions; texts are joined, the strictest one's first."""
    for opinion in opinions:
        if opinion.action is DecisionAction.PROCEED:
            continue
        stricter = opinion.action.severity > verdict.action.severity
        parts = (opinion.text, verdict.text) if stricter else (verdict.text, opinion.text)
        verdict = replace(
            verdict,
            action=opinion.action if stricter else verdict.action,
            allowed=verdict.allowed and opinion.action is DecisionAction.WARN,
            text="\n".join(part for part in parts if part),
            verification=None if opinion.action is DecisionAction.HALT else verdict.verification,
        )
    return verdict
