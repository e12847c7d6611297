# ruff: noqa: ANN401 - LangChain's callbacks are given anything
"""Tells what the guard would say of runs that it cannot touch: callbacks see every step, and stop none."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import LLMResult

from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.integrations.core import AgentSession, SessionPool, ToolRequest, Verdict
from mage_ml.runtime.integrations.langchain.conversion import Reader, text_of

_MAX_RUNS: Final = 4096


@dataclass(frozen=True, slots=True)
class Observed:
    """One verdict on a step that was only looked at.

    Attributes:
        conversation: Name of the session: the thread, or the outermost run.
        tool_name: The tool, for a tool call.
        verdict: What the guard says; nobody carried it out.
    """

    conversation: str
    tool_name: str | None
    verdict: Verdict


class MageCallback(BaseCallbackHandler):
    """Observes chains and agents that have no middleware. It blocks nothing: LangChain swallows what a callback raises.

    Give it a pool of its own, best with a policy in shadow mode; together with `MageMiddleware` each step would be
    judged twice.

    Args:
        pool: Opens the sessions.
        on_verdict: Told of every verdict on a tool call and on a final answer, on the thread of the run.
        agent_id: Name of the agent in memory.
    """

    run_inline = True

    def __init__(self, pool: SessionPool, on_verdict: Callable[[Observed], None], *, agent_id: str = "agent") -> None:
        self._pool = pool
        self._on_verdict = on_verdict
        self._reader = Reader(agent_id)
        self._names: OrderedDict[UUID, str] = OrderedDict()
        self._calls: OrderedDict[UUID, ToolRequest] = OrderedDict()
        self._lock = fork_safe_lock()

    def on_chain_start(
        self, serialized: Any, inputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Remember which conversation a run belongs to."""
        self._name(run_id, parent_run_id, kwargs)

    def on_chat_model_start(
        self,
        serialized: Any,
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Take in what the model reads."""
        session = self._session(run_id, parent_run_id, kwargs)
        for batch in messages:
            session.observe(self._reader.read(batch))

    def on_llm_end(
        self, response: LLMResult, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Judge an answer that calls no tool."""
        for generation in (item for batch in response.generations for item in batch):
            message = getattr(generation, "message", None)
            if isinstance(message, AIMessage) and not message.tool_calls:
                name = self._name(run_id, parent_run_id, kwargs)
                verdict = self._pool.get(name).before_output(text_of(message), key=message.id or "")
                self._on_verdict(Observed(name, None, verdict))

    def on_tool_start(
        self,
        serialized: Any,
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        inputs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Judge a call."""
        tool = (serialized or {}).get("name") or kwargs.get("name") or "unknown_tool"
        call = ToolRequest(tool, inputs or {"input": input_str}, str(run_id), self._reader.agent_id)
        name = self._name(run_id, parent_run_id, kwargs)
        with self._lock:
            _remember(self._calls, run_id, call)
        self._on_verdict(Observed(name, tool, self._pool.get(name).before_tool(call)))

    def on_tool_end(self, output: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any) -> None:
        """Take in what a tool answers."""
        with self._lock:
            call = self._calls.pop(run_id, None)
        if call is not None:
            text = text_of(output) if isinstance(output, BaseMessage) else str(output)
            self._session(run_id, parent_run_id, kwargs).after_tool(call, text)

    def _session(self, run_id: UUID, parent_run_id: UUID | None, kwargs: Mapping[str, Any]) -> AgentSession:
        return self._pool.get(self._name(run_id, parent_run_id, kwargs))

    def _name(self, run_id: UUID, parent_run_id: UUID | None, kwargs: Mapping[str, Any]) -> str:
        thread = (kwargs.get("metadata") or {}).get("thread_id")
        with self._lock:
            above = self._names.get(parent_run_id) if parent_run_id is not None else None
            name = str(thread) if thread else above or self._names.get(run_id) or f"run-{run_id}"
            _remember(self._names, run_id, name)
        return name


def _remember(known: OrderedDict[UUID, Any], run_id: UUID, value: Any) -> None:
    known[run_id] = value
    known.move_to_end(run_id)
    while len(known) > _MAX_RUNS:
        known.popitem(last=False)
