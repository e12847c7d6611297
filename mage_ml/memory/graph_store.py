"""The dependency graph in an embedded graph database, and in Neo4j or another server over Bolt."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from mage_ml.extras import require
from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.graph_export import (
    EDGE_TYPE,
    MISSING,
    NODE_LABEL,
    GraphDocument,
    GraphNode,
    graph_document,
    key_of,
    schema_statements,
)

_BATCH: Final = 500
_FIELDS: Final = ("run_id", *GraphNode.model_fields)
WRITE_NODES: Final = f"UNWIND $rows AS row MERGE (n:{NODE_LABEL} {{key: row.key}}) SET " + ", ".join(
    f"n.{name} = row.{name}" for name in _FIELDS
)
WRITE_EDGES: Final = (
    f"UNWIND $rows AS row MATCH (p:{NODE_LABEL} {{key: row.parent}}), (c:{NODE_LABEL} {{key: row.child}}) "
    f"MERGE (p)-[:{EDGE_TYPE}]->(c)"
)
"""Both statements take parameters only, and run unchanged in Ladybug, Neo4j and servers that speak as Neo4j does."""


class GraphStore:
    """Keeps dependency graphs of runs in an embedded Ladybug database, and answers questions about them in Cypher.

    Answers equal those of `DependencyGraph`. One process writes at a time, as the database demands.

    Args:
        path: Database file, made when it is not there; `None` keeps everything in memory.

    Raises:
        MissingExtraError: The database is not installed.
    """

    def __init__(self, path: Path | None = None) -> None:
        ladybug = require("ladybug", extra="graph", purpose="keep the graph in an embedded database")
        self._database = ladybug.Database(":memory:" if path is None else str(path))
        self._connection = ladybug.Connection(self._database)
        for statement in schema_statements():
            self._connection.execute(statement)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database. Nothing works afterwards."""
        self._connection.close()
        self._database.close()

    def put(self, entries: Iterable[MemoryEntry], *, run_id: str) -> None:
        """Write the graph of a run; what was there of it is replaced."""
        document = graph_document(entries, run_id=run_id)
        self._execute(f"MATCH (n:{NODE_LABEL}) WHERE n.run_id = $run_id DETACH DELETE n", {"run_id": run_id})
        for statement, rows in _batches(document, run_id):
            self._execute(statement, {"rows": rows})

    def runs(self) -> Sequence[str]:
        """Names of the runs that are kept, in order of name."""
        return self._names(f"MATCH (n:{NODE_LABEL}) RETURN DISTINCT n.run_id ORDER BY n.run_id", {})

    def nodes(self, run_id: str) -> Sequence[str]:
        """Ids of the entries of a run in chain order."""
        where = "n.run_id = $run_id AND n.status <> $missing"
        query = f"MATCH (n:{NODE_LABEL}) WHERE {where} RETURN n.id ORDER BY n.position"
        return self._names(query, {"run_id": run_id, "missing": MISSING})

    def ancestors(self, run_id: str, *entry_ids: str) -> frozenset[str]:
        """All entries from which the given ones derive, without themselves and without missing parents."""
        return self._reach(run_id, entry_ids, f"(n:{NODE_LABEL})-[:{EDGE_TYPE}]->(s:{NODE_LABEL})")

    def descendants(self, run_id: str, *entry_ids: str) -> frozenset[str]:
        """All entries derived from the given ones, without themselves."""
        return self._reach(run_id, entry_ids, f"(s:{NODE_LABEL})-[:{EDGE_TYPE}]->(n:{NODE_LABEL})")

    def tainted_by(self, run_id: str, entry_ids: Iterable[str]) -> frozenset[str]:
        """The given entries, as far as they exist, and everything derived from them."""
        known = frozenset(entry_ids) & frozenset(self.nodes(run_id))
        return known | self.descendants(run_id, *known)

    def path(self, run_id: str, origin: str, entry_id: str) -> Sequence[str]:
        """A shortest chain of dependencies from one entry to another, both included; empty when there is none."""
        if origin == entry_id:
            return (origin,) if origin in self.nodes(run_id) else ()
        came_from: dict[str, str] = {}
        frontier = [origin]
        pattern = f"(s:{NODE_LABEL})-[:{EDGE_TYPE}]->(n:{NODE_LABEL})"
        while frontier and entry_id not in came_from:
            query = f"MATCH {pattern} WHERE s.key IN $keys RETURN s.id, n.id ORDER BY s.position, n.position"
            rows = self._rows(query, {"keys": [key_of(run_id, name) for name in frontier]})
            frontier = []
            for parent, child in rows:
                if child not in came_from and child != origin:
                    came_from[child] = parent
                    frontier.append(child)
        return _walk_back(came_from, origin, entry_id)

    def _reach(self, run_id: str, entry_ids: Sequence[str], pattern: str) -> frozenset[str]:
        # Level by level: a variable-length pattern counts walks, which explode in dense graphs.
        seeds, seen = frozenset(entry_ids), set[str]()
        query = f"MATCH {pattern} WHERE s.key IN $keys AND n.status <> $missing RETURN DISTINCT n.id"
        frontier: builtins.list[str] = [*seeds]
        while frontier:
            keys = [key_of(run_id, name) for name in frontier]
            found = self._names(query, {"keys": keys, "missing": MISSING})
            frontier = [name for name in found if name not in seen and name not in seeds]
            seen.update(frontier)
        return frozenset(seen)

    def _names(self, query: str, parameters: Mapping[str, Any]) -> Sequence[str]:
        return tuple(str(row[0]) for row in self._rows(query, parameters))

    def _rows(self, query: str, parameters: Mapping[str, Any]) -> builtins.list[builtins.list[Any]]:
        result = self._execute(query, parameters)
        rows = []
        while result.has_next():
            rows.append(result.get_next())
        return rows

    def _execute(self, query: str, parameters: Mapping[str, Any]) -> Any:  # noqa: ANN401 - the driver's result
        return self._connection.execute(query, dict(parameters))


def _walk_back(came_from: Mapping[str, str], origin: str, entry_id: str) -> Sequence[str]:
    if entry_id not in came_from:
        return ()
    path = [entry_id]
    while path[-1] != origin:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))


def write_over_bolt(
    entries: Iterable[MemoryEntry], url: str, *, run_id: str, user: str, password: str, database: str | None = None
) -> int:
    """Write the graph of a run to Neo4j, or another server that speaks Bolt.

    Nodes and edges are merged, so that writing twice changes nothing. All values travel as parameters.

    Args:
        entries: Entries in chain order.
        url: `bolt://` or `neo4j://` address.
        run_id: Name of the run.
        user: User name.
        password: Password.
        database: Which database; the server's default when `None`.

    Returns:
        The number of entries written, missing parents included.

    Raises:
        MissingExtraError: The driver is not installed.
    """
    neo4j = require("neo4j", extra="neo4j", purpose="write the graph to a Bolt server")
    with neo4j.GraphDatabase.driver(url, auth=(user, password)) as driver, driver.session(database=database) as session:
        return write_to_session(entries, session, run_id=run_id)


def write_to_session(entries: Iterable[MemoryEntry], session: Any, *, run_id: str) -> int:  # noqa: ANN401 - neo4j's
    """Write the graph of a run through a session or transaction of the host's own; see `write_over_bolt`."""
    document = graph_document(entries, run_id=run_id)
    for statement, rows in _batches(document, run_id):
        session.run(statement, rows=rows).consume()
    return len(document.nodes)


def _batches(document: GraphDocument, run_id: str) -> Iterable[tuple[str, builtins.list[dict[str, Any]]]]:
    nodes = [{"key": key_of(run_id, node.id), "run_id": run_id, **node.model_dump()} for node in document.nodes]
    ends = [(key_of(run_id, edge.source), key_of(run_id, edge.target)) for edge in document.edges]
    edges = [{"parent": parent, "child": child} for parent, child in ends]
    for statement, rows in ((WRITE_NODES, nodes), (WRITE_EDGES, edges)):
        for start in range(0, len(rows), _BATCH):
            yield statement, rows[start : start + _BATCH]
