"""The audit log and its verification."""

from mage_ml.runtime.audit.log import AuditEvent, AuditLog, AuditRecord
from mage_ml.runtime.audit.verify import AuditReport, verify

__all__ = ["AuditEvent", "AuditLog", "AuditRecord", "AuditReport", "verify"]
