"""Constraint drift: constraints pinned outside the model's reach, and verified again wherever they could be lost."""

from mage_ml.runtime.governor.drift.accepted import AcceptedRewordings, Rewording
from mage_ml.runtime.governor.drift.authority import Authority, Right, Widening, widenings
from mage_ml.runtime.governor.drift.board import EntrySink, PinBoard, pinned_entry, pins_of, restored_block
from mage_ml.runtime.governor.drift.history import DriftCount, DriftHistory, DriftTrend
from mage_ml.runtime.governor.drift.pin import Pin
from mage_ml.runtime.governor.drift.synonyms import Synonyms, synonyms_of
from mage_ml.runtime.governor.drift.verdicts import Aspect, Boundary, Finding, Verdict, Verification
from mage_ml.runtime.governor.drift.verify import verify

__all__ = [
    "AcceptedRewordings",
    "Aspect",
    "Authority",
    "Boundary",
    "DriftCount",
    "DriftHistory",
    "DriftTrend",
    "EntrySink",
    "Finding",
    "Pin",
    "PinBoard",
    "Rewording",
    "Right",
    "Synonyms",
    "Verdict",
    "Verification",
    "Widening",
    "pinned_entry",
    "pins_of",
    "restored_block",
    "synonyms_of",
    "verify",
    "widenings",
]
