"""Exports an audit log as JSON Lines, and reads and verifies such a file."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from pydantic import BaseModel, ConfigDict

from mage_ml.errors import AuditError
from mage_ml.progress import Progress, silent
from mage_ml.runtime.audit.log import AuditHead, AuditLog
from mage_ml.runtime.audit.query import AuditQuery
from mage_ml.runtime.audit.record import AUDIT_SCHEMA_VERSION, AuditRecord, canonical, from_row
from mage_ml.runtime.audit.verify import AuditReport, verify_records

_FORMAT: Final = "mage-ml audit export"
_STEP: Final = 1000


class AuditExport(BaseModel):
    """The first line of an export.

    Attributes:
        format: Says what the file is.
        version: Format of the log.
        sequence: Records in the log when it was exported.
        head: Hash of the last of them.
        is_whole_log: Whether all are here; a selection can be checked record by record, but not for losses.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: str = _FORMAT
    version: int = AUDIT_SCHEMA_VERSION
    sequence: int
    head: str
    is_whole_log: bool


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What was written.

    Attributes:
        records: Number of records.
        header: First line of the file.
    """

    records: int
    header: AuditExport


def export_log(
    log: AuditLog, path: Path, query: AuditQuery | None = None, *, progress: Progress = silent
) -> ExportSummary:
    """Write a log, or the records that match a query, one a line; nothing is held in memory.

    Args:
        log: The log.
        path: Where to; a name that ends in `.gz` is compressed.
        query: Which records; `None` for all.
        progress: Told how many records are done.

    Raises:
        AuditError: The log cannot be read, or the file cannot be written.
    """
    head = log.head()
    header = AuditExport(sequence=head.sequence, head=head.hash, is_whole_log=query is None)
    total = head.sequence if query is None else log.count(query)
    written = 0
    try:
        with _opened(path, "w") as file:
            file.write(header.model_dump_json() + "\n")
            for record in _up_to(log, head) if query is None else log.matches(query):
                file.write(canonical(record.model_dump(mode="json")) + "\n")
                written += 1
                if written % _STEP == 0:
                    progress("export", written, total)
    except OSError as error:
        raise AuditError(f"{path}: cannot be written: {error}") from error
    progress("export", written, total)
    return ExportSummary(written, header)


def read_export(path: Path) -> Iterator[AuditRecord]:
    """The records of an export, one by one.

    Raises:
        AuditError: The file cannot be read, or a line is no record.
    """
    for number, line in _lines(path):
        if number > 1:
            yield from_row(_parsed(path, number, line))


def read_header(path: Path) -> AuditExport:
    """The first line of an export.

    Raises:
        AuditError: The file cannot be read, or is no export.
    """
    first = next(_lines(path), None)
    try:
        if first is None:
            raise ValueError("it is empty")
        header = AuditExport.model_validate(_parsed(path, *first))
    except ValueError as error:
        raise AuditError(f"{path}: not an export of an audit log: {error}") from error
    if header.version > AUDIT_SCHEMA_VERSION:
        raise AuditError(f"{path}: format {header.version}; this release reads up to {AUDIT_SCHEMA_VERSION}")
    return header


def is_export(path: Path) -> bool:
    """Whether a file is an export rather than a log, by its name."""
    return path.name.endswith((".jsonl", ".jsonl.gz"))


def verify_export(path: Path, *, expected_head: str | None = None, progress: Progress = silent) -> AuditReport:
    """Recompute the chain of an export of a whole log.

    Raises:
        AuditError: The file is no export, or holds a selection, in which a loss cannot be seen.
    """
    header = read_header(path)
    if not header.is_whole_log:
        raise AuditError(
            f"{path}: holds a selection of records, in which a loss cannot be seen; export the log without filters"
        )
    records = read_export(path)
    return verify_records(records, header.sequence, header.head, expected_head=expected_head, progress=progress)


def _up_to(log: AuditLog, head: AuditHead) -> Iterator[AuditRecord]:
    for record in log.records():
        if record.sequence > head.sequence:
            return
        yield record


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[TextIO]:
    with path.open(f"{mode}b") as raw:
        packed: Any = gzip.GzipFile(fileobj=raw, mode=f"{mode}b", mtime=0) if path.suffix == ".gz" else raw
        with packed, io.TextIOWrapper(packed, encoding="utf-8") as file:
            yield file


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with _opened(path, "r") as file:
            yield from enumerate(file, 1)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise AuditError(f"{path}: cannot be read: {error}") from error


def _parsed(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise AuditError(f"{path}:{number}: not a line of JSON: {error}") from error
    if not isinstance(row, dict):
        raise AuditError(f"{path}:{number}: expected an object, found {type(row).__name__}")
    return row
