"""OpenTelemetry GenAI spans as OTLP JSON, in the three ways in which messages are recorded.

* attributes `gen_ai.input.messages`, `gen_ai.output.messages`, `gen_ai.system_instructions`, on a span or on its event
  `gen_ai.client.inference.operation.details`;
* older events, one a message (`gen_ai.user.message`, `gen_ai.choice`, ...);
* attributes with numbers in their names (`gen_ai.prompt.0.content`), as OpenLLMetry writes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.messages import parse_arguments
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan.readers.otel_messages import Span, message_turns, result_text, spans_of
from mage_ml.scan.trace import Layout, Pointer, RawTrace, Trace, TraceFormat
from mage_ml.scan.turns import Conversation, Turn, TurnKind, trace_of

_TOOL: Final = "execute_tool"
_DETAILS: Final = "gen_ai.client.inference.operation.details"
_PROMPT, _COMPLETION = "gen_ai.prompt.", "gen_ai.completion."


class OTelReader:
    """Reads exported spans; a trace is put together from its model and tool spans in the order of time."""

    format = TraceFormat.OTEL

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A record has resourceSpans."""
        if isinstance(value, Mapping) and isinstance(value.get("resourceSpans"), list):
            return None
        return "no resourceSpans (OTLP JSON, as the collector's file exporter writes it)"

    def layout(self, value: Any) -> Layout:  # noqa: ANN401 - always
        """Spans of one trace may stand in many records."""
        return Layout.GROUPED

    def keys(self, value: Any) -> Sequence[str]:  # noqa: ANN401 - arbitrary JSON
        """The traces whose spans a record holds."""
        return tuple(dict.fromkeys(span.trace_id for span in spans_of(value, Pointer())))

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """One trace; none where no span of it tells what was said (content is not recorded by default)."""
        spans = [span for number, part in enumerate(parts) for span in spans_of(part, Pointer(number))]
        mine = sorted((span for span in spans if span.trace_id == raw.key), key=lambda span: span.start)
        talk = Conversation()
        # What a tool returned is known before the next request tells it again.
        moments = sorted(
            ((span.end if span.operation == _TOOL else span.start, number) for number, span in enumerate(mine))
        )
        for _, number in moments:
            talk.extend(_turns(mine[number]))
        if talk.turns:
            yield trace_of(talk.turns, raw.key, values)
        elif any(name.startswith("gen_ai.") for span in mine for name in span.attributes):
            raise RecordError(
                f"trace {raw.key}: its GenAI spans hold no messages; record content in the instrumentation "
                "(for example OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true)"
            )


def _turns(span: Span) -> Iterator[Turn]:
    if span.operation == _TOOL:
        yield from _tool(span)
        return
    details = next((event.attributes for event in span.events if event.name == _DETAILS), {})
    told = {**details, **span.attributes}
    at = span.at.inside("attributes")
    yield from _structured(told, at, span.agent)
    for number, event in enumerate(span.events):
        yield from _event(event.name, event.attributes, span.at.inside("events", number), span.agent)
    yield from _numbered(told, at, span.agent)


def _tool(span: Span) -> Iterator[Turn]:
    told, at = span.attributes, span.at.inside("attributes")
    name, call_id = str(told.get("gen_ai.tool.name") or ""), str(told.get("gen_ai.tool.call.id") or "")
    asked = parse_arguments(told.get("gen_ai.tool.call.arguments"))
    result = told.get("gen_ai.tool.call.result")
    if asked or result is not None:
        yield Turn(TurnKind.CALL, at, tool=name, arguments=asked, call_id=call_id, agent=span.agent)
    if result is not None:
        yield Turn(TurnKind.RESULT, at, result_text(result), tool=name, call_id=call_id, agent=span.agent)


def _structured(told: Mapping[str, Any], at: Pointer, agent: str) -> Iterator[Turn]:
    system = _parsed(told.get("gen_ai.system_instructions"))
    if system is not None:
        yield from message_turns({"role": "system", "parts": system}, at, agent)
    for name in ("gen_ai.input.messages", "gen_ai.output.messages"):
        found = _parsed(told.get(name))
        for message in found if isinstance(found, list) else ():
            yield from message_turns(message, at, agent)


def _event(name: str, told: Mapping[str, Any], at: Pointer, agent: str) -> Iterator[Turn]:
    kinds = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}
    if name in kinds or name == "gen_ai.choice":
        body = {key.removeprefix("gen_ai.event."): _parsed(value) for key, value in told.items()}
        inner = body.get("message") if name == "gen_ai.choice" else None
        fields = inner if isinstance(inner, Mapping) else body
        yield from message_turns({"role": kinds.get(name, "assistant"), **fields}, at, agent)
    for prefix, role in (("gen_ai.prompt", "user"), ("gen_ai.completion", "assistant")):
        found = _parsed(told.get(prefix)) if name == f"gen_ai.content.{prefix.removeprefix('gen_ai.')}" else None
        for message in found if isinstance(found, list) else () if found is None else ({"content": found},):
            yield from message_turns({"role": role, **message}, at, agent)


def _numbered(told: Mapping[str, Any], at: Pointer, agent: str) -> Iterator[Turn]:
    for prefix, role in ((_PROMPT, "user"), (_COMPLETION, "assistant")):
        messages: dict[int, dict[str, Any]] = {}
        for name, value in told.items():
            number, _, field = name.removeprefix(prefix).partition(".")
            if name.startswith(prefix) and number.isdecimal() and field:
                messages.setdefault(int(number), {})[field] = value
        for _, fields in sorted(messages.items()):
            yield from message_turns({"role": role, **_unflattened(fields)}, at, agent)


def _unflattened(fields: Mapping[str, Any]) -> dict[str, Any]:
    """`tool_calls.0.name` and the like as a list of calls."""
    calls: dict[int, dict[str, Any]] = {}
    plain: dict[str, Any] = {}
    for name, value in fields.items():
        head, _, rest = name.partition(".")
        number, _, field = rest.partition(".")
        if head == "tool_calls" and number.isdecimal():
            calls.setdefault(int(number), {})[field] = value
        else:
            plain[name] = _parsed(value) if name == "content" else value
    return {**plain, "tool_calls": [calls[number] for number in sorted(calls)]} if calls else plain


def _parsed(value: Any) -> Any:  # noqa: ANN401 - structured, or JSON as text
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
