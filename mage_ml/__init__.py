"""MAGE-ML protects LLM agents from their own memory."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from mage_ml.version import __version__

if TYPE_CHECKING:
    from mage_ml.memory.entry import MemoryEntry
    from mage_ml.memory.snapshot import ActionType, PendingAction, Snapshot
    from mage_ml.risk import RiskAxis, RiskVector
    from mage_ml.runtime.guard import MageGuard
    from mage_ml.runtime.guardrail.decision import Decision
    from mage_ml.runtime.guardrail.policy import DecisionAction, PolicyMatrix, load_policy
    from mage_ml.runtime.guardrail.repair import MemoryPatch, MemoryStore

# Name -> module. Imported on first use, so that `import mage_ml` costs nothing.
_HOMES: Final = {
    "ActionType": "mage_ml.memory.snapshot",
    "Decision": "mage_ml.runtime.guardrail.decision",
    "DecisionAction": "mage_ml.runtime.guardrail.policy",
    "MageGuard": "mage_ml.runtime.guard",
    "MemoryEntry": "mage_ml.memory.entry",
    "MemoryPatch": "mage_ml.runtime.guardrail.repair",
    "MemoryStore": "mage_ml.runtime.guardrail.repair",
    "PendingAction": "mage_ml.memory.snapshot",
    "PolicyMatrix": "mage_ml.runtime.guardrail.policy",
    "RiskAxis": "mage_ml.risk",
    "RiskVector": "mage_ml.risk",
    "Snapshot": "mage_ml.memory.snapshot",
    "load_policy": "mage_ml.runtime.guardrail.policy",
}

__all__ = [
    "ActionType",
    "Decision",
    "DecisionAction",
    "MageGuard",
    "MemoryEntry",
    "MemoryPatch",
    "MemoryStore",
    "PendingAction",
    "PolicyMatrix",
    "RiskAxis",
    "RiskVector",
    "Snapshot",
    "__version__",
    "load_policy",
]


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'mage_ml' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
