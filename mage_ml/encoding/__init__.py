"""The one road from a snapshot to numbers, used by training, export, benchmark and runtime alike."""

from mage_ml.encoding.columns import RELATION_NAMES, feature_names
from mage_ml.encoding.encoder import EncodedSnapshot, SnapshotEncoder
from mage_ml.encoding.settings import EncodingSettings

__all__ = ["RELATION_NAMES", "EncodedSnapshot", "EncodingSettings", "SnapshotEncoder", "feature_names"]
