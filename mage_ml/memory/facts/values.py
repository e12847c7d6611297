"""Values that identify something: two texts that share one most likely share its origin."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

import re2

from mage_ml.memory.facts.periods import parse_period
from mage_ml.memory.facts.quantities import find_quantities

MAX_VALUES_PER_ENTRY: Final = 400
MAX_VALUE_CHARS: Final = 20_000
MAX_WINDOWS: Final = 10
_GAP_REACH: Final = 256

# Addresses, links, paths, account numbers, codes.
_VALUE: Final = re2.compile(
    r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,}"
    r"|https?://[^\s'\"<>）)，。]+|www\.[^\s'\"<>）)，。]+"
    r"|(?:[A-Za-z0-9_.\-]+)?(?:/[A-Za-z0-9_.\-]+)+"
    r"|\b[A-Z]{2}\d{2}[A-Z0-9]{8,30}\b"
    r"|\b[A-Za-z]+[\-_]?\d[A-Za-z0-9\-_]*\b"
)


@dataclass(frozen=True, slots=True)
class ValueScan:
    """The identifying values of a text, and how much of it was read.

    Attributes:
        values: Addresses, links, paths, codes and numbers of three digits or more.
        chars_read: Characters that were looked at.
        chars_total: Characters of the text.
    """

    values: frozenset[str]
    chars_read: int
    chars_total: int


def values_in(text: str) -> frozenset[str]:
    """The values in a text that identify something: addresses, links, paths, codes and numbers of three digits or more.

    Common words and small numbers are left out, so that two texts sharing a value most likely share its origin. See
    `scan_values` for how long texts are read.
    """
    return scan_values(text).values


def scan_values(text: str) -> ValueScan:
    """The identifying values of a text, read in windows of 20,000 characters.

    At most ten windows are read, the first nine and the last, with at most 400 values of each sort from each; a window
    ends between two words where there is a gap near its end.
    """
    if len(text) <= MAX_VALUE_CHARS:
        return ValueScan(_window_values(text), len(text), len(text))
    values: set[str] = set()
    start = read = 0
    for _ in range(MAX_WINDOWS - 1):
        stop = _window_end(text, start)
        values |= _window_values(text[start:stop])
        read += stop - start
        start = stop
    if start < len(text):
        # Words end where a blank is; the last window begins behind one.
        begin = max(start, len(text) - MAX_VALUE_CHARS)
        begin = begin if begin == start else 1 + max(text.find(" ", begin, begin + _GAP_REACH), begin - 1)
        values |= _window_values(text[begin:])
        read += len(text) - begin
    return ValueScan(frozenset(values), read, len(text))


def _window_end(text: str, start: int) -> int:
    stop = min(len(text), start + MAX_VALUE_CHARS)
    if stop == len(text):
        return stop
    gap = max(text.rfind(mark, stop - _GAP_REACH, stop) for mark in " \n，。")
    return gap + 1 if gap >= 0 else stop


def _window_values(text: str) -> frozenset[str]:
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    found: dict[str, None] = {}
    for match in _VALUE.finditer(folded.encode()):
        value = match.group(0).decode().lower().rstrip(".,;:/")
        if value and not parse_period(value):
            found[value] = None
        if len(found) >= MAX_VALUES_PER_ENTRY:
            break
    for quantity in find_quantities(folded)[:MAX_VALUES_PER_ENTRY]:
        if abs(quantity.number) >= 100 or quantity.number != int(quantity.number):
            found[f"{quantity.number:.10g}"] = None
    return frozenset(found)
