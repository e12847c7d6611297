from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.memory import DependencyGraph, Role, Source
from mage_ml.memory.graph import origin_of
from tests.memory.entries import graph_of, said

NAMES = "abcdefgh"
# Any edges at all: cycles, dangling parents ("x", "y") and children that come before their parents included.
PARENTS = st.dictionaries(
    st.sampled_from(NAMES), st.sets(st.sampled_from(NAMES + "xy"), max_size=4), min_size=1, max_size=8
).map(lambda drawn: {name: sorted(above - {name}) for name, above in drawn.items()})


def oracle(parents: dict[str, list[str]]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(parents)
    graph.add_edges_from((above, name) for name, rows in parents.items() for above in rows if above in parents)
    return graph


@settings(deadline=None, max_examples=150)
@given(parents=PARENTS)
def test_reachability_cycles_and_dangling_agree_with_networkx(parents: dict[str, list[str]]) -> None:
    graph, truth = graph_of(parents), oracle(parents)
    for name in parents:
        assert graph.ancestors(name) == nx.ancestors(truth, name)
        assert graph.descendants(name) == nx.descendants(truth, name)
        assert graph.tainted_by([name]) == nx.descendants(truth, name) | {name}
    components = {frozenset(found) for found in nx.strongly_connected_components(truth) if len(found) > 1}
    assert set(graph.cycles()) == components
    missing = {name: tuple(a for a in above if a not in parents) for name, above in parents.items()}
    assert graph.dangling() == {name: found for name, found in missing.items() if found}


@settings(deadline=None, max_examples=150)
@given(parents=PARENTS)
def test_independent_origins_are_those_of_the_roots_above(parents: dict[str, list[str]]) -> None:
    graph, truth = graph_of(parents), oracle(parents)
    for name in parents:
        lineage = nx.ancestors(truth, name) | {name}
        roots = {node for node in lineage if truth.in_degree(node) == 0}
        assert graph.independent_origins(name) == {f"origin {root}" for root in roots}


@settings(deadline=None, max_examples=150)
@given(parents=PARENTS, removed=st.sets(st.sampled_from(NAMES + "x"), min_size=1, max_size=3))
def test_causal_quarantine_agrees_with_its_definition(parents: dict[str, list[str]], removed: set[str]) -> None:
    """The definition, step by step: a descendant stands as soon as one standing parent rests on another origin."""
    graph = graph_of(parents)
    gone = removed & parents.keys()
    lost = {f"origin {name}" for name in gone}
    falling = set(graph.descendants(*gone))
    while True:
        held = {
            name
            for name in falling
            if any(
                above in parents and above not in gone | falling and not graph.independent_origins(above) <= lost
                for above in parents[name]
            )
        }
        if not held:
            break
        falling -= held
    assert graph.unsupported_without(removed) == gone | falling


@settings(deadline=None, max_examples=100)
@given(parents=PARENTS, order=st.randoms(use_true_random=False))
def test_replacing_entries_gives_the_graph_that_a_fresh_build_gives(
    parents: dict[str, list[str]], order: object
) -> None:
    graph = DependencyGraph()
    for name in parents:
        graph.add(said(name, "x", *(above for above in NAMES if above != name), origin=f"origin {name}"))
    for name, above in parents.items():
        graph.add(said(name, "x", *above, origin=f"origin {name}"))
    fresh = graph_of(parents)
    for name in parents:
        assert graph.parents(name) == fresh.parents(name)
        assert sorted(graph.children(name)) == sorted(fresh.children(name))
        assert graph.position(name) == fresh.position(name)


def test_an_echo_of_the_condemned_origin_is_no_independent_support() -> None:
    graph = DependencyGraph.of(
        [
            said("web", origin="evil.example"),
            said("echo", origin="evil.example"),
            said("note", "x", "web", "echo", source=Source.LLM_REASONING),
        ]
    )
    assert graph.unsupported_without(["web"]) == {"web", "note"}


def test_a_conclusion_with_an_independent_parent_stays() -> None:
    graph = DependencyGraph.of(
        [said("web", origin="web"), said("db", origin="db"), said("note", "x", "web", "db"), said("mail", "x", "note")]
    )
    assert graph.unsupported_without(["web"]) == {"web"}


def test_an_instruction_does_not_support_a_statement() -> None:
    graph = DependencyGraph.of(
        [said("goal", source=Source.USER), said("web", origin="web"), said("note", "x", "goal", "web")]
    )
    assert graph.unsupported_without(["web"]) == {"web", "note"}
    assert graph.unsupported_without(["web"], supports=lambda parent, child: parent == "goal") == {"web"}


def test_a_cycle_holds_itself_up_only_with_help_from_outside() -> None:
    alone = graph_of({"root": [], "a": ["root", "b"], "b": ["a"]})
    assert alone.unsupported_without(["root"]) == {"root", "a", "b"}
    helped = graph_of({"root": [], "other": [], "a": ["root", "b"], "b": ["a", "other"]})
    assert helped.unsupported_without(["root"]) == {"root"}


def test_unknown_names_are_harmless() -> None:
    graph = graph_of({"a": ["missing"]})
    assert graph.unsupported_without(["nobody"]) == frozenset()
    assert graph.tainted_by(["nobody"]) == frozenset()
    assert graph.independent_origins("a") == {"origin a"}
    assert graph.descendants("missing") == {"a"}
    with pytest.raises(KeyError):
        graph.position("missing")


def test_the_nearest_ancestors_come_first_when_their_number_is_bounded() -> None:
    graph = graph_of({f"{n:03d}": [f"{n - 1:03d}"] if n else [] for n in range(100)})
    assert graph.ancestors("099", max_nodes=3) == {"098", "097", "096"}
    assert graph.descendants("000", max_nodes=2) == {"001", "002"}


def test_depth_is_no_obstacle() -> None:
    depth = 20_000
    graph = graph_of({str(n): [str(n - 1)] if n else [str(depth - 1)] for n in range(depth)})
    assert len(graph.ancestors("7")) == depth - 1
    assert [len(found) for found in graph.cycles()] == [depth]
    assert len(graph.unsupported_without(["0"])) == depth


def test_origins_name_the_outermost_source() -> None:
    assert origin_of(said("a", origin="https://x.example")) == "https://x.example"
    assert origin_of(said("a").revised(tool_name="search")) == "tool:search"
    reasoning = said("a", source=Source.LLM_REASONING)
    assert origin_of(reasoning) == origin_of(reasoning.revised(id="b", role=Role.INSTRUCTION))
