"""Operators: typed contaminations, one a file. Register a new one here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from data_gen.operators.base import EditPair, Operator, candidates
from data_gen.operators.broken_dependency import BrokenDependency
from data_gen.operators.false_corroboration import FalseCorroboration
from data_gen.operators.plain_instruction import PlainInstruction
from data_gen.operators.unit_slip import UnitSlip
from data_gen.operators.unsupported_inference import UnsupportedInference
from data_gen.operators.value_flip import ValueFlip

OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType(
    {
        operator.name: operator
        for operator in (
            ValueFlip(),
            UnitSlip(),
            UnsupportedInference(),
            PlainInstruction(),
            FalseCorroboration(),
            BrokenDependency(),
        )
    }
)

__all__ = ["OPERATORS", "EditPair", "Operator", "candidates"]
