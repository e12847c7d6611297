"""A report a person can read: which entries, through which relations, led to a decision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydantic import BaseModel, ConfigDict

from mage_ml.memory import MemoryEntry, Snapshot
from mage_ml.risk import Evidence

ACTION_NODE: Final = "(pending action)"
_MAX_FINDINGS: Final = 8
_MAX_NODES: Final = 256
_EXCERPT: Final = 160


class EntryNote(BaseModel):
    """One entry of a diagnosis."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    source: str
    origin: str = ""
    confidence: float
    status: str
    excerpt: str


class Relation(BaseModel):
    """One dependency: the child was derived from the parent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parent: str
    child: str


class Finding(BaseModel):
    """One piece of evidence, and how the entry it points at reaches the action.

    Attributes:
        found_by: Rule or model.
        axis: Axis of risk.
        score: On the common scale.
        message: One sentence.
        entry_ids: The entries it points at.
        path: From the first entry to the pending action; empty when the action does not rest on it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    found_by: str
    axis: str
    score: float
    message: str
    entry_ids: tuple[str, ...] = ()
    path: tuple[str, ...] = ()


class Diagnosis(BaseModel):
    """What led to a decision.

    Attributes:
        summary: One sentence.
        action: The pending action as text.
        findings: Strongest first.
        entries: The entries that the findings and paths touch, in chain order.
        relations: The dependencies between them and to the action.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    summary: str
    action: str
    findings: tuple[Finding, ...] = ()
    entries: tuple[EntryNote, ...] = ()
    relations: tuple[Relation, ...] = ()

    def to_text(self) -> str:
        """The report as plain text. `model_dump_json()` gives the same as JSON."""
        lines = [self.summary, f"Action: {self.action}", ""]
        for number, finding in enumerate(self.findings, start=1):
            lines.append(f"{number}. [{finding.axis} {finding.score:.2f}, {finding.found_by}] {finding.message}")
            if finding.path:
                lines.append(f"   Path: {' -> '.join(finding.path)}")
        if self.entries:
            lines += ["", "Entries:"]
        for entry in self.entries:
            origin = f", from {entry.origin}" if entry.origin else ""
            lines.append(f"- {entry.id} ({entry.source}{origin}, confidence {entry.confidence:.2f}, {entry.status})")
            lines.append(f"  {entry.excerpt}")
        return "\n".join(lines) + "\n"


def diagnose(snapshot: Snapshot, evidence: Iterable[Evidence], summary: str) -> Diagnosis:
    """Trace evidence to the pending action."""
    evidence = tuple(evidence)[:_MAX_FINDINGS]
    routes = _routes_to_action(snapshot, {item.entry_ids[0] for item in evidence if item.entry_ids})
    findings = []
    touched: dict[str, None] = {}
    for item in evidence:
        first = item.entry_ids[0] if item.entry_ids else ""
        path = _path(routes, first)
        touched.update(dict.fromkeys((*item.entry_ids, *path[:-1])))
        findings.append(
            Finding(
                found_by=item.found_by,
                axis=item.axis.value,
                score=item.score,
                message=item.message,
                entry_ids=item.entry_ids,
                path=path,
            )
        )
    known = sorted((name for name in touched if name in snapshot), key=snapshot.graph.position)
    return Diagnosis(
        summary=summary,
        action=" ".join(snapshot.action.text.split())[:600],
        findings=tuple(findings),
        entries=tuple(_note(snapshot.entry(name)) for name in known),
        relations=_relations(snapshot, known),
    )


def _routes_to_action(snapshot: Snapshot, wanted: set[str]) -> dict[str, str]:
    """Entry id -> the next step on its shortest way to the action (breadth first, bounded, until all are found)."""
    routes = dict.fromkeys(snapshot.action.depends_on, ACTION_NODE)
    frontier = list(routes)
    while frontier and len(routes) < _MAX_NODES and not wanted <= routes.keys():
        following = []
        for child in frontier:
            for parent in snapshot.graph.parents(child):
                if parent not in routes:
                    routes[parent] = child
                    following.append(parent)
        frontier = following
    return routes


def _path(routes: dict[str, str], start: str) -> tuple[str, ...]:
    if start not in routes:
        return ()
    path = [start]
    while path[-1] != ACTION_NODE:
        path.append(routes[path[-1]])
    return tuple(path)


def _relations(snapshot: Snapshot, names: list[str]) -> tuple[Relation, ...]:
    inside = set(names)
    found = [
        Relation(parent=parent, child=name)
        for name in names
        for parent in snapshot.graph.parents(name)
        if parent in inside
    ]
    found += [Relation(parent=name, child=ACTION_NODE) for name in snapshot.action.depends_on if name in inside]
    return tuple(found)


def _note(entry: MemoryEntry) -> EntryNote:
    flat = " ".join(entry.text[: 2 * _EXCERPT].split())
    return EntryNote(
        id=entry.id,
        source=entry.source.value,
        origin=entry.origin or "",
        confidence=entry.confidence,
        status=entry.status.value,
        excerpt=flat[:_EXCERPT] + ("..." if len(entry.text) > _EXCERPT else ""),
    )
