"""The points of a session for an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from mage_ml.runtime.integrations.core.messages import Message, ToolRequest
from mage_ml.runtime.integrations.core.verdict import Verdict


class AsyncPoints:
    """The twins of the session's methods: the same verdicts, worked out on another thread. Not used alone."""

    def memory_write(self, message: Message) -> Verdict:
        """See `AgentSession.memory_write`."""
        raise NotImplementedError

    def before_model(self, messages: Sequence[Message], *, agent_id: str = "agent") -> Verdict:
        """See `AgentSession.before_model`."""
        raise NotImplementedError

    def before_tool(self, call: ToolRequest) -> Verdict:
        """See `AgentSession.before_tool`."""
        raise NotImplementedError

    def after_tool(self, call: ToolRequest, text: str, *, origin: str | None = None) -> Verdict:
        """See `AgentSession.after_tool`."""
        raise NotImplementedError

    def before_output(
        self, text: str, *, key: str = "", agent_id: str = "agent", depends_on: Sequence[str] = ()
    ) -> Verdict:
        """See `AgentSession.before_output`."""
        raise NotImplementedError

    def compaction(self, dropped: Sequence[str], summary: Message) -> Verdict:
        """See `AgentSession.compaction`."""
        raise NotImplementedError

    def hand_off(self, sender: str, receiver: str, message: Message) -> Verdict:
        """See `AgentSession.hand_off`."""
        raise NotImplementedError

    async def amemory_write(self, message: Message) -> Verdict:
        """The same as `memory_write`."""
        return await asyncio.to_thread(self.memory_write, message)

    async def abefore_model(self, messages: Sequence[Message], *, agent_id: str = "agent") -> Verdict:
        """The same as `before_model`."""
        return await asyncio.to_thread(self.before_model, messages, agent_id=agent_id)

    async def abefore_tool(self, call: ToolRequest) -> Verdict:
        """The same as `before_tool`."""
        return await asyncio.to_thread(self.before_tool, call)

    async def aafter_tool(self, call: ToolRequest, text: str, *, origin: str | None = None) -> Verdict:
        """The same as `after_tool`."""
        return await asyncio.to_thread(self.after_tool, call, text, origin=origin)

    async def abefore_output(
        self, text: str, *, key: str = "", agent_id: str = "agent", depends_on: Sequence[str] = ()
    ) -> Verdict:
        """The same as `before_output`."""
        return await asyncio.to_thread(self.before_output, text, key=key, agent_id=agent_id, depends_on=depends_on)

    async def acompaction(self, dropped: Sequence[str], summary: Message) -> Verdict:
        """The same as `compaction`."""
        return await asyncio.to_thread(self.compaction, dropped, summary)

    async def ahand_off(self, sender: str, receiver: str, message: Message) -> Verdict:
        """The same as `hand_off`."""
        return await asyncio.to_thread(self.hand_off, sender, receiver, message)
