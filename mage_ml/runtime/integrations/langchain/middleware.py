"""The guard as middleware of a LangChain agent."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
    hook_config,
)
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt.tool_node import ToolCallRequest

from mage_ml.runtime.integrations.core import AgentSession, Message, SessionPool, StoppedError, Verdict
from mage_ml.runtime.integrations.core.driving import adrive, drive
from mage_ml.runtime.integrations.langchain.conversation import conversation_of, session_in
from mage_ml.runtime.integrations.langchain.conversion import (
    MARK,
    Reader,
    apply,
    halt_answer,
    is_summary,
    sources_of,
    text_of,
)
from mage_ml.runtime.integrations.langchain.model_gate import ModelGate
from mage_ml.runtime.integrations.langchain.options import OnHalt, Streaming
from mage_ml.runtime.integrations.langchain.tool_gate import ToolGate, ToolResult


class GuardedState(AgentState[Any]):
    """The agent's state, with the name of the conversation where no thread gives it one."""

    mage_conversation: NotRequired[Annotated[str, PrivateStateAttr]]


class MageMiddleware(AgentMiddleware[Any, Any, Any]):
    """Guards every agent that it is given to: `create_agent(model, tools, middleware=[..., MageMiddleware(pool)])`.

    Put it last: then nothing stands between its checks and the model or the tools. Anywhere else it checks again what
    other middleware changed. One object serves any number of agents, threads and event loops at once. A conversation is
    a thread (`configurable.thread_id`); without one, a run.

    Args:
        pool: Opens the sessions; by default the shipped model under the balanced policy, without an audit log.
        agent_id: Name of the agent in memory, unless its messages carry one.
        instructed_by: For a sub-agent: the agent whose words reach it as human messages. They are no user's orders.
        agent_names: Names of other agents whose messages may come with the human role.
        on_halt: How a halt ends a run.
        streaming: What becomes of streamed tokens.
    """

    state_schema = GuardedState

    def __init__(
        self,
        pool: SessionPool | None = None,
        *,
        agent_id: str = "agent",
        instructed_by: str | None = None,
        agent_names: Sequence[str] = (),
        on_halt: OnHalt = OnHalt.ANSWER,
        streaming: Streaming = Streaming.BUFFER,
    ) -> None:
        super().__init__()
        self.pool = pool if pool is not None else SessionPool.create()
        self._reader = Reader(agent_id, instructed_by, agent_names)
        self._on_halt = on_halt
        self._streaming = streaming
        self._tools: dict[str, BaseTool] = {}

    @property
    def name(self) -> str:
        """Unique among the middleware of one agent."""
        return f"MageMiddleware[{self._reader.agent_id}]"

    def session_of(self, state: Any) -> AgentSession:  # noqa: ANN401 - the agent's state
        """The session of the conversation that a state belongs to; call it inside the run."""
        return session_in(self.pool, state)

    def before_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ANN401
        """Name the conversation."""
        if conversation_of(state):
            return None
        return {"mage_conversation": f"run-{uuid.uuid4().hex}"}

    @hook_config(can_jump_to=["end"])
    def before_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ANN401
        """Take in what is new, repair what is stored, end the run after a halt."""
        session, messages = self.session_of(state), state["messages"]
        read = self._reader.read(messages)
        repaired = self._refused_summaries(session, messages, read)
        verdict = session.before_model(read, agent_id=self._reader.agent_id)
        if verdict.halts:
            return self._ended(verdict)
        changed = {item.key for item in verdict.replacements}
        after = apply(messages, read, verdict.replacements)
        repaired += [new for new, known in zip(after, read, strict=True) if known.key in changed]
        return {"messages": repaired} if repaired else None

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Put notices into the request; check the answer before anything else sees it."""
        return drive(self._model_gate(request).procedure(request), handler)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """The same in an event loop."""
        return await adrive(self._model_gate(request).procedure(request), handler)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolResult]) -> ToolResult:
        """Check a call before it is made."""
        return drive(self._tool_gate(request).procedure(request), handler)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolResult]]
    ) -> ToolResult:
        """The same in an event loop."""
        return await adrive(self._tool_gate(request).procedure(request), handler)

    @hook_config(can_jump_to=["model", "end"])
    def after_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ANN401
        """Check the last word once more, if anything changed it after its check."""
        last = state["messages"][-1]
        if not isinstance(last, AIMessage | ToolMessage) or MARK in last.additional_kwargs:
            return None
        if state.get("structured_response") is not None or getattr(last, "tool_calls", None):
            return None
        agent = last.name or self._reader.agent_id
        verdict = self.session_of(state).before_output(text_of(last), agent_id=agent, depends_on=sources_of(last))
        if verdict.allowed:
            return None
        if verdict.halts:
            return self._ended(verdict, last.id if isinstance(last, AIMessage) else None)
        withheld = last.model_copy(update={"content": verdict.text, "additional_kwargs": {MARK: verdict.action.value}})
        return {"messages": [withheld], "jump_to": "model"}

    def _refused_summaries(
        self, session: AgentSession, messages: Sequence[BaseMessage], read: Sequence[Message]
    ) -> list[BaseMessage]:
        """New summaries that may not stand, with the guard's text in their place."""
        refused: list[BaseMessage] = []
        for message, known in zip(messages, read, strict=True):
            if is_summary(message) and not session.knows(known.key):
                verdict = session.compaction(session.missing(read), known)
                if not verdict.allowed:
                    session.placed(known.key, verdict.text)
                    mark = {MARK: verdict.action.value}
                    refused.append(message.model_copy(update={"content": verdict.text, "additional_kwargs": mark}))
        return refused

    def _ended(self, verdict: Verdict, message_id: str | None = None) -> dict[str, Any]:
        if self._on_halt is OnHalt.RAISE:
            raise StoppedError(verdict)
        return {"messages": [halt_answer(verdict.text, message_id)], "jump_to": "end"}

    def _model_gate(self, request: ModelRequest[Any]) -> ModelGate:
        known = {tool.name: tool for tool in request.tools if isinstance(tool, BaseTool)}
        if any(self._tools.get(name) is not tool for name, tool in known.items()):
            self._tools = {**self._tools, **known}
        return ModelGate(self.session_of(request.state), self._reader, self._on_halt, self._streaming)

    def _tool_gate(self, request: ToolCallRequest) -> ToolGate:
        return ToolGate(self.session_of(request.state), self._reader, self._on_halt, self._tools.get)


__all__ = ["GuardedState", "MageMiddleware"]
