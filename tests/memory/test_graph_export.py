"""The graph in other tools' formats: parsed by networkx, run in a real graph database, equal to our own."""

from __future__ import annotations

import io
import itertools
import json
import os
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.memory import DependencyGraph, MemoryEntry
from mage_ml.memory.graph_export import (
    GraphDocument,
    GraphFormat,
    cypher_literal,
    export_graph,
    graph_document,
    key_of,
    schema_statements,
)
from mage_ml.memory.graph_store import GraphStore, write_to_session
from tests.memory.entries import said

HOSTILE = [
    "plain", "it's", 'say "x"', "back\\slash", "tail\\", "line\nbreak", "a;b`c", "值；“引号”", "😀",
    "\x00\x1b", "\u2028",
    "'}) DETACH DELETE n //", "]]></data><node id='x'/>", "{id: 1}", "$rows", "\\u0027", "é", "\ufffe",
]  # fmt: skip
NAMES = "abcdefgh"
GRAPHS = st.dictionaries(
    st.sampled_from(NAMES), st.sets(st.sampled_from(NAMES + "xy"), max_size=3), min_size=1, max_size=8
).map(lambda drawn: [said(name, f"text {name}", *sorted(above - {name})) for name, above in drawn.items()])
CHAIN = [said("a", "x"), said("b", {"k": "值"}, "a", "gone"), said("c", "z", "b", "a")]


def hostile_chain() -> list[MemoryEntry]:
    return [
        said(name, f"text {name}", *HOSTILE[max(0, place - 1) : place], origin=f"origin {name}")
        for place, name in enumerate(HOSTILE)
    ]


def edges_of(entries: list[MemoryEntry]) -> set[tuple[str, str]]:
    return {(parent, entry.id) for entry in entries for parent in entry.depends_on}


def test_json_is_a_node_link_graph_that_networkx_reads() -> None:
    document = json.loads(export_graph(CHAIN, GraphFormat.JSON, run_id="r"))
    graph = nx.node_link_graph(document, edges="edges")
    assert set(graph.edges) == edges_of(CHAIN)
    assert graph.nodes["gone"]["status"] == "missing"
    assert (graph.nodes["b"]["text"], graph.nodes["b"]["position"]) == ('{"k": "值"}', 1)
    assert GraphDocument.model_validate(document) == graph_document(CHAIN, run_id="r")


def test_graphml_is_read_by_networkx_with_typed_attributes() -> None:
    text = export_graph(hostile_chain(), GraphFormat.GRAPHML)
    graph = nx.read_graphml(io.BytesIO(text.encode()))
    assert graph.is_directed()
    assert len(graph) == len(HOSTILE)
    assert graph.nodes["it's"] == {
        "source": "tool", "role": "data", "status": "active", "confidence": 0.95, "origin": "origin it's",
        "agent_id": "agent", "tool_name": graph.nodes["it's"].get("tool_name"), "step": 0, "position": 1,
        "text": "text it's",
    }  # fmt: skip
    assert ("line\nbreak".replace("\n", " ") in graph) or ("line\nbreak" in graph)


@settings(deadline=None, max_examples=40)
@given(entries=GRAPHS)
def test_graphml_of_any_graph_has_its_edges(entries: list[MemoryEntry]) -> None:
    graph = nx.read_graphml(io.BytesIO(export_graph(entries, GraphFormat.GRAPHML).encode()))
    assert set(graph.edges) == edges_of(entries)


def test_the_cypher_script_runs_in_a_database_and_leaves_exactly_the_graph() -> None:
    ladybug = pytest.importorskip("ladybug")
    with ladybug.Database(":memory:") as database, ladybug.Connection(database) as connection:
        for statement in schema_statements():
            connection.execute(statement)
        script = export_graph(hostile_chain(), GraphFormat.CYPHER, run_id="it's \\ a 'run'")
        for _ in range(2):
            for statement in script.splitlines():
                connection.execute(statement)
        rows = connection.execute("MATCH (n:MemoryEntry) RETURN n.id, n.text, n.origin ORDER BY n.position").get_all()
        assert rows == [[name, f"text {name}", f"origin {name}"] for name in HOSTILE]
        links = connection.execute("MATCH (p:MemoryEntry)-[:LED_TO]->(c:MemoryEntry) RETURN p.id, c.id").get_all()
        assert {(parent, child) for parent, child in links} == edges_of(hostile_chain())


@settings(deadline=None, max_examples=200)
@given(text=st.text())
def test_a_cypher_literal_is_one_line_without_an_unescaped_quote(text: str) -> None:
    literal = cypher_literal(text)
    inside = literal[1:-1].replace("\\\\", "").replace("\\'", "")
    assert "'" not in inside
    assert not inside.endswith("\\")
    assert len(literal.splitlines()) == 1
    assert ";" not in literal


@settings(deadline=None, max_examples=100)
@given(pairs=st.sets(st.tuples(st.text(max_size=5), st.text(max_size=5)), min_size=2, max_size=6))
def test_entries_of_different_runs_have_different_keys(pairs: set[tuple[str, str]]) -> None:
    assert len({key_of(*pair) for pair in pairs}) == len(pairs)


def test_the_store_answers_as_our_own_graph_does_on_random_graphs() -> None:
    with GraphStore() as store:

        @settings(deadline=None, max_examples=30)
        @given(entries=GRAPHS)
        def check(entries: list[MemoryEntry]) -> None:
            graph = DependencyGraph.of(entries)
            truth = nx.DiGraph(edges_of(entries))
            store.put(entries, run_id="r")
            names = [entry.id for entry in entries]
            assert list(store.nodes("r")) == names
            for name in names:
                assert store.ancestors("r", name) == graph.ancestors(name)
                assert store.descendants("r", name) == graph.descendants(name)
                assert store.tainted_by("r", [name, "nobody"]) == graph.tainted_by([name, "nobody"])
                path = store.path("r", names[0], name)
                if name in graph.descendants(names[0]) or name == names[0]:
                    assert (path[0], path[-1]) == (names[0], name)
                    assert len(path) - 1 == (nx.shortest_path_length(truth, names[0], name) if len(path) > 1 else 0)
                    assert all(step in edges_of(entries) for step in itertools.pairwise(path))
                else:
                    assert path == ()

        check()


def test_the_store_keeps_runs_apart_takes_hostile_text_and_survives_a_restart(tmp_path: Path) -> None:
    with GraphStore(tmp_path / "g.db") as store:
        store.put(hostile_chain(), run_id="one'\\")
        store.put(CHAIN, run_id="two")
        store.put(CHAIN[:2], run_id="two")
    with GraphStore(tmp_path / "g.db") as store:
        assert store.runs() == ("one'\\", "two")
        assert list(store.nodes("one'\\")) == HOSTILE
        assert store.nodes("two") == ("a", "b")
        assert store.ancestors("two", "b") == {"a"}
        assert store.path("one'\\", HOSTILE[0], HOSTILE[-1]) == tuple(HOSTILE)
        assert store.path("two", "a", "nobody") == store.path("two", "nobody", "nobody") == ()


@pytest.mark.skipif("MAGE_TEST_BOLT_URL" not in os.environ, reason="needs a Bolt server, named by MAGE_TEST_BOLT_URL")
def test_a_bolt_server_gets_the_graph_and_writing_twice_changes_nothing() -> None:
    import neo4j

    url = os.environ["MAGE_TEST_BOLT_URL"]
    login = os.environ.get("MAGE_TEST_BOLT_USER", "neo4j"), os.environ.get("MAGE_TEST_BOLT_PASSWORD", "")
    database = os.environ.get("MAGE_TEST_BOLT_DATABASE")
    with neo4j.GraphDatabase.driver(url, auth=login) as driver, driver.session(database=database) as session:
        for _ in range(2):
            assert write_to_session(CHAIN, session, run_id="r") == 4
        rows = session.run("MATCH (n:MemoryEntry) RETURN n.id AS id, n.text AS text ORDER BY id").data()
        assert [(row["id"], row["text"]) for row in rows] == [
            ("a", "x"),
            ("b", '{"k": "值"}'),
            ("c", "z"),
            ("gone", ""),
        ]
        links = session.run("MATCH (p:MemoryEntry)-[:LED_TO]->(c:MemoryEntry) RETURN p.id AS p, c.id AS c").data()
        assert sorted((row["p"], row["c"]) for row in links) == sorted(edges_of(CHAIN))
