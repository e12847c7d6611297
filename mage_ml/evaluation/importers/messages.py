"""Messages as OpenAI's interface has them, with AgentDojo's variant, read leniently and typed strictly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

UNPARSED_ARGUMENTS: Final = "unparsed"
"""Name under which call arguments are kept that are no JSON object."""
UNKNOWN_TOOL: Final = "unknown"


class TranscriptCall(BaseModel):
    """One tool call: `{function: {name, arguments}}`, or AgentDojo's `{function, args}`.

    Attributes:
        name: The tool.
        arguments: Its arguments. A text that is no JSON object is kept whole under `unparsed`.
        id: What a result refers to.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str = UNKNOWN_TOOL
    arguments: dict[str, Any] = Field(default_factory=dict)
    id: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, data: Any) -> Any:  # noqa: ANN401 - two shapes are published
        if not isinstance(data, Mapping):
            return data
        inner = data.get("function")
        if isinstance(inner, Mapping):
            name, arguments = inner.get("name"), inner.get("arguments")
        else:
            name = inner or data.get("name")
            arguments = next((data[key] for key in ("args", "arguments", "kwargs", "input") if key in data), None)
        found = {"name": name or UNKNOWN_TOOL, "arguments": parse_arguments(arguments)}
        return {**found, "id": data.get("id")}


class TranscriptMessage(BaseModel):
    """One message.

    Attributes:
        role: Who speaks; `developer` is read as system, `function` as tool.
        content: Its text; the parts of a list are joined, parts that hold no text are named in brackets.
        tool_calls: What the assistant wants called.
        tool_call_id: The call that a tool message answers.
        name: The tool that answers, or the name of the speaker.
        tool_call: The call that a tool message answers, where it is repeated there.
        error: The error of the call.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    tool_calls: tuple[TranscriptCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    tool_call: TranscriptCall | None = None
    error: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _older_names(cls, data: Any) -> Any:  # noqa: ANN401 - pydantic passes the raw input
        if not isinstance(data, Mapping):
            return data
        found = dict(data)
        renamed = {"developer": "system", "function": "tool"}
        found["role"] = renamed.get(str(found.get("role")), found.get("role"))
        if found.get("function_call") and not found.get("tool_calls"):
            found["tool_calls"] = [{"function": found["function_call"]}]
        return found

    @field_validator("content", mode="before")
    @classmethod
    def _join_parts(cls, value: Any) -> Any:  # noqa: ANN401 - three shapes are published
        return text_of_content(value)

    @field_validator("tool_calls", mode="before")
    @classmethod
    def _absent_calls(cls, value: Any) -> Any:  # noqa: ANN401 - null means none
        return value or ()


def text_of_content(value: Any) -> Any:  # noqa: ANN401 - what is no known shape is left for the field to report
    """The text of a message's content: null, a text, or a list of parts."""
    if value is None:
        return ""
    if not isinstance(value, list):
        return value
    texts: list[str] = []
    for part in value:
        text = part.get("text", part.get("content")) if isinstance(part, Mapping) else part
        if isinstance(text, str):
            texts.append(text)
        elif isinstance(part, Mapping) and part.get("type"):
            texts.append(f"[{part['type']}]")
    return "\n".join(texts)


def parse_arguments(value: Any) -> dict[str, Any]:  # noqa: ANN401 - what models write
    """Call arguments as a dictionary, whatever a model wrote; nothing is lost."""
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {UNPARSED_ARGUMENTS: value}
    return dict(value) if isinstance(value, Mapping) else {UNPARSED_ARGUMENTS: value}
