"""Changes to memory: typed, all-or-nothing, undoable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from mage_ml.errors import PatchError
from mage_ml.memory import MemoryEntry, Status
from mage_ml.memory.stores.base import EntryChange, TransactionalStore


class PatchOperation(StrEnum):
    """What a patch does to an entry."""

    SET_CONFIDENCE = "set_confidence"
    CONTRADICTS_WITH = "contradicts_with"
    ANNOTATE = "annotate"
    QUARANTINE = "quarantine"
    SUPERSEDE = "supersede"
    OVERWRITE = "overwrite"


class MemoryPatch(BaseModel):
    """One change to one entry.

    Attributes:
        operation: What is done.
        entry_id: To which entry.
        value: The new confidence (set_confidence), the ids of the opposing entries (contradicts_with), a note
            (annotate), or the new content (overwrite); nothing for quarantine and supersede.
        reason: Why, in one sentence.
        because: Ids of the entries that gave rise to it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    operation: PatchOperation
    entry_id: Annotated[str, Field(min_length=1)]
    value: JsonValue = None
    reason: str = ""
    because: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _value_fits(self) -> Self:
        value, operation = self.value, self.operation
        number = isinstance(value, int | float) and not isinstance(value, bool)
        fits = {
            PatchOperation.SET_CONFIDENCE: number and 0.0 <= float(value) <= 1.0,  # type: ignore[arg-type]
            PatchOperation.CONTRADICTS_WITH: isinstance(value, list) and all(isinstance(item, str) for item in value),
            PatchOperation.ANNOTATE: isinstance(value, str) and bool(value),
            PatchOperation.OVERWRITE: value is not None,
        }.get(operation, value is None)
        if not fits:
            raise ValueError(f"{operation} of entry {self.entry_id!r}: {ascii(value)[:60]} is not a fitting value")
        return self

    def applied_to(self, entry: MemoryEntry) -> MemoryEntry:
        """The entry after this change."""
        match self.operation:
            case PatchOperation.SET_CONFIDENCE:
                return entry.revised(confidence=self.value)
            case PatchOperation.CONTRADICTS_WITH:
                opposing = self.value if isinstance(self.value, list) else []
                return entry.revised(contradicts_with=tuple(dict.fromkeys((*entry.contradicts_with, *opposing))))
            case PatchOperation.ANNOTATE:
                return entry.revised(annotations=(*entry.annotations, self.value))
            case PatchOperation.QUARANTINE:
                return entry.revised(status=Status.QUARANTINED)
            case PatchOperation.SUPERSEDE:
                return entry.revised(status=Status.SUPERSEDED)
            case PatchOperation.OVERWRITE:
                return entry.revised(content=self.value)


class MemoryStore(Protocol):
    """Where the agent's memory lives, as far as a repair needs it."""

    def get(self, entry_id: str) -> MemoryEntry | None:
        """The current version of an entry, or `None`."""
        ...

    def replace(self, entry: MemoryEntry) -> None:
        """Put a new version of an entry in its place.

        Raises:
            KeyError: No entry has this id.
        """
        ...

    def list(self) -> Sequence[MemoryEntry]:
        """All entries in order, quarantined ones included."""
        ...


class PatchReceipt(BaseModel):
    """What a set of patches did: enough to undo it.

    Attributes:
        patches: What was asked.
        before: The touched entries as they were.
        after: The same entries as they are now.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    patches: tuple[MemoryPatch, ...]
    before: tuple[MemoryEntry, ...]
    after: tuple[MemoryEntry, ...]


def apply_patch(store: MemoryStore, patches: Iterable[MemoryPatch], *, allow_overwrite: bool = False) -> PatchReceipt:
    """Apply patches in order, all or none.

    Args:
        store: The agent's memory.
        patches: What to change.
        allow_overwrite: Whether the content of an entry may be changed.

    Returns:
        A receipt for `undo`.

    Raises:
        PatchError: An entry is missing, an overwrite is not allowed, or the store failed. The store is as it was; if it
            could not be restored, the message names the entries in doubt.
    """
    wanted = tuple(patches)
    before: dict[str, MemoryEntry] = {}
    after: dict[str, MemoryEntry] = {}
    for patch in wanted:
        if patch.operation is PatchOperation.OVERWRITE and not allow_overwrite:
            raise PatchError(f"overwrite of entry {patch.entry_id!r} is not allowed; set allow_overwrite in the policy")
        current = after.get(patch.entry_id) or _get(store, patch.entry_id)
        if current is None:
            raise PatchError(f"entry {patch.entry_id!r} is not in the store; nothing was changed")
        before.setdefault(patch.entry_id, current)
        try:
            after[patch.entry_id] = patch.applied_to(current)
        except ValueError as error:
            raise PatchError(f"{patch.operation} of entry {patch.entry_id!r} gives no valid entry: {error}") from error
    _replace_all(store, list(after.values()), before)
    return PatchReceipt(patches=wanted, before=tuple(before.values()), after=tuple(after.values()))


def undo(store: MemoryStore, receipt: PatchReceipt) -> None:
    """Put back what `apply_patch` changed, all or nothing.

    Raises:
        PatchError: An entry was changed since, or the store failed. The store is as it was.
    """
    for entry in receipt.after:
        if _get(store, entry.id) != entry:
            raise PatchError(f"entry {entry.id!r} was changed after the patch; undo the later change first")
    _replace_all(store, list(receipt.before), {entry.id: entry for entry in receipt.after})


def swap_entries(store: MemoryStore, before: Sequence[MemoryEntry], after: Sequence[MemoryEntry]) -> None:
    """Put new versions of entries in place of those known, all or none.

    Raises:
        PatchError: An entry is no longer as given in `before`, or the store failed. The store is as it was; if it could
            not be restored, the error names the entries in doubt.
    """
    for entry in before:
        if _get(store, entry.id) != entry:
            raise PatchError(f"entry {entry.id!r} was changed meanwhile; look at it again")
    _replace_all(store, list(after), {entry.id: entry for entry in before})


def _get(store: MemoryStore, entry_id: str) -> MemoryEntry | None:
    try:
        return store.get(entry_id)
    except Exception as error:
        message = f"the store failed to give entry {entry_id!r}: {type(error).__name__}: {error}; nothing was changed"
        raise PatchError(message) from error


def _replace_all(store: MemoryStore, entries: list[MemoryEntry], before: dict[str, MemoryEntry]) -> None:
    if isinstance(store, TransactionalStore):
        _swap(store, [EntryChange(before[entry.id], entry) for entry in entries])
        return
    done: list[str] = []
    try:
        for entry in entries:
            done.append(entry.id)
            store.replace(entry)
    except Exception as error:
        doubtful = []
        for entry_id in reversed(done):
            try:
                store.replace(before[entry_id])
            except Exception:
                doubtful.append(entry_id)
        state = f"entries in doubt: {', '.join(doubtful)}" if doubtful else "everything was put back"
        message = f"the store failed at entry {done[-1]!r}: {type(error).__name__}: {error}; {state}"
        raise PatchError(message, in_doubt=tuple(doubtful)) from error


def _swap(store: TransactionalStore, changes: list[EntryChange]) -> None:
    try:
        store.swap(changes)
    except PatchError:
        raise
    except Exception as error:
        message = f"the store failed: {type(error).__name__}: {error}; everything was put back"
        raise PatchError(message) from error


class InMemoryStore:
    """A memory store in a dict: the guard's default, and a model for adapters.

    Args:
        entries: Initial entries in order.
    """

    def __init__(self, entries: Iterable[MemoryEntry] = ()) -> None:
        self._entries: dict[str, MemoryEntry] = {entry.id: entry for entry in entries}

    def add(self, entry: MemoryEntry) -> None:
        """Append an entry.

        Raises:
            KeyError: The id is taken.
        """
        if entry.id in self._entries:
            raise KeyError(entry.id)
        self._entries[entry.id] = entry

    def get(self, entry_id: str) -> MemoryEntry | None:
        """The current version of an entry, or `None`."""
        return self._entries.get(entry_id)

    def replace(self, entry: MemoryEntry) -> None:
        """Put a new version of an entry in its place.

        Raises:
            KeyError: No entry has this id.
        """
        if entry.id not in self._entries:
            raise KeyError(entry.id)
        self._entries[entry.id] = entry

    def list(self) -> Sequence[MemoryEntry]:
        """All entries in order, quarantined ones included."""
        return tuple(self._entries.values())

    def visible(self) -> Sequence[MemoryEntry]:
        """What the agent may read: entries that are neither quarantined nor superseded."""
        hidden = (Status.QUARANTINED, Status.SUPERSEDED)
        return tuple(entry for entry in self._entries.values() if entry.status not in hidden)

    def quarantined(self) -> Sequence[MemoryEntry]:
        """Entries in quarantine, for inspection and release."""
        return tuple(entry for entry in self._entries.values() if entry.status is Status.QUARANTINED)
