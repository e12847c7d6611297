"""On which line of a file a value stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from mage_ml.scan.trace import Pointer, RawTrace, Step

_DECODER: Final = json.JSONDecoder(strict=False)
_SPACE: Final = " \t\r\n"


def line_of(raw: RawTrace, pointer: Pointer) -> int:
    """The line of a value, from 1. Where the value cannot be found, the line of the nearest one around it."""
    part = raw.parts[pointer.part]
    return part.line + part.text.count("\n", 0, offset_of(part.text, pointer.steps))


def offset_of(text: str, steps: Sequence[Step]) -> int:
    """Where a value begins in a JSON text, in characters; what stands before it is read past, not kept."""
    place = _past(text, 0)
    try:
        for step in steps:
            found = _member(text, place, step) if isinstance(step, str) else _item(text, place, step)
            if found is None:
                break
            place = found
    except (ValueError, IndexError, RecursionError):
        return place
    return place


def _past(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place


def _after(text: str, place: int) -> int:
    """The place after the value that begins here."""
    return _past(text, _DECODER.raw_decode(text, place)[1])


def _member(text: str, place: int, key: str) -> int | None:
    if text[place] != "{":
        return None
    place = _past(text, place + 1)
    while text[place] == '"':
        name, end = _DECODER.raw_decode(text, place)
        place = _past(text, _past(text, end) + 1)
        if name == key:
            return place
        place = _after(text, place)
        if text[place] != ",":
            return None
        place = _past(text, place + 1)
    return None


def _item(text: str, place: int, number: int) -> int | None:
    if text[place] != "[":
        return None
    place = _past(text, place + 1)
    for _ in range(number):
        place = _after(text, place)
        if text[place] != ",":
            return None
        place = _past(text, place + 1)
    return place
