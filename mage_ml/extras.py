"""Optional dependencies: one message when one is missing."""

from __future__ import annotations

import importlib
from types import ModuleType

from mage_ml.errors import MissingExtraError


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import an optional module.

    Args:
        module: Dotted module name.
        extra: The extra of `mage-ml` that installs it.
        purpose: What it is needed for, as a phrase that follows "needed to".

    Returns:
        The imported module.

    Raises:
        MissingExtraError: The module is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name or module
        raise MissingExtraError(
            f"{missing!r} is not installed; it is needed to {purpose}. Install it with: pip install 'mage-ml[{extra}]'"
        ) from error
