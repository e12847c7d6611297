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
from mage_ml.memory.facts.quantities import parse_quantity
from mage_ml.memory.facts.types import Fact

MAX_DEPTH: Final = 8
MAX_LITERAL_CHARS: Final = 20_000
MAX_WORD_CHARS: Final = 80

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
    """The facts of a JSON value: one for each leaf that has a key."""
    yield from _walk(entry_id, node, "", "", 0)


def _walk(entry_id: str, node: Any, entity: str, time: str, depth: int) -> Iterator[Fact]:  # noqa: ANN401
    if depth > MAX_DEPTH:
        return
    if isinstance(node, list | tuple):
        for item in node:
            if isinstance(item, dict | list | tuple):
                yield from _walk(entry_id, item, entity, time, depth + 1)
        return
    entity, time = named_entity(node) or entity, named_time(node) or time
    for raw_key, value in node.items():
        key = fold(str(raw_key)[:200])
        if isinstance(value, dict):
            period = parse_period(key)
            child = entity or ("" if period or canonical_attribute(key) in lexicon.KINDS else entity_name(key))
            yield from _walk(entry_id, value, child, period or time, depth + 1)
        elif isinstance(value, list | tuple):
            yield from _walk(entry_id, value, entity, time, depth + 1)
        elif key not in lexicon.TIME_KEYS and not _is_name(key, value, entity):
            yield from leaf(entry_id, entity, _in_currency(read_column(str(raw_key)), node), value, time)


def _is_name(key: str, value: Any, entity: str) -> bool:  # noqa: ANN401 - any JSON scalar
    """Whether a value is the name of its own record, which is no property of it."""
    if key not in lexicon.ENTITY_KEYS and not key.endswith(("id", "name")):
        return False
    return entity_name(str(value)) in (entity, entity.partition(" ")[0])


def _in_currency(column: Column, node: Mapping[str, Any]) -> Column:
    """A record's own currency is the unit of its sums of money."""
    if column.unit or kind_of(column.attribute) is not lexicon.Kind.MONEY:
        return column
    named = next((node[key] for key in lexicon.UNIT_KEYS if isinstance(node.get(key), str)), "")
    quantity = parse_quantity(f"1 {named}") if named else None
    return replace(column, unit=quantity.unit) if quantity is not None else column


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
