"""Cuts prose into the words, numbers, periods and breaks that the fact reader understands.

One pass of a linear-time pattern finds the known tokens; what lies between them (names, mostly) stays as gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

import re2

from mage_ml.memory.facts import lexicon
from mage_ml.memory.facts.periods import PERIOD_PATTERN, period_name
from mage_ml.memory.facts.quantities import NUMBER_PATTERN, RANGE_PATTERN, fold_width, read_number, touches_word


class TokenKind(StrEnum):
    """What a token is."""

    ATTRIBUTE = "attribute"
    MODIFIER = "modifier"
    RISE = "rise"
    FALL = "fall"
    CUE = "cue"
    NUMBER = "number"
    PERIOD = "period"
    CODE = "code"
    ADDRESS = "address"
    OTHER = "other"
    PAREN = "paren"
    CLAUSE = "clause"
    COLON = "colon"
    SENTENCE = "sentence"
    QUESTION = "question"
    LINE = "line"


class Token(NamedTuple):
    """One token.

    Attributes:
        kind: What it is.
        name: Canonical attribute, cue, period, modifier or lower-case text, by kind.
        start: First character.
        end: One past the last character.
        number: The value of a number, otherwise 0.
        unit: Its unit, otherwise empty.
    """

    kind: TokenKind
    name: str
    start: int
    end: int
    number: float = 0.0
    unit: str = ""


_BREAKS: Final = {
    ",": TokenKind.CLAUSE, "，": TokenKind.CLAUSE, ";": TokenKind.CLAUSE, "；": TokenKind.CLAUSE,
    "|": TokenKind.CLAUSE, "—": TokenKind.CLAUSE, "(": TokenKind.PAREN, ")": TokenKind.PAREN,
    "（": TokenKind.PAREN, "）": TokenKind.PAREN, ":": TokenKind.COLON, "：": TokenKind.COLON,
    "。": TokenKind.SENTENCE, "！": TokenKind.SENTENCE, "？": TokenKind.QUESTION, "\n": TokenKind.LINE,
}  # fmt: skip
_WORDS: Final[dict[str, tuple[TokenKind, str]]] = {
    **{word: (TokenKind.CUE, cue.value) for word, cue in lexicon.CUES.items()},
    **{word: (TokenKind.MODIFIER, name) for word, name in lexicon.MODIFIERS.items()},
    **{word: (TokenKind.RISE, word) for word in lexicon.RISE},
    **{word: (TokenKind.FALL, word) for word in lexicon.FALL},
    **{word: (TokenKind.ATTRIBUTE, name) for name, words in lexicon.ATTRIBUTES.items() for word in words},
}


def _boundaries(word: str) -> str:
    before = r"\b" if word[0].isascii() and word[0].isalnum() else ""
    after = r"\b" if word[-1].isascii() and word[-1].isalnum() else ""
    return f"{before}{re2.escape(word)}{after}"


_TOKEN: Final = re2.compile(
    r"(?i)[a-z0-9._%+\-]+@[a-z0-9.\-]+\.[a-z]{2,}|(?:https?://|www\.)[^\s'\"<>）)，。]+"
    rf"|{PERIOD_PATTERN}|{RANGE_PATTERN}|{NUMBER_PATTERN}"
    r"|\b[a-z]+[\-_]?\d[a-z0-9\-_]*|#[a-z0-9\-_]+|[a-z0-9_.\-]*(?:/[a-z0-9_.\-]+)+"
    rf"|{'|'.join(_boundaries(word) for word in sorted(_WORDS, key=lambda word: (-len(word), word)))}"
    r"|[.!?]+[\"'’”)\]]*(?:[ \t\r\n]|$)|[,，;；|—()（）:：。！？\n]"
)

_END: Final = re2.compile(r"[.!?]+[\"'’”)\]]*(?:[ \t\r\n]|$)|[。！？\n]")
_TELLING: Final = re2.compile(
    "(?i)[0-9@:：]|"
    + "|".join(
        _boundaries(word)
        for word, (kind, name) in sorted(_WORDS.items(), key=lambda item: (-len(item[0]), item[0]))
        if kind in (TokenKind.RISE, TokenKind.FALL) or lexicon.KINDS.get(name) is lexicon.Kind.WORD
    )
)
"""A sentence without a digit, an address, a colon, a change or a word-valued attribute states no fact."""


def lex(text: str) -> list[Token]:
    """The tokens of a text in order; offsets count characters of the text as given.

    A sentence in which nothing could be a fact gives only the token that ends it.
    """
    folded = fold_width(text)
    data = folded.encode()
    narrow = len(data) == len(folded)
    tokens: list[Token] = []
    seen_bytes = seen_chars = 0
    for match in _telling_matches(data):
        start, end = match.span()
        written = data[start:end].decode()
        if not narrow:
            # Offsets become characters step by step, so that the whole walk stays linear.
            char_start = seen_chars + len(data[seen_bytes:start].decode())
            seen_bytes, seen_chars = end, char_start + len(written)
            start, end = char_start, seen_chars
        kind, name, number, unit = _classify(written)
        token = Token(kind, name, start, end, number, unit)
        if kind is TokenKind.NUMBER:
            token = _settled(token, folded, tokens)
        elif kind is TokenKind.SENTENCE and written[0] == "." and _is_abbreviation(folded[max(0, start - 8) : start]):
            continue
        tokens.append(token)
    return tokens


def _telling_matches(data: bytes) -> Iterator[Any]:
    """The tokens of the sentences that may state a fact, and of the others only their ends."""
    begin = 0
    for match in _END.finditer(data):
        start, end = match.span()
        before = data[max(begin, start - 8) : start].decode("utf-8", "ignore")
        if data[start : start + 1] == b"." and _is_abbreviation(before):
            continue
        if _TELLING.search(data, begin, end) is None:
            yield match
        else:
            yield from _TOKEN.finditer(data, begin, end)
        begin = end
    yield from _TOKEN.finditer(data, begin)


class _Class(NamedTuple):
    kind: TokenKind
    name: str
    number: float = 0.0
    unit: str = ""


@lru_cache(maxsize=8192)
def _classify(written: str) -> _Class:
    lowered = written.lower()
    known = _WORDS.get(lowered)
    if known is not None:
        return _Class(*known)
    if written in _BREAKS:
        return _Class(_BREAKS[written], written)
    if written[0] in ".!?":
        return _Class(_sentence_end(written), written)
    if "@" in written or lowered.startswith(("http://", "https://", "www.")):
        return _Class(TokenKind.ADDRESS, lowered.rstrip(".,;:"))
    period = period_name(written)
    if period:
        return _Class(TokenKind.PERIOD, period)
    quantity = read_number(written)
    if quantity is not None:
        return _Class(TokenKind.NUMBER, lowered, quantity.number, quantity.unit)
    is_code = "/" not in written and not written[0].isdigit()
    return _Class(TokenKind.CODE if is_code else TokenKind.OTHER, lowered.strip("#"))


def _sentence_end(written: str) -> TokenKind:
    if "?" in written:
        return TokenKind.QUESTION
    return TokenKind.LINE if written.endswith("\n") else TokenKind.SENTENCE


def _settled(token: Token, text: str, before: list[Token]) -> Token:
    """A number that is part of a word is none; one that follows `order` or `ticket` names it."""
    if touches_word(text, token.start, token.end) or _continues_word(text, token):
        return token._replace(kind=TokenKind.OTHER)
    if token.unit or not token.name.replace(".", "").isdigit():
        return token
    lead = text[max(0, token.start - 16) : token.start].rstrip(" #:：").lower()
    word = lead.rsplit(" ", 1)[-1]
    if word in lexicon.IDENTIFIED or lead.endswith(lexicon.IDENTIFIED_ZH):
        return token._replace(kind=TokenKind.CODE)
    if word in lexicon.ENUMERATORS or lead.endswith("第"):
        return token._replace(kind=TokenKind.OTHER)
    is_year = len(token.name) == 4 and token.name[:2] in ("19", "20")
    linked = bool(before) and before[-1].name == lexicon.Cue.LINK and not text[before[-1].end : token.start].strip()
    if is_year and not linked:
        return token._replace(kind=TokenKind.PERIOD)
    return token


def _continues_word(text: str, token: Token) -> bool:
    # "120个", "1. North ...": a count of something else, the number of a list item.
    after = text[token.end : token.end + 2]
    if not token.unit and after[:1] in lexicon.MEASURE_WORDS and after:
        return True
    line_start = text.rfind("\n", max(0, token.start - 4), token.start) + 1
    starts_line = not text[line_start : token.start].strip() and (line_start > 0 or token.start < 4)
    return starts_line and after[:1] in (".", ")", "、") and not after[1:].isdigit()


def _is_abbreviation(before_dot: str) -> bool:
    word = before_dot.rsplit(" ", 1)[-1].lower()
    return word in lexicon.ABBREVIATIONS or (len(word) == 1 and word.isalpha())
