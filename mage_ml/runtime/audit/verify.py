"""Verifies an audit log: any edit, loss or reorder of records."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from mage_ml.errors import AuditError
from mage_ml.runtime.audit.log import GENESIS, AuditLog, hash_of

MAX_PROBLEMS = 20


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


def verify(log: AuditLog, *, expected_head: str | None = None) -> AuditReport:
    """Recompute the chain.

    Args:
        log: The log.
        expected_head: A hash noted earlier outside the log. It must occur in the chain; this also finds a log that was
            rewritten from end to end.
    """
    problems: list[str] = []
    length, head = log.head()
    previous, count, seen_expected = GENESIS, 0, expected_head in (None, GENESIS)
    try:
        for record in log.records():
            count += 1
            problems += _problems(record.sequence, count, record.previous_hash, previous)
            if hash_of(record, record.sequence, record.recorded_at, record.previous_hash) != record.hash:
                problems.append(f"record {record.sequence}: its content does not match its hash; it was edited")
            seen_expected = seen_expected or record.hash == expected_head
            previous = record.hash
            if len(problems) >= MAX_PROBLEMS:
                break
    except AuditError as error:
        problems.append(str(error))
    if not problems and (count != length or previous != head):
        problems.append(f"the log ends at record {count}, but {length} were written; the last ones are lost")
    if not problems and not seen_expected:
        problems.append("the expected head does not occur in the chain; the log was rewritten or replaced")
    return AuditReport(records=count, head=head, problems=tuple(problems[:MAX_PROBLEMS]))


def _problems(sequence: int, count: int, claimed: str, previous: str) -> list[str]:
    found = []
    if sequence != count:
        found.append(f"record {count} is missing: found {sequence} in its place")
    if claimed != previous:
        found.append(f"record {sequence}: it does not follow the record before it; one was edited, lost or moved")
    return found
