"""Facts found in entries: who has which attribute, with which value, when.

Structured content (JSON, tables) is read by its keys; prose by clause, in English and Chinese. Extraction is
deterministic and runs in linear time. It prefers to miss a fact over inventing one.
"""

from mage_ml.memory.facts.extract import extract_facts
from mage_ml.memory.facts.index import FactConflict, FactIndex
from mage_ml.memory.facts.types import Fact
from mage_ml.memory.facts.values import values_in

__all__ = ["Fact", "FactConflict", "FactIndex", "extract_facts", "values_in"]
