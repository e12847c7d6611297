"""Patterns for what should not be written down, and the search for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import re2

# Full-width forms stand for the ASCII characters they look like, one for one, so that positions stay the same.
_NARROW: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x3002: 0x2E}


class PatternName(StrEnum):
    """Kinds of text that are masked."""

    EMAIL = "email"
    PHONE = "phone"
    CARD = "card"
    ID_NUMBER = "id_number"
    KEY = "key"


_KEY: Final = "|".join(
    (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
        r"\b[sprk]k[-_][A-Za-z0-9_\-]{16,}",
        r"\bAKIA[0-9A-Z]{16}",
        r"\bgh[pousr]_[A-Za-z0-9]{20,}",
        r"\bxox[abprs]-[A-Za-z0-9\-]{10,}",
        r"\bAIza[0-9A-Za-z_\-]{30,}",
        r"\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]+(?:\.[A-Za-z0-9_\-]*)?",
        r"(?i:\bbearer\s+[A-Za-z0-9._~+/\-]{16,}=*)",
        r"(?i:(?:\b(?:[a-z0-9]+[_\-])*(?:password|passwd|pwd|secret|token|api[ _\-]?key|access[ _\-]?key)\b"
        r"|密码|口令|密钥|令牌)"
        r"""\\?["']?\s*(?:is\b|[:=是为])\s*"""
        r"""(?:\\?"[^"\n]{4,}"|\\?'[^'\n]{4,}'|\\?["']?[^\s"',，;；]{4,}))""",
    )
)
SHIPPED: Final = {
    PatternName.KEY: _KEY,
    PatternName.EMAIL: r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+",
    PatternName.CARD: r"\b[0-9](?:[ \-]?[0-9]){12,18}\b",
    PatternName.ID_NUMBER: r"\b[1-9][0-9]{16}[0-9Xx]\b|\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b",
    PatternName.PHONE: "|".join(
        (
            r"\+[0-9]{1,3}[ \-.]?\(?[0-9]{1,4}\)?(?:[ \-.]?[0-9]{2,4}){2,4}\b",
            r"\b1[3-9][0-9][ \-]?[0-9]{4}[ \-]?[0-9]{4}\b",
            r"\b0[0-9]{2,3}-[0-9]{7,8}\b",
            r"\(?\b[2-9][0-9]{2}\)?[ .\-][0-9]{3}[ .\-][0-9]{4}\b",
        )
    ),
}


@dataclass(frozen=True, slots=True)
class Secret:
    """A place in a text that should not be written down.

    Attributes:
        start: First character.
        end: Behind the last.
        name: The pattern that found it.
        text: What is there, with full-width forms narrowed.
    """

    start: int
    end: int
    name: str
    text: str


class Finder:
    """Searches texts for several patterns.

    Args:
        patterns: Name and RE2 pattern; where two overlap, the one that starts first gives the name for both.
    """

    def __init__(self, patterns: Iterable[tuple[str, str]]) -> None:
        self._patterns: list[tuple[str, Any]] = [(name, re2.compile(pattern)) for name, pattern in patterns]

    def find(self, text: str) -> Iterator[Secret]:
        """Places that do not overlap, in order."""
        narrow = narrowed(text)
        found = sorted(
            (match.start(), -match.end(), name)
            for name, pattern in self._patterns
            for match in pattern.finditer(narrow)
            if match.end() > match.start()
        )
        last: Secret | None = None
        for start, minus_end, name in found:
            end = -minus_end
            if last is not None and start < last.end:
                if end > last.end:
                    last = Secret(last.start, end, last.name, narrow[last.start : end])
                continue
            if last is not None:
                yield last
            last = Secret(start, end, name, narrow[start:end])
        if last is not None:
            yield last


def narrowed(text: str) -> str:
    """A text with ASCII in place of full-width forms, each character in its place."""
    return text.translate(_NARROW)


def refused(pattern: str) -> str | None:
    """Why RE2 does not take a pattern, or `None`."""
    try:
        compiled = re2.compile(pattern)
    except re2.error as error:
        return str(error)
    return "it matches the empty text, so it would mask everything" if compiled.search("") else None
