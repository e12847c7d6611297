"""Keeps a request from saying twice when it holds: "from now on, ... this time" is nobody's sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import re2

_DRAWS: Final = 12
_WHEN: Final = re2.compile(
    r"(?i)\b(?:from now on|this (?:quarter|month|term|week|season|time|release)|for (?:this|each) release"
    r"|once it is done|after the move|until the move is over|since last week|by tonight"
    r"|(?:every|each) (?:quarter|month|term|run|week)"
    r"|before the weekend|in the meantime|for the time being|as a matter of routine|on every run|as usual"
    r"|whenever this comes up|same as last time|now)\b"
    r"|从现在起|现在起|本季度?，|本月，|本期，|这次发布，|办完之后|(?:搬迁|迁移|搬家)之后|(?:搬迁|迁移|搬家)期间|仅此一次|暂时如此"
    r"|每(?:季|月|期|次发布)如此|周末之前|今晚之前|作为惯例|照例|凡此类|遇到这种情况"
)


def times_in(text: str) -> int:
    """How many phrases of a text say when, or how often, something is to be done."""
    return sum(1 for _ in _WHEN.finditer(text))


def said_once(draw: Callable[[], str]) -> str:
    """The first of at most twelve draws that says no more than once when it holds; the last one if none does."""
    text = draw()
    for _ in range(_DRAWS - 1):
        if times_in(text) <= 1:
            break
        text = draw()
    return text
