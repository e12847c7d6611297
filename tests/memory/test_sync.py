"""Sync points, summaries in layers, certainty."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import RecordError
from mage_ml.memory import DependencyGraph, MemoryChain, MemoryEntry, PendingAction, Role, Source, Status
from mage_ml.memory.facts import ContentType
from mage_ml.memory.provenance import Certainty, ConfidenceDefaults, propagate
from mage_ml.memory.shadow import MAX_SYNC_POINTS, ShadowMemory, SyncReason
from tests.memory.entries import said
from tests.memory.test_growth import lines_run

ACTION = PendingAction(type="internal_reasoning")


def test_a_sync_point_keeps_memory_as_it_was() -> None:
    shadow = ShadowMemory([said("a", "North revenue was $120k."), said("b", "x", "a")], goal="g")
    point = shadow.sync("before mail", reason=SyncReason.RISKY_ACTION)
    shadow.observe(said("c", "North revenue was $80k."))
    shadow.revise(said("a", "rewritten", status=Status.QUARANTINED))
    shadow.sync("after")
    shadow.revise(said("b", "rewritten", "a"))
    assert [entry.text for entry in point.entries] == ["North revenue was $120k.", "x"]
    assert (point.reason, point.goal, len(point.entries[:1]), point.entries[-1].id) == ("risky_action", "g", 1, "b")
    assert [fact.number for fact in point.snapshot(ACTION).facts.facts_of("a")] == [120_000]
    assert shadow.changed_since("before mail") == ("a", "b", "c")
    assert shadow.changed_since("after") == ("b",)
    assert point.digest != shadow.digest
    with pytest.raises(TypeError):
        point.entries[0] = said("z")  # type: ignore[index]


def test_sync_points_are_bounded_and_a_name_used_again_moves() -> None:
    shadow = ShadowMemory()
    for number in range(MAX_SYNC_POINTS + 5):
        shadow.sync(f"p{number}")
    shadow.sync("p10")
    assert len(shadow.sync_points) == MAX_SYNC_POINTS
    assert shadow.sync_points[-1].label == "p10"
    with pytest.raises(RecordError, match="no sync point 'p0' is kept"):
        shadow.changed_since("p0")


def test_a_sync_point_and_the_entry_after_it_cost_the_same_on_a_long_chain() -> None:
    def cost(size: int) -> int:
        shadow = ShadowMemory(said(str(n), f"Region {n} revenue was ${n + 1}k.") for n in range(size))
        new = said("new", "North revenue was $55k.")
        return lines_run(lambda: (shadow.sync("s"), shadow.observe(new)))

    assert cost(2000) <= 1.1 * cost(50) + 20


@settings(deadline=None, max_examples=60)
@given(steps=st.lists(st.tuples(st.sampled_from(["add", "replace", "view"]), st.integers(0, 9)), max_size=30))
def test_views_never_change_whatever_happens_to_the_chain(steps: list[tuple[str, int]]) -> None:
    chain = MemoryChain()
    views = []
    for number, (kind, pick) in enumerate(steps):
        if kind == "add":
            chain.append(said(str(number)))
        elif kind == "view":
            views.append((chain.view(), chain.entries))
        elif len(chain):
            chain.replace(chain.entries[pick % len(chain)].revised(content=str(number)))
    for view, then in views:
        assert tuple(view) == then
        assert list(reversed(view)) == list(reversed(then))
        assert view[1:3] == then[1:3]


def test_summaries_come_in_two_layers() -> None:
    text = "North Region revenue was $120k for A-1001, ask ana@x.example."
    shadow = ShadowMemory(
        [said("a", text), said("b", [{"order_id": "B-7", "refund": 4}]), said("z", "华东营收为120万元。")]
    )
    glance = shadow.summary("a")
    assert glance.type is ContentType.PROSE
    assert (glance.id, glance.source, glance.confidence, glance.chars_read) == ("a", Source.TOOL, 0.95, len(text))
    assert glance.key_entities == ("north", "a-1001", "ana@x.example")
    assert (shadow.summary("b").type, shadow.summary("b").key_entities) == (ContentType.TOOL_JSON, ("b-7",))
    assert shadow.summary("z").key_entities == ("华东",)
    opened = shadow.summary("b", layer=2)
    assert opened.glance == shadow.summary("b")
    assert [(f.entity, f.attribute, f.number) for f in opened.facts] == [("b-7", "refund", 4)]
    with pytest.raises(RecordError, match="no such entry"):
        shadow.summary("nobody")


def test_a_glance_at_a_long_entry_does_not_open_it() -> None:
    shadow = ShadowMemory([said("a", "Nothing happened here. " * 200 + "North revenue was $120k.")])
    assert shadow.summary("a").chars_total > 4000
    assert shadow.counts.deferred_opened == 0
    assert len(shadow.summary("a", layer=2).facts) == 1
    assert shadow.counts.deferred_opened == 1


def test_default_confidences_can_be_set_by_source() -> None:
    defaults = ConfidenceDefaults(tool=0.6)
    assert defaults.entry(id="a", content="x", source="tool").confidence == 0.6
    assert defaults.entry(id="a", content="x", source="user").confidence == 0.9
    assert defaults.entry(id="a", content="x", source="tool", confidence=0.1).confidence == 0.1
    with pytest.raises(ValueError, match="source"):
        defaults.entry(id="a", content="x", source="oracle")


CHAINS = st.lists(st.tuples(st.floats(0, 1), st.sets(st.integers(0, 7), max_size=3)), min_size=1, max_size=8)


@settings(deadline=None, max_examples=150)
@given(drawn=CHAINS)
def test_certainty_is_the_best_of_all_weakest_links(drawn: list[tuple[float, set[int]]]) -> None:
    """The definition: over all chains of support from an origin, the best of the weakest confidence on the way."""
    own = {str(n): value for n, (value, _) in enumerate(drawn)}
    above = {str(n): [str(p) for p in parents if p < n] for n, (_, parents) in enumerate(drawn)}

    def weakest(name: str) -> float:
        return min(own[name], max(map(weakest, above[name]), default=1.0))

    found = propagate(own, own.__getitem__, above.__getitem__)
    for name in own:
        assert found[name].value == weakest(name) <= own[name]
        assert found[name].value == own[found[name].cause]


def test_the_shadow_knows_the_certainty_of_a_conclusion() -> None:
    def thought(name: str, confidence: float, *parents: str) -> MemoryEntry:
        return said(name, "x", *parents, source=Source.LLM_REASONING).revised(confidence=confidence)

    shadow = ShadowMemory(
        [
            said("goal", source=Source.USER),
            thought("guess", 0.3, "goal"),
            thought("fact", 0.9, "guess", "goal"),
            said("t", "x", "fact"),
        ]
    )
    assert shadow.certainty("fact") == Certainty(0.3, "guess")
    assert shadow.certainty("guess") == Certainty(0.3, "guess")
    assert shadow.certainty("t") == Certainty(0.95, "t")
    with pytest.raises(RecordError):
        shadow.certainty("nobody")
    assert DependencyGraph.of([said("goal", source=Source.USER)]).parents("goal") == ()
    assert said("goal", source=Source.USER).role is Role.INSTRUCTION
