"""LangChain messages as the library dumps them: plain, `messages_to_dict`, and its serialised constructors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.messages import parse_arguments, text_of_content
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan.readers.openai_chat import id_of
from mage_ml.scan.trace import Layout, Pointer, RawTrace, Step, Trace, TraceFormat, first_list, lookup
from mage_ml.scan.turns import Turn, TurnKind, spoken, trace_of

_PLACES: Final[tuple[tuple[Step, ...], ...]] = (
    (),
    ("messages",),
    ("output", "messages"),
    ("outputs", "messages"),
    ("values", "messages"),
    ("state", "messages"),
    ("input", "messages"),
    ("kwargs", "messages"),
)
_KINDS: Final = {
    "human": TurnKind.USER,
    "ai": TurnKind.ANSWER,
    "system": TurnKind.SYSTEM,
    "tool": TurnKind.RESULT,
    "function": TurnKind.RESULT,
}
_ROLES: Final = {"user": "human", "assistant": "ai", "developer": "system"}
_CLASSES: Final = {"HumanMessage": "human", "AIMessage": "ai", "SystemMessage": "system", "ToolMessage": "tool"}
_UNSAID: Final = ("tool_use", "tool_call", "function_call", "thinking", "reasoning", "redacted_thinking")


def fields_of(value: Any) -> Mapping[str, Any] | None:  # noqa: ANN401 - arbitrary JSON
    """The fields of a dumped message, `type` among them; `None` when it is none."""
    if not isinstance(value, Mapping):
        return None
    names = value.get("id")
    if value.get("lc") is not None and isinstance(names, list) and isinstance(value.get("kwargs"), Mapping):
        name = str(names[-1]).removesuffix("Chunk") if names else ""
        return {"type": _CLASSES.get(name, ""), **value["kwargs"]} if name.endswith("Message") else None
    kind, inner = str(value.get("type")).removesuffix("MessageChunk").lower(), value.get("data")
    if kind == "chat" and isinstance(inner, Mapping):
        kind = _ROLES.get(str(inner.get("role")), str(inner.get("role")))
    if kind in _KINDS and isinstance(inner, Mapping):
        return {**inner, "type": kind}
    if kind in _KINDS and "content" in value:
        return {**value, "type": kind}
    return None


class LangChainReader:
    """Reads dumps of LangChain messages."""

    format = TraceFormat.LANGCHAIN

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A record has a list of messages whose type is human, ai, system or tool."""
        if fields_of(value) is not None:
            return None
        place = first_list(value, _PLACES)
        messages = lookup(value, place) if place is not None else None
        if not messages or not all(fields_of(message) is not None for message in messages):
            return "no list of messages of type human, ai, system or tool, plain or as `lc` constructors"
        return None

    def layout(self, value: Any) -> Layout:  # noqa: ANN401 - arbitrary JSON
        """A file may hold one message a line."""
        return Layout.FILE if fields_of(value) is not None else Layout.RECORD

    def keys(self, value: Any) -> Sequence[str]:  # noqa: ANN401 - not grouped
        """No groups."""
        return ()

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """One trace."""
        place: tuple[Step, ...] | None = None
        if fields_of(parts[0]) is not None:
            messages, pointers = list(parts), [Pointer(number) for number in range(len(parts))]
        else:
            place = first_list(parts[0], _PLACES)
            if place is None:
                raise RecordError("no list of messages")
            messages = list(lookup(parts[0], place))
            pointers = [Pointer(0, (*place, number)) for number in range(len(messages))]
        pairs = zip(messages, pointers, strict=True)
        turns = [turn for message, at in pairs for turn in message_turns(message, at)]
        yield trace_of(turns, id_of(parts[0], raw) if place else raw.key, values)


def message_turns(message: Any, at: Pointer, agent: str = "") -> list[Turn]:  # noqa: ANN401 - arbitrary JSON
    """The turns of one dumped message.

    Raises:
        RecordError: It is no message.
    """
    fields = fields_of(message)
    kind = None if fields is None else _KINDS.get(str(fields.get("type")))
    if fields is None or kind is None:
        found = message.get("type") if isinstance(message, Mapping) else type(message).__name__
        raise RecordError(f"message {at.text or at.part + 1}: expected a LangChain message, found {found!r}")
    text = _text(fields.get("content"))
    if kind is TurnKind.RESULT:
        call_id = str(fields.get("tool_call_id") or "")
        return [Turn(kind, at, text, tool=str(fields.get("name") or ""), call_id=call_id, agent=agent)]
    if kind is not TurnKind.ANSWER:
        return [Turn(kind, at, text, agent=agent)]
    said = [Turn(TurnKind.THINK, at, thought, agent=agent) for thought in _thoughts(fields.get("content"))]
    said.append(Turn(kind, at, text, agent=agent))
    return spoken([*said, *_calls(fields, at, agent)])


def _calls(fields: Mapping[str, Any], at: Pointer, agent: str) -> Iterator[Turn]:
    calls = fields.get("tool_calls") or lookup(fields, ("additional_kwargs", "tool_calls")) or ()
    for call in calls:
        inner = call.get("function") if isinstance(call.get("function"), Mapping) else call
        given = inner.get("args") if "args" in inner else inner.get("arguments")
        name, call_id = str(inner.get("name") or ""), str(call.get("id") or "")
        yield Turn(TurnKind.CALL, at, tool=name, arguments=parse_arguments(given), call_id=call_id, agent=agent)
    for call in fields.get("invalid_tool_calls") or ():
        name, call_id = str(call.get("name") or ""), str(call.get("id") or "")
        given = parse_arguments(call.get("args"))
        yield Turn(TurnKind.CALL, at, tool=name, arguments=given, call_id=call_id, agent=agent)


def _thoughts(content: Any) -> Iterator[str]:  # noqa: ANN401 - arbitrary JSON
    for part in content if isinstance(content, list) else ():
        for name in ("thinking", "reasoning"):
            if isinstance(part, Mapping) and isinstance(part.get(name), str):
                yield part[name]


def _text(content: Any) -> str:  # noqa: ANN401 - arbitrary JSON
    if isinstance(content, list):
        said = [part for part in content if not (isinstance(part, Mapping) and part.get("type") in _UNSAID)]
        return str(text_of_content(said))
    if content is None or isinstance(content, str):
        return content or ""
    return json.dumps(content, ensure_ascii=False)
