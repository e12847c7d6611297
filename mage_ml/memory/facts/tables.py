"""Finds tables and records inside text: Markdown tables, comma or tab separated rows, YAML-like lists."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any, Final

import re2

from mage_ml.memory.facts import lexicon
from mage_ml.memory.facts.lines import Block, Line, lines_of
from mage_ml.memory.facts.names import canonical_attribute, entity_name, fold
from mage_ml.memory.facts.periods import parse_period
from mage_ml.memory.facts.quantities import parse_quantity
from mage_ml.memory.facts.structured import Column, facts_in, in_unit_of, leaf, read_column
from mage_ml.memory.facts.types import Fact

_SEPARATORS: Final = ("\t", ",", "，", ";")
_RULE: Final = re2.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
_RECORD_LINE: Final = re2.compile(r"(\s*)(- )?([A-Za-z_][A-Za-z0-9_ ]{0,30}|\p{Han}+)[:：] ?(.*)")
_CAPTION_UNIT: Final = re2.compile(
    r"(?i)单位[:：]\s?([^\s)）]{1,6})|\b(?:in|unit:?)\s((?:(?:usd|eur|gbp|cny|thousand|million)s?\s?){1,2}|\$k)"
)
_MIN_RECORD_LINES: Final = 3
_MAX_RETRIED_LINES: Final = 50
_MAX_HEADER_CHARS: Final = 40


def blocks_in(entry_id: str, text: str) -> list[Block]:
    """The tables and records of a text in order; empty for plain prose."""
    if "\n" not in text:
        return []
    lines = lines_of(text)
    blocks: list[Block] = []
    index = tried = 0
    while index < len(lines):
        stop, block = _markdown(entry_id, text, lines, index)
        if block is None and index >= tried:
            stop, block = _records(entry_id, lines, index)
            # A long stretch that is no record is not tried again from each of its lines: that would be quadratic.
            tried = stop if stop - index > _MAX_RETRIED_LINES else index + 1
        if block is None:
            stop, block = _separated(entry_id, text, lines, index)
        if block is not None:
            blocks.append(block)
        index = max(stop, index + 1)
    return blocks


def _markdown(entry_id: str, text: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    if "|" not in lines[index].text or index + 1 >= len(lines) or not _RULE.fullmatch(lines[index + 1].text):
        return index, None
    header = _cells(lines[index].text)
    stop = index + 2
    rows: list[list[str]] = []
    while stop < len(lines) and "|" in lines[stop].text:
        rows.append(_cells(lines[stop].text))
        stop += 1
    return stop, _block(entry_id, text, lines[index:stop], header, rows)


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("*_` ") for cell in line.strip().strip("|").split("|")]


def _separated(entry_id: str, text: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    separator = next((mark for mark in _SEPARATORS if mark in lines[index].text), "")
    if not separator:
        return index, None
    header = _split_row(lines[index].text, separator)
    if len(header) < 2 or not all(_is_header(cell) for cell in header):
        return index, None
    stop = index + 1
    rows: list[list[str]] = []
    while stop < len(lines) and lines[stop].text.strip():
        row = _split_row(lines[stop].text, separator)
        # Cells of a row are values; a long cell means that this is a sentence with commas.
        if len(row) != len(header) or any(len(cell) > _MAX_HEADER_CHARS for cell in row):
            break
        if not any(parse_quantity(cell) for cell in row):
            break
        rows.append(row)
        stop += 1
    if not rows:
        return index, None
    return stop, _block(entry_id, text, lines[index:stop], header, rows)


def _split_row(line: str, separator: str) -> list[str]:
    if len(separator) == 1 and '"' in line:
        try:
            return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
        except csv.Error:
            return []
    return [cell.strip() for cell in line.split(separator)]


def _is_header(cell: str) -> bool:
    if not cell or len(cell) > _MAX_HEADER_CHARS or cell[-1] in ".。!?":
        return False
    return bool(parse_period(cell)) or parse_quantity(cell) is None


def _block(entry_id: str, text: str, lines: list[Line], header: list[str], rows: list[list[str]]) -> Block:
    start, end = lines[0].start, lines[-1].end
    caption = text[max(0, start - 120) : start].rstrip().rsplit("\n", 1)[-1]
    facts = tuple(table_facts(entry_id, caption, header, rows))
    return Block(start, end, facts)


def table_facts(entry_id: str, caption: str, header: list[str], rows: list[list[str]]) -> Iterator[Fact]:
    """The facts of a table: one for each cell, about what the first or naming column says.

    Args:
        entry_id: The entry that holds it.
        caption: The text before it; may tell unit and attribute.
        header: Names of the columns.
        rows: Their cells.
    """
    columns = [_with_caption(read_column(cell), caption) for cell in header]
    keys = [fold(cell) for cell in header]
    time_at = next((at for at, key in enumerate(keys) if key in lexicon.TIME_KEYS), None)
    named = (at for at, key in enumerate(keys) if key in lexicon.ENTITY_KEYS or key.endswith((" id", " name", "_id")))
    entity_at = next(named, 0 if time_at != 0 else None)
    unit_at = next((at for at, key in enumerate(keys) if key in lexicon.UNIT_KEYS), None)
    for row in rows:
        cells = row[: len(columns)]
        entity = entity_name(cells[entity_at]) if entity_at is not None and entity_at < len(cells) else ""
        raw_time = cells[time_at] if time_at is not None and time_at < len(cells) else ""
        time = parse_period(raw_time) or fold(raw_time)
        unit = cells[unit_at] if unit_at is not None and unit_at < len(cells) else ""
        for at, cell in enumerate(cells):
            if at not in (entity_at, time_at) and cell not in ("", "-", "—", "n/a", "N/A"):
                yield from leaf(entry_id, entity, in_unit_of(columns[at], unit), cell, time)


def _with_caption(column: Column, caption: str) -> Column:
    """Headers that are only periods take their attribute from the line above; units may stand there too."""
    attribute, unit, factor = column.attribute, column.unit, column.factor
    if attribute == "value" and column.time:
        words = [canonical_attribute(word) for word in caption.replace(":", " ").replace("：", " ").split()]
        attribute = next((word for word in words if word in lexicon.KINDS), attribute)
    match = _CAPTION_UNIT.search(caption)
    numeric = lexicon.KINDS.get(attribute) is lexicon.Kind.MONEY
    if match is not None and numeric and not unit and factor == 1.0:
        noted = read_column(f"x ({match.group(1) or match.group(2)})")
        unit, factor = noted.unit, noted.factor
    return Column(attribute, unit, factor, column.time)


def _records(entry_id: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    """Lines of `key: value`, with `- ` where a record begins."""
    records: list[dict[str, Any]] = []
    stop, fields, indent = index, 0, -1
    while stop < len(lines) and lines[stop].text.strip():
        match = _RECORD_LINE.fullmatch(lines[stop].text)
        if match is None:
            if fields == 0 or not lines[stop].text.startswith((" ", "- ")):
                break
            stop += 1  # a nested value or the next line of a long one
            continue
        depth = len(match.group(1)) + len(match.group(2) or "")
        indent = depth if indent < 0 else indent
        if match.group(2) and depth <= indent:
            records.append({})
        if depth == indent:
            records = records or [{}]
            records[-1].setdefault(match.group(3).strip(), match.group(4).strip().strip("'\""))
            fields += 1
        stop += 1
    if fields < _MIN_RECORD_LINES or not any(len(record) >= 2 for record in records):
        return stop, None
    keys = {key for record in records for key in record}
    if not all(key.isascii() for key in keys) and keys.isdisjoint(lexicon.ENTITY_KEYS):
        return stop, None  # Chinese lines of this form often name the entity in the key: prose reads those
    facts = tuple(fact for record in records for fact in facts_in(entry_id, record))
    return stop, Block(lines[index].start, lines[stop - 1].end, facts)
