"""Where a text can be cut without splitting a sentence, a number, a word, or what reads as one character."""

from __future__ import annotations

import unicodedata
from typing import Final

import re2

_SENTENCE_END: Final = re2.compile(r"[.!?][\"')\]”’]*\s+|[。！？；…][”’」』）]*|\n+")
_SPACE: Final = re2.compile(r"\s+|[，、：]")
_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f\u20e3\u200c")
_HIGH: Final = (0xD800, 0xDBFF)
_LOW: Final = (0xDC00, 0xDFFF)


def cut_before(text: str, *, keep_at_most: int | None = None, sentence: bool = False) -> int:
    """How much of a text can go out, keeping at least its last character; 0 for nothing.

    Args:
        text: Text that is held.
        keep_at_most: At most so many characters may stay; the best place that allows it is taken: after a sentence,
            else after a space or comma, else between two words or signs. A longer text without such a place is cut
            between any two characters that do not belong together, else where the bound asks for it.
        sentence: Cut after a whole sentence or not at all.
    """
    longest = len(text) - 1
    least = 1 if keep_at_most is None else max(1, len(text) - keep_at_most)
    if longest < least:
        return 0
    for pattern in (_SENTENCE_END,) if sentence else (_SENTENCE_END, _SPACE):
        places = [match.end(0) for match in pattern.finditer(text)]
        fitting = [place for place in places if least <= place <= longest and _is_between(text, place)]
        if fitting:
            return int(fitting[-1])
    if sentence:
        return 0
    is_within = keep_at_most is None or len(text) <= keep_at_most
    for apart in (_is_apart,) if is_within else (_is_apart, _is_between):
        place = next((place for place in range(longest, least - 1, -1) if apart(text, place)), 0)
        if place:
            return place
    return 0 if is_within else least


def split_surrogate(text: str) -> tuple[str, str]:
    """A text without a high surrogate at its end, and that surrogate: its other half may come with the next chunk."""
    if text and _HIGH[0] <= ord(text[-1]) <= _HIGH[1]:
        return text[:-1], text[-1]
    return text, ""


def joined_surrogates(text: str, *, last: bool) -> str:
    """A text in which surrogate pairs are the characters they stand for, and lone surrogates are U+FFFD.

    Args:
        text: Any text.
        last: Whether nothing follows, so that a high surrogate at the end is alone.
    """
    kept, half = (text, "") if last else split_surrogate(text)
    if not any(_HIGH[0] <= ord(character) <= _LOW[1] for character in kept):
        return kept + half
    return kept.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") + half


def _is_apart(text: str, place: int) -> bool:
    """Whether a cut splits neither a number, nor an address, nor a word of an alphabet."""
    return _is_between(text, place) and not (_is_wordlike(text[place - 1]) and _is_wordlike(text[place]))


def _is_wordlike(character: str) -> bool:
    return (character.isalnum() and not "\u3040" <= character <= "\u9fff") or character in ".,-+/@_%:"


def _is_between(text: str, place: int) -> bool:
    """Whether the characters at a place do not read as one: no mark, joiner, modifier or half of a flag is cut off."""
    before, after = text[place - 1], text[place]
    if after in _JOINERS or before == "\u200d" or unicodedata.category(after).startswith("M"):
        return False
    if "\U0001f3fb" <= after <= "\U0001f3ff":  # skin tones
        return False
    if _is_flag(before) and _is_flag(after):
        start = place
        while start and _is_flag(text[start - 1]):
            start -= 1
        return (place - start) % 2 == 0
    return not (before == "\r" and after == "\n") and not _is_jamo_pair(before, after)


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_jamo_pair(before: str, after: str) -> bool:
    return "\u1100" <= before <= "\u11ff" and "\u1160" <= after <= "\u11ff"
