"""Undoes disguises before text is matched, and keeps track of where each character came from.

One text becomes one or more *layers*. The first is the text itself with look-alike letters, invisible characters,
compatibility forms, HTML entities, percent and backslash escapes undone. Each piece of it that decodes as base64
or hexadecimal gives a further layer, normalised in the same way, down to a bounded depth. Where the form of a text may
hide what it says (see `rereading`), that gives a further layer, too.
"""

from __future__ import annotations

import base64
import binascii
import html
import unicodedata
from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import unquote

import re2

from mage_ml.runtime.evaluators.layers import Layer, substitute
from mage_ml.runtime.evaluators.rereading import backwards, second_readings

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
_FULL_WIDTH_ALL: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
# Radicals drawn like the characters they are part of, where Unicode has no compatibility mapping.
_RADICALS: Final = dict(zip(map(ord, "⻅⻔⻓⻋⻛⻜⻢⻥⻦⻩⻬⻰⻚⻉"), "见门长车风飞马鱼鸟黄齐龙页贝", strict=True))
_ONE_TO_ONE: Final = {**_FULL_WIDTH, **_RADICALS, **_LOOK_ALIKE, 0x3000: " ", 0xA0: " ", 0x2019: "'"}
_TAGS: Final = {code: code - 0xE0000 for code in range(0xE0020, 0xE007F)}

_MIXED_WORD = re2.compile(r"[A-Za-z][\p{Cyrillic}\p{Greek}]|[\p{Cyrillic}\p{Greek}][A-Za-z]")
_INVISIBLE = re2.compile(
    r"[\x{AD}\x{300}-\x{36F}\x{180E}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}-\x{2064}\x{2066}-\x{206F}\x{FE00}-\x{FE0F}\x{FEFF}]"
)
_FULL_WIDTH_RUN = re2.compile(r"[Ａ-Ｚａ-ｚ][\x{FF01}-\x{FF5E}\x{3000}]{3,}")
_TAG_CHARACTERS = re2.compile(r"[\x{E0000}-\x{E007F}]")
_COMPATIBILITY = re2.compile(
    r"[\x{1D400}-\x{1D7FF}\x{2F00}-\x{2FDF}\x{F900}-\x{FAFF}\x{FB00}-\x{FB06}\x{2460}-\x{24FF}\x{1F130}-\x{1F189}\x{2100}-\x{214F}]"
)
_ENTITY = re2.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,31});")
_PERCENT = re2.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPE = re2.compile(r"(?:\\{1,8}u[0-9A-Fa-f]{4}|\\{1,8}x[0-9A-Fa-f]{2})+")
_ONE_ESCAPE = re2.compile(r"u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})")
_BASE64 = re2.compile(r"[A-Za-z0-9+/_\-]{20,}={0,2}")
_BASE32 = re2.compile(r"\b[A-Z2-7]{24,}={0,6}")
_HEX = re2.compile(r"\b(?:[0-9A-Fa-f]{2}[ :]?){16,}")
_WORD_RUN = re2.compile(r"[A-Za-z]{2,}|[\p{Han}]")


def layers_of(text: str, vocabulary: Collection[str] = ()) -> tuple[Layer, ...]:
    """All readings of a text, the plain one first; at most 16, decoded at most three deep.

    Args:
        text: As it was written.
        vocabulary: Words in lower case that are looked for behind figures for letters.
    """
    found: list[Layer] = []
    _collect(Layer(text), found, MAX_DEPTH, vocabulary)
    return tuple(found)


def normalised(text: str) -> str:
    """The first layer's text: what a reader would see."""
    return _undo(Layer(text)).text


def _collect(layer: Layer, found: list[Layer], depth: int, vocabulary: Collection[str]) -> None:
    if len(found) >= MAX_LAYERS:
        return
    plain = _undo(layer)
    found.append(plain)
    turned = backwards(layer)
    if turned is not layer:
        found.append(_undo(turned))
    for reading in second_readings(plain, vocabulary):
        if len(found) < MAX_LAYERS and all(reading.text != known.text for known in found):
            found.append(reading)
    if depth == 0:
        return
    for start, end, inner, trick in _encoded_pieces(plain.text):
        _collect(Layer(inner, (*plain.tricks, trick), None, plain.span(start, end)), found, depth - 1, vocabulary)


def _undo(layer: Layer) -> Layer:
    text = layer.text
    if text.isascii() and "&" not in text and "%" not in text and "\\" not in text:
        return layer
    for _ in range(MAX_DEPTH):
        before = layer
        layer = _undo_characters(layer)
        layer = substitute(layer, "html", _ENTITY, html.unescape)
        layer = substitute(layer, "percent", _PERCENT, unquote)
        layer = substitute(layer, "escape", _ESCAPE, _unescape)
        if layer is before:
            break
    return layer


def _undo_characters(layer: Layer) -> Layer:
    if layer.text.isascii():
        return layer
    # Before single characters: a comma is only part of the disguise where the letters around it are.
    layer = substitute(layer, "full width", _FULL_WIDTH_RUN, lambda run: run.translate(_FULL_WIDTH_ALL))
    text, tricks = layer.text, layer.tricks
    changed = text.translate(_ONE_TO_ONE)
    if changed != text:
        if _MIXED_WORD.search(text):
            tricks = (*tricks, "homoglyph")
        layer = Layer(changed, tricks, layer.offsets, layer.whole)
    layer = substitute(layer, "tag characters", _TAG_CHARACTERS, lambda run: run.translate(_TAGS))
    layer = substitute(layer, "invisible", _INVISIBLE, lambda _run: "")
    return substitute(layer, "compatibility", _COMPATIBILITY, lambda run: unicodedata.normalize("NFKC", run))


def _unescape(run: str) -> str:
    codes = (int(match.group(1) or match.group(2), 16) for match in _ONE_ESCAPE.finditer(run))
    return "".join(chr(code) for code in codes if not 0xD800 <= code <= 0xDFFF)


def _encoded_pieces(text: str) -> Iterator[tuple[int, int, str, str]]:
    for pattern, trick, decode in (
        (_BASE64, "base64", _from_base64),
        (_HEX, "hex", _from_hex),
        (_BASE32, "base32", _from_base32),
    ):
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


def _from_base32(run: str) -> str | None:
    body = run.rstrip("=")
    try:
        return _readable(base64.b32decode(body + "=" * (-len(body) % 8)))
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
    if not text or printable < 0.95 * len(text):
        return None
    is_code = _BASE64.fullmatch(text.strip()) or _HEX.fullmatch(text.strip())
    return text if is_code or words >= 0.3 * len(text_inside) else None
