"""Spans of OTLP JSON, and the messages they carry."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.messages import parse_arguments, text_of_content
from mage_ml.scan.trace import Pointer, lookup
from mage_ml.scan.turns import Turn, TurnKind, spoken

_KINDS = {
    "system": TurnKind.SYSTEM,
    "developer": TurnKind.SYSTEM,
    "user": TurnKind.USER,
    "assistant": TurnKind.ANSWER,
    "model": TurnKind.ANSWER,
    "tool": TurnKind.RESULT,
}


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """An event of a span."""

    name: str
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Span:
    """A span.

    Attributes:
        trace_id: Its trace.
        at: Where it stands.
        start: Nanoseconds since the epoch; end too.
        operation: `chat`, `execute_tool`, ...
        agent: The agent's name, as far as the span tells it.
    """

    trace_id: str
    at: Pointer
    start: int
    end: int
    attributes: Mapping[str, Any]
    events: tuple[SpanEvent, ...]

    @property
    def operation(self) -> str:
        """What the span is about."""
        return str(self.attributes.get("gen_ai.operation.name") or "")

    @property
    def agent(self) -> str:
        """The agent that acts."""
        return str(self.attributes.get("gen_ai.agent.name") or "")


def spans_of(value: Any, at: Pointer) -> Iterator[Span]:  # noqa: ANN401 - arbitrary JSON
    """The spans of an export.

    Raises:
        RecordError: It is none.
    """
    resources = lookup(value, ("resourceSpans",))
    if not isinstance(resources, list):
        raise RecordError("no resourceSpans")
    for first, resource in enumerate(resources):
        name = "scopeSpans" if "scopeSpans" in resource else "instrumentationLibrarySpans"
        for second, scope in enumerate(lookup(resource, (name,)) or ()):
            for third, span in enumerate(lookup(scope, ("spans",)) or ()):
                yield _span(span, at.inside("resourceSpans", first, name, second, "spans", third))


def _span(span: Any, at: Pointer) -> Span:  # noqa: ANN401 - arbitrary JSON
    if not isinstance(span, Mapping) or not span.get("traceId"):
        raise RecordError(f"{at.text}: expected a span with a traceId")
    events = [event for event in span.get("events") or () if isinstance(event, Mapping)]
    return Span(
        trace_id=str(span["traceId"]),
        at=at,
        start=_nanoseconds(span.get("startTimeUnixNano")),
        end=_nanoseconds(span.get("endTimeUnixNano")),
        attributes=_attributes(span.get("attributes")),
        events=tuple(SpanEvent(str(e.get("name") or ""), _attributes(e.get("attributes"))) for e in events),
    )


def _nanoseconds(value: Any) -> int:  # noqa: ANN401 - a number, or one as text
    return int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) else 0


def _attributes(listed: Any) -> dict[str, Any]:  # noqa: ANN401 - arbitrary JSON
    pairs = listed if isinstance(listed, list) else ()
    return {
        str(item["key"]): _value(item.get("value")) for item in pairs if isinstance(item, Mapping) and "key" in item
    }


def _value(value: Any) -> Any:  # noqa: ANN401 - OTLP's typed values
    if not isinstance(value, Mapping):
        return value
    if "arrayValue" in value:
        return [_value(item) for item in lookup(value, ("arrayValue", "values")) or ()]
    if "kvlistValue" in value:
        return _attributes(lookup(value, ("kvlistValue", "values")))
    if "intValue" in value:
        return _whole(value["intValue"])
    return next(
        (value[name] for name in ("stringValue", "boolValue", "doubleValue", "bytesValue") if name in value), None
    )


def _whole(value: Any) -> Any:  # noqa: ANN401 - a number, or one as text
    try:
        return int(value)
    except (TypeError, ValueError):
        return value


def message_turns(message: Any, at: Pointer, agent: str = "") -> list[Turn]:  # noqa: ANN401 - arbitrary JSON
    """The turns of one message: with `parts` as today, or with `content` and `tool_calls` as before.

    Raises:
        RecordError: It is no message.
    """
    kind = _KINDS.get(str(lookup(message, ("role",))))
    if kind is None:
        raise RecordError(f"{at.text}: expected a message with a role, found {type(message).__name__}")
    turns: list[Turn] = []
    parts = message.get("parts")
    if isinstance(parts, list):
        for part in parts:
            turns += _part(part, at, kind, agent)
    elif isinstance(parts, str):
        turns.append(Turn(kind, at, parts, agent=agent))
    content = message.get("content")
    if content is not None:
        call_id = str(message.get("id") or message.get("tool_call_id") or "") if kind is TurnKind.RESULT else ""
        text = text_of_content(content)
        told = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
        turns.append(Turn(kind, at, told, tool=_name(message, kind), call_id=call_id, agent=agent))
    calls: Sequence[Any] = message.get("tool_calls") or ()
    turns += [_call(lookup(call, ("function",)) or call, str(lookup(call, ("id",)) or ""), at, agent) for call in calls]
    return spoken(turns) if kind is TurnKind.ANSWER else turns


def _name(message: Mapping[str, Any], kind: TurnKind) -> str:
    return str(message.get("name") or "") if kind is TurnKind.RESULT else ""


def _part(part: Any, at: Pointer, kind: TurnKind, agent: str) -> Iterator[Turn]:  # noqa: ANN401 - arbitrary JSON
    what = str(lookup(part, ("type",)))
    call_id = str(lookup(part, ("id",)) or "")
    if isinstance(part, str):
        yield Turn(kind, at, part, agent=agent)
    elif what in ("tool_call", "server_tool_call"):
        yield _call(lookup(part, ("server_tool_call",)) or part, call_id, at, agent, str(part.get("name") or ""))
    elif what in ("tool_call_response", "server_tool_call_response"):
        found = next((part[name] for name in ("response", "result", "server_tool_call_response") if name in part), "")
        yield Turn(TurnKind.RESULT, at, result_text(found), call_id=call_id, agent=agent)
    elif what == "reasoning":
        yield Turn(TurnKind.THINK, at, str(part.get("content") or ""), agent=agent)
    elif isinstance(part, Mapping):
        text = text_of_content([part])
        yield Turn(kind, at, str(text), agent=agent)


def _call(call: Any, call_id: str, at: Pointer, agent: str, name: str = "") -> Turn:  # noqa: ANN401 - arbitrary JSON
    given = lookup(call, ("arguments",))
    tool = name or str(lookup(call, ("name",)) or "")
    return Turn(TurnKind.CALL, at, tool=tool, arguments=parse_arguments(given), call_id=call_id, agent=agent)


def result_text(value: Any) -> str:  # noqa: ANN401 - arbitrary JSON
    """What a tool returned, as text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
