"""The guard around the tool node of a LangGraph graph."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest

from mage_ml.runtime.integrations.core import SessionPool
from mage_ml.runtime.integrations.core.driving import adrive, drive
from mage_ml.runtime.integrations.langchain.conversation import session_in
from mage_ml.runtime.integrations.langchain.conversion import Reader
from mage_ml.runtime.integrations.langchain.options import OnHalt
from mage_ml.runtime.integrations.langchain.tool_gate import ToolGate, ToolResult


def guarded_tool_node(
    tools: Sequence[BaseTool | Callable[..., Any]],
    pool: SessionPool,
    *,
    agent_id: str = "agent",
    instructed_by: str | None = None,
    agent_names: Sequence[str] = (),
    on_halt: OnHalt = OnHalt.RAISE,
    **options: Any,  # noqa: ANN401 - ToolNode's own
) -> ToolNode:
    """A `ToolNode` whose calls are checked. For graphs of one's own; `create_agent` takes `MageMiddleware`.

    The node sees the messages in the state and takes them in before each check. What the model reads and what the
    graph answers does not pass here: call `before_model` and `before_output` of the session in nodes of the graph.

    Args:
        tools: The tools.
        pool: Opens the sessions; a conversation is a thread. Without a thread each call has a session of its own.
        agent_id: Name of the agent in memory.
        instructed_by: For a sub-agent: the agent whose words reach it as human messages.
        agent_names: Names of other agents whose messages may come with the human role.
        on_halt: How a halt ends the run; as an answer, the block result alone says so.
        options: Further arguments of `ToolNode`.
    """
    reader = Reader(agent_id, instructed_by, agent_names)
    known: dict[str, BaseTool] = {}

    def gate(request: ToolCallRequest) -> ToolGate:
        return ToolGate(session_in(pool, request.state), reader, on_halt, known.get)

    def wrap(request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolResult]) -> ToolResult:
        return drive(gate(request).procedure(request), handler)

    async def awrap(
        request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolResult]]
    ) -> ToolResult:
        return await adrive(gate(request).procedure(request), handler)

    node = ToolNode(list(tools), wrap_tool_call=wrap, awrap_tool_call=awrap, **options)
    by_name: Mapping[str, BaseTool] = node.tools_by_name
    known.update(by_name)
    return node
