import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import RecordError
from mage_ml.memory import MemoryEntry, PendingAction, Snapshot, Status
from mage_ml.memory.shadow import MAX_KNOWN_CALLS, ShadowMemory, snapshot_id
from tests.runtime.cases import chain, mail, note, record, tool, user

MEMORY = chain(user(), tool(record(120_000), depends_on=("e0",)), note("North revenue in Q1 2025 was 80,000.", "e1"))


def test_an_incremental_snapshot_equals_one_built_from_scratch():
    shadow = ShadowMemory(MEMORY, goal="g")
    live, fresh = shadow.snapshot(mail("e2")), Snapshot.of(MEMORY, mail("e2"), goal="g")
    assert live.entries == fresh.entries
    assert live.facts.conflicts() == fresh.facts.conflicts() != ()
    assert live.graph.ancestors("e2") == fresh.graph.ancestors("e2")


def test_a_snapshot_keeps_its_entries_when_memory_grows():
    shadow = ShadowMemory(MEMORY)
    before = shadow.snapshot(mail())
    shadow.observe(MemoryEntry(id="late", content="x", source="tool"))
    assert len(before.entries) == 3
    assert "late" not in before
    assert "late" in shadow.snapshot(mail())


def test_a_taken_id_is_refused_and_changes_nothing():
    shadow = ShadowMemory(MEMORY)
    digest = shadow.digest
    with pytest.raises(RecordError, match="duplicate id"):
        shadow.observe(MEMORY["e1"])
    assert shadow.digest == digest
    assert len(shadow) == 3


def test_a_dangling_parent_is_taken_in():
    shadow = ShadowMemory([MemoryEntry(id="a", content="x", source="agent", depends_on=("gone",))])
    assert shadow.snapshot(mail()).graph.parents("a") == ("gone",)


def test_a_revision_takes_a_quarantined_entry_out_of_conflicts():
    shadow = ShadowMemory(MEMORY)
    old = shadow.revise(MEMORY["e2"].revised(status=Status.QUARANTINED))
    assert old.status is Status.ACTIVE
    assert shadow.snapshot(mail()).facts.conflicts() == ()
    with pytest.raises(RecordError, match="observe it first"):
        shadow.revise(MEMORY["e2"].revised(id="unknown"))


def test_a_result_is_traced_to_the_call_that_was_announced():
    shadow = ShadowMemory()
    shadow.announce(PendingAction(type="call_tool:read", tool_name="query_sales", arguments={"region": "North"}))
    shadow.observe(MemoryEntry(id="r", content="1", source="tool", tool_name="query_sales"))
    shadow.observe(MemoryEntry(id="s", content="2", source="tool", tool_name="query_sales"))
    assert dict(shadow.calls["r"].arguments) == {"region": "North"}
    assert "s" not in shadow.calls


def test_complaint_10_known_calls_are_bounded():
    shadow = ShadowMemory()
    for number in range(MAX_KNOWN_CALLS + 50):
        shadow.announce(PendingAction(type="call_tool:read", tool_name="t", arguments={"n": number}))
        shadow.observe(MemoryEntry(id=f"r{number}", content="1", source="tool", tool_name="t"))
    assert len(shadow.calls) == MAX_KNOWN_CALLS


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=8))
def test_the_digest_depends_on_every_entry_and_on_order(texts):
    entries = [MemoryEntry(id=f"e{n}", content=text, source="tool") for n, text in enumerate(texts)]
    first = ShadowMemory(entries).digest
    assert first == ShadowMemory(entries).digest
    if entries:
        assert first != ShadowMemory(entries[:-1]).digest


def test_a_snapshot_name_covers_goal_action_and_recent_entries():
    base = Snapshot.of(MEMORY, mail("e2"), goal="g")
    names = {
        snapshot_id(base),
        snapshot_id(Snapshot.of(MEMORY, mail("e1"), goal="g")),
        snapshot_id(Snapshot.of(MEMORY, mail("e2"), goal="h")),
        snapshot_id(Snapshot.of([*MEMORY][:2], mail("e2"), goal="g")),
    }
    assert len(names) == 4
    assert snapshot_id(base) == snapshot_id(Snapshot.of(MEMORY, mail("e2"), goal="g"))


def test_observing_costs_the_same_on_a_long_chain():
    def entry(number):
        text = f"Region {number} had revenue of {number * 7 + 100} in Q1 2025."
        parents = (f"e{number - 1}",) if number else ()
        return MemoryEntry(id=f"e{number}", content=text, source="llm_reasoning", depends_on=parents)

    def cost(shadow, start):
        best = float("inf")
        for repeat in range(5):
            begin = time.process_time()
            for number in range(start + 40 * repeat, start + 40 * repeat + 40):
                shadow.observe(entry(number))
            best = min(best, time.process_time() - begin)
        return best

    short = cost(ShadowMemory([entry(n) for n in range(50)]), 50)
    long = cost(ShadowMemory([entry(n) for n in range(3000)]), 3000)
    assert long < 4 * short + 0.01
