"""OpenAI's Responses interface: a list of items, with or without the request and answer around it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.messages import parse_arguments, text_of_content
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan.readers.openai_chat import id_of
from mage_ml.scan.trace import Layout, Pointer, RawTrace, Step, Trace, TraceFormat, first_list, lookup
from mage_ml.scan.turns import Turn, TurnKind, trace_of

_INPUT_PLACES: Final[tuple[tuple[Step, ...], ...]] = (
    (),
    ("input",),
    ("request", "input"),
    ("body", "input"),
    ("request", "body", "input"),
    ("items",),
    ("data",),
)
_OUTPUT_PLACES: Final[tuple[tuple[Step, ...], ...]] = (
    ("output",),
    ("response", "output"),
    ("response", "body", "output"),
)
_ORDERS: Final[tuple[tuple[Step, ...], ...]] = (
    ("instructions",),
    ("request", "instructions"),
    ("body", "instructions"),
    ("request", "body", "instructions"),
)
_CALLS: Final = frozenset({"function_call", "custom_tool_call", "mcp_call", "local_shell_call", "shell_call"})
_RESULTS: Final = frozenset(
    {"function_call_output", "custom_tool_call_output", "local_shell_call_output", "shell_call_output"}
)
_HOSTED: Final = frozenset(
    {"web_search_call", "file_search_call", "code_interpreter_call", "computer_call", "image_generation_call"}
)
_OWN_TYPES: Final = _CALLS | _RESULTS | _HOSTED | {"reasoning"}
_TEXT_PARTS: Final = frozenset({"input_text", "output_text"})


def is_item(value: Any) -> bool:  # noqa: ANN401 - arbitrary JSON
    """Whether a value is an item that only this interface has, or a message in its form."""
    if not isinstance(value, Mapping):
        return False
    if str(value.get("type")) in _OWN_TYPES:
        return True
    content = value.get("content")
    parts = content if isinstance(content, list) else ()
    return value.get("type") == "message" and any(str(lookup(part, ("type",))) in _TEXT_PARTS for part in parts)


class OpenAIResponsesReader:
    """Reads items of the Responses interface."""

    format = TraceFormat.OPENAI_RESPONSES

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A record has a list of items, one of them in a form of this interface."""
        if is_item(value):
            return None
        for place in (*_INPUT_PLACES, *_OUTPUT_PLACES):
            found = lookup(value, place)
            if isinstance(found, list) and any(is_item(item) for item in found):
                return None
        return "no list of items of type message, function_call, function_call_output or reasoning (input, output)"

    def layout(self, value: Any) -> Layout:  # noqa: ANN401 - arbitrary JSON
        """A file may hold one item a line."""
        return Layout.FILE if is_item(value) else Layout.RECORD

    def keys(self, value: Any) -> Sequence[str]:  # noqa: ANN401 - not grouped
        """No groups."""
        return ()

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """One trace."""
        if is_item(parts[0]) or len(parts) > 1:
            turns = [turn for number, item in enumerate(parts) for turn in item_turns(item, Pointer(number))]
        else:
            turns = list(_record_turns(parts[0]))
        yield trace_of(turns, id_of(parts[0], raw), values)


def _record_turns(value: Any) -> Iterator[Turn]:  # noqa: ANN401 - arbitrary JSON
    for place in _ORDERS:
        if isinstance(lookup(value, place), str):
            yield Turn(TurnKind.SYSTEM, Pointer(0, place), lookup(value, place))
            break
    asked = next((p for p in _INPUT_PLACES[1:] if isinstance(lookup(value, p), str)), None)
    if asked is not None:
        yield Turn(TurnKind.USER, Pointer(0, asked), lookup(value, asked))
    given = first_list(value, _INPUT_PLACES)
    answered = first_list(value, _OUTPUT_PLACES)
    if asked is None and given is None and answered is None:
        raise RecordError("no input and no output")
    for found in (given, answered):
        for number, item in enumerate(lookup(value, found) if found is not None else ()):
            yield from item_turns(item, Pointer(0, (*(found or ()), number)))


def item_turns(item: Any, at: Pointer) -> Iterator[Turn]:  # noqa: ANN401 - arbitrary JSON
    """The turns of one item.

    Raises:
        RecordError: It is no item.
    """
    if not isinstance(item, Mapping):
        raise RecordError(f"item {at.text or at.part + 1}: expected an object, found {type(item).__name__}")
    kind, call_id = str(item.get("type")), str(item.get("call_id") or item.get("id") or "")
    if kind in _CALLS:
        yield _call(item, at, call_id)
        if kind == "mcp_call" and (item.get("output") is not None or item.get("error")):
            yield Turn(TurnKind.RESULT, at, _text(item.get("output") or item.get("error")), call_id=call_id)
    elif kind in _RESULTS:
        yield Turn(TurnKind.RESULT, at, _text(item.get("output")), call_id=call_id)
    elif kind in _HOSTED:
        yield from _hosted(item, at, call_id)
    elif kind == "reasoning":
        yield Turn(TurnKind.THINK, at, _joined(item.get("summary")) or _joined(item.get("content")))
    elif item.get("role") is not None:
        yield _said(item, at)


def _said(item: Mapping[str, Any], at: Pointer) -> Turn:
    kinds = {"assistant": TurnKind.ANSWER, "user": TurnKind.USER, "system": TurnKind.SYSTEM}
    kinds["developer"] = TurnKind.SYSTEM
    role = str(item["role"])
    if role not in kinds:
        raise RecordError(f"item {at.text or at.part + 1}: unknown role {role!r}; expected {', '.join(kinds)}")
    return Turn(kinds[role], at, _text(text_of_content(item.get("content"))))


def _call(item: Mapping[str, Any], at: Pointer, call_id: str) -> Turn:
    asked = next((item[name] for name in ("arguments", "input", "action") if item.get(name) is not None), None)
    tool = str(item.get("name") or str(item["type"]).removesuffix("_call"))
    return Turn(TurnKind.CALL, at, tool=tool, arguments=parse_arguments(asked), call_id=call_id)


def _hosted(item: Mapping[str, Any], at: Pointer, call_id: str) -> Iterator[Turn]:
    """A tool that runs at the provider: its call and, where it is told, its result."""
    tool = str(item["type"]).removesuffix("_call")
    names = ("action", "queries", "code", "prompt")
    asked = {name: item[name] for name in names if item.get(name) is not None}
    yield Turn(TurnKind.CALL, at, tool=tool, arguments=asked, call_id=call_id)
    found = next((item[name] for name in ("results", "outputs") if item.get(name)), None)
    if found is not None:
        yield Turn(TurnKind.RESULT, at, _text(found), call_id=call_id)


def _joined(parts: Any) -> str:  # noqa: ANN401 - arbitrary JSON
    return _text(text_of_content(parts)) if parts else ""


def _text(value: Any) -> str:  # noqa: ANN401 - arbitrary JSON
    if isinstance(value, list) and all(isinstance(lookup(part, ("text",)), str) for part in value):
        return _text(text_of_content(value))
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
