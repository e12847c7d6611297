"""Facts found in entries: who has which attribute, with which value, when.

Structured content (JSON, tables) is read by its keys; prose by clause, in English and Chinese. Extraction is
deterministic and runs in linear time. It prefers to miss a fact over inventing one.
"""

from mage_ml.memory.facts.content import ContentType, content_type
from mage_ml.memory.facts.extract import extract_facts
from mage_ml.memory.facts.index import FactConflict, FactIndex
from mage_ml.memory.facts.types import Fact
from mage_ml.memory.facts.values import ValueScan, scan_values, values_in

__all__ = [
    "ContentType",
    "Fact",
    "FactConflict",
    "FactIndex",
    "ValueScan",
    "content_type",
    "extract_facts",
    "scan_values",
    "values_in",
]
