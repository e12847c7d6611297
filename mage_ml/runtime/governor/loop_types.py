"""Steps of agents, and the loops they can close."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from mage_ml.config import Config


class MoveKind(StrEnum):
    """What an agent does."""

    ACT = "act"
    """Calls a tool."""
    SAY = "say"
    """Says something: an answer, a draft, a thought."""
    DELEGATE = "delegate"
    """Hands a task to another agent, or back."""
    WAIT = "wait"
    """Waits, or asks whether something is done."""


@dataclass(frozen=True, slots=True)
class Move:
    """One step of an agent.

    Attributes:
        agent_id: Who.
        kind: What it does.
        content: Tool and arguments, words, or the task that is handed over.
        result: What came back: a tool's result, the user's next message, the delegate's answer; empty for nothing yet.
        target: The agent that is handed the task.
        progress: The host's own measure of progress, such as `7 of 12 items`; empty for none.
    """

    agent_id: str
    kind: MoveKind
    content: str
    result: str = ""
    target: str = ""
    progress: str = ""


class LoopKind(StrEnum):
    """Ways of going in circles."""

    EXACT = "exact"
    """The same step with the same result, again and again."""
    CYCLE = "cycle"
    """The same few steps in the same order with the same results."""
    NEAR = "near"
    """Nearly the same step in other words, with the same result."""
    NO_PROGRESS = "no_progress"
    """Many different steps, while the host's measure of progress stands still."""
    PING_PONG = "ping_pong"
    """A task that is handed to and fro."""
    ENDLESS_WAIT = "endless_wait"
    """Waiting beyond its bound while nothing changes."""


@dataclass(frozen=True, slots=True)
class LoopFinding:
    """A loop.

    Attributes:
        kind: Which kind.
        agent_ids: Who goes in it.
        times: How often it went round.
        detail: One sentence.
    """

    kind: LoopKind
    agent_ids: tuple[str, ...]
    times: int
    detail: str


class LoopSettings(Config):
    """When repetition is a loop."""

    exact: Annotated[int, Field(ge=2, description="Times the same step may give the same result.")] = 3
    near: Annotated[int, Field(ge=2, description="Times nearly the same step may give the same result.")] = 4
    likeness: Annotated[
        float,
        Field(gt=0.0, le=1.0, description="Share of common letter triples from which steps count as nearly the same."),
    ] = 0.8
    rounds: Annotated[int, Field(ge=2, description="Times a series of steps, or handing to and fro, may repeat.")] = 3
    no_progress: Annotated[int, Field(ge=2, description="Steps in which the measure of progress may stand still.")] = 12
    waits: Annotated[int, Field(ge=1, description="Times an agent may ask after something that does not change.")] = 120
    wait_s: Annotated[float, Field(gt=0.0, description="Seconds it may wait for something that does not change.")] = (
        3600.0
    )
    window: Annotated[int, Field(ge=8, le=1000, description="Steps of a run that are remembered.")] = 64
