"""Templates of known-safe answers."""

from __future__ import annotations

from typing import Final

import re2

from mage_ml.config import nearest
from mage_ml.errors import ConfigError

_SLOT = re2.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?::([A-Za-z_]+))?\}")
_SPACES = re2.compile(r"\s+")
_SLOTS: Final = {
    "word": r"[\p{L}\p{N}_\-]{1,40}",
    "number": r"[0-9][0-9,]*(?:\.[0-9]+)?%?",
    "date": r"[0-9]{4}(?:-|/|\.|年)[0-9]{1,2}(?:-|/|\.|月)[0-9]{1,2}日?|[A-Z][a-z]{2,8} [0-9]{1,2}(?:, [0-9]{4})?",
    "name": r"[\p{L}][\p{L} .'\-]{0,39}",
    "text": r"[^.!?。！？;；\n]{1,80}",
}
_DEFAULT_SLOT: Final = "name"
_END: Final = r"[\s.!?。！？;；]*"


class Template:
    """A text with slots such as `{order:number}`; a text fits it from beginning to end, whatever the case and spacing.

    Slots: `word`, `number`, `date`, `name` (letters and spaces, the default), `text` (up to 80 characters without the
    end of a sentence: anything can be said there, so use it sparingly).

    Args:
        text: The template.

    Raises:
        ConfigError: It names an unknown slot, or consists of slots alone.
    """

    def __init__(self, text: str) -> None:
        pattern, last, fixed = "", 0, ""
        for match in _SLOT.finditer(text):
            literal, kind = text[last : match.start()], match.group(2) or _DEFAULT_SLOT
            if kind not in _SLOTS:
                raise ConfigError(f"unknown slot {kind!r} in the template {text[:60]!r}; {nearest(kind, list(_SLOTS))}")
            pattern += _literal(literal) + f"(?:{_SLOTS[kind]})"
            fixed += literal
            last = match.end()
        rest = text[last:].rstrip(" .!?。！？;；\n")
        fixed += rest
        if not any(character.isalnum() for character in fixed):
            raise ConfigError(f"the template {text[:60]!r} has no word of its own, so that it would fit everything")
        self.text = text
        self._pattern = re2.compile(f"(?i)\\s*{pattern}{_literal(rest)}{_END}")

    def fits(self, text: str) -> bool:
        """Whether a text is this template, filled in."""
        return self._pattern.fullmatch(text) is not None


def _literal(text: str) -> str:
    return r"\s+".join(re2.escape(part) for part in _SPACES.split(text))
