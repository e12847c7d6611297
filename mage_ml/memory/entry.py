"""One entry of an agent's memory: what is said, and where it came from."""

from __future__ import annotations

import json
import math
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator

MAX_CONTENT_CHARS: Final = 1_000_000
MAX_JSON_DEPTH: Final = 32
MAX_INTEGER_BITS: Final = 1024
MAX_STEP: Final = 2**63 - 1


class Source(StrEnum):
    """Who produced an entry."""

    USER = "user"
    TOOL = "tool"
    LLM_REASONING = "llm_reasoning"
    AGENT = "agent"
    SYSTEM = "system"
    RETRIEVED = "retrieved"


class Role(StrEnum):
    """Whether the agent may take orders from an entry or only facts."""

    INSTRUCTION = "instruction"
    DATA = "data"


class Status(StrEnum):
    """Standing of an entry in memory."""

    ACTIVE = "active"
    SUSPECT = "suspect"
    QUARANTINED = "quarantined"
    SUPERSEDED = "superseded"


DEFAULT_CONFIDENCE: Final = MappingProxyType(
    {
        Source.USER: 0.9,
        Source.TOOL: 0.95,
        Source.LLM_REASONING: 0.7,
        Source.AGENT: 0.75,
        Source.SYSTEM: 1.0,
        Source.RETRIEVED: 0.8,
    }
)

INSTRUCTION_SOURCES: Final = frozenset({Source.USER, Source.SYSTEM})


def _check_text(text: str, what: str) -> None:
    if len(text) > MAX_CONTENT_CHARS:
        raise ValueError(
            f"{what} has {len(text):,} characters; at most {MAX_CONTENT_CHARS:,} are accepted. "
            "Store the document elsewhere and keep a summary or reference in memory."
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{what} holds a lone surrogate at character {error.start}; decode it as UTF-8 with errors='replace'"
        ) from error


def _check_json(value: Any, depth: int = 0, seen: int = 0) -> int:  # noqa: ANN401 - arbitrary JSON is the point
    """Refuse content that is no JSON or exceeds a bound; returns the size so far (characters, and one a value)."""
    if depth > MAX_JSON_DEPTH:
        raise ValueError(f"content is nested deeper than {MAX_JSON_DEPTH} levels; flatten it")
    if isinstance(value, str):
        _check_text(value, "content")
        seen += len(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ValueError(f"content has a key of type {type(key).__name__}; JSON keys are text")
            _check_text(key, "a content key")
            seen = _check_json(item, depth + 1, seen + len(key))
    elif isinstance(value, list):
        for item in value:
            seen = _check_json(item, depth + 1, seen)
    else:
        _check_number(value)
        seen += 1
    if seen > MAX_CONTENT_CHARS:
        raise ValueError(
            f"content holds more than {MAX_CONTENT_CHARS:,} characters in all. "
            "Store the document elsewhere and keep a summary or reference in memory."
        )
    return seen


def _check_number(value: Any) -> None:  # noqa: ANN401 - any scalar
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"content holds {value}, which JSON cannot carry; use null")
    if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS:
        raise ValueError(f"content holds an integer of {value.bit_length():,} bits; keep such a number as text")


class MemoryEntry(BaseModel):
    """One entry of an agent's memory, immutable.

    Attributes:
        id: Unique within its chain.
        content: Text, or any JSON value (at most 1,000,000 characters, 32 levels deep).
        source: Who produced it.
        role: Instruction (the agent may act on its orders) or data. Defaults by source: user and system give
            instructions, everything else is data.
        tool_name: The tool that returned it, when the source is a tool.
        origin: The outermost place it comes from: a user, tool, URL, document, mailbox or other agent.
        agent_id: The agent whose memory holds it.
        step: Position in the run, from 0.
        timestamp: Seconds since the epoch; 0.0 when unknown.
        confidence: 0 to 1. Defaults by source.
        depends_on: Ids of the entries it was derived from.
        status: Standing in memory.
        contradicts_with: Ids of entries known to say otherwise.
        annotations: Notes left by a guard or a person.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    id: Annotated[str, Field(min_length=1, max_length=256)]
    content: JsonValue
    source: Source
    role: Role = Role.DATA
    tool_name: str | None = None
    origin: str | None = None
    agent_id: str = "agent"
    step: Annotated[int, Field(ge=0, le=MAX_STEP)] = 0
    timestamp: Annotated[float, Field(ge=0.0, allow_inf_nan=False)] = 0.0
    confidence: Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)] = 0.7
    depends_on: tuple[str, ...] = ()
    status: Status = Status.ACTIVE
    contradicts_with: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _fill_defaults(cls, data: Any) -> Any:  # noqa: ANN401 - pydantic passes the raw input
        if not isinstance(data, dict):
            return data
        raw = data.get("source")
        source = next((member for member in Source if isinstance(raw, str) and member.value == raw), None)
        if source is None:
            return data  # the field reports it
        filled = dict(data)
        if filled.get("confidence") is None:
            filled["confidence"] = DEFAULT_CONFIDENCE[source]
        if filled.get("role") is None:
            filled["role"] = Role.INSTRUCTION if source in INSTRUCTION_SOURCES else Role.DATA
        return filled

    @field_validator("source", "role", "status", mode="before")
    @classmethod
    def _labels_are_text(cls, value: Any) -> Any:  # noqa: ANN401 - pydantic passes the raw input
        # Looking up a deeply nested list among the labels would end in a recursion error.
        if not isinstance(value, str):
            raise ValueError(f"expected a label, found {type(value).__name__}")
        return value

    @field_validator("content", mode="before")
    @classmethod
    def _content_is_bounded(cls, value: Any) -> Any:  # noqa: ANN401 - arbitrary JSON is the point
        # Before pydantic's own recursion, so that depth gets our message and not a recursion error.
        _check_json(value)
        return value

    @field_validator("id", "origin", "tool_name", "agent_id")
    @classmethod
    def _names_are_text(cls, value: str | None) -> str | None:
        if value is not None:
            _check_text(value, "a name")
        return value

    @field_validator("depends_on", "contradicts_with", "annotations")
    @classmethod
    def _lists_are_text(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for item in value:
            _check_text(item, "an item")
        return value

    @model_validator(mode="after")
    def _does_not_support_itself(self) -> Self:
        if self.id in self.depends_on:
            raise ValueError(f"entry {self.id!r} depends on itself; remove it from depends_on")
        return self

    @property
    def text(self) -> str:
        """The content as one string; JSON is rendered compactly with its own key order."""
        if isinstance(self.content, str):
            return self.content
        return json.dumps(self.content, ensure_ascii=False, separators=(", ", ": "))

    @property
    def is_trusted(self) -> bool:
        """Whether the entry speaks with the authority of the user or the system."""
        return self.source in INSTRUCTION_SOURCES and self.role is Role.INSTRUCTION

    def revised(self, **changes: Any) -> MemoryEntry:  # noqa: ANN401 - any field may change
        """Return a validated copy with some fields changed."""
        return MemoryEntry.model_validate({**self.model_dump(), **changes})
