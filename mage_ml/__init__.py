"""MAGE-ML protects LLM agents from their own memory."""

from mage_ml.version import __version__

__all__ = ["__version__"]
