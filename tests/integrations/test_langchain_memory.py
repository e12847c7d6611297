"""Histories, stores, callbacks and tool nodes of LangChain and LangGraph under guard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore

from mage_ml.runtime.guardrail import DecisionAction
from mage_ml.runtime.integrations.core import SessionPool, Speaker, StoppedError
from mage_ml.runtime.integrations.langchain import (
    GuardedStore,
    MageCallback,
    MageMemory,
    OnHalt,
    guarded_tool_node,
)
from mage_ml.runtime.integrations.langchain.history import ListHistory
from mage_ml.runtime.integrations.langchain.telemetry import Observed
from tests.integrations.langchain_harness import message_of, scripted, tools_of
from tests.integrations.world import (
    GOAL_EN,
    MARIA,
    POISON_EN,
    REDIRECTS,
    REPAIRS,
    THIEF,
    WRONG,
    Turn,
    World,
    answer,
    mail,
    query,
    read_note,
    rules_pool,
)

ASK = {"messages": [("user", GOAL_EN)]}


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def test_a_history_stores_no_contradiction_and_rewrites_what_is_condemned_later() -> None:
    below = ListHistory()
    memory = MageMemory(rules_pool(REPAIRS).open("h"), below)
    call = AIMessage("", tool_calls=[{"name": "read_shared_note", "args": {"name": "x"}, "id": "c1"}])
    memory.add_messages([HumanMessage(GOAL_EN), call, ToolMessage(POISON_EN, tool_call_id="c1")])
    assert not any(THIEF in str(message.content) for message in below.messages)
    assert [message.type for message in memory.messages] == ["human", "ai", "tool"]
    memory.clear()
    assert memory.messages == []


async def history_twice() -> list[str]:
    memory = MageMemory(rules_pool().open("h"))
    await memory.aadd_messages([HumanMessage("Hello."), AIMessage("Hello.")])
    return [str(message.content) for message in await memory.aget_messages()]


def test_a_history_works_in_an_event_loop() -> None:
    import asyncio

    assert asyncio.run(history_twice()) == ["Hello.", "Hello."]


def test_a_store_refuses_what_may_not_be_stored_and_knows_what_is_read() -> None:
    pool, inner = rules_pool(REPAIRS), InMemoryStore()
    inner.put(("notes",), "old", {"text": POISON_EN})
    store = GuardedStore(inner, pool, speaker=Speaker.RETRIEVED)
    seen: list[Any] = []

    def node(state: MessagesState) -> dict[str, Any]:
        store.put(("notes",), "new", {"text": POISON_EN})
        store.put(("notes",), "good", {"text": "Maria prefers short mails."})
        seen.extend([store.get(("notes",), "old"), *store.search(("notes",))])
        return {}

    builder = StateGraph(MessagesState)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    builder.compile(checkpointer=InMemorySaver()).invoke(ASK, thread("t"))
    stored = inner.get(("notes",), "new")
    assert stored is not None
    assert THIEF not in str(stored.value)
    assert "quarantined" in stored.value
    assert any(POISON_EN in entry.text for entry in pool.get("t").guard.memory.list())
    assert any("short mails" in str(item.value) for item in seen)


def test_a_store_works_in_an_event_loop_and_leaves_deletions_alone() -> None:
    import asyncio

    async def run() -> Any:
        store = GuardedStore(InMemoryStore(), rules_pool())
        await store.aput(("n",), "a", {"text": "Maria prefers short mails."})
        found = await store.aget(("n",), "a")
        await store.adelete(("n",), "a")
        return found, await store.aget(("n",), "a")

    found, gone = asyncio.run(run())
    assert found.value["text"] == "Maria prefers short mails."
    assert gone is None


def test_a_callback_tells_what_the_guard_would_say_and_stops_nothing() -> None:
    told: list[Observed] = []
    world = World()
    agent = create_agent(scripted([read_note(), mail(to=THIEF), answer()]), tools_of(world))
    agent.invoke(ASK, {"callbacks": [MageCallback(rules_pool(), told.append)]})
    assert len(world.mails) == 1
    by_tool = {item.tool_name: item.verdict.action for item in told}
    assert by_tool["read_shared_note"] is DecisionAction.PROCEED
    assert by_tool["send_mail"] is DecisionAction.HALT
    assert len({item.conversation for item in told}) == 1


def graph_of(script: Sequence[Turn], world: World, pool: SessionPool, on_halt: OnHalt = OnHalt.RAISE) -> Any:
    turns = iter([message_of(number, turn) for number, turn in enumerate(script)])
    builder = StateGraph(MessagesState)
    builder.add_node("model", lambda state: {"messages": [next(turns)]})
    builder.add_node("tools", guarded_tool_node(tools_of(world), pool, on_halt=on_halt))
    builder.add_edge(START, "model")
    builder.add_edge("tools", "model")
    builder.add_conditional_edges("model", lambda state: "tools" if state["messages"][-1].tool_calls else "__end__")
    return builder.compile(checkpointer=InMemorySaver())


def test_the_tools_of_a_graph_of_ones_own_are_guarded() -> None:
    world = World()
    with pytest.raises(StoppedError):
        graph_of([read_note(), mail(to=THIEF), answer()], world, rules_pool()).invoke(ASK, thread("t"))
    assert world.mails == []
    out = graph_of([read_note(), mail(to=THIEF), answer()], world, rules_pool(), OnHalt.ANSWER).invoke(ASK, thread("t"))
    assert world.mails == []
    assert out["messages"][-2].status == "error"


def test_a_graph_of_ones_own_verifies_before_it_writes() -> None:
    world = World()
    graph_of([query(), mail(WRONG), mail(), answer()], world, rules_pool(REDIRECTS)).invoke(ASK, thread("t"))
    assert world.names == ["query_sales", "query_sales", "send_mail"]
    assert world.mails[0].arguments["to"] == MARIA
