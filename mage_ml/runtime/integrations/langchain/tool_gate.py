"""One tool call under guard: checked, left out, or preceded by a verification."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from mage_ml.runtime.integrations.core import AgentSession, StoppedError, ToolRequest, Verdict, tool_key
from mage_ml.runtime.integrations.core.driving import Consult, Procedure, Run
from mage_ml.runtime.integrations.langchain.conversion import Reader, block_result, sources_of, text_of
from mage_ml.runtime.integrations.langchain.options import OnHalt

ToolResult = ToolMessage | Command[Any]


@dataclass(frozen=True, slots=True)
class ToolGate:
    """Decides about the calls of one conversation.

    Attributes:
        session: The conversation.
        reader: Reads the messages in the state.
        on_halt: How a halt ends the run.
        find_tool: Gives a tool by its name, for verifications.
    """

    session: AgentSession
    reader: Reader
    on_halt: OnHalt
    find_tool: Callable[[str], BaseTool | None]

    def procedure(self, request: ToolCallRequest) -> Procedure[ToolCallRequest, ToolResult]:
        """What is done about a call, for `drive` and `adrive`."""
        call = self._call_of(request)
        yield Consult(lambda: self.session.observe(self.reader.read(_messages_of(request.state))))
        verdict: Verdict = yield Consult(lambda: self.session.before_tool(call))
        if verdict.allowed:
            tool = request.tool
            result: ToolResult = yield Run(request if tool is None else request.override(tool=self._sealed(tool, call)))
            yield Consult(lambda: self._note(call, result))
            return result
        if verdict.halts and self.on_halt is OnHalt.RAISE:
            raise StoppedError(verdict)
        return (yield from self._left_out(request, call, verdict))

    def _left_out(
        self, request: ToolCallRequest, call: ToolRequest, verdict: Verdict
    ) -> Procedure[ToolCallRequest, ToolMessage]:
        text, quotes, check = verdict.text, "", verdict.verification
        tool = self.find_tool(check.name) if check is not None else None
        if check is not None and tool is not None:
            wanted = ToolCall(name=check.name, args=dict(check.arguments), id=check.call_id, type="tool_call")
            result = yield Run(request.override(tool_call=wanted, tool=tool))
            found = "\n".join(text_of(message) for message in _tool_messages(result))
            yield Consult(lambda: self.session.after_tool(check, found))
            text, quotes = self.session.verified_text(verdict, found), tool_key(check.call_id)
        yield Consult(lambda: self.session.placed(tool_key(call.call_id), text, quotes=quotes))
        verified = check if check is not None and tool is not None else None
        return block_result(call.call_id, call.name, text, verdict.action.value, verified)

    def _call_of(self, request: ToolCallRequest) -> ToolRequest:
        made = request.tool_call
        call = ToolRequest(made["name"], dict(made["args"]), made["id"] or "", self.reader.agent_id)
        for message in reversed(_messages_of(request.state)):
            asked = getattr(message, "tool_calls", None) or ()
            if any(item["id"] == made["id"] for item in asked):
                agent = message.name or call.agent_id
                return replace(call, message_key=message.id or "", agent_id=agent, depends_on=sources_of(message))
        return call

    def _note(self, call: ToolRequest, result: ToolResult) -> None:
        for message in _tool_messages(result):
            if message.tool_call_id == call.call_id:
                self.session.after_tool(call, text_of(message))

    def _sealed(self, tool: BaseTool, call: ToolRequest) -> BaseTool:
        """The tool, bound to the arguments that were checked.

        Middleware between the check and the tool may change the arguments. Then the changed call is checked, too.
        """
        sealed = tool.model_copy()

        def refused(given: Any) -> ToolMessage | None:  # noqa: ANN401 - what LangChain passes
            arguments = given.get("args") if isinstance(given, Mapping) else None
            if not isinstance(arguments, Mapping) or _visible(tool, arguments) == _visible(tool, call.arguments):
                return None
            changed = replace(call, arguments=_visible(tool, arguments))
            verdict = self.session.before_tool(changed)
            if verdict.allowed:
                return None
            self.session.placed(tool_key(call.call_id), verdict.text)
            return block_result(call.call_id, call.name, verdict.text, verdict.action.value)

        def invoke(given: Any, config: Any = None, **kwargs: Any) -> Any:  # noqa: ANN401
            return refused(given) or tool.invoke(given, config, **kwargs)

        async def ainvoke(given: Any, config: Any = None, **kwargs: Any) -> Any:  # noqa: ANN401
            return refused(given) or await tool.ainvoke(given, config, **kwargs)

        object.__setattr__(sealed, "invoke", invoke)
        object.__setattr__(sealed, "ainvoke", ainvoke)
        return sealed


def _visible(tool: BaseTool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that the model gives, without those that the framework injects."""
    return {name: value for name, value in arguments.items() if name in tool.args}


def _messages_of(state: Any) -> list[Any]:  # noqa: ANN401 - a dict, a list of messages, or a model
    if isinstance(state, list):
        return state
    found = state.get("messages") if isinstance(state, Mapping) else getattr(state, "messages", None)
    return list(found or ())


def _tool_messages(result: ToolResult | list[Any]) -> list[ToolMessage]:
    if isinstance(result, ToolMessage):
        return [result]
    if isinstance(result, list):  # several commands and messages, which LangGraph's types do not mention
        return [message for part in result for message in _tool_messages(part)]
    update = result.update
    messages = update.get("messages") if isinstance(update, Mapping) else None
    return [message for message in messages or () if isinstance(message, ToolMessage)]
