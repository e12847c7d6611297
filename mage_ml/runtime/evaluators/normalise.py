"""Undoes disguises before text is matched, and keeps track of where each character came from.

One text becomes one or more *layers*. The first is the text itself with look-alike letters, invisible characters,
compatibility forms, HTML entities, percent and backslash escapes undone. Each piece of it that decodes as base64
or hexadecimal gives a further layer, normalised in the same way, down to a bounded depth.
"""

from __future__ import annotations

import base64
import binascii
import html
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

import re2

MAX_DEPTH: Final = 3
MAX_LAYERS: Final = 16

_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B))} | {
    code: code - 0xFEE0 for code in (*range(0xFF41, 0xFF5B), 0xFF20, 0xFF0E, 0xFF0F, 0xFF0D, 0xFF3F)
}
# Letters of other scripts drawn like Latin ones.
_LOOK_ALIKE: Final = dict(
    zip(
        map(ord, "аеорсухіѕјһԁԛԝѵґӏАВЕКМНОРСТХУІЈЅҮοανικρτυχεγΑΒΕΖΗΙΚΜΝΟΡΤΥΧıɡɑʏᴀᴇᴏ"),
        "aeopcyxisjhdqwvrlABEKMHOPCTXYIJSYoavikptuxeyABEZHIKMNOPTYXigayaeo",
        strict=True,
    )
)
_ONE_TO_ONE: Final = {**_FULL_WIDTH, **_LOOK_ALIKE, 0x3000: " ", 0xA0: " ", 0x2019: "'"}
_TAGS: Final = {code: code - 0xE0000 for code in range(0xE0020, 0xE007F)}

_MIXED_WORD = re2.compile(r"[A-Za-z][\p{Cyrillic}\p{Greek}]|[\p{Cyrillic}\p{Greek}][A-Za-z]")
_INVISIBLE = re2.compile(
    r"[\x{AD}\x{34F}\x{180E}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}-\x{2064}\x{2066}-\x{206F}\x{FE00}-\x{FE0F}\x{FEFF}]"
)
_TAG_CHARACTERS = re2.compile(r"[\x{E0000}-\x{E007F}]")
_COMPATIBILITY = re2.compile(
    r"[\x{1D400}-\x{1D7FF}\x{FB00}-\x{FB06}\x{2460}-\x{24FF}\x{1F130}-\x{1F189}\x{2100}-\x{214F}]"
)
_ENTITY = re2.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,31});")
_PERCENT = re2.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPE = re2.compile(r"(?:\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2})+")
_BASE64 = re2.compile(r"[A-Za-z0-9+/_\-]{20,}={0,2}")
_HEX = re2.compile(r"\b(?:[0-9A-Fa-f]{2}[ :]?){16,}")
_WORD_RUN = re2.compile(r"[A-Za-z]{2,}|[\p{Han}]")


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

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of this layer lies in the original text."""
        if self.whole is not None:
            return self.whole
        if self.offsets is None or not self.offsets:
            return (start, end)
        last = len(self.offsets) - 1
        return (self.offsets[min(start, last)], self.offsets[min(max(start, end - 1), last)] + 1)


def layers_of(text: str) -> tuple[Layer, ...]:
    """All readings of a text, the plain one first; at most 16, decoded at most three deep."""
    found: list[Layer] = []
    _collect(Layer(text), found, MAX_DEPTH)
    return tuple(found)


def normalised(text: str) -> str:
    """The first layer's text: what a reader would see."""
    return _undo(Layer(text)).text


def _collect(layer: Layer, found: list[Layer], depth: int) -> None:
    if len(found) >= MAX_LAYERS:
        return
    plain = _undo(layer)
    found.append(plain)
    if depth == 0:
        return
    for start, end, inner, trick in _encoded_pieces(plain.text):
        _collect(Layer(inner, (*plain.tricks, trick), None, plain.span(start, end)), found, depth - 1)


def _undo(layer: Layer) -> Layer:
    text = layer.text
    if text.isascii() and "&" not in text and "%" not in text and "\\" not in text:
        return layer
    for _ in range(MAX_DEPTH):
        before = layer
        layer = _undo_characters(layer)
        layer = _substitute(layer, "html", _ENTITY, html.unescape)
        layer = _substitute(layer, "percent", _PERCENT, unquote)
        layer = _substitute(layer, "escape", _ESCAPE, _unescape)
        if layer is before:
            break
    return layer


def _undo_characters(layer: Layer) -> Layer:
    text = layer.text
    if text.isascii():
        return layer
    tricks = layer.tricks
    changed = text.translate(_ONE_TO_ONE)
    if changed != text:
        if _MIXED_WORD.search(text):
            tricks = (*tricks, "homoglyph")
        layer = Layer(changed, tricks, layer.offsets, layer.whole)
    layer = _substitute(layer, "tag characters", _TAG_CHARACTERS, lambda run: run.translate(_TAGS))
    layer = _substitute(layer, "invisible", _INVISIBLE, lambda _run: "")
    return _substitute(layer, "compatibility", _COMPATIBILITY, lambda run: unicodedata.normalize("NFKC", run))


def _substitute(layer: Layer, trick: str, pattern: Any, undo: Callable[[str], str]) -> Layer:  # noqa: ANN401 - re2
    """Replace every match and keep the map to the original; the same object comes back when nothing changed."""
    pieces: list[str] = []
    offsets: list[int] = []
    end = 0
    for match in pattern.finditer(layer.text):
        replacement = undo(match.group(0))
        if replacement == match.group(0):
            continue
        start, stop = match.span()
        pieces += (layer.text[end:start], replacement)
        offsets.extend(_original(layer, end, start))
        offsets.extend(_original(layer, start, start + 1) * len(replacement))
        end = stop
    if not pieces:
        return layer
    pieces.append(layer.text[end:])
    offsets.extend(_original(layer, end, len(layer.text)))
    tricks = layer.tricks if trick in layer.tricks else (*layer.tricks, trick)
    return Layer("".join(pieces), tricks, tuple(offsets), layer.whole)


def _original(layer: Layer, start: int, end: int) -> list[int]:
    return list(range(start, end)) if layer.offsets is None else list(layer.offsets[start:end])


def _unescape(run: str) -> str:
    codes = run.replace("\\x", "\\u00").split("\\u")[1:]
    return "".join(chr(int(code, 16)) for code in codes if not 0xD800 <= int(code, 16) <= 0xDFFF)


def _encoded_pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    for pattern, trick, decode in ((_BASE64, "base64", _from_base64), (_HEX, "hex", _from_hex)):
        for match in pattern.finditer(text):
            inner = decode(match.group(0))
            if inner is not None:
                yield match.start(), match.end(), inner, trick


def _from_base64(run: str) -> str | None:
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return _readable(base64.b64decode(body + "=" * (-len(body) % 4), validate=True))
    except (binascii.Error, ValueError):
        return None


def _from_hex(run: str) -> str | None:
    try:
        return _readable(bytes.fromhex(run.replace(":", " ")))
    except ValueError:
        return None


def _readable(data: bytes) -> str | None:
    """The text in some bytes, if it is text in words; random bytes are hardly ever."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    text_inside = unquote(text)
    printable = sum(character.isprintable() or character in "\n\t" for character in text)
    words = sum(match.end() - match.start() for match in _WORD_RUN.finditer(text_inside))
    return text if text and printable >= 0.95 * len(text) and words >= 0.5 * len(text_inside) else None
