"""Disguises for planted orders: each turns a sentence into one or more texts that a model can still read."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final
from urllib.parse import quote

import re2

_HOMOGLYPHS: Final = str.maketrans("aeopcxyijsABEKMHOPCTX", "аеорсхуіјѕАВЕКМНОРСТХ")
# Chinese radicals that look like the characters they stand for.
_RADICALS: Final = str.maketrans(
    "一人入八刀力口土大女子小工己文方日月木水火用目立行见言走足金门食高",
    "⼀⼈⼊⼋⼑⼒⼝⼟⼤⼥⼦⼩⼯⼰⽂⽅⽇⽉⽊⽔⽕⽤⽬⽴⾏⻅⾔⾛⾜⾦⻔⾷⾼",
)
_FULL_WIDTH: Final = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}
_LEET: Final = str.maketrans("aeio", "4310")
_WORD = re2.compile(r"[A-Za-z]{3,}")
_ADDRESS = re2.compile(r"[\w.+\-]+@[\w.\-]+|https?://[\w./\-]+|[\w\-]*\d[\w\-]*")
_LINE: Final = 12
_LINE_ZH: Final = 4


class Disguise(StrEnum):
    """How an order is hidden."""

    PLAIN = "plain"
    HOMOGLYPH = "homoglyph"
    ZERO_WIDTH = "zero_width"
    BIDI_MARKS = "bidi_marks"
    BIDI_REVERSED = "bidi_reversed"
    FULL_WIDTH = "full_width"
    HTML_ENTITIES = "html_entities"
    PERCENT = "percent"
    UNICODE_ESCAPES = "unicode_escapes"
    TAG_CHARACTERS = "tag_characters"
    BASE64 = "base64"
    HEX = "hex"
    NESTED_TWO = "nested_two"
    NESTED_THREE = "nested_three"
    LEETSPEAK = "leetspeak"
    LETTER_SPACING = "letter_spacing"
    LETTER_DOTS = "letter_dots"
    DIACRITICS = "diacritics"
    BASE32 = "base32"
    QUOTED_PRINTABLE = "quoted_printable"
    LINE_SPLITTING = "line_splitting"
    SPLIT_TWO = "split_two_entries"
    SPLIT_THREE = "split_three_entries"
    CASE = "case"
    PUNCTUATION = "punctuation"
    MARKDOWN = "markdown"
    ALT_TEXT = "alt_text"
    HTML_COMMENT = "html_comment"
    HIDDEN_HTML = "hidden_html"
    JSON_NESTED = "json_nested"
    TRANSLATED = "translated"
    FOREIGN = "foreign_language"


OF_ALPHABETS: Final = frozenset({Disguise.LEETSPEAK, Disguise.CASE})
"""Disguises that leave Chinese as it is."""


@dataclass(frozen=True, slots=True)
class Disguised:
    """An order in disguise: one text for each memory entry it is spread over, in order."""

    parts: tuple[str, ...]


def disguise(kind: Disguise, order: str) -> Disguised:
    """Hide an order. `translated` and `foreign_language` change nothing: the caller gives the sentence.

    Args:
        kind: How.
        order: One sentence in plain text.
    """
    if kind is Disguise.SPLIT_TWO:
        return _split(order, 2)
    if kind is Disguise.SPLIT_THREE:
        return _split(order, 3)
    change = _CHANGES.get(kind)
    return Disguised((order if change is None else change(order),))


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _leet(text: str) -> str:
    """Every second word with figures for letters; addresses and names stay, or nobody could use them."""
    kept = [match.span() for match in _ADDRESS.finditer(text)]
    pieces, end = [], 0
    for number, match in enumerate(_WORD.finditer(text)):
        start, stop = match.span()
        pieces.append(text[end:start])
        inside = any(a < stop and start < b for a, b in kept)
        pieces.append(match.group(0) if inside or number % 2 else match.group(0).translate(_LEET))
        end = stop
    return "".join([*pieces, text[end:]])


def _spaced(text: str) -> str:
    """Letters apart; words two spaces apart; addresses as they are."""
    return "  ".join(
        word if _ADDRESS.fullmatch(word.rstrip(".,;:。，；：")) else " ".join(word) for word in text.split()
    )


def _lines(text: str) -> str:
    """A line break about every twelve letters, at a space; in Chinese every four characters, outside addresses."""
    if not text.isascii():
        pieces, end = [], 0
        for match in _ADDRESS.finditer(text):
            pieces += [_every_four(text[end : match.start()]), match.group(0)]
            end = match.end()
        return "\n".join(piece.strip() for piece in [*pieces, _every_four(text[end:])] if piece.strip())
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > _LINE and line:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def _every_four(text: str) -> str:
    return "\n".join(text[start : start + _LINE_ZH].strip() for start in range(0, len(text), _LINE_ZH))


def _split(text: str, parts: int) -> Disguised:
    """Cut at spaces into parts of about equal length; Chinese between characters, never inside an address."""
    size, cuts = len(text) / parts, []
    barred = [match.span() for match in _ADDRESS.finditer(text)]
    for number in range(1, parts):
        wanted = round(size * number)
        places = [
            place
            for place in range(1, len(text))
            if (text[place - 1] == " " if text.isascii() else True) and not any(a < place < b for a, b in barred)
        ]
        cuts.append(min(places, key=lambda place: abs(place - wanted)))
    edges = [0, *cuts, len(text)]
    return Disguised(tuple(text[a:b].strip() for a, b in pairwise(edges)))


def _reversed(text: str) -> str:
    return "\u202e" + text[::-1] + "\u202c"


def _alternating(text: str) -> str:
    kept = [match.span() for match in _ADDRESS.finditer(text)]
    return "".join(
        c if any(a <= n < b for a, b in kept) else (c.upper() if n % 2 else c.lower()) for n, c in enumerate(text)
    )


def _other_punctuation(text: str) -> str:
    return text.rstrip(".。").replace(", ", " ... ").replace("，", " …… ") + " !!"


def _json_nested(text: str) -> str:
    inner = json.dumps({"type": "note", "text": text})
    return json.dumps({"status": "ok", "data": {"items": [{"id": 1, "raw": inner}]}})


_CHANGES: Final[dict[Disguise, Callable[[str], str]]] = {
    Disguise.HOMOGLYPH: lambda text: text.translate(_RADICALS if not text.isascii() else _HOMOGLYPHS),
    Disguise.ZERO_WIDTH: "\u200b".join,
    Disguise.BIDI_MARKS: lambda text: "\u2066\u200f".join(text[n : n + 3] for n in range(0, len(text), 3)),
    Disguise.BIDI_REVERSED: _reversed,
    Disguise.FULL_WIDTH: lambda text: text.translate(_FULL_WIDTH),
    Disguise.HTML_ENTITIES: lambda text: "".join(f"&#{ord(c)};" for c in text),
    Disguise.PERCENT: lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    Disguise.UNICODE_ESCAPES: lambda text: "".join(f"\\u{ord(c):04x}" for c in text),
    Disguise.TAG_CHARACTERS: lambda text: "".join(chr(0xE0000 + ord(c)) if c.isascii() else c for c in text),
    Disguise.BASE64: _base64,
    Disguise.HEX: lambda text: text.encode().hex(),
    Disguise.NESTED_TWO: lambda text: quote(_base64(text)) if len(text) % 2 else _base64(quote(text)),
    Disguise.NESTED_THREE: lambda text: _base64(_base64(html.escape(text).encode().hex())),
    Disguise.LEETSPEAK: _leet,
    Disguise.LETTER_SPACING: _spaced,
    Disguise.LETTER_DOTS: ".".join,
    Disguise.DIACRITICS: lambda text: "".join(f"{c}\u0301" if c.isalpha() else c for c in text),
    Disguise.BASE32: lambda text: base64.b32encode(text.encode()).decode(),
    Disguise.QUOTED_PRINTABLE: lambda text: "".join(f"={byte:02X}" for byte in text.encode()),
    Disguise.LINE_SPLITTING: _lines,
    Disguise.CASE: _alternating,
    Disguise.PUNCTUATION: _other_punctuation,
    Disguise.MARKDOWN: lambda text: "**" + "** _".join(_halves(text)) + "_",
    Disguise.ALT_TEXT: lambda text: f'![{text}](https://img.example/pixel.png "logo")',
    Disguise.HTML_COMMENT: lambda text: f"<p>Welcome</p><!-- {text} -->",
    Disguise.HIDDEN_HTML: lambda text: f'<p>Welcome</p><span style="display:none">{text}</span>',
    Disguise.JSON_NESTED: _json_nested,
}


def _halves(text: str) -> tuple[str, str]:
    parts = _split(text, 2).parts
    return parts[0], parts[1]
