"""The memory beside the agent's own: grows with it one entry at a time and gives read-only views."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal, overload

from pydantic import JsonValue

from mage_ml.config import nearest
from mage_ml.errors import RecordError
from mage_ml.memory.chain import MemoryChain
from mage_ml.memory.entry import MemoryEntry, Role, Source
from mage_ml.memory.episode import Episode
from mage_ml.memory.facts import FactIndex
from mage_ml.memory.facts.index import IndexCounts
from mage_ml.memory.graph import DependencyGraph
from mage_ml.memory.provenance import Certainty, propagate
from mage_ml.memory.snapshot import PendingAction, Snapshot
from mage_ml.memory.summary import FactSummary, GlanceSummary, glance_summary

MAX_KNOWN_CALLS: Final = 1024
MAX_SYNC_POINTS: Final = 64
MAX_LINEAGE: Final = 256
_IDENTITY_ENTRIES: Final = 16


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as the agent made it.

    Attributes:
        tool_name: The tool.
        arguments: What it was called with.
    """

    tool_name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=lambda: MappingProxyType({}))


class SyncReason(StrEnum):
    """Why memory was set down."""

    SUBTASK = "subtask"
    RISKY_ACTION = "risky_action"
    ON_DEMAND = "on_demand"


@dataclass(frozen=True, slots=True)
class SyncPoint:
    """Memory as it was at one moment, read-only.

    Attributes:
        label: Its name.
        reason: Why it was taken.
        entries: The entries as they were.
        digest: `ShadowMemory.digest` at that moment.
        goal: The user's task.
    """

    label: str
    reason: SyncReason
    entries: Sequence[MemoryEntry]
    digest: str
    goal: str

    def snapshot(self, action: PendingAction) -> Snapshot:
        """What the guard would have judged then. Reads all entries again."""
        return Snapshot.of(self.entries, action, goal=self.goal)


class ShadowMemory:
    """Entries, dependencies and facts of one run, kept incrementally.

    Observing an entry costs that entry alone (its own facts and parents), however long the run is. A snapshot costs a
    copy of the list of references when something was observed since the last one, and nothing otherwise.

    The graph and the fact index of a snapshot are the live ones: after a later `observe` they know more than the
    snapshot's `entries`. Judge a snapshot before observing further, as `MageGuard` does under its lock. The class
    itself takes no lock.

    Args:
        entries: Initial entries in order.
        goal: The user's task in their own words.
        chain_id: Name of the run.
    """

    def __init__(self, entries: Iterable[MemoryEntry] = (), *, goal: str = "", chain_id: str = "run") -> None:
        self.goal = goal
        self._chain = MemoryChain(chain_id=chain_id, allow_dangling=True)
        self._graph = DependencyGraph()
        self._facts = FactIndex()
        self._view: tuple[MemoryEntry, ...] = ()
        self._stale = False
        self._digest = hashlib.sha256(chain_id.encode()).hexdigest()
        self._announced: OrderedDict[str, ToolCall] = OrderedDict()
        self._calls: OrderedDict[str, ToolCall] = OrderedDict()
        self._points: OrderedDict[str, SyncPoint] = OrderedDict()
        for entry in entries:
            self.observe(entry)

    def observe(self, entry: MemoryEntry) -> None:
        """Take in a new entry.

        Parents that are not in memory are accepted: a dangling parent is a finding for the guard, not an input error.

        Raises:
            RecordError: The id is taken. Nothing has changed.
        """
        self._chain.append(entry)
        self._graph.add(entry)
        self._facts.add(entry)
        self._note_call(entry)
        self._advance("observe", entry)

    def revise(self, entry: MemoryEntry) -> MemoryEntry:
        """Put a new version of an entry in its place, after a patch, and return the old one.

        Raises:
            RecordError: No entry has this id.
        """
        if entry.id not in self._chain:
            raise RecordError("no such entry in the shadow memory; observe it first", record_id=entry.id)
        old = self._chain.replace(entry)
        self._graph.add(entry)
        self._facts.add(entry)
        self._advance("revise", entry)
        return old

    def announce(self, action: PendingAction) -> None:
        """Remember the arguments of a tool call, so that the entry with its result can be traced to them."""
        if action.tool_name is not None:
            self._announced[action.tool_name] = ToolCall(action.tool_name, MappingProxyType(dict(action.arguments)))
            self._announced.move_to_end(action.tool_name)
            _trim(self._announced)

    def snapshot(self, action: PendingAction) -> Snapshot:
        """A view of memory as it is now, with the action that is about to be taken."""
        if self._stale:
            self._view = self._chain.entries
            self._stale = False
        return Snapshot(self._view, action, self.goal, self._graph, self._facts)

    def sync(self, label: str, *, reason: SyncReason = SyncReason.ON_DEMAND) -> SyncPoint:
        """Set memory down under a name: after a sub-task, before a risky action, or on demand.

        Costs the same on any chain. The latest 64 are kept; a name that is used again moves to the new moment.
        """
        point = SyncPoint(label, reason, self._chain.view(), self._digest, self.goal)
        self._points[label] = point
        self._points.move_to_end(label)
        while len(self._points) > MAX_SYNC_POINTS:
            self._points.popitem(last=False)
        return point

    @property
    def sync_points(self) -> Sequence[SyncPoint]:
        """The sync points that are kept, oldest first."""
        return tuple(self._points.values())

    def changed_since(self, label: str) -> Sequence[str]:
        """Ids of the entries that were added or revised after a sync point, in chain order.

        Raises:
            RecordError: No such sync point is kept.
        """
        if label not in self._points:
            raise RecordError(f"no sync point {label!r} is kept; {nearest(label, list(self._points))}")
        before = self._points[label].entries
        now = self._chain.entries
        return tuple(entry.id for at, entry in enumerate(now) if at >= len(before) or before[at] is not entry)

    @overload
    def summary(self, entry_id: str, layer: Literal[1] = 1) -> GlanceSummary: ...

    @overload
    def summary(self, entry_id: str, layer: Literal[2]) -> FactSummary: ...

    def summary(self, entry_id: str, layer: Literal[1, 2] = 1) -> GlanceSummary | FactSummary:
        """What is known of an entry: layer 1 without its statements, layer 2 with them.

        Raises:
            RecordError: No entry has this id.
        """
        if entry_id not in self._chain:
            raise RecordError("no such entry in the shadow memory", record_id=entry_id)
        glance = glance_summary(self._chain[entry_id], self._facts.scan_of(entry_id))
        return glance if layer == 1 else FactSummary(glance, self._facts.facts_of(entry_id))

    @property
    def counts(self) -> IndexCounts:
        """How many entries are known, and how many were opened to their second layer."""
        return self._facts.counts

    def certainty(self, entry_id: str) -> Certainty:
        """How certain an entry is, given what it rests on; see `propagate`. Looks at the nearest 256 ancestors.

        Raises:
            RecordError: No entry has this id.
        """
        if entry_id not in self._chain:
            raise RecordError("no such entry in the shadow memory", record_id=entry_id)
        above = self._graph.ancestors(entry_id, max_nodes=MAX_LINEAGE)
        ordered = sorted((*above, entry_id), key=self._graph.position)

        def bearing(name: str) -> Sequence[str]:
            entry = self._chain[name]
            if entry.source not in (Source.LLM_REASONING, Source.AGENT):
                return ()
            parents = (parent for parent in self._graph.parents(name) if parent in self._chain)
            return tuple(parent for parent in parents if self._chain[parent].role is Role.DATA)

        return propagate(ordered, lambda name: self._chain[name].confidence, bearing)[entry_id]

    @property
    def calls(self) -> Mapping[str, ToolCall]:
        """Entry id -> the tool call that returned it, for the latest 1,024 that are known."""
        return MappingProxyType(self._calls)

    @property
    def digest(self) -> str:
        """SHA-256 over everything observed and revised so far, in order."""
        return self._digest

    @property
    def chain_id(self) -> str:
        """Name of the run."""
        return self._chain.chain_id

    def get(self, entry_id: str) -> MemoryEntry | None:
        """The current version of an entry, or `None`."""
        if entry_id not in self._chain:
            return None
        return self._chain[entry_id]

    def __len__(self) -> int:
        return len(self._chain)

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._chain

    def _note_call(self, entry: MemoryEntry) -> None:
        if entry.source is Source.TOOL and entry.tool_name is not None and entry.tool_name in self._announced:
            self._calls[entry.id] = self._announced.pop(entry.tool_name)
            _trim(self._calls)

    def _advance(self, event: str, entry: MemoryEntry) -> None:
        self._stale = True
        self._digest = hashlib.sha256(f"{self._digest}|{event}|{_fingerprint(entry)}".encode()).hexdigest()


def snapshot_id(snapshot: Snapshot) -> str:
    """A name for a snapshot: equal content gives an equal name.

    It covers the goal, the action, the entries the action names and the latest 16, so that it costs the same on any
    chain; the digest of the whole run is `ShadowMemory.digest`.
    """
    named = [snapshot.entry(name) for name in snapshot.action.depends_on if name in snapshot]
    parts = [snapshot.goal, str(len(snapshot.entries)), snapshot.action.model_dump_json()]
    parts += [_fingerprint(entry) for entry in (*named, *snapshot.entries[-_IDENTITY_ENTRIES:])]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def _fingerprint(entry: MemoryEntry) -> str:
    state = (entry.id, entry.text, entry.source, entry.status, entry.confidence, entry.depends_on, entry.annotations)
    return hashlib.sha256(repr(state).encode()).hexdigest()


def _trim(known: OrderedDict[str, ToolCall]) -> None:
    while len(known) > MAX_KNOWN_CALLS:
        known.popitem(last=False)


def iterate_snapshots(episode: Episode) -> Iterator[Snapshot]:
    """The snapshot of each moment, built incrementally: use each before asking for the next."""
    shadow = ShadowMemory(goal=episode.goal, chain_id=episode.episode_id)
    seen = 0
    for moment in episode.moments:
        for entry in episode.entries[seen : moment.visible]:
            shadow.observe(entry)
        seen = max(seen, moment.visible)
        yield shadow.snapshot(moment.action)
