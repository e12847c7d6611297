"""The sales agent as a LangGraph graph of its own, guarded at every node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from data_gen.guarded import GuardedCase
from data_gen.session import PROCEED, Edit, Ruling
from data_gen.tasks.sales_report.environment import READ_TOOLS, WRITE_TOOLS
from mage_ml.memory import Outcome, Source
from mage_ml.runtime.integrations.core import SessionPool, StoppedError
from mage_ml.runtime.integrations.langchain import guarded_tool_node
from mage_ml.runtime.integrations.langchain.conversion import MARK, SOURCES, Reader, apply, sources_of
from tests.integrations.scripted_agent import Does, SimulatedAgent, Utterance, ruling_of

_STEPS = 400
_ARGUMENTS = ("body", "cc", "measure", "name", "path", "product", "quarter", "query", "region", "subject", "text", "to")


class SalesTool(BaseTool):
    """A tool of the case, for the call that LangGraph names."""

    agent: Any = None

    @classmethod
    def of(cls, name: str, agent: SimulatedAgent) -> SalesTool:
        schema = {"type": "object", "properties": {key: {"type": "string"} for key in _ARGUMENTS}}
        return cls(name=name, description=name, agent=agent, args_schema=schema)

    def invoke(self, input: Any, config: Any = None, **kwargs: Any) -> ToolMessage:
        text = self.agent.perform(input["id"], self.name, input["args"])
        return ToolMessage(text, tool_call_id=input["id"], name=self.name)

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("the graph calls invoke")


@dataclass(frozen=True)
class GraphRun:
    """How a run of the graph ended."""

    outcome: Outcome
    stopped: str
    messages: tuple[BaseMessage, ...]

    @property
    def finished_right(self) -> bool:
        return not self.stopped and self.outcome.task_solved


def run_sales_graph(
    case: GuardedCase, edit: Edit | None, pool: SessionPool, name: str, *, states_sources: bool = False
) -> GraphRun:
    """Run one case in the graph: agent -> notes or tools -> agent, until it answers.

    Args:
        case: Task, agent and seed.
        edit: What is changed in what the agent takes in.
        pool: Opens the guarded session.
        name: Name of the thread.
        states_sources: Whether the agent's messages say what they rest on; otherwise the guard infers it.
    """
    agent = SimulatedAgent(case, edit)
    opening = [
        SystemMessage(item.text, id=f"o{number}")
        if item.source is Source.SYSTEM
        else HumanMessage(item.text, id=f"o{number}")
        for number, item in enumerate(agent.begin())
    ]
    graph, settings = (
        build_graph(agent, pool, name, states_sources),
        {"configurable": {"thread_id": name}, "recursion_limit": _STEPS},
    )
    stopped = ""
    try:
        graph.invoke({"messages": opening}, settings)
    except StoppedError as halt:
        stopped = str(halt)
    finally:
        outcome = agent.close()
    messages = tuple(graph.get_state(settings).values.get("messages", ()))
    return GraphRun(outcome, stopped or ("the agent gave up" if agent.halted else ""), messages)


def build_graph(agent: SimulatedAgent, pool: SessionPool, name: str, states_sources: bool = False) -> Any:
    """The graph: a node for the model with what it reads, one for notes, one for tools, one for the answer."""
    reader, session = Reader("agent"), pool.get(name)

    def model(state: MessagesState) -> dict[str, Any]:
        messages: list[BaseMessage] = state["messages"]
        read = reader.read(messages)
        verdict = session.before_model(read)
        if verdict.halts:
            raise StoppedError(verdict)
        after = apply(messages, read, verdict.replacements)
        repaired = [new for new, old in zip(after, messages, strict=True) if new is not old]
        shown = {known.key: str(message.content) for known, message in zip(read, after, strict=True)}
        return {"messages": [*repaired, _message(agent.speak(shown, _ruling(after)), states_sources)]}

    def note(state: MessagesState) -> dict[str, Any]:
        last = state["messages"][-1]
        verdict = session.memory_write(reader.read([last])[0])
        if verdict.halts:
            raise StoppedError(verdict)
        if verdict.allowed:
            return {}
        session.placed(last.id, verdict.text)
        return {"messages": [_marked(last, verdict.text, verdict.action.value)]}

    def answer(state: MessagesState) -> dict[str, Any]:
        last = state["messages"][-1]
        verdict = session.before_output(str(last.content), key=last.id, depends_on=sources_of(last))
        if verdict.halts:
            raise StoppedError(verdict)
        return {} if verdict.allowed else {"messages": [_marked(last, verdict.text, verdict.action.value)]}

    builder = StateGraph(MessagesState)
    builder.add_node("model", model)
    builder.add_node("note", note)
    builder.add_node(
        "tools", guarded_tool_node([SalesTool.of(name, agent) for name in (*READ_TOOLS, *WRITE_TOOLS)], pool)
    )
    builder.add_node("answer", answer)
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", _after_model, ["tools", "note", "answer", END])
    builder.add_edge("tools", "model")
    builder.add_edge("note", "model")
    builder.add_conditional_edges("answer", _after_answer, ["model", END])
    return builder.compile(checkpointer=InMemorySaver())


def _after_model(state: MessagesState) -> str:
    last = state["messages"][-1]
    if last.tool_calls:
        return "tools"
    return {"note": "note", "answer": "answer"}.get(last.additional_kwargs.get("kind"), END)


def _after_answer(state: MessagesState) -> str:
    return "model" if MARK in state["messages"][-1].additional_kwargs else END


def _message(said: Utterance, states_sources: bool) -> AIMessage:
    extra: dict[str, Any] = {SOURCES: said.sources} if states_sources else {}
    if said.does is Does.CALLS:
        call = {"name": said.tool, "args": dict(said.arguments), "id": said.key, "type": "tool_call"}
        return AIMessage("", id=f"message-{said.key}", tool_calls=[call], additional_kwargs=extra)
    name = {Does.NOTES: "note", Does.ANSWERS: "answer", Does.ENDS: "end"}[said.does]
    return AIMessage(said.text, id=said.key or "end", additional_kwargs={**extra, "kind": name})


def _ruling(messages: Sequence[BaseMessage]) -> Ruling:
    """What became of the agent's last utterance, as the conversation shows it."""
    last = messages[-1]
    action = str(last.additional_kwargs.get(MARK, ""))
    if not action:
        return PROCEED
    verified = (last.artifact if isinstance(last, ToolMessage) else None) or {"tool": "", "arguments": {}}
    return ruling_of(action, verified["tool"], verified["arguments"])


def _marked(message: BaseMessage, text: str, action: str) -> BaseMessage:
    return message.model_copy(
        update={"content": text, "additional_kwargs": {**message.additional_kwargs, MARK: action}}
    )
