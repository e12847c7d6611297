"""Who derived what from what: the dependency graph over memory entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self

from mage_ml.memory.entry import MemoryEntry, Role, Source


class DependencyGraph:
    """Dependency graph of a chain, built one entry at a time.

    An edge runs from a parent to the entry derived from it. Parents that no entry defines are *dangling*; they are
    kept as names and never as nodes.
    """

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, ...]] = {}
        self._children: dict[str, dict[str, None]] = {}
        self._origin: dict[str, str] = {}
        self._data: set[str] = set()
        self._position: dict[str, int] = {}
        self._revised: list[int] = []

    @classmethod
    def of(cls, entries: Iterable[MemoryEntry]) -> Self:
        """Build the graph of some entries."""
        graph = cls()
        for entry in entries:
            graph.add(entry)
        return graph

    def add(self, entry: MemoryEntry) -> None:
        """Add or replace an entry. Costs the number of its parents, however long the chain is."""
        if entry.id in self._parents:
            self._revised.append(self._position[entry.id])
        for parent in self._parents.get(entry.id, ()):
            del self._children[parent][entry.id]
        parents = tuple(dict.fromkeys(entry.depends_on))
        self._parents[entry.id] = parents
        for parent in parents:
            self._children.setdefault(parent, {})[entry.id] = None
        self._origin[entry.id] = origin_of(entry)
        self._position.setdefault(entry.id, len(self._position))
        if entry.role is Role.DATA:
            self._data.add(entry.id)
        else:
            self._data.discard(entry.id)

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._parents

    def __len__(self) -> int:
        return len(self._parents)

    def position(self, entry_id: str) -> int:
        """Place of an entry in the chain, from 0.

        Raises:
            KeyError: No entry has this id.
        """
        return self._position[entry_id]

    @property
    def positions(self) -> Mapping[str, int]:
        """Place of every entry in the chain, from 0, by its id. For loops over many; `position` asks for one."""
        return self._position

    @property
    def revised(self) -> Sequence[int]:
        """Places of the entries that were replaced, one for each time: what was worked out from there on is stale."""
        return self._revised

    def parents(self, entry_id: str) -> tuple[str, ...]:
        """Direct parents, dangling ones included."""
        return self._parents.get(entry_id, ())

    def children(self, entry_id: str) -> tuple[str, ...]:
        """Direct children in order of appearance."""
        return tuple(self._children.get(entry_id, ()))

    def ancestors(self, *entry_ids: str, max_nodes: int | None = None) -> frozenset[str]:
        """All entries from which the given ones derive, without themselves and without dangling names.

        Args:
            entry_ids: Where to start.
            max_nodes: Stop after this many, nearest first; keeps the cost of a decision flat on long chains.
        """
        return self._reach(entry_ids, self._parents, max_nodes)

    def descendants(self, *entry_ids: str, max_nodes: int | None = None) -> frozenset[str]:
        """All entries derived from the given ones, without themselves."""
        return self._reach(entry_ids, self._children, max_nodes)

    def tainted_by(self, entry_ids: Iterable[str]) -> frozenset[str]:
        """The given entries and everything derived from them."""
        seeds = frozenset(entry_ids) & self._parents.keys()
        return seeds | self.descendants(*seeds)

    def unsupported_without(
        self, removed: Iterable[str], supports: Callable[[str, str], bool] | None = None
    ) -> frozenset[str]:
        """The entries that lose all support when some are removed: the set that causal quarantine takes.

        A descendant stays if a parent outside the tainted set supports it and that parent's origins are not all among
        the origins of the removed entries: an echo of the same origin adds nothing. Entries in a cycle fall unless
        something outside holds them.

        Args:
            removed: Ids of the condemned entries.
            supports: Tells whether a parent (first id) alone supports what a child (second id) says. By default every
                parent with the role of data does; an instruction says what to do, not what is true.

        Returns:
            The removed entries (those that exist) and the descendants without independent support.
        """
        gone = set(removed) & self._parents.keys()
        supports = supports or (lambda parent, _child: parent in self._data)
        fallen = gone | self.descendants(*gone)
        independent = self._independent_of({self._origin[entry_id] for entry_id in gone}, fallen)
        # Whoever is found to stand may hold its children up: only those are looked at again.
        waiting = sorted(fallen - gone)
        while waiting:
            entry_id = waiting.pop()
            if entry_id not in fallen:
                continue
            standing = [p for p in self._parents[entry_id] if p in independent and p not in fallen]
            if any(supports(parent, entry_id) for parent in standing):
                fallen.discard(entry_id)
                waiting += [
                    child for child in self._children.get(entry_id, ()) if child in fallen and child not in gone
                ]
        return frozenset(fallen)

    def _independent_of(self, origins: set[str], entry_ids: Iterable[str]) -> frozenset[str]:
        """Of the given entries and their ancestors, those that rest on some origin beside the given ones."""
        starts = list(entry_ids)
        lineage = self.ancestors(*starts).union(starts)
        bases = [node for node in lineage if self._is_base(node) and self._origin[node] not in origins]
        return self.descendants(*bases).union(bases) & lineage

    def independent_origins(self, entry_id: str) -> frozenset[str]:
        """Names of the independent origins on which an entry rests.

        An entry without known parents is its own root. Two entries from the same origin count once.
        """
        lineage = self.ancestors(entry_id) | {entry_id}
        # A pure cycle has no base: it rests on nothing but itself.
        return frozenset(self._origin[node] for node in lineage if self._is_base(node))

    def _is_base(self, entry_id: str) -> bool:
        return not any(parent in self._parents for parent in self._parents[entry_id])

    def dangling(self) -> Mapping[str, tuple[str, ...]]:
        """Entries with parents that do not exist: entry id -> missing parent ids."""
        found = {
            entry_id: tuple(parent for parent in parents if parent not in self._parents)
            for entry_id, parents in self._parents.items()
        }
        return {entry_id: missing for entry_id, missing in found.items() if missing}

    def cycles(self) -> tuple[frozenset[str], ...]:
        """Groups of entries that depend on each other (strongly connected components of two or more)."""
        return tuple(component for component in self._components() if len(component) > 1)

    def _reach(self, start: Iterable[str], edges: Mapping[str, Iterable[str]], max_nodes: int | None) -> frozenset[str]:
        """Breadth first: the nearest are found first, each node once. Names that no entry defines are left out."""
        seeds = set(start)
        seen: set[str] = set()
        frontier: list[str] = sorted(seeds)
        while frontier:
            following: list[str] = []
            for node in frontier:
                for neighbour in edges.get(node, ()):
                    if neighbour in seen or neighbour in seeds or neighbour not in self._parents:
                        continue
                    if max_nodes is not None and len(seen) >= max_nodes:
                        return frozenset(seen)
                    seen.add(neighbour)
                    following.append(neighbour)
            frontier = following
        return frozenset(seen)

    def _components(self) -> list[frozenset[str]]:
        """Strongly connected components by two passes (Kosaraju), iterative so that depth does not matter."""
        order: list[str] = []
        seen: set[str] = set()
        for start in self._parents:
            if start in seen:
                continue
            seen.add(start)
            stack = [(start, iter(self._children.get(start, ())))]
            while stack:
                node, successors = stack[-1]
                following = next((s for s in successors if s in self._parents and s not in seen), None)
                if following is None:
                    order.append(node)
                    stack.pop()
                else:
                    seen.add(following)
                    stack.append((following, iter(self._children.get(following, ()))))
        components: list[frozenset[str]] = []
        placed: set[str] = set()
        for start in reversed(order):
            if start in placed:
                continue
            group, frontier = {start}, [start]
            placed.add(start)
            while frontier:
                for parent in self._parents[frontier.pop()]:
                    if parent in self._parents and parent not in placed:
                        placed.add(parent)
                        group.add(parent)
                        frontier.append(parent)
            components.append(frozenset(group))
        return components


def origin_of(entry: MemoryEntry) -> str:
    """Name the independent origin of an entry.

    Reasoning rests on the agent itself, so everything an agent concluded without evidence counts as one origin.
    """
    if entry.origin:
        return entry.origin
    if entry.source in (Source.TOOL, Source.RETRIEVED):
        return f"{entry.source}:{entry.tool_name or 'unknown'}"
    return f"{entry.source}:{entry.agent_id}"
