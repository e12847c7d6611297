"""One model call under guard: what the model reads, and what comes out of it."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from langchain.agents.middleware.types import ExtendedModelResponse, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, SystemMessage
from langgraph.constants import TAG_NOSTREAM

from mage_ml.runtime.integrations.core import AgentSession, Message, Point, Speaker, StoppedError, Verdict
from mage_ml.runtime.integrations.core.driving import Consult, Procedure, Run
from mage_ml.runtime.integrations.langchain.conversion import MARK, Reader, apply, halt_answer, sources_of, text_of
from mage_ml.runtime.integrations.langchain.options import OnHalt, Streaming

MAX_ANSWERS: Final = 12
"""How often a model is asked again in one step, whatever the policy's bounds."""


@dataclass(frozen=True, slots=True)
class ModelGate:
    """Guards the model calls of one conversation.

    Attributes:
        session: The conversation.
        reader: Reads messages.
        on_halt: How a halt ends the run.
        streaming: Whether tokens wait for the check.
    """

    session: AgentSession
    reader: Reader
    on_halt: OnHalt
    streaming: Streaming

    def procedure(self, request: ModelRequest[Any]) -> Procedure[ModelRequest[Any], ModelResponse[Any]]:
        """Prepare the request, ask the model, check what it says; ask again while the guard wants that."""
        verdict = Verdict(Point.BEFORE_OUTPUT)
        for _ in range(MAX_ANSWERS):
            prepared: ModelRequest[Any] | Verdict = yield Consult(lambda: self._prepared(request))
            if isinstance(prepared, Verdict):
                return self._halted(prepared)
            raw = yield Run(prepared)
            response = _plain(raw)
            answer = next((message for message in response.result if isinstance(message, AIMessage)), None)
            said = _final_text(response, answer)
            if answer is None or said is None:
                return response
            key, agent = answer.id or uuid.uuid4().hex, answer.name or self.reader.agent_id
            answer.id = key
            verdict = yield Consult(
                partial(self.session.before_output, said, key=key, agent_id=agent, depends_on=sources_of(answer))
            )
            if verdict.allowed:
                return response
            if verdict.halts:
                return self._halted(verdict, key)
            check = _verification(verdict, request)
            if check is not None:
                return check
        return self._halted(verdict)

    def _prepared(self, request: ModelRequest[Any]) -> ModelRequest[Any] | Verdict:
        read = self.reader.read(request.messages)
        system = request.system_message
        agent = self.reader.agent_id
        said = [] if system is None else [Message(f"system:{agent}", Speaker.SYSTEM, text_of(system), agent_id=agent)]
        verdict = self.session.before_model([*said, *read], agent_id=agent)
        if verdict.halts:
            return verdict
        changes: dict[str, Any] = {}
        if verdict.replacements:
            changes["messages"] = apply(request.messages, read, verdict.replacements)
        if verdict.text:
            before = [] if system is None else [text_of(system)]
            changes["system_message"] = SystemMessage("\n\n".join([*before, verdict.text]))
        if self.streaming is Streaming.BUFFER:
            changes["model"] = _silent(request.model)
        return request.override(**changes) if changes else request

    def _halted(self, verdict: Verdict, key: str | None = None) -> ModelResponse[Any]:
        if self.on_halt is OnHalt.RAISE:
            raise StoppedError(verdict)
        return ModelResponse(result=[halt_answer(verdict.text, key)])


def _plain(response: Any) -> ModelResponse[Any]:  # noqa: ANN401 - three shapes are allowed
    if isinstance(response, ExtendedModelResponse):
        return response.model_response
    return ModelResponse(result=[response]) if isinstance(response, AIMessage) else response


def _final_text(response: ModelResponse[Any], answer: AIMessage | None) -> str | None:
    """What would go to the user; `None` while the agent still wants to call tools."""
    found = response.structured_response
    if found is not None:
        plain = found.model_dump(mode="json") if hasattr(found, "model_dump") else found
        return json.dumps(plain, ensure_ascii=False, default=str)
    if answer is None or answer.tool_calls or MARK in answer.additional_kwargs:
        return None
    return text_of(answer)


def _verification(verdict: Verdict, request: ModelRequest[Any]) -> ModelResponse[Any] | None:
    """The agent calls the tool that settles the doubt, in place of its answer, if it has the tool."""
    check = verdict.verification
    names = {getattr(tool, "name", None) for tool in request.tools}
    if check is None or check.name not in names:
        return None
    call = {"name": check.name, "args": dict(check.arguments), "id": check.call_id, "type": "tool_call"}
    return ModelResponse(result=[AIMessage("", tool_calls=[call], additional_kwargs={MARK: "redirect"})])


def _silent(model: Any) -> Any:  # noqa: ANN401 - a chat model
    """The model with its tokens kept from the stream; the node's checked message is streamed instead."""
    if not hasattr(model, "model_copy") or TAG_NOSTREAM in (getattr(model, "tags", None) or ()):
        return model
    return model.model_copy(update={"tags": [*(model.tags or ()), TAG_NOSTREAM]})
