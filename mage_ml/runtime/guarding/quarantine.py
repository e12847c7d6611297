"""The quarantine of one run: who is in it and why, and the way out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from mage_ml.errors import PatchError
from mage_ml.memory import MemoryEntry, Status
from mage_ml.memory.shadow import ShadowMemory
from mage_ml.runtime.audit import AuditEvent, EventKind
from mage_ml.runtime.guarding.enforcement import Enforcement
from mage_ml.runtime.guardrail import Decision, MemoryStore, PatchOperation
from mage_ml.runtime.guardrail.release import Pardon, pardons_for
from mage_ml.runtime.guardrail.repair import swap_entries

PURGED: Final = "purged"


class QuarantinedEntry(BaseModel):
    """An entry in quarantine.

    Attributes:
        entry: The entry, whole. After a purge its content is `{"purged": true, "sha256": ...}`.
        reason: Why it is there; empty when it was put there by somebody else.
        decision_id: The decision that put it there; empty likewise.
        since: Seconds since the epoch, or `None` when unknown.
        because: The entries that gave rise to it.
        followed: Whether it only went along with those, because it rests on them.
        purged: Whether its content is gone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    entry: MemoryEntry
    reason: str = ""
    decision_id: str = ""
    since: float | None = None
    because: tuple[str, ...] = ()
    followed: bool = False
    purged: bool = False


def is_purged(entry: MemoryEntry) -> bool:
    """Whether an entry is what a purge has left."""
    return isinstance(entry.content, dict) and entry.content.get(PURGED) is True and "sha256" in entry.content


def tombstone_of(entry: MemoryEntry, note: str) -> MemoryEntry:
    """What a purge leaves of an entry: everything but its content, of which the SHA-256 stays."""
    digest = hashlib.sha256(entry.text.encode()).hexdigest()
    return entry.revised(content={PURGED: True, "sha256": digest}, annotations=(*entry.annotations, note))


class QuarantineDesk:
    """Lists, releases and purges quarantined entries of one run. Not thread-safe: the guard holds its lock.

    Every release and purge is in the audit log before memory changes.

    Args:
        run_id: Name of the run in the audit log.
        store: The agent's memory.
        shadow: The guard's view of it.
        enforcement: Holds copies of entries that a purge has to drop.
        record: Writes to the audit log; raises when it cannot.
        clock: Seconds since the epoch.
    """

    def __init__(
        self,
        run_id: str,
        store: MemoryStore,
        shadow: ShadowMemory,
        enforcement: Enforcement,
        record: Callable[[AuditEvent], object],
        clock: Callable[[], float],
    ) -> None:
        self._run_id = run_id
        self._store = store
        self._shadow = shadow
        self._enforcement = enforcement
        self._record = record
        self._clock = clock
        self._known: dict[str, QuarantinedEntry] = {}
        self._evidence: dict[str, tuple[Pardon, ...]] = {}
        self.pardons: frozenset[Pardon] = frozenset()

    def note(self, decision: Decision) -> None:
        """Remember why the entries that a decision has just quarantined are there."""
        for patch in decision.patches:
            entry = self._shadow.get(patch.entry_id)
            if patch.operation is not PatchOperation.QUARANTINE or entry is None:
                continue
            followed = patch.entry_id not in patch.because
            self._known[patch.entry_id] = QuarantinedEntry(
                entry=entry,
                reason=patch.reason,
                decision_id=decision.decision_id,
                since=self._clock(),
                because=patch.because,
                followed=followed,
            )
            self._evidence[patch.entry_id] = pardons_for(patch.entry_id, decision.evidence, followed=followed)

    def list(self) -> tuple[QuarantinedEntry, ...]:
        """All entries in quarantine, in the order of memory."""
        return tuple(self._described(entry) for entry in self._store.list() if entry.status is Status.QUARANTINED)

    def inspect(self, entry_id: str) -> QuarantinedEntry:
        """One entry in quarantine.

        Raises:
            PatchError: It is not in quarantine.
        """
        entry = self._store.get(entry_id)
        if entry is None:
            raise PatchError(f"entry {entry_id!r} is not in memory")
        if entry.status is not Status.QUARANTINED:
            raise PatchError(f"entry {entry_id!r} is not in quarantine; it is {entry.status}")
        return self._described(entry)

    def release(self, entry_id: str, *, by: str, reason: str, followers: bool, pardon: bool) -> tuple[MemoryEntry, ...]:
        """Put an entry back into use; see `MageGuard.release`."""
        held = [self.inspect(entry_id)]
        if held[0].purged:
            raise PatchError(f"entry {entry_id!r} was purged; its content is gone and cannot be released")
        if followers:
            held += [item for item in self.list() if item.followed and entry_id in item.because and not item.purged]
        note = _note("released", by, reason)
        freed = [item.entry.revised(status=Status.ACTIVE, annotations=(*item.entry.annotations, note)) for item in held]
        self._change(EventKind.QUARANTINE_RELEASED, held, freed, by, reason)
        for item in held:
            del_known = self._known.pop(item.entry.id, None)
            found = self._evidence.pop(item.entry.id, ())
            if pardon and del_known is not None:
                self.pardons |= frozenset(found)
        return tuple(freed)

    def purge(self, entry_id: str, *, by: str, reason: str) -> QuarantinedEntry:
        """Remove the content of a quarantined entry for good; see `MageGuard.purge`."""
        held = self.inspect(entry_id)
        if held.purged:
            raise PatchError(f"entry {entry_id!r} was purged already")
        tombstone = tombstone_of(held.entry, _note(PURGED, by, reason))
        self._change(EventKind.QUARANTINE_PURGED, [held], [tombstone], by, reason)
        self._enforcement.forget(entry_id)
        self._known[entry_id] = held.model_copy(update={"entry": tombstone, "purged": True})
        return self._known[entry_id]

    def forget(self, entry_ids: Sequence[str]) -> None:
        """Drop what is known of entries whose quarantine was undone."""
        for entry_id in entry_ids:
            self._known.pop(entry_id, None)
            self._evidence.pop(entry_id, None)

    def _described(self, entry: MemoryEntry) -> QuarantinedEntry:
        known = self._known.get(entry.id) or QuarantinedEntry(entry=entry)
        return known.model_copy(update={"entry": entry, "purged": is_purged(entry)})

    def _change(
        self, kind: EventKind, held: Sequence[QuarantinedEntry], after: Sequence[MemoryEntry], by: str, reason: str
    ) -> None:
        first = held[0]
        event = AuditEvent(
            run_id=self._run_id,
            decision_id=first.decision_id,
            action=kind.value.removeprefix("quarantine_"),
            kind=kind,
            payload={
                "entry_id": first.entry.id,
                "entry_ids": [item.entry.id for item in held],
                "by": by,
                "reason": reason,
                "held_because": first.reason,
                "sha256": [hashlib.sha256(item.entry.text.encode()).hexdigest() for item in held],
            },
        )
        self._record(event)
        try:
            swap_entries(self._store, [item.entry for item in held], after)
        except PatchError as error:
            self._enforcement.in_doubt.update(error.in_doubt)
            failed = {**event.payload, "failed": str(error)}
            self._record(event.model_copy(update={"kind": EventKind.OTHER, "action": "failed", "payload": failed}))
            raise
        for entry in after:
            if entry.id in self._shadow:
                self._shadow.revise(entry)


def _note(what: str, by: str, reason: str) -> str:
    if not by.strip() or not reason.strip():
        raise PatchError(f"an entry is {what} by somebody and for a reason; give both, by= and reason=")
    return f"{what} by {by.strip()}: {reason.strip()}"
