"""Infers what a recorded run did not record; the same inference as a live session uses."""

from mage_ml.memory.dependencies import MAX_PARENTS, DependencyInference, ValueCache

__all__ = ["MAX_PARENTS", "DependencyInference", "ValueCache"]
