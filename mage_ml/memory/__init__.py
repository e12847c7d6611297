"""What is judged: entries, chains, dependencies, facts, snapshots, recorded episodes."""

from mage_ml.memory.chain import MemoryChain
from mage_ml.memory.entry import MemoryEntry, Role, Source, Status
from mage_ml.memory.episode import (
    Arm,
    CausalProof,
    Episode,
    EpisodeTriple,
    Moment,
    MomentLabel,
    Outcome,
    Split,
)
from mage_ml.memory.facts import Fact, FactConflict, FactIndex
from mage_ml.memory.graph import DependencyGraph
from mage_ml.memory.snapshot import ActionType, PendingAction, Snapshot

__all__ = [
    "ActionType",
    "Arm",
    "CausalProof",
    "DependencyGraph",
    "Episode",
    "EpisodeTriple",
    "Fact",
    "FactConflict",
    "FactIndex",
    "MemoryChain",
    "MemoryEntry",
    "Moment",
    "MomentLabel",
    "Outcome",
    "PendingAction",
    "Role",
    "Snapshot",
    "Source",
    "Split",
    "Status",
]
