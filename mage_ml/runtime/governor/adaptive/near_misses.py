"""Outputs that were nearly stopped, or should have been: what new constraints are proposed from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mage_ml.runtime.audit import AuditLog, AuditQuery, EventKind
from mage_ml.runtime.governor.adaptive.labels import Label
from mage_ml.runtime.governor.ruling import Outcome


class WhyNear(StrEnum):
    """Why an output is a near-miss."""

    MISSED = "missed"
    """A person said that it breaks a constraint; nothing had found it."""
    LEFT = "left"
    """A constraint of severity warn or log was broken, and the output left."""
    WAIVED = "waived"
    """Another constraint prevailed."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """One output.

    Attributes:
        text: What was said.
        why: Why it is one.
        constraint_id: The constraint it is about.
        agent_id: Who said it; empty when unknown.
    """

    text: str
    why: WhyNear
    constraint_id: str
    agent_id: str = ""


def from_labels(labels: Iterable[Label]) -> Iterator[NearMiss]:
    """Violations that people found and the governor did not."""
    for label in labels:
        if label.is_missed and label.text.strip():
            yield NearMiss(label.text, WhyNear.MISSED, label.constraint_id)


def from_audit(log: AuditLog, *, since: float | None = None) -> Iterator[NearMiss]:
    """Outputs that left although they broke something. What the log holds hashed or redacted is passed over.

    Raises:
        AuditError: The log cannot be read.
    """
    for record in log.matches(AuditQuery(kind=EventKind.CONSTRAINT_RULING, since=since)):
        text, ruling = record.payload.get("output"), record.payload.get("ruling")
        if record.action not in (Outcome.WARNED, Outcome.LOGGED) or not isinstance(text, str) or not text.strip():
            continue
        findings: Any = ruling.get("findings") if isinstance(ruling, dict) else None
        for finding in findings if isinstance(findings, list) else ():
            if isinstance(finding, dict) and not finding.get("failed"):
                why = WhyNear.WAIVED if finding.get("waived_for") else WhyNear.LEFT
                agent = str(record.payload.get("agent_id") or "")
                yield NearMiss(text, why, str(finding.get("constraint_id") or ""), agent)
                break
