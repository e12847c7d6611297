"""LangChain and LangGraph: agent middleware, guarded tool nodes, stores and histories, telemetry.

The names below are imported on first use. `MageMiddleware` needs the extra `langchain`, the others `langgraph` alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from mage_ml.runtime.integrations.core import SessionPool
from mage_ml.runtime.integrations.extras import require_framework

if TYPE_CHECKING:
    from mage_ml.runtime.integrations.langchain.history import MageMemory
    from mage_ml.runtime.integrations.langchain.middleware import MageMiddleware
    from mage_ml.runtime.integrations.langchain.options import OnHalt, Streaming
    from mage_ml.runtime.integrations.langchain.store import GuardedStore
    from mage_ml.runtime.integrations.langchain.telemetry import MageCallback
    from mage_ml.runtime.integrations.langchain.tool_node import guarded_tool_node

# Name -> module, and the extra that its module needs.
_HOMES: Final = {
    "GuardedStore": ("store", "langgraph"),
    "MageCallback": ("telemetry", "langgraph"),
    "MageMemory": ("history", "langgraph"),
    "MageMiddleware": ("middleware", "langchain"),
    "OnHalt": ("options", ""),
    "Streaming": ("options", ""),
    "guarded_tool_node": ("tool_node", "langgraph"),
}

__all__ = [
    "GuardedStore",
    "MageCallback",
    "MageMemory",
    "MageMiddleware",
    "OnHalt",
    "SessionPool",
    "Streaming",
    "guarded_tool_node",
]


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, extra = _HOMES[name]
    if extra:
        require_framework(extra, f"use {name}")
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
