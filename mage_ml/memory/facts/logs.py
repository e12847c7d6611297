"""Reads logs: lines with a time and a level, `key=value` pairs, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import re2

from mage_ml.memory.facts.lines import Block, Line, block_over
from mage_ml.memory.facts.structured import facts_in, named_entity
from mage_ml.memory.facts.types import Fact

_STAMP: Final = r"\[?(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+\-]\d\d:?\d\d)?\]?"
_LEVEL: Final = r"\[?(?i:trace|debug|info|notice|warn|warning|error|fatal|critical|severe)\]?"
_PAIR: Final = re2.compile(r"([^\s=,;:\"'(){}\[\]<>!|&+*/]+)=(\"[^\"]*\"|'[^']*'|[^\s,;\"']+)")
_WRITTEN_PAIR: Final = r"[^\s=\"'(){}\[\]]+=(?:\"[^\"]*\"|'[^']*'|[^\s\"'=]+)\s*"
_PAIRS_ONLY_PATTERN: Final = rf"\s*(?:{_WRITTEN_PAIR})(?:{_WRITTEN_PAIR})+"
_PAIRS_ONLY: Final = re2.compile(_PAIRS_ONLY_PATTERN)
_LOG: Final = re2.compile(
    rf"\s*{_STAMP}\s+(?:\S+\s+){{0,3}}?{_LEVEL}(?:\W.*)?"
    rf"|\s*{_LEVEL}[ :]\s*{_STAMP}.*"
    rf"|{_PAIRS_ONLY_PATTERN}"
    r"|[A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d \S+ [\w\-./]+(?:\[\d+\])?: .*"
    r"|\S+ \S+ \S+ \[\d{2}/\w{3}/\d{4}:[^\]]*\] \"[A-Z]+ .*"
)
_FIND_STAMP: Final = re2.compile(_STAMP)
_NOT_FACTS: Final = frozenset(
    {"level", "lvl", "severity", "msg", "message", "ts", "time", "thread", "logger", "caller", "pid"}
)
_TIMES: Final = ("ts", "time", "timestamp")


def log_at(entry_id: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    """A run of log lines. Only `key=value` pairs of a line that names its record are facts; its message is not read."""
    stop = index
    while stop < len(lines) and _is_log(lines[stop].text):
        stop += 1
    if stop == index:
        return index, None
    facts = (fact for line in lines[index:stop] for fact in _line_facts(entry_id, line.text))
    return stop, block_over(lines, index, stop, facts)


def _is_log(text: str) -> bool:
    if not _LOG.fullmatch(text):
        return False
    # Pairs alone are a record in somebody's own notation, unless one of them is a log's.
    keys = {match.group(1).lower() for match in _PAIR.finditer(text)}
    return not _PAIRS_ONLY.fullmatch(text) or not keys.isdisjoint(_NOT_FACTS)


def _line_facts(entry_id: str, text: str) -> Iterator[Fact]:
    pairs = {match.group(1): match.group(2).strip("\"'") for match in _PAIR.finditer(text)}
    record = {key: value for key, value in pairs.items() if key.lower() not in _NOT_FACTS}
    if not named_entity(record):
        return
    stamp = _FIND_STAMP.search(text)
    written = next((pairs[key] for key in _TIMES if key in pairs), stamp.group(1) if stamp is not None else "")
    yield from facts_in(entry_id, {**record, "timestamp": written} if written else record)


def json_lines_at(entry_id: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    """A run of lines that are one JSON object each. A field that tells level or message is no fact."""
    stop, facts = index, list[Fact]()
    while stop < len(lines):
        record = _object(lines[stop].text)
        if record is None:
            break
        facts += facts_in(entry_id, {k: v for k, v in record.items() if k.lower() not in _NOT_FACTS or k in _TIMES})
        stop += 1
    if stop == index:
        return index, None
    return stop, block_over(lines, index, stop, facts)


def _object(text: str) -> dict[str, Any] | None:
    stripped = text.strip()
    if not (stripped.startswith("{") and stripped.endswith("}")):
        return None
    try:
        record = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and record else None
