"""Anthropic messages: content blocks of text, tool_use and tool_result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.messages import parse_arguments, text_of_content
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan.readers.openai_chat import MESSAGE_PLACES, id_of
from mage_ml.scan.trace import Layout, Pointer, RawTrace, Step, Trace, TraceFormat, first_list, lookup
from mage_ml.scan.turns import Turn, TurnKind, spoken, trace_of

_CALLS: Final = ("tool_use", "server_tool_use", "mcp_tool_use")
_RESULT: Final = "tool_result"
_ANSWERS: Final[tuple[tuple[Step, ...], ...]] = (
    ("response",),
    ("response", "body"),
    ("output",),
    ("completion",),
    ("result", "message"),
)
_BLOCKS: Final = (*_CALLS, _RESULT, "thinking", "redacted_thinking")


def _is_message(value: Any) -> bool:  # noqa: ANN401 - arbitrary JSON
    return isinstance(value, Mapping) and value.get("role") in ("user", "assistant") and "content" in value


def _has_blocks(message: Any) -> bool:  # noqa: ANN401 - arbitrary JSON
    content = lookup(message, ("content",))
    blocks = content if isinstance(content, list) else ()
    return any(str(lookup(block, ("type",))) in _BLOCKS for block in blocks)


class AnthropicReader:
    """Reads Anthropic messages."""

    format = TraceFormat.ANTHROPIC

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A record has messages with blocks that only this format has, or a system text beside the messages."""
        if _is_message(value):
            return None if _has_blocks(value) else "the message has no block of type tool_use, tool_result or thinking"
        place = first_list(value, MESSAGE_PLACES)
        messages = lookup(value, place) if place is not None else None
        if place is None or not messages or not all(_is_message(message) for message in messages):
            return "no list of messages whose role is user or assistant"
        has_system = bool(place) and lookup(value, (*place[:-1], "system")) is not None
        answered = any(lookup(value, (*found, "stop_reason")) is not None for found in _ANSWERS)
        if has_system or answered or any(_has_blocks(message) for message in messages):
            return None
        return "no block of type tool_use, tool_result or thinking, and no system text beside the messages"

    def layout(self, value: Any) -> Layout:  # noqa: ANN401 - arbitrary JSON
        """A file may hold one message a line."""
        return Layout.FILE if _is_message(value) else Layout.RECORD

    def keys(self, value: Any) -> Sequence[str]:  # noqa: ANN401 - not grouped
        """No groups."""
        return ()

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """One trace."""
        if _is_message(parts[0]):
            turns = [turn for number, part in enumerate(parts) for turn in message_turns(part, Pointer(number))]
        else:
            turns = list(_record_turns(parts[0]))
        yield trace_of(turns, id_of(parts[0], raw), values)


def _record_turns(value: Any) -> Iterator[Turn]:  # noqa: ANN401 - arbitrary JSON
    place = first_list(value, MESSAGE_PLACES)
    if place is None:
        raise RecordError("no list of messages")
    if place:
        system = (*place[:-1], "system")
        yield Turn(TurnKind.SYSTEM, Pointer(0, system), _text(lookup(value, system)))
    for number, message in enumerate(lookup(value, place)):
        yield from message_turns(message, Pointer(0, (*place, number)))
    found = next((place for place in _ANSWERS if isinstance(lookup(value, (*place, "content")), list)), None)
    if found is not None:
        yield from message_turns({**lookup(value, found), "role": "assistant"}, Pointer(0, found))


def message_turns(message: Any, at: Pointer) -> Iterator[Turn]:  # noqa: ANN401 - arbitrary JSON
    """The turns of one message.

    Raises:
        RecordError: It is no message.
    """
    if not isinstance(message, Mapping) or message.get("role") not in ("user", "assistant", "system"):
        found = message.get("role") if isinstance(message, Mapping) else type(message).__name__
        raise RecordError(f"message {at.text or at.part + 1}: expected role user or assistant, found {found!r}")
    kinds = {"user": TurnKind.USER, "assistant": TurnKind.ANSWER, "system": TurnKind.SYSTEM}
    kind, content = kinds[message["role"]], message.get("content")
    if not isinstance(content, list):
        yield Turn(kind, at, _text(content))
        return
    turns = [turn for number, block in enumerate(content) for turn in _block(block, at.inside("content", number), kind)]
    yield from spoken(turns) if kind is TurnKind.ANSWER else turns


def _block(block: Any, at: Pointer, said: TurnKind) -> Iterator[Turn]:  # noqa: ANN401 - arbitrary JSON
    if isinstance(block, str):
        yield Turn(said, at, block)
        return
    if not isinstance(block, Mapping):
        raise RecordError(f"{at.text}: expected a content block, found {type(block).__name__}")
    kind = str(block.get("type"))
    if kind in _CALLS:
        name, given = str(block.get("name") or ""), parse_arguments(block.get("input"))
        yield Turn(TurnKind.CALL, at, tool=name, arguments=given, call_id=str(block.get("id") or ""))
    elif kind.endswith(_RESULT):  # tool_result, mcp_tool_result, web_search_tool_result ...
        yield Turn(TurnKind.RESULT, at, _text(block.get("content")), call_id=str(block.get("tool_use_id") or ""))
    elif kind == "thinking":
        yield Turn(TurnKind.THINK, at, _text(block.get("thinking")))
    elif kind != "redacted_thinking":
        source = lookup(block, ("source", "data")) if lookup(block, ("source", "type")) == "text" else None
        yield Turn(said, at, _text(text_of_content([block]) if source is None else source))


def _text(value: Any) -> str:  # noqa: ANN401 - arbitrary JSON
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and all(isinstance(lookup(part, ("text",)), str) for part in value):
        return str(text_of_content(value))
    return json.dumps(value, ensure_ascii=False)
