"""The ordered entries of one run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from pydantic import ValidationError

from mage_ml.errors import RecordError
from mage_ml.memory.entry import MemoryEntry


class EntryView(Sequence[MemoryEntry]):
    """The entries of a chain as they were when the view was taken: read-only, and free to take and to keep.

    Args:
        entries: A list that is only ever appended to.
        size: How many of them belong to the view.
    """

    __slots__ = ("_entries", "_size")

    def __init__(self, entries: list[MemoryEntry], size: int) -> None:
        self._entries = entries
        self._size = size

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> MemoryEntry: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[MemoryEntry]: ...

    def __getitem__(self, index: int | slice) -> MemoryEntry | Sequence[MemoryEntry]:
        if isinstance(index, int) and 0 <= index < self._size:
            return self._entries[index]
        places = range(self._size)[index]
        if isinstance(places, int):
            return self._entries[places]
        return tuple(self._entries[place] for place in places)


class MemoryChain:
    """The ordered entries of one run; ids are unique.

    Args:
        entries: Initial entries, in order.
        chain_id: Name of the run.
        allow_dangling: Accept entries whose parents are not (yet) in the chain. A strict chain, the default, refuses
            them; a guard that watches a foreign agent keeps them, because a dangling parent is itself a finding.
    """

    def __init__(
        self, entries: Iterable[MemoryEntry] = (), *, chain_id: str = "chain", allow_dangling: bool = False
    ) -> None:
        self.chain_id = chain_id
        self.allow_dangling = allow_dangling
        self._entries: list[MemoryEntry] = []
        self._is_shared = False
        self._position: dict[str, int] = {}
        for entry in entries:
            self.append(entry)

    def append(self, entry: MemoryEntry) -> None:
        """Add an entry at the end.

        Raises:
            RecordError: The id is taken, or a parent is missing in a strict chain. The chain is unchanged.
        """
        number = len(self._entries) + 1
        if entry.id in self._position:
            raise RecordError(
                f"duplicate id, first used by record {self._position[entry.id] + 1}; ids must be unique in a chain",
                record=number,
                record_id=entry.id,
            )
        if not self.allow_dangling:
            missing = [parent for parent in entry.depends_on if parent not in self._position]
            if missing:
                raise RecordError(
                    f"depends on {', '.join(map(repr, missing))}, which no earlier record defines; "
                    "add the parent first, or read the chain with allow_dangling=True",
                    record=number,
                    record_id=entry.id,
                )
        self._position[entry.id] = len(self._entries)
        self._entries.append(entry)

    def add(self, **fields: Any) -> MemoryEntry:  # noqa: ANN401 - the fields of MemoryEntry
        """Build an entry from its fields, append it and return it.

        Raises:
            RecordError: The fields do not make a valid entry, or `append` refuses it.
        """
        try:
            entry = MemoryEntry.model_validate(fields)
        except ValidationError as error:
            raise record_error(error, fields, record=len(self) + 1) from error
        self.append(entry)
        return entry

    def replace(self, entry: MemoryEntry) -> MemoryEntry:
        """Put a new version of an entry in its place and return the old one.

        Raises:
            KeyError: No entry has this id.
        """
        position = self._position[entry.id]
        old = self._entries[position]
        if self._is_shared:
            # Views keep the list as it was.
            self._entries = list(self._entries)
            self._is_shared = False
        self._entries[position] = entry
        return old

    def view(self) -> EntryView:
        """The entries as they are now, in constant time; the first change of an old entry after it copies the list."""
        self._is_shared = True
        return EntryView(self._entries, len(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[MemoryEntry]:
        return iter(tuple(self._entries))

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._position

    def __getitem__(self, entry_id: str) -> MemoryEntry:
        return self._entries[self._position[entry_id]]

    @property
    def entries(self) -> tuple[MemoryEntry, ...]:
        """All entries in order."""
        return tuple(self._entries)


def record_error(error: ValidationError, fields: Any, *, record: int) -> RecordError:  # noqa: ANN401 - raw input
    """Turn pydantic's report into one line that names the record, the field, the value and what was expected."""
    raw_id = fields.get("id") if isinstance(fields, dict) else None
    parts = []
    for item in error.errors(include_url=False)[:5]:
        field = ".".join(str(part) for part in item["loc"]) or "record"
        found = "" if item["type"] == "missing" else _found(item.get("input"))
        parts.append(f"{field}: {item['msg'].removeprefix('Value error, ')}{found}")
    record_id = raw_id if isinstance(raw_id, str) else None
    shown_id = None if record_id is None else record_id.encode("utf-8", "replace").decode()
    return RecordError("; ".join(parts), record=record, record_id=shown_id)


def _found(value: object) -> str:
    """What was found, where it is short enough to be shown; never the whole of a deep or huge value."""
    if isinstance(value, list | dict | tuple | set):
        return f" (found a {type(value).__name__})"
    if isinstance(value, int) and value.bit_length() > 128:
        return " (found a huge integer)"
    shown = "" if isinstance(value, str) and len(value) > 60 else ascii(value)
    return f" (found {shown})" if 0 < len(shown) <= 80 else ""
