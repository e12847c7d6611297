"""Loads what a user wrote: an object named by `module:attribute` or `path/to/file.py:attribute`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from data_gen.randomness import seed_for
from mage_ml.errors import ConfigError


def is_reference(name: str) -> bool:
    """Whether a name refers to a user's own file or module rather than to something built in."""
    return ":" in name or name.endswith(".py")


def load_object(reference: str, default: str) -> object:
    """The object that a reference names.

    Args:
        reference: `package.module:ATTRIBUTE`, `path/to/file.py:ATTRIBUTE`, or either without an attribute.
        default: The attribute to take when the reference names none.

    Raises:
        ConfigError: No such file, module or attribute, or importing it fails.
    """
    place, _, attribute = reference.partition(":")
    attribute = attribute or default
    module = _file(Path(place)) if place.endswith(".py") else _module(place)
    if not hasattr(module, attribute):
        raise ConfigError(f"{place}: has no {attribute}; expected an object of that name (or name it: {place}:NAME)")
    return getattr(module, attribute)


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:  # whatever a user's module raises while it is imported
        raise ConfigError(f"{name}: cannot be imported ({type(error).__name__}: {error})") from error


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ConfigError(f"{path}: no such file; expected a Python file with a domain or operator")
    name = f"mage_user_{seed_for(str(path.resolve())):016x}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up while it is being made
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever a user's file raises while it is imported
        del sys.modules[name]
        raise ConfigError(f"{path}: cannot be imported ({type(error).__name__}: {error})") from error
    return module
