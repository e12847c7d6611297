"""Marks that stand for injection vectors inside AgentDojo's plain data, until it is known what text goes there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import re2

_MARK = re2.compile(r"VECTORMARK_([A-Za-z0-9_]+?)_ENDMARK")
Plain = Any
"""Plain data: mappings, lists, texts, numbers, dates."""


def mark_of(vector: str) -> str:
    """The mark of a vector."""
    return f"VECTORMARK_{vector}_ENDMARK"


def marks_in(value: Plain) -> list[str]:
    """The vectors whose marks occur, in order."""
    return [found.group(1) for text in _texts(value) for found in _MARK.finditer(text)]


def fill(value: Plain, texts: Mapping[str, str]) -> Plain:
    """The same data with texts in place of the marks."""
    if isinstance(value, str):
        for vector in marks_in(value):
            value = value.replace(mark_of(vector), texts[vector])
        return value
    if isinstance(value, dict):
        return {fill(key, texts): fill(item, texts) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [fill(item, texts) for item in value]
    return value


def texts_behind(marked: Plain, filled: Plain) -> dict[str, str]:
    """The text that stands where each mark does, from the same data with and without marks.

    Places where the two do not have the same shape are left out.
    """
    if isinstance(marked, dict) and isinstance(filled, dict):
        pairs = [(item, filled[key]) for key, item in marked.items() if key in filled]
        # Keys may hold marks too: a mapping from web pages to texts, say.
        if len(marked) == len(filled):
            pairs += list(zip(marked, filled, strict=True))
    elif isinstance(marked, list) and isinstance(filled, list):
        pairs = list(zip(marked, filled, strict=False))
    elif isinstance(marked, str) and isinstance(filled, str) and _MARK.search(marked):
        return _split(marked, filled)
    else:
        return {}
    return {vector: text for one, other in pairs for vector, text in texts_behind(one, other).items()}


def _split(marked: str, filled: str) -> dict[str, str]:
    pattern, place, names = "", 0, []
    for found in _MARK.finditer(marked):
        pattern += re2.escape(marked[place : found.start()]) + "(.*?)"
        names.append(found.group(1))
        place = found.end()
    match = re2.fullmatch("(?s)" + pattern + re2.escape(marked[place:]), filled)
    return {} if match is None else dict(zip(names, match.groups(), strict=True))


def _texts(value: Plain) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _texts(item)
