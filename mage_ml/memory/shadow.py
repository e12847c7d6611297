"""The memory beside the agent's own: grows with it one entry at a time and gives read-only views."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from pydantic import JsonValue

from mage_ml.errors import RecordError
from mage_ml.memory.chain import MemoryChain
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.episode import Episode
from mage_ml.memory.facts import FactIndex
from mage_ml.memory.graph import DependencyGraph
from mage_ml.memory.snapshot import PendingAction, Snapshot

MAX_KNOWN_CALLS: Final = 1024
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
