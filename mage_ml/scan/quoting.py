"""The words of an entry that a finding is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import re2

from mage_ml.risk import Evidence

_LONGEST: Final = 240
_AROUND: Final = 80
_SHORTEST: Final = 3
_QUOTED: Final = re2.compile(r"""'([^'\n]+)'|"([^"\n]+)\"""")


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words with what stands around them.

    Attributes:
        before: Text before them, cut.
        quote: The words, cut.
        after: Text after them, cut.
    """

    before: str
    quote: str
    after: str


def quoted_from(text: str, found: Evidence) -> Quotation:
    """What to show of an entry: the span of the finding, else words that its message quotes, else the beginning."""
    start, end = found.span or _said_in(text, found.message) or (0, min(len(text), _LONGEST))
    end = min(end, start + _LONGEST)
    return Quotation(
        before=("…" if start > _AROUND else "") + text[max(0, start - _AROUND) : start],
        quote=text[start:end],
        after=text[end : end + _AROUND] + ("…" if end + _AROUND < len(text) else ""),
    )


def _said_in(text: str, message: str) -> tuple[int, int] | None:
    """Where the longest words that a message quotes stand in a text; letter case aside."""
    words = [word for pair in _QUOTED.findall(message) for word in pair if len(word) >= _SHORTEST]
    lowered = text.lower()
    keeps_places = len(lowered) == len(text)  # in a few scripts a small letter takes more characters
    for word in sorted(words, key=len, reverse=True):
        place = lowered.find(word.lower()) if keeps_places else text.find(word)
        if place >= 0:
            return place, place + len(word)
    return None
