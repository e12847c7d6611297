"""Infers what a run did not record: which entries an entry, or an action, was derived from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from mage_ml.memory.entry import MemoryEntry, Role, Source
from mage_ml.memory.facts.index import values_in

MAX_PARENTS: Final = 12
_MAX_HOLDERS: Final = 8
_CACHE_LIMIT: Final = 20_000


class ValueCache:
    """Remembers the identifying values of texts: recorded environments repeat the same documents in every run."""

    def __init__(self) -> None:
        self._known: dict[str, frozenset[str]] = {}

    def __call__(self, text: str) -> frozenset[str]:
        """The identifying values in a text; see `values_in`."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= _CACHE_LIMIT:
                self._known.clear()
            found = self._known[text] = values_in(text)
        return found


class DependencyInference:
    """Infers parents from shared identifying values: addresses, links, paths, codes, long numbers.

    A text that holds a value depends on the entry that brought the value in and on the latest one that repeated it.
    Reasoning and actions also depend on the user's request. A tool result depends on the data from which its
    *arguments* were taken, not on the request: it is news from outside, and its own origin must stay visible.
    Influence that leaves no value behind ("delete one of the repositories") cannot be inferred this way.

    Args:
        values: Reads the identifying values of a text.
        usable: Whether an entry, by its id, may still be drawn on. What a usable entry holds is not taken for derived
            from one that was taken out of memory and held it, too.
    """

    def __init__(self, values: ValueCache, usable: Callable[[str], bool] | None = None) -> None:
        self._values = values
        self._usable = usable
        self._holders_of: dict[str, list[str]] = {}
        self._order: dict[str, int] = {}
        self._data: set[str] = set()
        self._own: set[str] = set()
        self._request: str | None = None

    def note(self, entry: MemoryEntry) -> None:
        """Take in the next entry of the chain."""
        self._order[entry.id] = len(self._order)
        if entry.role is Role.DATA:
            self._data.add(entry.id)
        elif self._request is None and entry.source is Source.USER:
            self._request = entry.id
        if entry.source in (Source.LLM_REASONING, Source.AGENT):
            self._own.add(entry.id)
        for value in self._values(entry.text):
            holders = self._holders_of.setdefault(value, [])
            if len(holders) == _MAX_HOLDERS:
                del holders[1]  # the first and the latest count
            holders.append(entry.id)

    def parents_of_text(self, text: str) -> tuple[str, ...]:
        """Parents of something the agent said or wants to do: the request, and the entries that hold its values."""
        holders = self._holders(text)
        return self._ordered([*([self._request] if self._request else []), *holders])

    def parents_of_result(self, call_text: str) -> tuple[str, ...]:
        """Parents of a tool result, given the text of the call that fetched it."""
        return self._ordered(holder for holder in self._holders(call_text) if holder in self._data)

    def _holders(self, text: str) -> set[str]:
        found: set[str] = set()
        for value in self._values(text):
            holders = self._holders_of.get(value, [])
            if self._usable is not None:
                holders = [name for name in holders if self._usable(name)] or holders
                # A second record of the same value is news, however often the agent has repeated it since.
                found.update([name for name in holders if name not in self._own][-1:])
            found.update(holders[:1])
            found.update(holders[-1:])
        return found

    def _ordered(self, holders: Iterable[str]) -> tuple[str, ...]:
        ordered = sorted(set(holders), key=self._order.__getitem__)
        if len(ordered) <= MAX_PARENTS:
            return tuple(ordered)
        # The request stands first in order; of the rest the latest are kept.
        return (ordered[0], *ordered[-(MAX_PARENTS - 1) :])
