"""Group commit: writers that come at the same moment share one commit, and so one wait for the disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from mage_ml.errors import AuditError
from mage_ml.runtime.audit.record import AuditEvent, AuditRecord

MAX_GROUP: Final = 256


@dataclass(slots=True, eq=False)
class Ticket:
    """An event on its way into the log.

    Attributes:
        event: What is to be recorded.
        payload_text: Its payload as canonical JSON.
        outcome: The record, or why there is none; `None` as long as neither is known.
        attempt: The record that was being written when the writing thread was interrupted.
    """

    event: AuditEvent
    payload_text: str
    outcome: AuditRecord | BaseException | None = None
    attempt: AuditRecord | None = None


class GroupCommit:
    """Lets one of the waiting threads write for all that wait, in the order in which they came.

    No thread of its own: whoever finds nobody writing writes. A call returns when its own record is durable.

    Args:
        write: Writes tickets in one transaction, or raises and has written none.
    """

    def __init__(self, write: Callable[[Sequence[Ticket]], list[AuditRecord]]) -> None:
        self._write = write
        self.renew()

    def renew(self) -> None:
        """Forget who is waiting: in the child of a fork, they are not there."""
        self._turn = threading.Condition(threading.Lock())
        self._waiting: list[Ticket] = []
        self._writing = False

    def submit(self, ticket: Ticket) -> AuditRecord:
        """Have an event written, together with others.

        Raises:
            AuditError: It could not be written.
        """
        with self._turn:
            self._waiting.append(ticket)
        try:
            while ticket.outcome is None:
                self._wait_or_write(ticket)
        except BaseException:
            with self._turn:  # nobody waits for it any more
                if ticket in self._waiting:
                    self._waiting.remove(ticket)
            raise
        if isinstance(ticket.outcome, BaseException):
            raise ticket.outcome
        return ticket.outcome

    def _wait_or_write(self, ticket: Ticket) -> None:
        with self._turn:
            while self._writing and ticket.outcome is None:
                self._turn.wait()
            if ticket.outcome is not None:
                return
            self._writing = True
            group = self._waiting[:MAX_GROUP]
            del self._waiting[:MAX_GROUP]
        try:
            self._write_group(group)
        finally:
            with self._turn:
                # After an interrupt nobody knows whether the commit came through; the next writer looks.
                self._waiting[:0] = [member for member in group if member.outcome is None]
                self._writing = False
                self._turn.notify_all()

    def _write_group(self, group: Sequence[Ticket]) -> None:
        try:
            records = self._write(group)
        except Exception as error:
            if len(group) == 1 or _is_busy(error):
                for member in group:
                    member.outcome = _own(error)
                return
            for member in group:  # what one cannot have, another still may
                self._write_group([member])
            return
        for member, record in zip(group, records, strict=True):
            member.outcome = record


def _is_busy(error: Exception) -> bool:
    """Whether trying again one by one would only wait as long again."""
    return "locked" in str(error) or "busy" in str(error) or "connect" in str(error)


def _own(error: Exception) -> AuditError:
    """An exception for one thread: a shared one would collect the tracebacks of all."""
    fresh = AuditError(str(error) if isinstance(error, AuditError) else f"{type(error).__name__}: {error}")
    fresh.__cause__ = error
    return fresh
