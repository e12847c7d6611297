"""Cuts outputs into sentences and clauses, in English and Chinese."""

from __future__ import annotations

from typing import Final

import re2

_SENTENCE_END = re2.compile(r"[.!?]+(?:[\s\"'”’)]|$)|[。！？;；\n]+")
_CLAUSE_END = re2.compile(
    r"[.!?,:]+(?:[\s\"'”’)]|$)|[。！？;；，、：\n]+|\s[-–—]\s|——"
    r"|(?i)\b(?:but|however|although|though|yet|and then|instead|nevertheless)\b|但是?|不过|然而|却|而是|可是"
)
MAX_PIECES: Final = 400


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; what lies behind the 400th is one more."""
    return _pieces(text, _SENTENCE_END)


def clause_around(text: str, start: int, end: int) -> str:
    """The clause that holds the characters from `start` to `end`."""
    return _around(text, start, end, _CLAUSE_END)


def sentence_around(text: str, start: int, end: int) -> str:
    """The sentence that holds the characters from `start` to `end`."""
    return _around(text, start, end, _SENTENCE_END)


def _pieces(text: str, border: re2._Regexp) -> list[str]:
    found, last = [], 0
    for match in border.finditer(text):
        piece = text[last : match.end()].strip()
        if piece:
            found.append(piece)
        last = match.end()
        if len(found) >= MAX_PIECES:
            break
    rest = text[last:].strip()
    return [*found, rest] if rest else found


def _around(text: str, start: int, end: int, border: re2._Regexp) -> str:
    first, last = 0, len(text)
    for match in border.finditer(text):
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            last = match.start()
            break
    return text[first:last]
