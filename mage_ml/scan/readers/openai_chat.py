"""OpenAI chat completions: a list of messages, with or without the request and answer around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.transcript import read_transcript
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan.trace import Layout, Pointer, RawTrace, Step, Trace, TraceFormat, first_list, lookup

MESSAGE_PLACES: Final[tuple[tuple[Step, ...], ...]] = (
    (),
    ("messages",),
    ("request", "messages"),
    ("body", "messages"),
    ("request", "body", "messages"),
    ("input", "messages"),
    ("inputs", "messages"),
    ("run", "messages"),
    ("conversation",),
    ("trajectory",),
    ("traj",),
)
_ANSWER_PLACES: Final[tuple[tuple[Step, ...], ...]] = (
    ("choices", 0, "message"),
    ("response", "choices", 0, "message"),
    ("response", "body", "choices", 0, "message"),
    ("output", "choices", 0, "message"),
    ("outputs", "choices", 0, "message"),
    ("completion", "choices", 0, "message"),
)
_ROLES: Final = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_FOREIGN_PARTS: Final = frozenset({"tool_use", "tool_result"})


def is_message(value: Any) -> bool:  # noqa: ANN401 - arbitrary JSON
    """Whether a value is a message of a chat."""
    return (
        isinstance(value, Mapping)
        and str(value.get("role")) in _ROLES
        and any(name in value for name in ("content", "tool_calls", "function_call"))
    )


def id_of(value: Any, raw: RawTrace) -> str:  # noqa: ANN401 - arbitrary JSON
    """The name a record gives itself; empty when it gives none."""
    names = ("trace_id", "conversation_id", "session_id", "custom_id", "run_id", "id", "index")
    found = next((lookup(value, (name,)) for name in names if isinstance(lookup(value, (name,)), str | int)), "")
    return str(found) or raw.key


class OpenAIChatReader:
    """Reads chat completions."""

    format = TraceFormat.OPENAI_CHAT

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A record has a list of messages with role and content."""
        if is_message(value):
            return None
        place = first_list(value, MESSAGE_PLACES)
        if place is None:
            return "no list of messages (looked for messages, request.messages, body.messages, conversation, ...)"
        messages = lookup(value, place)
        if not messages or not all(is_message(message) for message in messages):
            return "the messages have no role (system, user, assistant, tool) and content"
        return None

    def layout(self, value: Any) -> Layout:  # noqa: ANN401 - arbitrary JSON
        """A file may hold one message a line."""
        return Layout.FILE if is_message(value) else Layout.RECORD

    def keys(self, value: Any) -> Sequence[str]:  # noqa: ANN401 - not grouped
        """No groups."""
        return ()

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """One trace."""
        messages, pointers = collect_messages(parts)
        yield chat_trace(messages, pointers, id_of(parts[0], raw), values)


def collect_messages(parts: Sequence[Any]) -> tuple[list[Any], list[Pointer]]:
    """The messages of a raw trace and where they stand; the answer to the request is the last."""
    if is_message(parts[0]):
        return list(parts), [Pointer(number) for number in range(len(parts))]
    place = first_list(parts[0], MESSAGE_PLACES)
    if place is None:
        raise RecordError("no list of messages")
    messages = list(lookup(parts[0], place))
    pointers = [Pointer(0, (*place, number)) for number in range(len(messages))]
    found = next((place for place in _ANSWER_PLACES if isinstance(lookup(parts[0], place), Mapping)), None)
    if found is not None and lookup(parts[0], found) not in messages[-1:]:
        messages.append({"role": "assistant", **lookup(parts[0], found)})
        pointers.append(Pointer(0, found))
    return messages, pointers


def chat_trace(
    messages: Sequence[Any], pointers: Sequence[Pointer], trace_id: str, values: ValueCache, outcome: str = ""
) -> Trace:
    """A trace from messages.

    Raises:
        RecordError: A message has no known shape.
    """
    for number, message in enumerate(messages, start=1):
        content = message.get("content") if isinstance(message, Mapping) else None
        if isinstance(content, list):
            kinds = {str(part.get("type")) for part in content if isinstance(part, Mapping)}
            if kinds & _FOREIGN_PARTS:
                raise RecordError(f"message {number} holds Anthropic's blocks; read the file with --format anthropic")
    return Trace(trace_id, read_transcript(messages, values=values), tuple(pointers), outcome)
