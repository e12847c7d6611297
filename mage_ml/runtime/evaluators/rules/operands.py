"""What a computed figure should be: its operands among the facts of some entries, and their result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from mage_ml.memory import MemoryEntry
from mage_ml.memory.facts.figures import Figure
from mage_ml.memory.facts.lexicon import ATTRIBUTES
from mage_ml.memory.facts.quantities import CURRENCIES
from mage_ml.memory.facts.types import are_roundings
from mage_ml.runtime.evaluators.rules.computed import Operation, Statement
from mage_ml.runtime.evaluators.rules.scope import Scope

MAX_OPERANDS: Final = 12
_MAX_SUMMED: Final = 6
_WHOLE: Final = frozenset(
    {"total", "all", "company", "overall", "whole company", "group", "all regions", "全部", "全部大区", "公司", "总计"}
) | {"合计", "全公司", "整体"}
_COUNTED: Final = frozenset(ATTRIBUTES) - {"growth", "share", "margin"}


@dataclass(frozen=True, slots=True)
class Operand:
    """One figure that a result may be computed from."""

    entity: str
    time: str
    number: float
    unit: str
    precision: float


@dataclass(frozen=True, slots=True)
class Expected:
    """What a result may be.

    Attributes:
        values: The values it may have.
        unit: Their unit.
        slack: How far rounding of the operands can lead.
        signed: Above 0 for a rise, below 0 for a fall, 0 where there is no direction.
    """

    values: tuple[float, ...]
    unit: str
    slack: float
    signed: float = 0.0


def operands_of(scope: Scope, parents: Sequence[MemoryEntry], *, all_read: bool = False) -> list[Operand]:
    """The facts of some entries about one property in one unit, one for each entity and period; none if ambiguous.

    Args:
        scope: What the rules look at.
        parents: The entries.
        all_read: None, too, when an entry gives sums of money of which it is not known what they are of.
    """
    found: dict[tuple[str, str, str], Operand] = {}
    for parent in parents:
        before = len(found)
        precise = {figure.number: figure.precision for figure in scope.read(parent).figures}
        for fact in scope.snapshot.facts.facts_of(parent.id):
            if fact.number is None or fact.unit == "%" or fact.attribute not in _COUNTED or not fact.entity:
                continue
            operand = Operand(fact.entity, fact.time, fact.number, fact.unit, precise.get(fact.number, 0.0))
            known = found.setdefault((fact.entity, fact.attribute, fact.time), operand)
            if not are_roundings(known.number, fact.number) or known.unit != fact.unit:
                return []
            if operand.precision < known.precision:
                found[fact.entity, fact.attribute, fact.time] = operand
        if (
            all_read
            and len(found) == before
            and any(figure.unit in CURRENCIES for figure in scope.read(parent).figures)
        ):
            return []
    one_property = len({attribute for _, attribute, _ in found}) == 1
    one_unit = len({operand.unit for operand in found.values()}) == 1
    return list(found.values())[:MAX_OPERANDS] if one_property and one_unit else []


def _named(statement: Statement, operands: Sequence[Operand]) -> list[Operand]:
    return [o for o in operands if o.entity in statement.text and o.entity not in _WHOLE]


def _gap(statement: Statement, operands: Sequence[Operand]) -> Expected | None:
    named = _named(statement, operands)
    if len(named) != 2 or named[0].entity == named[1].entity or named[0].time != named[1].time:
        return None
    one, other = named
    gap = abs(one.number - other.number)
    if any(figure.unit == "%" for figure in statement.figures):
        if not one.number or not other.number:
            return None
        slack = 100 * (one.precision + other.precision) / min(abs(one.number), abs(other.number))
        return Expected((100 * gap / abs(one.number), 100 * gap / abs(other.number)), "%", 2 * slack)
    return Expected((gap,), one.unit, one.precision + other.precision)


def _share(statement: Statement, operands: Sequence[Operand]) -> Expected | None:
    named = _named(statement, operands)
    whole = [o for o in operands if o.entity in _WHOLE and named and o.time == named[0].time]
    if len(named) != 1 or len(whole) != 1 or not whole[0].number:
        return None
    part = named[0]
    slack = 100 * (part.precision + whole[0].precision) / abs(whole[0].number)
    return Expected((100 * part.number / whole[0].number,), "%", slack)


def _change(statement: Statement, operands: Sequence[Operand]) -> Expected | None:
    named = sorted(_named(statement, operands), key=lambda o: o.time)
    if len(named) != 2 or named[0].entity != named[1].entity or not _are_comparable(named[0].time, named[1].time):
        return None
    before, after = named
    change = after.number - before.number
    if any(figure.unit == "%" for figure in statement.figures):
        if not before.number:
            return None
        slack = 100 * (before.precision + after.precision) / abs(before.number)
        return Expected((100 * change / abs(before.number),), "%", 2 * slack, change)
    return Expected((change,), before.unit, before.precision + after.precision, change)


def _are_comparable(one: str, other: str) -> bool:
    """Whether two periods are of one form with a year, so that their order is that of their names."""
    return one != other and len(one) == len(other) and one[:4].isdigit() and other[:4].isdigit()


def _total(statement: Statement, operands: Sequence[Operand]) -> Expected | None:
    groups = _groups(statement, operands)
    if not groups:
        return None
    values = tuple(sum(o.number for o in group) for group in groups)
    return Expected(values, operands[0].unit, sum(o.precision for o in operands))


def _mean(statement: Statement, operands: Sequence[Operand]) -> Expected | None:
    groups = _groups(statement, operands)
    if not groups:
        return None
    values = tuple(sum(o.number for o in group) / len(group) for group in groups)
    return Expected(values, operands[0].unit, max(o.precision for o in operands))


def _groups(statement: Statement, operands: Sequence[Operand]) -> list[tuple[Operand, ...]]:
    """The operands that a total or mean may be over: those named, or without names any two and more."""
    parts = [o for o in operands if o.entity not in _WHOLE]
    named = _named(statement, operands)
    if len(named) == 1 or len(parts) < 2 or len(parts) > _MAX_SUMMED:
        return []
    if named:
        return [tuple(named)]
    return [group for size in range(2, len(parts) + 1) for group in combinations(parts, size)]


_EXPECTED: Final[Mapping[Operation, Callable[[Statement, Sequence[Operand]], Expected | None]]] = {
    Operation.GAP: _gap,
    Operation.SHARE: _share,
    Operation.CHANGE: _change,
    Operation.TOTAL: _total,
    Operation.MEAN: _mean,
}


def expected_of(statement: Statement, operands: Sequence[Operand]) -> Expected | None:
    """What the figure of a statement should be; `None` where its operands cannot be told for certain."""
    return _EXPECTED[statement.operation](statement, operands)


def agrees(figure: Figure, value: float, slack: float) -> bool:
    """Whether a figure is a value as written, within rounding and some slack; signs aside."""
    tolerance = max(1.02 * figure.precision, 0.0015 * abs(figure.number)) + slack
    return abs(abs(figure.number) - abs(value)) <= tolerance + 1e-9


def tells(figure: Figure) -> bool:
    """Whether a number can be a result: small counts and years are not."""
    if figure.unit:
        return True
    is_year = figure.number == int(figure.number) and 1900 <= figure.number <= 2100
    return abs(figure.number) >= 10 and not is_year
