"""The frameworks behind the adapters, and the extras that install them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from mage_ml.extras import require

_MODULES: Final = MappingProxyType(
    {
        "langchain": ("langchain.agents",),
        "langgraph": ("langchain_core.messages", "langgraph.prebuilt"),
    }
)


def require_framework(extra: str, purpose: str) -> None:
    """Make sure that a framework is there before an adapter's module imports it.

    Args:
        extra: The extra of `mage-ml`.
        purpose: What it is needed for, as a phrase that follows "needed to".

    Raises:
        MissingExtraError: It is not installed.
    """
    for module in _MODULES[extra]:
        require(module, extra=extra, purpose=purpose)
