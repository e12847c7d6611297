"""The dependency graph for other tools: JSON (node-link), GraphML, Cypher.

All three carry the same nodes and edges; `GraphNode` and `GraphEdge` are their schema. An edge runs from the entry that
was used to the entry derived from it. Parents that no entry defines are nodes with the status `missing`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final
from xml.etree import ElementTree

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.memory.entry import MemoryEntry

MISSING: Final = "missing"
EXCERPT_CHARS: Final = 400
NODE_LABEL: Final = "MemoryEntry"
EDGE_TYPE: Final = "LED_TO"
_GRAPHML: Final = "http://graphml.graphdrawing.org/xmlns"


class GraphFormat(StrEnum):
    """Text formats of a graph."""

    JSON = "json"
    GRAPHML = "graphml"
    CYPHER = "cypher"


class GraphNode(BaseModel):
    """One entry as a node.

    Attributes:
        id: Entry id.
        source: Who produced it; `missing` for a parent that no entry defines.
        role: Instruction or data; empty when missing.
        status: Standing in memory; `missing` for a parent that no entry defines.
        confidence: 0 to 1.
        origin: The independent origin as the entry names it; empty when it names none.
        agent_id: The agent whose memory holds it.
        tool_name: The tool; empty for other sources.
        step: Step in the run.
        position: Place in the chain, from 0; -1 when missing.
        text: The first 400 characters.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    source: str
    role: str
    status: str
    confidence: float
    origin: str
    agent_id: str
    tool_name: str
    step: int
    position: int
    text: str


class GraphEdge(BaseModel):
    """One dependency: the target was derived from the source."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    target: str


class GraphDocument(BaseModel):
    """A directed graph in node-link form, as networkx and d3 read it.

    Attributes:
        directed: Always true.
        multigraph: Always false: an entry depends on another once.
        graph: Attributes of the whole graph: `run_id`, `schema_version`.
        nodes: Entries in chain order, missing parents last.
        edges: Dependencies, parent to child.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    directed: bool = True
    multigraph: bool = False
    graph: dict[str, str | int] = Field(default_factory=dict)
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


def graph_document(entries: Iterable[MemoryEntry], *, run_id: str = "run") -> GraphDocument:
    """The dependency graph of some entries as data.

    Args:
        entries: Entries in chain order.
        run_id: Name of the run.
    """
    kept = tuple(entries)
    known = {entry.id for entry in kept}
    edges = tuple(
        GraphEdge(source=parent, target=entry.id) for entry in kept for parent in dict.fromkeys(entry.depends_on)
    )
    missing = dict.fromkeys(edge.source for edge in edges if edge.source not in known)
    nodes = (*(_node(entry, place) for place, entry in enumerate(kept)), *(_missing(name) for name in missing))
    return GraphDocument(graph={"run_id": run_id, "schema_version": 1}, nodes=nodes, edges=edges)


def export_graph(entries: Iterable[MemoryEntry], form: GraphFormat, *, run_id: str = "run") -> str:
    """The dependency graph of some entries as text in a format."""
    document = graph_document(entries, run_id=run_id)
    match form:
        case GraphFormat.JSON:
            return document.model_dump_json(indent=2) + "\n"
        case GraphFormat.GRAPHML:
            return to_graphml(document)
        case GraphFormat.CYPHER:
            return to_cypher(document)


def to_graphml(document: GraphDocument) -> str:
    """The graph as GraphML. Characters that XML 1.0 cannot carry are replaced by U+FFFD."""
    root = ElementTree.Element("graphml", {"xmlns": _GRAPHML})
    kinds = {"confidence": "double", "step": "long", "position": "long"}
    fields = [name for name in GraphNode.model_fields if name != "id"]
    for name in fields:
        key = {"id": name, "for": "node", "attr.name": name, "attr.type": kinds.get(name, "string")}
        ElementTree.SubElement(root, "key", key)
    run_id = _xml_text(str(document.graph.get("run_id", "run")))
    graph = ElementTree.SubElement(root, "graph", {"id": run_id, "edgedefault": "directed"})
    for node in document.nodes:
        element = ElementTree.SubElement(graph, "node", {"id": _xml_text(node.id)})
        for name in fields:
            ElementTree.SubElement(element, "data", {"key": name}).text = _xml_text(str(getattr(node, name)))
    for edge in document.edges:
        ends = {"source": _xml_text(edge.source), "target": _xml_text(edge.target)}
        ElementTree.SubElement(graph, "edge", ends)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def to_cypher(document: GraphDocument) -> str:
    """The graph as a Cypher script: one statement for each node and edge, one a line, every value a literal.

    `MERGE` makes the script safe to run twice. For embedded databases with a fixed schema create the tables first;
    `schema_statements` gives them.
    """
    run_id = str(document.graph.get("run_id", "run"))
    return "".join(f"{line};\n" for line in _cypher_lines(document, run_id))


def schema_statements() -> Sequence[str]:
    """The tables that a database with a fixed schema (Ladybug, Kuzu) needs before the script is run."""
    kinds = {"confidence": "DOUBLE", "step": "INT64", "position": "INT64"}
    columns = ", ".join(f"{name} {kinds.get(name, 'STRING')}" for name in GraphNode.model_fields)
    return (
        f"CREATE NODE TABLE IF NOT EXISTS {NODE_LABEL}(key STRING PRIMARY KEY, run_id STRING, {columns})",
        f"CREATE REL TABLE IF NOT EXISTS {EDGE_TYPE}(FROM {NODE_LABEL} TO {NODE_LABEL})",
    )


def key_of(run_id: str, entry_id: str) -> str:
    """The key of an entry across runs: a JSON pair, so that no two pairs share a key."""
    return json.dumps([run_id, entry_id], ensure_ascii=False)


def _cypher_lines(document: GraphDocument, run_id: str) -> Iterator[str]:
    for node in document.nodes:
        values = {"run_id": run_id, **node.model_dump()}
        sets = ", ".join(f"n.{name} = {cypher_literal(value)}" for name, value in values.items())
        yield f"MERGE (n:{NODE_LABEL} {{key: {cypher_literal(key_of(run_id, node.id))}}}) SET {sets}"
    for edge in document.edges:
        parent, child = (cypher_literal(key_of(run_id, name)) for name in (edge.source, edge.target))
        ends = f"(p:{NODE_LABEL} {{key: {parent}}}), (c:{NODE_LABEL} {{key: {child}}})"
        yield f"MATCH {ends} MERGE (p)-[:{EDGE_TYPE}]->(c)"


def cypher_literal(value: str | int | float) -> str:
    """A value as a Cypher literal that cannot end early.

    Quotes, backslashes, line breaks and all control characters are escaped; so is the semicolon, at which simple
    clients cut scripts into statements.
    """
    if isinstance(value, int | float):
        return repr(value)
    simple = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    escaped = (
        simple[char] if char in simple else f"\\u{ord(char):04x}" if _is_unsafe(char) else char for char in value
    )
    return f"'{''.join(escaped)}'"


def _is_unsafe(char: str) -> bool:
    return ord(char) < 32 or char in ";`\x7f\x85\u2028\u2029"


def _node(entry: MemoryEntry, position: int) -> GraphNode:
    return GraphNode(
        id=entry.id,
        source=entry.source.value,
        role=entry.role.value,
        status=entry.status.value,
        confidence=entry.confidence,
        origin=entry.origin or "",
        agent_id=entry.agent_id,
        tool_name=entry.tool_name or "",
        step=entry.step,
        position=position,
        text=entry.text[:EXCERPT_CHARS],
    )


def _missing(name: str) -> GraphNode:
    nothing = {"role": "", "origin": "", "agent_id": "", "tool_name": "", "text": ""}
    return GraphNode(id=name, source=MISSING, status=MISSING, confidence=0.0, step=0, position=-1, **nothing)


def _xml_text(text: str) -> str:
    return "".join(char if _is_xml(ord(char)) else "\ufffd" for char in text)


def _is_xml(code: int) -> bool:
    # U+0085 and carriage returns are allowed, but readers turn them into line feeds.
    return code in (9, 10) or 32 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
