"""Choices of the LangChain adapter."""

from __future__ import annotations

from enum import StrEnum


class OnHalt(StrEnum):
    """How a halt ends a run."""

    ANSWER = "answer"
    """The run ends with the guard's text as the agent's answer."""
    RAISE = "raise"
    """`StoppedError` comes out of the run."""


class Streaming(StrEnum):
    """What happens to the tokens of a model that streams."""

    BUFFER = "buffer"
    """They are held back; the answer is streamed in one piece after its check."""
    OBSERVE = "observe"
    """They go out as they come, before any check: the check can only correct what is stored and returned."""
