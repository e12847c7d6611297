"""Reads facts from structured content by its keys: JSON, Python literals, records."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import re2

from mage_ml.memory.facts import lexicon
from mage_ml.memory.facts.names import canonical_attribute, entity_name, fold, kind_of, split_camel
from mage_ml.memory.facts.periods import find_periods, parse_period
from mage_ml.memory.facts.quantities import CURRENCIES, Quantity, parse_quantity
from mage_ml.memory.facts.types import Fact

MAX_DEPTH: Final = 8
MAX_LITERAL_CHARS: Final = 20_000
MAX_WORD_CHARS: Final = 80
_MAX_UNIT_CHARS: Final = 20

_NOTE: Final = re2.compile(r"[(（\[]\s*([^)）\]]{1,20})[)）\]]")
_NAMING_TAILS: Final = ("_id", " id", "_name", " name")
_UNIT_TAILS: Final = frozenset("usd eur gbp cny rmb k thousand million pct percent kg km days hours minutes".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Column:
    """What a key or a table header says about the values under it.

    Attributes:
        attribute: Canonical attribute.
        unit: Unit of the values; empty when it names none.
        factor: What a value is multiplied with to be in the base unit.
        time: Period of the values; empty when it names none.
    """

    attribute: str
    unit: str = ""
    factor: float = 1.0
    time: str = ""


def parse_structured(text: str) -> Any | None:  # noqa: ANN401 - arbitrary JSON is the point
    """The value that a text stands for as JSON or as a Python literal, `None` when it is neither."""
    stripped = text.strip()
    if not stripped or stripped[0] not in "{[" or stripped[-1] not in "}]":
        return None
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        pass
    if len(stripped) > MAX_LITERAL_CHARS:
        return None
    try:
        value = ast.literal_eval(stripped)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, dict | list) else None


@lru_cache(maxsize=4096)
def read_column(name: str) -> Column:
    """Read a key or header: `Revenue (USD k)`, `营收（万元）`, `refund_amount_usd`, `Q1 revenue`."""
    unit, factor, time, rest = "", 1.0, "", split_camel(name[:200])
    for note in _NOTE.finditer(rest):
        unit, factor, time = _note(note.group(1), unit, factor, time)
    rest = _NOTE.sub(" ", rest)
    periods = find_periods(rest)
    if len(periods) == 1:
        time = periods[0].name
        rest = rest[: periods[0].span[0]] + " " + rest[periods[0].span[1] :]
    words = rest.replace("_", " ").split()
    if len(words) > 1 and words[-1] in _UNIT_TAILS:
        unit, factor, _ = _note(words.pop(), unit, factor, "")
    return Column(canonical_attribute(" ".join(words) or "value"), unit, factor, time)


def _note(text: str, unit: str, factor: float, time: str) -> tuple[str, float, str]:
    period = parse_period(text)
    if period:
        return unit, factor, period
    words = text.replace(",", " ").split()
    ordered = sorted(words, key=lambda word: word not in ("k", "m", "thousand", "million"))
    quantity = parse_quantity("1" + " ".join(ordered))
    if quantity is None or not words:
        return unit, factor, time
    return quantity.unit or unit, quantity.number * factor, time


def facts_in(entry_id: str, node: Any) -> Iterator[Fact]:  # noqa: ANN401 - arbitrary JSON is the point
    """The facts of a JSON value: one for each leaf that has a key.

    What a record does not say itself (entity, period, unit) it takes from the objects around it; a unit also from an
    object beside it that describes the rest, such as `meta`.
    """
    yield from _walk(entry_id, node, _Around(), 0)


@dataclass(frozen=True, slots=True)
class _Around:
    """What the objects around a value have set."""

    entity: str = ""
    time: str = ""
    unit: str = ""


def _walk(entry_id: str, node: Any, around: _Around, depth: int) -> Iterator[Fact]:  # noqa: ANN401
    if depth > MAX_DEPTH:
        return
    if isinstance(node, list | tuple):
        for item in node:
            if isinstance(item, dict | list | tuple):
                yield from _walk(entry_id, item, around, depth + 1)
        return
    around = _Around(
        named_entity(node) or around.entity, named_time(node) or around.time, _named_unit(node) or around.unit
    )
    for raw_key, value in node.items():
        key = fold(str(raw_key)[:200])
        if isinstance(value, dict):
            yield from _inside(entry_id, str(raw_key), value, around, depth)
        elif isinstance(value, list | tuple):
            yield from _walk(entry_id, value, around, depth + 1)
        elif key not in lexicon.TIME_KEYS and not _is_name(key, value, around.entity):
            column = in_unit_of(read_column(str(raw_key)), around.unit)
            yield from leaf(entry_id, around.entity, column, value, around.time)


def _inside(entry_id: str, raw_key: str, node: dict[str, Any], around: _Around, depth: int) -> Iterator[Fact]:
    """The facts of an object under a key: a measure (`{"value": 2.5, "unit": "kg"}`), or a record of its own."""
    measure = _measure(node)
    if measure is not None and around.entity:
        column = replace(read_column(raw_key), unit=measure.unit)
        yield from leaf(entry_id, around.entity, column, measure.number, around.time)
        return
    key = fold(raw_key[:200])
    period = parse_period(key)
    nameless = period or key in lexicon.DESCRIBING_KEYS or canonical_attribute(key) in lexicon.KINDS
    entity = around.entity or ("" if nameless else entity_name(key))
    yield from _walk(entry_id, node, replace(around, entity=entity, time=period or around.time), depth + 1)


def _measure(node: Mapping[str, Any]) -> Quantity | None:
    """The quantity that an object of a number and its unit stands for."""
    numbers = [value for key, value in node.items() if fold(str(key)) in lexicon.VALUE_KEYS]
    unit = _named_unit(node)
    if len(node) != 2 or len(numbers) != 1 or not unit or isinstance(numbers[0], bool):
        return None
    named = parse_quantity(f"1 {unit}") or parse_quantity(f"1{unit}")
    if named is None or not isinstance(numbers[0], int | float):
        return None
    return Quantity(float(numbers[0]) * named.number, named.unit, (0, 0))


def _is_name(key: str, value: Any, entity: str) -> bool:  # noqa: ANN401 - any JSON scalar
    """Whether a value is the name of its own record, which is no property of it."""
    if key not in lexicon.ENTITY_KEYS and not key.endswith(("id", "name")):
        return False
    return entity_name(str(value)) in (entity, entity.partition(" ")[0])


def in_unit_of(column: Column, unit: str) -> Column:
    """A column whose unit is told elsewhere: `currency`, `unit` or `单位` beside or around its values.

    Only sums of money take one; a scale told with it (万元) counts.
    """
    if not unit or column.unit or kind_of(column.attribute) is not lexicon.Kind.MONEY:
        return column
    quantity = parse_quantity(f"1 {unit}") or parse_quantity(f"1{unit}")
    if quantity is None or quantity.unit not in CURRENCIES:
        return column
    return replace(column, unit=quantity.unit, factor=column.factor * quantity.number)


def _named_unit(node: Mapping[str, Any]) -> str:
    """The unit that an object names for its values, itself or in an object that describes it; empty without one."""
    describing = (node[key] for key in lexicon.DESCRIBING_KEYS if isinstance(node.get(key), dict))
    for place in (node, *describing):
        for key in lexicon.UNIT_KEYS:
            if isinstance(place.get(key), str) and len(place[key]) <= _MAX_UNIT_CHARS:
                return str(place[key])
    return ""


def named_entity(node: Mapping[str, Any]) -> str:
    """What a record is about; empty when no key names it."""
    keys = [key for key in lexicon.ENTITY_KEYS if key in node]
    keys += [key for key in node if isinstance(key, str) and key.lower().endswith(_NAMING_TAILS) and key not in keys]
    for key in keys:
        value = node[key]
        if not isinstance(value, str | int) or isinstance(value, bool):
            continue
        name = entity_name(str(value))
        if name.isdigit() and key in ("id", "id_"):
            # A bare number is unique among its kind only; the title beside it says which kind.
            beside = next((entity_name(str(node[other])) for other in keys if other != key and node[other]), "")
            name = f"{name} {beside}".strip()
        if name:
            return name
    return ""


def named_time(node: Mapping[str, Any]) -> str:
    """The period that a record is about; empty when no key names it."""
    for key in lexicon.TIME_KEYS:
        value = node.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool):
            return parse_period(str(value)) or fold(str(value)[:40])
    return ""


def leaf(entry_id: str, entity: str, column: Column, value: Any, time: str) -> Iterator[Fact]:  # noqa: ANN401
    """The fact of one value under a key or header; none for empty, long or non-scalar values."""
    when = column.time or time
    if isinstance(value, bool):
        yield Fact(entry_id, entity, column.attribute, word=str(value).lower(), time=when)
    elif isinstance(value, int | float):
        yield from _number(entry_id, entity, column, value, "", when)
    elif isinstance(value, str) and value.strip():
        quantity = parse_quantity(value)
        if quantity is not None:
            yield from _number(entry_id, entity, column, quantity.number, quantity.unit, when)
        elif len(value) <= MAX_WORD_CHARS and fold(value) != entity:
            yield Fact(entry_id, entity, column.attribute, word=parse_period(value) or fold(value), time=when)


def _number(entry_id: str, entity: str, column: Column, value: float, unit: str, when: str) -> Iterator[Fact]:
    try:
        number = float(value)
    except OverflowError:
        return  # an integer beyond any measure
    scaled = number if unit else number * column.factor
    yield Fact(entry_id, entity, column.attribute, number=scaled, unit=unit or column.unit, time=when)
