"""Names of what the encoding computes."""

from __future__ import annotations

from typing import Final

from mage_ml.memory import ActionType, Source

FEATURE_NAMES: Final = (
    "is_action",
    *(f"action_is_{kind.name.lower()}" for kind in ActionType),
    "action_is_other",
    *(f"source_is_{source.value}" for source in Source),
    "is_instruction",
    "is_suspect",
    "confidence",
    "weakest_support",
    "confidence_above_support",
    "age",
    "position",
    "parents",
    "missing_parents",
    "in_cycle",
    "origins",
    "is_basis_of_action",
    "is_ancestor_of_action",
    "conflicts_as_later",
    "conflicts_as_earlier",
    "corrects",
    "was_corrected",
    "unit_disagrees",
    "echoing_parents",
    "values_shared_with_action",
    "sole_holder_of_action_value",
    "values_without_support",
    "numbers_without_support",
    "values_from_weak_only",
    "figures_without_support",
    "words_without_support",
    "words_shared_with_action",
    "action_values_from_user",
    "action_values_from_untrusted_only",
    "action_values_from_nowhere",
    "action_figures_without_support",
    "action_words_without_support",
    "piece",
    "pieces",
)
"""Names of the feature columns as they are computed, in order; see `feature_names` for those of a version."""

_SINCE_2: Final = frozenset(
    {
        "was_corrected",
        "figures_without_support",
        "words_without_support",
        "words_shared_with_action",
        "action_figures_without_support",
        "action_words_without_support",
    }
)

MEMORY_COLUMNS: Final = (
    "position",
    "parents",
    "missing_parents",
    "action_values_from_user",
    "action_values_from_untrusted_only",
    "action_values_from_nowhere",
    "action_figures_without_support",
    "action_words_without_support",
)
"""Columns of the action's row that are computed from memory: an ablation without memory must not see them."""

RELATION_NAMES: Final = ("derives_from", "supports", "conflicts", "shares_value", "same_entry", "basis_of_action")
"""Names of the relations between two items, in order."""

COLUMN: Final = {name: column for column, name in enumerate(FEATURE_NAMES)}
"""Place of each feature column."""


def feature_names(version: int) -> tuple[str, ...]:
    """Names of the feature columns in a version of the format, in order; the manifest repeats them."""
    return tuple(name for name in FEATURE_NAMES if version > 1 or name not in _SINCE_2)
