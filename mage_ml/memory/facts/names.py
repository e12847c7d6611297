"""Names of entities and attributes in one spelling, however they are written."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import re2

from mage_ml.memory.facts import lexicon

MAX_NAME_WORDS: Final = 6

_CANONICAL: Final = {word: name for name, words in lexicon.ATTRIBUTES.items() for word in words}
_CAMEL: Final = re2.compile(r"([a-z0-9])([A-Z])")
_HAN: Final = {word: name for word, name in {**lexicon.MODIFIERS, **_CANONICAL}.items() if not word.isascii()}
_HAN_ATTRIBUTE: Final = re2.compile("|".join(sorted(_HAN, key=lambda word: (-len(word), word))))
_PIECE: Final = re2.compile(r"[A-Za-z0-9][A-Za-z0-9_\-.']*|[\p{Han}]+|[^\s\p{P}\p{S}\x00-\x7f\p{Han}]+")
_LONGEST: Final = max(word.count(" ") for word in _CANONICAL) + 1


def fold(text: str) -> str:
    """The text in its compatibility form, stripped, in lower case."""
    return text.strip().lower() if text.isascii() else unicodedata.normalize("NFKC", text).strip().lower()


def split_camel(text: str) -> str:
    """The folded text, with a space where `camelCase` begins a word."""
    return fold(_CAMEL.sub(r"\1 \2", text))


def pieces_of(text: str) -> list[str]:
    """Words of a text: runs of Latin letters and digits, or of Han."""
    return [match.group(0) for match in _PIECE.finditer(text)]


@lru_cache(maxsize=4096)
def canonical_attribute(name: str) -> str:
    """The canonical name of an attribute, word by word where the lexicon knows the words.

    `refundLimit`, `refund_limit` and `退款上限` are all `refund limit`; unknown words stay, in lower case.
    """
    spaced = split_camel(name).replace("_", " ")
    known = _CANONICAL.get(spaced) or _CANONICAL.get(spaced.replace("-", " "))
    if known:
        return known
    if not spaced.isascii():
        spaced = _HAN_ATTRIBUTE.sub(lambda match: f" {_HAN[match.group(0)]} ", spaced)
    words = spaced.replace("-", " ").split()
    result: list[str] = []
    index = 0
    while index < len(words):
        size = next((n for n in range(_LONGEST, 0, -1) if " ".join(words[index : index + n]) in _CANONICAL), 1)
        phrase = " ".join(words[index : index + size])
        result.append(lexicon.MODIFIERS.get(phrase) or _CANONICAL.get(phrase, phrase))
        index += size
    return compound(result) if result else spaced


def compound(names: list[str]) -> str:
    """One name for attributes that stand side by side: the last is the head, the others say which.

    `total revenue` is revenue, `sales revenue` is revenue, `refund limit` stays, `account balance` is balance,
    `revenue growth` is growth.
    """
    *leading, head = names
    kept = []
    for name in dict.fromkeys(leading):
        generic = name in ("total", "amount") or lexicon.KINDS.get(name) is lexicon.Kind.WORD
        if name != head and not (generic and head in lexicon.KINDS):
            kept.append(name)
    if head == "growth" and kept == ["revenue"]:
        kept = []
    return " ".join([*kept, head])


def kind_of(attribute: str) -> lexicon.Kind:
    """Which values an attribute takes; that of its last word for a compound, anything for an unknown one."""
    known = lexicon.KINDS.get(attribute) or lexicon.KINDS.get(attribute.rsplit(" ", 1)[-1])
    return known or lexicon.Kind.ANY


def entity_name(text: str) -> str:
    """The name of an entity: lower case, without articles, possessives and generic nouns such as `region`.

    A name made of such words alone is kept as it is.
    """
    folded = (fold(text[:200]) + " ").replace("'s ", " ").replace("’s ", " ").replace("#", " ")
    words: list[str] = []
    for piece in pieces_of(folded):
        words += [piece.rstrip(".'")] if piece[0].isascii() else _without_generic(piece)
    kept = [word for word in words if word not in lexicon.SKIP_WORDS or len(words) == 1]
    if not kept and words and len(words[-1]) == 1:
        kept = words[-1:]  # product A: the letter is the name
    return " ".join((kept or words)[:MAX_NAME_WORDS])


def _without_generic(han: str) -> list[str]:
    for noun in lexicon.GENERIC_ZH:
        if noun in han and han != noun:
            han = han.replace(noun, " ")
    return [plain_han(part) for part in han.split()]


def plain_han(word: str) -> str:
    """A Chinese name without the suffix for a region: 华北区 is 华北, but 西区 stays."""
    return word[:-1] if len(word) > 2 and word.endswith("区") else word
