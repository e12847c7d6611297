"""A reading of a text that remembers where each of its characters stood in the original."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

CODES: Final = frozenset({"html", "percent", "escape", "quoted printable"})
"""Ways to write characters that are also used in good faith for all but plain letters."""
INNOCENT_TRICKS: Final = frozenset({"markup", "line breaks", "nested JSON", "traditional"})
"""Forms that a text may have without anybody wanting to hide anything."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One reading of a text.

    Attributes:
        text: What it says once disguises are undone.
        tricks: The disguises that were undone, such as `homoglyph` or `base64`; empty for plain text.
        offsets: Position of each character in the original text; `None` when they are equal.
        whole: Span in the original text that this layer was decoded from, when its characters have no places of
            their own.
    """

    text: str
    tricks: tuple[str, ...] = ()
    offsets: tuple[int, ...] | None = None
    whole: tuple[int, int] | None = None

    @property
    def is_disguised(self) -> bool:
        """Whether anything was undone that is not in everyday use."""
        return not INNOCENT_TRICKS.issuperset(self.tricks)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of this layer lies in the original text."""
        if self.whole is not None:
            return self.whole
        if self.offsets is None or not self.offsets:
            return (start, end)
        last = len(self.offsets) - 1
        return (self.offsets[min(start, last)], self.offsets[min(max(start, end - 1), last)] + 1)

    def with_trick(self, trick: str) -> Layer:
        """The same reading with one more disguise named."""
        return self if trick in self.tricks else Layer(self.text, (*self.tricks, trick), self.offsets, self.whole)


def substitute(layer: Layer, trick: str, pattern: Any, undo: Callable[[str], str]) -> Layer:  # noqa: ANN401 - re2
    """Replace every match and keep the map to the original; the same object comes back when nothing changed.

    A code that stands for nothing plain, such as `&nbsp;` or an escaped Chinese character, is undone but not called a
    trick.
    """
    pieces: list[str] = []
    offsets: list[int] = []
    end, named = 0, trick not in CODES
    for match in pattern.finditer(layer.text):
        found = match.group(0)
        replacement = undo(found)
        if replacement == found:
            continue
        start, stop = match.span()
        pieces += (layer.text[end:start], replacement)
        offsets.extend(_original(layer, end, start))
        offsets.extend(_spread(layer, start, stop, len(replacement)))
        named = named or any(c.isascii() and (c.isalnum() or c == " ") for c in replacement)
        end = stop
    if not pieces:
        return layer
    pieces.append(layer.text[end:])
    offsets.extend(_original(layer, end, len(layer.text)))
    changed = Layer("".join(pieces), layer.tricks, tuple(offsets), layer.whole)
    return changed.with_trick(trick) if named else changed


def _spread(layer: Layer, start: int, stop: int, size: int) -> list[int]:
    """Places for the characters of a replacement, evenly over what they replace."""
    places = (start + index * (stop - start) // size for index in range(size))
    return [place if layer.offsets is None else layer.offsets[place] for place in places]


def _original(layer: Layer, start: int, end: int) -> list[int]:
    return list(range(start, end)) if layer.offsets is None else list(layer.offsets[start:end])
