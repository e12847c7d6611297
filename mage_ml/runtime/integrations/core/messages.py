"""What agent frameworks exchange, in one form: messages and tool calls."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from pydantic import JsonValue

from mage_ml.memory import Source

_NOTHING: Final[Mapping[str, JsonValue]] = MappingProxyType({})


class Speaker(StrEnum):
    """Who says something in a conversation."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    AGENT = "agent"
    """Another agent, whatever role its framework gives the message."""
    RETRIEVED = "retrieved"
    """A document or a memory that was looked up."""
    GUARD = "guard"
    """The guard itself: a block result or a notice that the adapter put into the conversation."""


SOURCES: Final[Mapping[Speaker, Source]] = MappingProxyType(
    {
        Speaker.SYSTEM: Source.SYSTEM,
        Speaker.USER: Source.USER,
        Speaker.ASSISTANT: Source.LLM_REASONING,
        Speaker.TOOL: Source.TOOL,
        Speaker.AGENT: Source.AGENT,
        Speaker.RETRIEVED: Source.RETRIEVED,
        Speaker.GUARD: Source.SYSTEM,
    }
)
"""Speaker -> the source of the memory entry that a message becomes."""


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A tool call that the model asks for.

    Attributes:
        name: The tool.
        arguments: As the model gave them, without what the framework injects.
        call_id: The framework's name for the call; one call has one id.
        agent_id: The agent that calls.
        message_key: Key of the model's message that holds the call; the text of it bears on the call.
        depends_on: Keys of messages that the arguments were taken from, where the adapter knows them; otherwise they
            are inferred.
    """

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=lambda: _NOTHING)
    call_id: str = ""
    agent_id: str = "agent"
    message_key: str = ""
    depends_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. One that is seen twice, by its key, is one entry of memory.

    Attributes:
        key: The framework's own id of the message, unique in its conversation. `content_keys` makes keys for frameworks
            that have none.
        speaker: Who says it.
        text: What is said.
        call: The call that a tool's message answers.
        agent_id: The agent whose memory holds it.
        origin: The outermost place it comes from, where the adapter knows it.
        depends_on: Keys of messages it was derived from, where the adapter knows them; otherwise they are inferred.
    """

    key: str
    speaker: Speaker
    text: str
    call: ToolRequest | None = None
    agent_id: str = "agent"
    origin: str | None = None
    depends_on: tuple[str, ...] = ()


def tool_key(call_id: str) -> str:
    """The key of the message that answers a call: the same whoever builds the message."""
    return f"tool:{call_id}"


def content_keys(said: Iterable[tuple[Speaker, str]]) -> tuple[str, ...]:
    """Keys for the messages of a framework that gives them none: by speaker, text, and how often it was said before.

    A conversation that grows at its end keeps its keys, and so does one from whose beginning other messages were cut.

    Args:
        said: Speaker and text of each message, in order.
    """
    seen: Counter[str] = Counter()
    keys = []
    for speaker, text in said:
        digest = hashlib.sha256(f"{speaker}|{text}".encode("utf-8", "replace")).hexdigest()[:24]
        keys.append(f"{digest}:{seen[digest]}")
        seen[digest] += 1
    return tuple(keys)
