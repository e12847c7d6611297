"""What an audit log holds: events, and the chained records they become."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, JsonValue

from mage_ml.errors import AuditError

AUDIT_SCHEMA_VERSION: Final = 2
FIRST_VERSION: Final = 1
_TEXTS: Final = ("run_id", "decision_id", "action", "kind", "previous_hash", "hash")
_NUMBERS: Final = ("sequence", "recorded_at", "version")
GENESIS: Final = hashlib.sha256(b"mage-ml audit log, version 1").hexdigest()


class EventKind(StrEnum):
    """What a record is about."""

    DECISION = "decision"
    DECISION_REVISED = "decision_revised"
    """A decision that had to become stricter after it was recorded, because carrying it out failed."""
    DEFERRED_RESULT = "deferred_result"
    REPAIR_UNDONE = "repair_undone"
    QUARANTINE_RELEASED = "quarantine_released"
    QUARANTINE_PURGED = "quarantine_purged"
    FEEDBACK = "feedback"
    ADJUSTMENT = "adjustment"
    ADJUSTMENT_REVERTED = "adjustment_reverted"
    NOTIFIER_FAILED = "notifier_failed"
    POLICY_CHANGED = "policy_changed"
    CONSTRAINT_CHANGED = "constraint_changed"
    CONSTRAINT_RULING = "constraint_ruling"
    STREAM_RETRACTED = "stream_retracted"
    OTHER = "other"


class AuditEvent(BaseModel):
    """What is to be recorded.

    Attributes:
        run_id: The agent's run; empty for an event of no run.
        decision_id: The decision it is about; empty for none.
        action: What was decided, or what was done.
        payload: Everything else: snapshot, scores, evidence, reasons, versions. Records of other kinds than decisions
            are found by the fields `entry_id`, `entry_ids`, `rule`, `rules`, `tool_name` and `reason` at its top level.
        kind: What the record is about.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    decision_id: str
    action: str
    payload: dict[str, JsonValue]
    kind: EventKind = EventKind.DECISION


class AuditRecord(AuditEvent):
    """An event in the log.

    Attributes:
        sequence: Place in the log, from 1.
        recorded_at: Seconds since the epoch.
        previous_hash: Hash of the record before it.
        hash: SHA-256 over everything else.
        version: Format of the record: 1 has no kind.
    """

    sequence: int
    recorded_at: float
    previous_hash: str
    hash: str
    version: int = AUDIT_SCHEMA_VERSION


def canonical(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """JSON with one spelling for equal values.

    Raises:
        ValueError: The value holds NaN or an infinity, which JSON cannot carry.
    """
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    # A lone surrogate has no UTF-8; its JSON escape means the same and has.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def hash_of(record: AuditRecord, payload_text: str | None = None) -> str:
    """The hash that a record should have.

    Args:
        record: The record; its own `hash` is not looked at.
        payload_text: `canonical(record.payload)`, when it is known already.
    """
    if record.version == FIRST_VERSION:
        fields = ("sequence", "recorded_at", "run_id", "decision_id", "action", "payload", "previous_hash")
        return _sha256(canonical({name: getattr(record, name) for name in fields}))
    head = [
        record.version,
        record.sequence,
        record.recorded_at,
        record.kind.value,
        record.run_id,
        record.decision_id,
        record.action,
        record.previous_hash,
    ]
    return _sha256(f"{canonical(head)}\n{canonical(record.payload) if payload_text is None else payload_text}")


def chained(event: AuditEvent, payload_text: str, sequence: int, recorded_at: float, previous: str) -> AuditRecord:
    """The record that an event becomes behind the record with the hash `previous`."""
    if not math.isfinite(recorded_at):
        raise AuditError(f"the clock of the audit log gave {recorded_at}; expected seconds since the epoch")
    record = AuditRecord.model_construct(
        **{name: getattr(event, name) for name in AuditEvent.model_fields},
        sequence=sequence,
        recorded_at=float(recorded_at),
        previous_hash=previous,
        hash="",
        version=AUDIT_SCHEMA_VERSION,
    )
    return record.model_copy(update={"hash": hash_of(record, payload_text)})


def to_row(record: AuditRecord, payload_text: str) -> dict[str, Any]:
    """A record as a row of the database."""
    row = {name: getattr(record, name) for name in AuditRecord.model_fields if name != "payload"}
    return {**row, "kind": record.kind.value, "payload": payload_text}


def from_row(row: Mapping[str, Any]) -> AuditRecord:
    """A record from a row of the database, or a line of an export.

    Raises:
        AuditError: It is none.
    """
    try:
        payload = row["payload"]
        fields = {**row, "payload": json.loads(payload) if isinstance(payload, str) else payload}
        _refuse_other_types(fields)
        return AuditRecord.model_validate(fields)
    except (ValueError, KeyError, RecursionError) as error:
        raise AuditError(f"audit record {row.get('sequence', '?')} is damaged: {error}") from error


def _refuse_other_types(fields: Mapping[str, Any]) -> None:
    """Bytes in place of text mean the same to a model and nothing to a query: such a row was edited."""
    for names, expected in ((_TEXTS, str), (_NUMBERS, int | float)):
        wrong = [name for name in names if name in fields and not isinstance(fields[name], expected)]
        if wrong:
            raise ValueError(f"{wrong[0]} is of the type {type(fields[wrong[0]]).__name__}")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
