"""Damage on the way: a tool result with debris in it."""

from __future__ import annotations

from typing import Final

import re2

from data_gen.randomness import Rng

DEBRIS: Final = ("\ufffd\ufffd", "\ufffd", "##", "#", "~~", "~", "^", "\\n", "&#", "%20", "¬", "¤", "…")
_IN_WORD: Final = re2.compile(r"(\pL)(?:" + "|".join(re2.escape(debris) for debris in DEBRIS) + r")(\pL)")


def damaged(text: str, rng: Rng) -> str:
    """A text with debris in a word, where it does no harm; unchanged if it has no word."""
    places = harmless_places(text)
    if not places:
        return text
    place, debris = rng.choice(places), rng.choice(DEBRIS)
    return text[:place] + debris + text[place:]


def legible(text: str) -> str:
    """The text as a reader makes it out: debris between two letters is read over, debris in a number is not."""
    read: str = _IN_WORD.sub(r"\1\2", text)
    return read


def find_debris(text: str) -> str | None:
    """The debris in a text, if there is some."""
    return next((debris for debris in DEBRIS if debris in text), None)


def harmless_places(text: str) -> list[int]:
    """Places between two letters."""
    return [i for i in range(1, len(text)) if text[i - 1].isalpha() and text[i].isalpha()]
