"""Operators: typed contaminations, one class each, grouped by what they touch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

from data_gen.operators.base import Consequence, EditPair, Operator, Spot, WriteOperator, edit_of
from data_gen.operators.claims import (
    BrokenDependency,
    DroppedNegation,
    EntitySwap,
    FalseCorroboration,
    HallucinatedToolResult,
    LowConfidenceChain,
    OriginLaundering,
    RewrittenGoal,
    UnsupportedInference,
)
from data_gen.operators.composite import Composite
from data_gen.operators.garbled import GarbledToolResult
from data_gen.operators.instructions import (
    GradualInjection,
    Looping,
    MemoryInjection,
    PlainInstruction,
    SourceSpoofing,
)
from data_gen.operators.rules import DroppedRule, MisboundRule, WeakenedRule, WidenedRule
from data_gen.operators.supplied import PREFIX, SuppliedInstruction
from data_gen.operators.values import ArithmeticSlip, MisreadToolResult, StaleOverwrite, UnitSlip, ValueFlip
from data_gen.plugins import is_reference, load_object
from mage_ml.config import nearest
from mage_ml.errors import ConfigError

_ALL: Final[tuple[Operator, ...]] = (
    ValueFlip(), UnitSlip(), UnsupportedInference(), PlainInstruction(), FalseCorroboration(), BrokenDependency(),
    EntitySwap(), StaleOverwrite(), DroppedNegation(), ArithmeticSlip(), MisreadToolResult(), HallucinatedToolResult(),
    OriginLaundering(), SourceSpoofing(), LowConfidenceChain(), MemoryInjection(), GradualInjection(), Looping(),
    GarbledToolResult(), RewrittenGoal(), DroppedRule(), WeakenedRule(), MisboundRule(), WidenedRule(),
)  # fmt: skip
OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType({operator.name: operator for operator in _ALL})


def find_operator(name: str) -> Operator:
    """An operator by name: a built-in one, two joined by `+`, a user's own, or a user's own phrases.

    A user's own is `module:ATTRIBUTE` or `path/to/file.py`; phrases are `phrases:path/to/file.jsonl`.

    Raises:
        ConfigError: There is none of that name, or it is no operator.
    """
    if name in OPERATORS:
        return OPERATORS[name]
    if name.startswith(PREFIX):
        return SuppliedInstruction(Path(name.removeprefix(PREFIX)))
    if "+" in name and not is_reference(name):
        one, _, two = name.partition("+")
        return Composite(find_operator(one), find_operator(two))
    if not is_reference(name):
        raise ConfigError(f"unknown operator {name!r}; {nearest(name, tuple(OPERATORS))}")
    found = load_object(name, "OPERATOR")
    missing = [part for part in ("name", "family", "needs", "width", "spots", "edit") if not hasattr(found, part)]
    if missing:
        raise ConfigError(f"{name}: OPERATOR lacks {', '.join(missing)}; docs/domains.md shows what an operator has")
    return cast("Operator", found)


__all__ = [
    "OPERATORS",
    "Composite",
    "Consequence",
    "EditPair",
    "Operator",
    "Spot",
    "WriteOperator",
    "edit_of",
    "find_operator",
]
