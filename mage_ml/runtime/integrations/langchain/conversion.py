"""LangChain's messages in the core's form, and the guard's texts in LangChain's."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from mage_ml.runtime.integrations.core import Message, Replacement, Speaker, ToolRequest, content_keys, tool_key

MARK: Final = "mage_ml"
"""Key in a message's `additional_kwargs` under which the guard marks what it wrote. No tool and no model sets it."""
SOURCES: Final = "mage_ml_sources"
"""Key in a model message's `additional_kwargs` under which a host that knows it says what the message was derived from:
the ids of messages, and `tool:` with the call's id for the results of tools. What it says is not inferred then."""
_SUMMARY: Final = "summarization"


class Reader:
    """Turns LangChain messages into the core's.

    Args:
        agent_id: The agent whose conversation it is.
        instructed_by: The agent whose words reach this one as human messages, for a sub-agent; otherwise the user's.
        agent_names: Names of other agents; a message of theirs is not the user's, whatever its role.
    """

    def __init__(self, agent_id: str, instructed_by: str | None = None, agent_names: Sequence[str] = ()) -> None:
        self.agent_id = agent_id
        self.instructed_by = instructed_by
        self._agent_names = frozenset(agent_names)

    def read(self, messages: Iterable[BaseMessage]) -> list[Message]:
        """The messages in the core's form, in order."""
        batch = list(messages)
        fallback: Sequence[str] = [""] * len(batch)
        if any(not message.id for message in batch):
            fallback = content_keys((self._speaker(message), text_of(message)) for message in batch)
        calls: dict[str, ToolRequest] = {}
        found = []
        for message, spare in zip(batch, fallback, strict=True):
            key = message.id or spare
            if isinstance(message, AIMessage):
                calls.update({call.call_id: call for call in self.calls_of(message, key)})
            found.append(self._read_one(message, key, calls))
        return found

    def calls_of(self, message: AIMessage, key: str = "") -> list[ToolRequest]:
        """The tool calls of a model's message."""
        agent = message.name or self.agent_id
        return [
            ToolRequest(
                call["name"], dict(call["args"]), call["id"] or "", agent, key or message.id or "", sources_of(message)
            )
            for call in message.tool_calls
        ]

    def _read_one(self, message: BaseMessage, key: str, calls: Mapping[str, ToolRequest]) -> Message:
        speaker, text, agent = self._speaker(message), text_of(message), self.agent_id
        if isinstance(message, ToolMessage):
            call_id = message.tool_call_id
            call = calls.get(call_id) or ToolRequest(message.name or "unknown_tool", {}, call_id, agent)
            return Message(tool_key(call_id), speaker, text, call, call.agent_id)
        if isinstance(message, AIMessage):
            return Message(key, speaker, text, agent_id=message.name or agent, depends_on=sources_of(message))
        origin = message.name or self.instructed_by if speaker is Speaker.AGENT else None
        return Message(key, speaker, text, agent_id=agent, origin=origin)

    def _speaker(self, message: BaseMessage) -> Speaker:
        if MARK in message.additional_kwargs:
            return Speaker.GUARD
        if isinstance(message, ToolMessage):
            return Speaker.TOOL
        if isinstance(message, SystemMessage):
            return Speaker.SYSTEM
        if isinstance(message, HumanMessage):
            if is_summary(message):
                return Speaker.ASSISTANT
            is_agent = self.instructed_by is not None or message.name in self._agent_names
            return Speaker.AGENT if is_agent else Speaker.USER
        return Speaker.ASSISTANT


def sources_of(message: BaseMessage) -> tuple[str, ...]:
    """Keys of the messages that a message was derived from, as its host says; empty when it says nothing."""
    stated = message.additional_kwargs.get(SOURCES)
    return tuple(str(key) for key in stated) if isinstance(stated, list | tuple) else ()


def text_of(message: BaseMessage) -> str:
    """What a message says; of blocks that are no text, what they are."""
    if isinstance(message.content, str):
        return message.content
    return "\n".join(_text_of_block(block) for block in message.content)


def _text_of_block(block: Any) -> str:  # noqa: ANN401 - whatever a provider puts there
    if isinstance(block, str):
        return block
    if isinstance(block, dict):
        text = block.get("text") or block.get("thinking") or block.get("reasoning")
        if isinstance(text, str):
            return text
        if isinstance(block.get("json"), dict | list):
            return json.dumps(block["json"], ensure_ascii=False)
        return f"[{block.get('type', 'block')}]" if block.get("type") not in ("tool_use", "tool_call") else ""
    return str(block)


def is_summary(message: BaseMessage) -> bool:
    """Whether a message is the summary that stands for earlier ones, which LangChain gives the user's role."""
    return message.additional_kwargs.get("lc_source") == _SUMMARY


def replaced(message: BaseMessage, replacement: Replacement) -> BaseMessage:
    """The message with another text under the same id, marked as the guard's."""
    mark = {**message.additional_kwargs, MARK: replacement.entry_id}
    return message.model_copy(update={"content": replacement.text, "additional_kwargs": mark})


def apply(messages: Sequence[Any], read: Sequence[Message], replacements: Sequence[Replacement]) -> list[BaseMessage]:
    """The messages as they must read, in order."""
    by_key = {item.key: item for item in replacements}
    return [
        replaced(message, by_key[known.key]) if known.key in by_key else message
        for message, known in zip(messages, read, strict=True)
    ]


def block_result(call_id: str, name: str, text: str, action: str, verified: ToolRequest | None = None) -> ToolMessage:
    """The result of a call that was not made.

    Args:
        call_id: The call.
        name: Its tool.
        text: What the model is told.
        action: The decision.
        verified: The verification that was made in its place; it is the message's artifact, which no model reads.
    """
    artifact = None if verified is None else {"tool": verified.name, "arguments": dict(verified.arguments)}
    mark = {MARK: action}
    return ToolMessage(text, tool_call_id=call_id, name=name, status="error", additional_kwargs=mark, artifact=artifact)


def halt_answer(text: str, message_id: str | None = None) -> AIMessage:
    """The answer with which a run ends."""
    return AIMessage(text, id=message_id, additional_kwargs={MARK: "halt"})
