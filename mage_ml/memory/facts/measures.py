"""Which attribute each number of a clause values, and how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mage_ml.memory.facts.clauses import Clause
from mage_ml.memory.facts.lexer import Token, TokenKind
from mage_ml.memory.facts.lexicon import Cue, Kind
from mage_ml.memory.facts.names import compound, kind_of
from mage_ml.memory.facts.quantities import CURRENCIES
from mage_ml.memory.facts.roles import Change, Role, period_for, role_of, trailing_period


class Attribute(NamedTuple):
    """An attribute as named in a clause.

    Attributes:
        name: Canonical name, with its modifiers (`net revenue`).
        kind: Which values it takes.
        start: First character.
        end: One past the last character.
        is_total: Whether it is a sum over what was named before.
    """

    name: str
    kind: Kind
    start: int
    end: int
    is_total: bool


class Reading(NamedTuple):
    """One number of a clause, understood.

    Attributes:
        attribute: The attribute it belongs to.
        name: Name of the fact: the attribute, `previous ...`, `change in ...`, or `... growth`.
        number: The value, signed when it is a change.
        unit: Base unit.
        time: The period it belongs to; empty when the clause names none.
        action: `rise` or `fall` for a change.
        is_previous: Whether it is the value before a change.
        start: First character.
        end: One past the last character.
    """

    attribute: Attribute
    name: str
    number: float
    unit: str
    time: str
    action: str
    is_previous: bool
    start: int
    end: int


def attributes_in(clause: Clause) -> list[Attribute]:
    """The attributes of a clause in order; neighbours make one (`refund limit`)."""
    found: list[Attribute] = []
    run: list[Token] = []
    for index, token in enumerate(clause.tokens):
        if token.kind not in (TokenKind.ATTRIBUTE, TokenKind.MODIFIER):
            continue
        if run and clause.text[run[-1].end : token.start].strip(" _"):
            found += _attribute_of(run)
            run = []
        run.append(clause.tokens[index])
    return found + _attribute_of(run)


def _attribute_of(run: list[Token]) -> list[Attribute]:
    if not run or run[-1].kind is TokenKind.MODIFIER:
        return []
    name = compound([token.name for token in run])
    is_total = any(token.name == "total" for token in run)
    return [Attribute(name, kind_of(name), run[0].start, run[-1].end, is_total)]


def readings_in(
    clause: Clause, attributes: Sequence[Attribute], carried: Attribute | None, change: Change | None
) -> list[Reading]:
    """The numbers of a clause that value one of its attributes, or the one carried from the clause before.

    Args:
        clause: The clause.
        attributes: Its attributes.
        carried: The attribute of the clause before it, for a clause that names none.
        change: The change that the clause states.
    """
    numbers = [index for index, token in enumerate(clause.tokens) if token.kind is TokenKind.NUMBER]
    if not numbers or not (attributes or carried):
        return []
    if Cue.RESPECTIVELY in clause.cues:
        return _paired(clause, attributes, numbers)
    claimed = {index: trailing_period(clause, index) for index in numbers}
    readings: list[Reading] = []
    used: set[str] = set()
    for index in numbers:
        role = role_of(clause, index, change)
        if role is Role.NONE:
            continue
        attribute = _attribute_for(clause, index, attributes, carried, used, change)
        if attribute is None:
            continue
        used.add(attribute.name)
        period = claimed[index] if claimed[index] is not None else period_for(clause, index, claimed, role)
        time = clause.tokens[period].name if period is not None else ""
        reading = _reading(clause, clause.tokens[index], attribute, role, time, change)
        readings += [reading] if reading is not None else []
    return readings


def _paired(clause: Clause, attributes: Sequence[Attribute], numbers: list[int]) -> list[Reading]:
    """`revenue and cost were 120 and 80 respectively`: in order, or not at all."""
    measured = [attribute for attribute in attributes if attribute.kind is not Kind.WORD]
    if len(measured) != len(numbers):
        return []
    period = next((token.name for token in clause.tokens if token.kind is TokenKind.PERIOD), "")
    pairs = [(attribute, clause.tokens[index]) for attribute, index in zip(measured, numbers, strict=True)]
    if not all(_takes(attribute.kind, token.unit) for attribute, token in pairs):
        return []
    return [
        Reading(attribute, attribute.name, token.number, token.unit, period, "", False, token.start, token.end)
        for attribute, token in pairs
    ]


def _reading(
    clause: Clause, token: Token, attribute: Attribute, role: Role, time: str, change: Change | None
) -> Reading | None:
    is_ratio = token.unit == "%"
    if attribute.kind is Kind.MONEY and is_ratio:
        if change is None or role is Role.PREVIOUS:
            return None
        base = "" if attribute.name == "revenue" else f"{attribute.name} "
        return _moved(token, attribute, f"{base}growth{_basis(clause)}", time, change)
    if attribute.name == "growth" and change is not None and role is not Role.PREVIOUS:
        return _moved(token, attribute, f"growth{_basis(clause)}", time, change)
    if role is Role.DELTA and change is not None:
        if is_ratio and attribute.kind is not Kind.RATIO:
            return _moved(token, attribute, f"{attribute.name} growth{_basis(clause)}", time, change)
        return _moved(token, attribute, f"change in {attribute.name}", time, change)
    # "from 100 in Q1 to 120 in Q2" are two levels; "from 100 to 120" is a level and the one before it.
    previous = role is Role.PREVIOUS and not time
    name = f"previous {attribute.name}" if previous else attribute.name
    if attribute.name == "growth":
        name += _basis(clause)
    is_previous = role is Role.PREVIOUS
    return Reading(attribute, name, token.number, token.unit, time, "", is_previous, token.start, token.end)


def _moved(token: Token, attribute: Attribute, name: str, time: str, change: Change) -> Reading:
    sign = 1.0 if change.action == "rise" else -1.0
    number = sign * abs(token.number)
    return Reading(attribute, name, number, token.unit, time, change.action, False, token.start, token.end)


def _basis(clause: Clause) -> str:
    if Cue.YEARLY in clause.cues:
        return " yoy"
    return " qoq" if Cue.SEQUENTIAL in clause.cues else ""


def _takes(kind: Kind, unit: str) -> bool:
    if kind is Kind.WORD:
        return False
    if kind is Kind.ANY or not unit:
        return True
    if kind is Kind.MONEY:
        return unit in CURRENCIES
    if kind is Kind.RATIO:
        return unit == "%"
    return unit not in CURRENCIES and unit != "%"


def _attribute_for(
    clause: Clause,
    index: int,
    attributes: Sequence[Attribute],
    carried: Attribute | None,
    used: set[str],
    change: Change | None,
) -> Attribute | None:
    token = clause.tokens[index]
    growing = token.unit == "%" and change is not None
    fitting = [
        item
        for item in attributes
        if _takes(item.kind, token.unit) or (growing and item.kind in (Kind.MONEY, Kind.COUNT))
    ]
    before = [item for item in fitting if item.end <= token.start + 1]
    behind = next((item for item in fitting if item.start >= token.end), None)
    if behind is not None:
        gap = clause.text[token.end : behind.start].strip().lower()
        # A bare number in front counts things; only a count can own it: 340 orders.
        touches = gap in ("", "in", "of", "的") and (
            token.unit != "" or token.name[-1:].isalpha() or behind.kind is Kind.COUNT
        )
        if touches and (not before or before[-1].name in used):
            return behind
    if before:
        return before[-1]
    if attributes or carried is None:
        return None
    return carried if _takes(carried.kind, token.unit) or (growing and carried.kind is not Kind.WORD) else None
