"""Reads tables written in HTML."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Final

import re2

from mage_ml.memory.facts.lines import Block
from mage_ml.memory.facts.tables import table_facts
from mage_ml.memory.facts.types import Fact

_TAG: Final = re2.compile(r"(?i)<(/?)(table|tr|td|th|caption)\b[^<>]*>")
_ANY_TAG: Final = re2.compile(r"<[^<>]*>")
_MAX_ROWS: Final = 500
_MAX_CAPTION: Final = 120


@dataclass(slots=True)
class _Table:
    start: int
    caption: str
    rows: list[list[str]] = field(default_factory=list)
    cell_at: int = -1


def html_tables(entry_id: str, text: str) -> list[Block]:
    """The tables of a text in order; the first row is the header. Tables inside tables are read as one."""
    if "<t" not in text and "<T" not in text:
        return []
    blocks: list[Block] = []
    table: _Table | None = None
    data = text.encode()
    seen_bytes = seen_chars = 0
    for match in _TAG.finditer(data):
        start = seen_chars + len(data[seen_bytes : match.start()].decode())
        seen_bytes, seen_chars = match.end(), start + len(match.group(0).decode())
        closes, name = match.group(1) == b"/", match.group(2).decode().lower()
        if table is None:
            if name == "table" and not closes:
                table = _Table(start, _plain(text[max(0, start - _MAX_CAPTION) : start]))
        elif name == "table" and closes:
            _end_cell(table, text, start)
            blocks.append(Block(table.start, seen_chars, _facts(entry_id, table)))
            table = None
        else:
            _end_cell(table, text, start)
            if not closes and name == "tr":
                table.rows.append([])
            elif not closes and name in ("td", "th"):
                table.cell_at = seen_chars
    return blocks


def _end_cell(table: _Table, text: str, end: int) -> None:
    if table.cell_at >= 0 and table.rows:
        table.rows[-1].append(_plain(text[table.cell_at : end]))
    table.cell_at = -1


def _plain(fragment: str) -> str:
    return " ".join(html.unescape(_ANY_TAG.sub(" ", fragment)).split())


def _facts(entry_id: str, table: _Table) -> tuple[Fact, ...]:
    rows = [row for row in table.rows[:_MAX_ROWS] if row]
    if len(rows) < 2:
        return ()
    return tuple(table_facts(entry_id, table.caption, rows[0], rows[1:]))
