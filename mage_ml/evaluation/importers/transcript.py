"""OpenAI-style messages as a memory chain and the actions that were pending at each point.

Several corpora publish their runs this way, and so do most people's own traces. What the format tells is kept: who
spoke, which tool answered which call. What it does not tell is inferred: dependencies (`DependencyInference`), whether
a tool reads or writes (by its name), and the place a result comes from (the tool and its key argument).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.dependencies import DependencyInference, ValueCache
from mage_ml.evaluation.importers.messages import UNKNOWN_TOOL, TranscriptCall, TranscriptMessage
from mage_ml.evaluation.importers.tools import action_type_of, origin_of_result
from mage_ml.memory import (
    ActionType,
    MemoryChain,
    MemoryEntry,
    Moment,
    MomentLabel,
    PendingAction,
    Role,
    Source,
)


@dataclass(frozen=True, slots=True)
class Act:
    """One action, and how much of the memory was there before it.

    Attributes:
        visible: How many entries the memory held.
        action: What the agent was about to do.
        message: Position of the message it stands in, from 0.
    """

    visible: int
    action: PendingAction
    message: int


@dataclass(frozen=True, slots=True)
class Transcript:
    """A run as memory and actions.

    Attributes:
        goal: The first request of the user.
        entries: The memory in order. What the assistant says to the user is an entry from then on.
        acts: Every tool call and every message to the user, in order.
        message_of: Entry id -> position of the message it stands in, from 0.
    """

    goal: str
    entries: tuple[MemoryEntry, ...]
    acts: tuple[Act, ...]
    message_of: Mapping[str, int]

    def chain(self, chain_id: str = "chain") -> MemoryChain:
        """The entries as a chain."""
        return MemoryChain(self.entries, chain_id=chain_id)

    def moments(self, label: Callable[[Act], MomentLabel]) -> tuple[Moment, ...]:
        """The actions with their labels."""
        return tuple(Moment(visible=act.visible, action=act.action, label=label(act)) for act in self.acts)

    def entries_of(self, message: int) -> tuple[MemoryEntry, ...]:
        """The entries that stand in a message."""
        return tuple(entry for entry in self.entries if self.message_of[entry.id] == message)


class TranscriptBuilder:
    """Builds a transcript turn by turn: for readers of formats that are not OpenAI's.

    Args:
        values: Remembers the values of texts; share one where many runs hold the same documents.
        agent_id: The agent whose memory it is, unless a turn says otherwise.
    """

    def __init__(self, values: ValueCache | None = None, *, agent_id: str = "agent") -> None:
        self._inference = DependencyInference(values or ValueCache())
        self._agent_id = agent_id
        self._entries: list[MemoryEntry] = []
        self._acts: list[Act] = []
        self._message_of: dict[str, int] = {}
        self._goal = ""
        self.message = 0

    @property
    def size(self) -> int:
        """How many entries there are."""
        return len(self._entries)

    @property
    def entries(self) -> tuple[MemoryEntry, ...]:
        """The entries so far."""
        return tuple(self._entries)

    def add(self, content: Any, source: Source, **fields: Any) -> MemoryEntry:  # noqa: ANN401 - the entry's fields
        """Append an entry; parents are inferred unless given.

        Raises:
            ValidationError: The fields do not make a valid entry.
        """
        number = len(self._entries)
        base = {"id": f"m{number}", "content": content, "source": source, "step": number, "agent_id": self._agent_id}
        entry = MemoryEntry.model_validate({**base, **fields})
        self._entries.append(entry)
        self._message_of[entry.id] = self.message
        self._inference.note(entry)
        return entry

    def system(self, text: str) -> MemoryEntry:
        """The host's own instructions."""
        return self.add(text, Source.SYSTEM, role=Role.INSTRUCTION, origin=Source.SYSTEM.value)

    def user(self, text: str) -> MemoryEntry:
        """Something the user says; the first is the goal."""
        self._goal = self._goal or text
        return self.add(text, Source.USER, role=Role.INSTRUCTION, origin=Source.USER.value)

    def think(self, text: str, **fields: Any) -> MemoryEntry:  # noqa: ANN401 - the entry's fields
        """Something the agent says to itself."""
        parents = self._inference.parents_of_text(text)
        return self.add(text, Source.LLM_REASONING, **{"depends_on": parents, **fields})

    def result(self, text: Any, tool: str, arguments: Mapping[str, Any], **fields: Any) -> MemoryEntry:  # noqa: ANN401
        """What a tool answers."""
        asked = PendingAction(type=ActionType.READ, tool_name=tool, arguments=dict(arguments)).text
        given = {
            "tool_name": tool,
            "origin": origin_of_result(tool, arguments),
            "depends_on": self._inference.parents_of_result(asked),
        }
        return self.add(text, Source.TOOL, **{**given, **fields})

    def call(self, tool: str, arguments: Mapping[str, Any], **fields: Any) -> Act:  # noqa: ANN401 - the action's fields
        """The agent wants to call a tool."""
        given = {"type": action_type_of(tool), "tool_name": tool, "arguments": dict(arguments)}
        return self.act(PendingAction.model_validate({**given, "agent_id": self._agent_id, **fields}))

    def answer(self, text: str, **fields: Any) -> Act:  # noqa: ANN401 - the action's fields
        """The agent wants to say something to the user; said, it is part of the memory."""
        given = {"type": ActionType.FINAL_OUTPUT, "content": text, "agent_id": self._agent_id}
        act = self.act(PendingAction.model_validate({**given, **fields}))
        self.add(text, Source.LLM_REASONING, depends_on=act.action.depends_on, agent_id=act.action.agent_id)
        return act

    def act(self, action: PendingAction) -> Act:
        """An action of any type; its dependencies are inferred when it names none."""
        if not action.depends_on:
            action = action.model_copy(update={"depends_on": self._inference.parents_of_text(action.text)})
        act = Act(len(self._entries), action, self.message)
        self._acts.append(act)
        return act

    def transcript(self, goal: str | None = None) -> Transcript:
        """What has been built."""
        return Transcript(
            goal=self._goal if goal is None else goal,
            entries=tuple(self._entries),
            acts=tuple(self._acts),
            message_of=dict(self._message_of),
        )


def read_transcript(
    messages: Iterable[Mapping[str, Any] | TranscriptMessage], *, values: ValueCache | None = None, place: str = ""
) -> Transcript:
    """Read OpenAI-style messages (chat completions; AgentDojo's variant too).

    A tool call becomes an action before its result is known; the text beside a call is reasoning. An assistant message
    without calls is an action (something said to the user) and afterwards an entry. Empty messages add nothing.

    Args:
        messages: The messages in order.
        values: See `TranscriptBuilder`.
        place: Where they come from, for errors.

    Raises:
        RecordError: A message has no known shape; it names the place and the message, counted from 1.
    """
    builder = TranscriptBuilder(values)
    calls: dict[str, TranscriptCall] = {}
    for number, raw in enumerate(messages):
        builder.message = number
        try:
            message = raw if isinstance(raw, TranscriptMessage) else TranscriptMessage.model_validate(raw)
            _read_message(message, builder, calls)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(map(str, first["loc"]))
            where = f"{place}, message {number + 1}" if place else f"message {number + 1}"
            raise RecordError(f"{where}: {field}: {first['msg'].removeprefix('Value error, ')}") from error
    return builder.transcript()


def _read_message(message: TranscriptMessage, builder: TranscriptBuilder, calls: dict[str, TranscriptCall]) -> None:
    text = message.content.strip()
    if message.role == "tool":
        call = message.tool_call or calls.get(message.tool_call_id or "") or TranscriptCall()
        result = f"{message.content}\n{message.error}".strip() if message.error else message.content
        tool = call.name if call.name != UNKNOWN_TOOL else message.name or UNKNOWN_TOOL
        builder.result(result, tool, call.arguments)
    elif message.role != "assistant":
        if text:
            (builder.system if message.role == "system" else builder.user)(message.content)
    elif message.tool_calls:
        if text:
            builder.think(text)
        for call in message.tool_calls:
            calls[call.id or ""] = call
            builder.call(call.name, call.arguments)
    elif text:
        builder.answer(text)
