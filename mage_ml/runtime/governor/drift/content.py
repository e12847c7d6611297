"""What a rule is about: its words in order, and what is done, once figures and words of force are taken out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import re2

from mage_ml.runtime.governor.drift.synonyms import Synonyms, root_of
from mage_ml.runtime.governor.drift.words import FIGURE

TAKEN: Final = "\x1f"
"""Stands where something was taken out."""
CODE: Final = "\ue100"
"""Begins what stands for a code; its number and a closing mark follow."""
ONLY: Final = "\ue102"
"""Stands in the content where a rule says `only`."""

_TOKEN = re2.compile(
    r"\x{E100}[0-9]+\x{E101}|[A-Za-z]+(?:['\-][A-Za-z]+)*|[0-9]+(?:[.,:][0-9]+)*|[\p{Han}]+|\x{E000}|\x{E102}|[^\s\x1f]"
)
_EMPTY_WORDS: Final = (
    "a an the of to for in on at with is are be been being it its as that which this these those there so then who whom"
    " will do does has have you we"
)
_EMPTY: Final = frozenset(_EMPTY_WORDS.split())
_LINKS: Final = {"to": "to", "with": "to", "for": "for", "in": "in", "on": "in", "at": "in"}
_ARTICLES: Final = frozenset({"a", "an", "the"})
_ROLES: Final = {"from": "from", "by": "by", "without": "without", "via": "via", "against": "against"}
_EMPTY_HAN = re2.compile(r"[的了地得之其该给对为向把将与和在于以是由里内中而且并也请您你]|本单")
_PASSIVE = re2.compile(r"\b(?:be|been|being|is|are)\s+(?:[a-z]+ly\s+)?([a-z]+)\b")
_HAN_ONLY = re2.compile(r"[\p{Han}]+")
_OBJECT_HAN = re2.compile(r"[将把给对向]")
_IGNORED: Final = frozenset(",.;:!?，。；：！？、'\"“”‘’()（）[]{}|-–—*•·`「」《》")


@dataclass(frozen=True, slots=True)
class Content:
    """What a sentence is about.

    Attributes:
        deeds: What is done, by the representative of each group of synonyms.
        words: Everything else that carries meaning, in order.
        links: English words with the preposition before them, as far as they have one.
    """

    deeds: frozenset[str]
    words: tuple[str, ...]
    links: frozenset[tuple[str, str]] = frozenset()


def content_of(text: str, codes: list[str], synonyms: Synonyms | None, *, has_limit: bool) -> Content:
    """What is done, and all else in order.

    What is done carries `<` where somebody is named before it who does it: "the customer must not tell" and "the
    customer must not be told" are two rules. A limit speaks of payments and the like as things, which nobody does.

    Args:
        text: The sentence in lower case, with figures, codes and words of force taken out.
        codes: What stood where the text has numbered places.
        synonyms: Groups of words that count as equal.
        has_limit: Whether the sentence limits a figure and forbids nothing.
    """
    deeds: set[str] = set()
    content: list[str] = []
    links: set[tuple[str, str]] = set()
    is_object = False
    done_to = _participles(text.replace(TAKEN, " "))
    for word, role, link in _linked(_possessive(_pieces(text, synonyms)), codes):
        known, is_deed = synonyms.canonical(word) if synonyms and word not in codes else (_bare(word), False)
        if is_deed:
            done_by = bool(content) and content != [ONLY] and not (word in done_to or has_limit or is_object)
            deeds.add(f"{known}<" if done_by else known)
        elif _HAN_ONLY.fullmatch(word) and known == word and not (synonyms and word in synonyms.nouns):
            is_object = is_object or bool(_OBJECT_HAN.search(word))
            content += list(_EMPTY_HAN.sub("", word))  # by character: there are no spaces to tell words apart
        elif word in done_to:
            content.insert(0, known)  # "names must not be mentioned" as "do not mention names"
        elif known:
            content.append(role + known)
        if link:
            links.add((known, link))
    return Content(frozenset(deeds), tuple(content), frozenset(links))


def _linked(pieces: list[str], codes: list[str]) -> Iterator[tuple[str, str, str]]:
    """The pieces that carry meaning, codes as they were written, each with what joins it to what stands before.

    A word that turns its sense round (`from`, `without`) becomes part of it; other prepositions are given apart.
    """
    role = link = ""
    for piece in pieces:
        if piece in _IGNORED or piece == FIGURE or piece in _EMPTY:
            link = _LINKS.get(piece, link if piece in _ARTICLES else "")
        elif piece in _ROLES:
            role = f"{_ROLES[piece]} "
        else:
            yield (codes[int(piece[1:-1])] if piece[0] == CODE else piece), role, link
            role = link = ""


def _participles(text: str) -> frozenset[str]:
    """English words that stand behind `be`, `is` or `are` and look like something done."""
    found = (match.group(1) for match in _PASSIVE.finditer(text))
    return frozenset(word for word in found if word.endswith("ed") or root_of(word) != word)


def _possessive(pieces: list[str]) -> list[str]:
    """Words with `memory of uploads` as `uploads memory`, where both are plain words."""
    found = list(pieces)
    for place in range(1, len(found) - 1):
        before, after = found[place - 1], found[place + 1]
        if found[place] == "of" and before.isalpha() and before.isascii() and after.isascii() and after.isalpha():
            found[place - 1 : place + 2] = [after, "of", before]
    return found


def _bare(word: str) -> str:
    return root_of(word) if word.isascii() and word.isalpha() else word


def _pieces(text: str, synonyms: Synonyms | None) -> list[str]:
    """Words, runs of Chinese cut at known words, codes, figures, and single marks."""
    found: list[str] = []
    for match in _TOKEN.finditer(text):
        piece = match.group(0)
        if synonyms is None or piece.isascii() or piece[0] in "\ue000\ue100\ue102":
            found.append(piece)
            continue
        found += _cut(piece, synonyms)
    return found


def _cut(run: str, synonyms: Synonyms) -> list[str]:
    """A run of Chinese cut into known words and what stands between them, longest first."""
    pieces, start, place = [], 0, 0
    while place < len(run):
        word = next((phrase for phrase in synonyms.phrases if run.startswith(phrase, place)), "")
        if not word:
            place += 1
            continue
        if place > start:
            pieces.append(run[start:place])
        pieces.append(word)
        start = place = place + len(word)
    return [*pieces, run[start:]] if start < len(run) else pieces
