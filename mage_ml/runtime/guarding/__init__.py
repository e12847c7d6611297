"""What the guard does around a decision: record it, enforce it, tend the quarantine, survive failures."""

from mage_ml.runtime.guarding.curation import Curation
from mage_ml.runtime.guarding.enforcement import Enforcement
from mage_ml.runtime.guarding.evaluation import DeferredResult, RunEvaluation
from mage_ml.runtime.guarding.failing import after_failure
from mage_ml.runtime.guarding.hindsight import Hindsight
from mage_ml.runtime.guarding.notices import Announcer
from mage_ml.runtime.guarding.outcomes import Outcomes
from mage_ml.runtime.guarding.quarantine import QuarantinedEntry, QuarantineDesk
from mage_ml.runtime.guarding.recording import AuditSink, decision_event
from mage_ml.runtime.guarding.streams import Streams

__all__ = [
    "Announcer",
    "AuditSink",
    "Curation",
    "DeferredResult",
    "Enforcement",
    "Hindsight",
    "Outcomes",
    "QuarantineDesk",
    "QuarantinedEntry",
    "RunEvaluation",
    "Streams",
    "after_failure",
    "decision_event",
]
