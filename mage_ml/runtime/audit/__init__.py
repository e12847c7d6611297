"""The audit log: appending, searching, exporting and verifying it."""

from mage_ml.runtime.audit.export import AuditExport, export_log, is_export, read_export, verify_export
from mage_ml.runtime.audit.log import AuditHead, AuditLog
from mage_ml.runtime.audit.query import AuditPage, AuditQuery
from mage_ml.runtime.audit.record import AuditEvent, AuditRecord, EventKind
from mage_ml.runtime.audit.sink import RedactingSink, redacting
from mage_ml.runtime.audit.verify import AuditReport, verify

__all__ = [
    "AuditEvent",
    "AuditExport",
    "AuditHead",
    "AuditLog",
    "AuditPage",
    "AuditQuery",
    "AuditRecord",
    "AuditReport",
    "EventKind",
    "RedactingSink",
    "export_log",
    "is_export",
    "read_export",
    "redacting",
    "verify",
    "verify_export",
]
