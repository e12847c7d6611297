"""Recording with redaction."""

from __future__ import annotations

from typing import Protocol

from mage_ml.runtime.audit.record import AuditEvent, AuditRecord
from mage_ml.runtime.redaction import ContentMode, Redactor


class Sink(Protocol):
    """Where events are recorded."""

    def append(self, event: AuditEvent) -> AuditRecord:
        """Record an event durably.

        Raises:
            AuditError: It could not be written.
        """
        ...


class RedactingSink:
    """Takes out what may not be recorded before an event reaches a log.

    Args:
        sink: The log.
        redactor: What is taken out.
    """

    def __init__(self, sink: Sink, redactor: Redactor) -> None:
        self.sink = sink
        self._redactor = redactor

    def append(self, event: AuditEvent) -> AuditRecord:
        """Record what is left of an event.

        Raises:
            AuditError: It could not be written.
        """
        return self.sink.append(event.model_copy(update={"payload": self._redactor.redact(event.payload)}))


def redacting(sink: Sink, redactor: Redactor) -> Sink:
    """A sink that records no more than a policy allows."""
    return sink if redactor.settings.content is ContentMode.FULL else RedactingSink(sink, redactor)
