"""Verifies an audit log: any edit, loss or reorder of records."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Final

from pydantic import BaseModel, ConfigDict

from mage_ml.errors import AuditError
from mage_ml.progress import Progress, silent
from mage_ml.runtime.audit.log import AuditLog
from mage_ml.runtime.audit.record import FIRST_VERSION, GENESIS, AuditRecord, EventKind, hash_of

MAX_PROBLEMS: Final = 20
_BATCH: Final = 500


class AuditReport(BaseModel):
    """Result of a verification.

    Attributes:
        records: Records read.
        head: Hash of the last record that the log claims to have.
        problems: What is wrong, in order; at most 20. Empty when the log is whole.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    records: int
    head: str
    problems: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


class _Chain:
    """Follows a chain record by record."""

    def __init__(self, expected_head: str | None) -> None:
        self.count = 0
        self.previous = GENESIS
        self.problems: list[str] = []
        self._expected = expected_head
        self._seen = expected_head in (None, GENESIS)

    def take(self, record: AuditRecord) -> None:
        self.count += 1
        if record.sequence != self.count:
            self.problems.append(f"record {self.count} is missing: found {record.sequence} in its place")
        if record.previous_hash != self.previous:
            self.problems.append(
                f"record {record.sequence}: it does not follow the record before it; one was edited, lost or moved"
            )
        # The hash of the first format does not cover the kind, which was always that of a decision.
        kind_is_changed = record.version == FIRST_VERSION and record.kind is not EventKind.DECISION
        if kind_is_changed or hash_of(record) != record.hash:
            self.problems.append(f"record {record.sequence}: its content does not match its hash; it was edited")
        self._seen = self._seen or record.hash == self._expected
        self.previous = record.hash

    def end(self, length: int, head: str) -> AuditReport:
        if not self.problems and (self.count != length or self.previous != head):
            self.problems.append(
                f"the log ends at record {self.count}, but {length} were written; the last ones are lost"
            )
        if not self.problems and not self._seen:
            self.problems.append("the expected head does not occur in the chain; the log was rewritten or replaced")
        return AuditReport(records=self.count, head=head, problems=tuple(self.problems[:MAX_PROBLEMS]))


def verify(log: AuditLog, *, expected_head: str | None = None, progress: Progress = silent) -> AuditReport:
    """Recompute the chain, and compare the index that queries use with the records.

    Records that are appended meanwhile are left out.

    Args:
        log: The log.
        expected_head: A hash noted earlier outside the log. It must occur in the chain; this also finds a log that was
            rewritten from end to end.
        progress: Told how many records are done.
    """
    head = log.head()
    chain = _Chain(expected_head)
    present = itertools.takewhile(lambda record: record.sequence <= head.sequence, log.records())
    try:
        for batch in _batched(present):
            for record in batch:
                chain.take(record)
            chain.problems += [
                f"record {sequence}: queries do not find it; the index was edited" for sequence in log.unfindable(batch)
            ]
            progress("verify", chain.count, head.sequence)
            if len(chain.problems) >= MAX_PROBLEMS:
                break
        strange = log.outside()
        if strange:
            chain.problems.append(f"{strange} records lie outside the chain; they were put in past the log")
    except AuditError as error:
        chain.problems.append(str(error))
    return chain.end(head.sequence, head.hash)


def verify_records(
    records: Iterable[AuditRecord],
    length: int,
    head: str,
    *,
    expected_head: str | None = None,
    progress: Progress = silent,
) -> AuditReport:
    """Recompute the chain of records that are not in a database, such as those of an export.

    Args:
        records: From the first on, in order.
        length: How many there should be.
        head: Hash of the last one.
        expected_head: See `verify`.
        progress: Told how many records are done.
    """
    chain = _Chain(expected_head)
    try:
        for record in records:
            chain.take(record)
            if chain.count % _BATCH == 0:
                progress("verify", chain.count, length)
            if len(chain.problems) >= MAX_PROBLEMS:
                break
    except AuditError as error:
        chain.problems.append(str(error))
    progress("verify", chain.count, length)
    return chain.end(length, head)


def _batched(records: Iterable[AuditRecord]) -> Iterator[list[AuditRecord]]:
    source = iter(records)
    while batch := list(itertools.islice(source, _BATCH)):
        yield batch
