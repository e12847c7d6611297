"""Pages for a browser: writing them, and building one from what the audit log recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from mage_ml.errors import ConfigError
from mage_ml.memory import MemoryEntry, PendingAction, Snapshot
from mage_ml.runtime.audit import AuditRecord
from mage_ml.runtime.guardrail import Decision
from mage_ml.runtime.guardrail.report import render_html


class _Recorded(BaseModel):
    model_config = ConfigDict(extra="ignore")

    decision: Decision
    pending_action: PendingAction


class _Seen(BaseModel):
    model_config = ConfigDict(extra="ignore")

    goal: str = ""
    touched: tuple[MemoryEntry, ...] = ()


def write_page(path: Path, text: str) -> None:
    """Write a page.

    Raises:
        ConfigError: It cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"--html {path}: cannot be written: {error}") from error


def recorded_page(records: Sequence[AuditRecord]) -> str:
    """The page of a recorded decision, from the last record that holds one.

    It shows the entries that the record holds: those the decision turned on, as they were when it was made.

    Raises:
        ConfigError: No record holds a whole decision, for example because its content was stored as hashes.
    """
    for record in reversed(records):
        try:
            found = _Recorded.model_validate(record.payload)
        except ValidationError:
            continue
        try:
            seen = _Seen.model_validate(record.payload.get("snapshot") or {})
        except ValidationError:
            return render_html(found.decision)
        unique = {entry.id: entry for entry in seen.touched}
        return render_html(found.decision, Snapshot.of(unique.values(), found.pending_action, goal=seen.goal))
    raise ConfigError("--html: no record of this decision holds it whole; was its content stored as hashes?")
