"""What of a run's content may be written down: all of it, hashes, or text with personal data masked."""

from mage_ml.runtime.redaction.patterns import PatternName
from mage_ml.runtime.redaction.redactor import Redactor, create_redactor
from mage_ml.runtime.redaction.settings import AuditSettings, ContentMode

__all__ = ["AuditSettings", "ContentMode", "PatternName", "Redactor", "create_redactor"]
