"""A chat history that takes in nothing unchecked, and rewrites what is condemned later."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import BaseMessage

from mage_ml.runtime.integrations.core import AgentSession, StoppedError
from mage_ml.runtime.integrations.langchain.conversion import MARK, Reader, apply


class ListHistory(BaseChatMessageHistory):
    """Messages in a list. LangChain's own in-memory history is deprecated."""

    def __init__(self) -> None:
        self.messages: list[BaseMessage] = []

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Append messages."""
        self.messages.extend(messages)

    def clear(self) -> None:
        """Remove all messages."""
        self.messages.clear()


class MageMemory(BaseChatMessageHistory):
    """A chat history over another one: memory of chains and of classic agents that have no middleware.

    Each message is checked before it is stored. What may not be stored as it is, is stored as the guard's text in its
    place; what is condemned later is rewritten in the history below. Reading gives what the agent may read.

    Args:
        session: The conversation.
        history: Where messages are stored; by default in memory.
        agent_id: Name of the agent in memory.
    """

    def __init__(
        self, session: AgentSession, history: BaseChatMessageHistory | None = None, *, agent_id: str = "agent"
    ) -> None:
        self.session = session
        self._history = history if history is not None else ListHistory()
        self._reader = Reader(agent_id)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """The messages as the agent may read them."""
        stored = list(self._history.messages)
        read = self._reader.read(stored)
        return apply(stored, read, self.session.observe(read))

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Check and store messages, in order.

        Raises:
            StoppedError: The guard stopped the run, or failed; the message and what follows it are not stored.
        """
        for message in messages:
            named = message if message.id else message.model_copy(update={"id": uuid.uuid4().hex})
            known = self._reader.read([*self._history.messages, named])[-1]
            verdict = self.session.memory_write(known)
            if verdict.halts:
                raise StoppedError(verdict)
            if verdict.allowed:
                self._history.add_messages(apply([named], [known], verdict.replacements))
            else:
                self.session.placed(known.key, verdict.text)
                mark = {MARK: verdict.action.value}
                refused = named.model_copy(update={"content": verdict.text, "additional_kwargs": mark})
                self._history.add_messages([refused])
        self._rewrite()

    def clear(self) -> None:
        """Remove all messages from the history. What the guard knows of the conversation stays."""
        self._history.clear()

    def _rewrite(self) -> None:
        stored, shown = list(self._history.messages), self.messages
        if any(new is not old for new, old in zip(shown, stored, strict=True)):
            self._history.clear()
            self._history.add_messages(shown)
