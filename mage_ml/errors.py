"""Every exception the toolkit raises on purpose.

All derive from `MageError`, so a host can catch one class. A message says what was found, what was expected and
what to do next.
"""

from __future__ import annotations


class MageError(Exception):
    """Base of all errors raised on purpose."""


class MissingExtraError(MageError):
    """An optional dependency is not installed."""


class ConfigError(MageError):
    """A configuration or policy file is wrong; the message names file, line and the nearest valid name."""


class RecordError(MageError):
    """A memory record cannot be accepted.

    Attributes:
        record: Position of the record in its file or chain, from 1; `None` when it has none.
        record_id: The record's own id as far as it could be read.
        chain: What was read before it, when a chain was being read (a `MemoryChain`).
    """

    chain: object | None = None

    def __init__(self, message: str, *, record: int | None = None, record_id: str | None = None) -> None:
        place = [] if record is None else [f"record {record}"]
        if record_id is not None:
            place.append(f"id {record_id!r}")
        super().__init__(f"{', '.join(place)}: {message}" if place else message)
        self.record = record
        self.record_id = record_id


class ArtifactError(MageError):
    """A model artifact is damaged, incomplete, or newer than this version can read."""


class EvaluatorError(MageError):
    """An evaluator could not give a score. This is a failure, never a verdict."""


class PatchError(MageError):
    """A memory patch cannot be applied or undone; the store is as it was before.

    Attributes:
        in_doubt: Ids of entries that a failing store did not even let us put back; empty otherwise.
    """

    def __init__(self, message: str, *, in_doubt: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.in_doubt = in_doubt


class ChangedEntryError(PatchError):
    """The host changed an entry that a patch was made for; nothing was written."""


class AuditError(MageError):
    """The audit log cannot be written or does not verify."""


class ProbeError(MageError):
    """Generated data carries an artifact: something other than the contamination tells the arms apart."""


class GateError(MageError):
    """An exported model disagrees with the one it was exported from."""
