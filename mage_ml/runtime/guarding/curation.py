"""The part of the guard by which people tend the quarantine."""

from __future__ import annotations

from mage_ml.forking import ForkAwareLock
from mage_ml.memory import MemoryEntry
from mage_ml.runtime.guarding.quarantine import QuarantinedEntry, QuarantineDesk
from mage_ml.runtime.guardrail import PolicyMatrix


class Curation:
    """Lists, inspects, releases and purges quarantined entries. Safe to call from any thread; a base of `MageGuard`."""

    _lock: ForkAwareLock
    _desk: QuarantineDesk

    @property
    def policy(self) -> PolicyMatrix:
        """The policy in force."""
        raise NotImplementedError

    def quarantined(self) -> tuple[QuarantinedEntry, ...]:
        """The entries in quarantine, in the order of memory, each with reason, decision and time.

        Every entry keeps its own place: a second value for the same thing never takes that of the first. Entries that
        were quarantined before this guard began are listed without a reason; the audit log of that run has it.
        """
        with self._lock:
            return self._desk.list()

    def inspect(self, entry_id: str) -> QuarantinedEntry:
        """One entry in quarantine.

        Raises:
            PatchError: It is not in quarantine.
        """
        with self._lock:
            return self._desk.inspect(entry_id)

    def release(self, entry_id: str, *, by: str, reason: str, followers: bool = False) -> tuple[MemoryEntry, ...]:
        """Put an entry back into use.

        Whoever releases an entry has seen the evidence against it. The same evidence (same finder, axis and place, not
        clearly stronger) counts nothing in later decisions of this run, unless the policy sets `honour_releases` to
        false; it stays in them with score 0, and a reason says so. Other evidence counts as always.

        Args:
            entry_id: The entry.
            by: Who releases it.
            reason: Why.
            followers: Whether entries that only went along with it are released, too.

        Returns:
            The released entries as they are now.

        Raises:
            PatchError: It is not in quarantine, was purged, or the store failed. Memory is as it was.
            AuditError: The release could not be recorded. Memory is as it was.
        """
        with self._lock:
            pardon = self.policy.honour_releases
            return self._desk.release(entry_id, by=by, reason=reason, followers=followers, pardon=pardon)

    def purge(self, entry_id: str, *, by: str, reason: str) -> QuarantinedEntry:
        """Remove the content of a quarantined entry for good. The entry stays, with the SHA-256 of what it said.

        The content goes from memory and from what the guard holds, so the repair that quarantined it cannot be undone.
        What the audit log recorded before stays there; see its redaction settings.

        Args:
            entry_id: The entry.
            by: Who purges it.
            reason: Why.

        Raises:
            PatchError: It is not in quarantine, was purged already, or the store failed. Memory is as it was.
            AuditError: The purge could not be recorded. Memory is as it was.
        """
        with self._lock:
            return self._desk.purge(entry_id, by=by, reason=reason)
