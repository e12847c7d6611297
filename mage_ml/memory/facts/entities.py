"""What a clause is about: the name that stands beside an attribute."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from mage_ml.memory.facts import lexicon
from mage_ml.memory.facts.clauses import Clause
from mage_ml.memory.facts.lexer import Token, TokenKind
from mage_ml.memory.facts.names import MAX_NAME_WORDS, pieces_of, plain_han

_PREPOSITIONS: Final = frozenset({"of", "for", "in", "at"})


class _Tag(StrEnum):
    NAME = "name"
    CODE = "code"
    SKIP = "skip"
    JOIN = "join"
    PREPOSITION = "preposition"
    ATTRIBUTE = "attribute"
    VALUE = "value"
    STOP = "stop"


class _Item(NamedTuple):
    tag: _Tag
    word: str
    start: int


_TOKEN_TAGS: Final = {
    TokenKind.PERIOD: _Tag.SKIP, TokenKind.MODIFIER: _Tag.SKIP, TokenKind.ATTRIBUTE: _Tag.ATTRIBUTE,
    TokenKind.CODE: _Tag.CODE,
    TokenKind.NUMBER: _Tag.VALUE,
}  # fmt: skip
_CUE_TAGS: Final = {
    lexicon.Cue.SKIP.value: _Tag.SKIP,
    lexicon.Cue.AND.value: _Tag.JOIN,
    lexicon.Cue.LINK.value: _Tag.VALUE,
}


class ClauseNames:
    """The words of one clause, sorted into names, fillers and stops."""

    def __init__(self, clause: Clause) -> None:
        self._items: list[_Item] = []
        self._found: dict[int, str] = {}
        self._end = clause.end
        position = clause.start
        for token in clause.tokens:
            if token.start > position:
                self._add_gap(clause.text[position : token.start], position)
            self._add_token(token)
            position = token.end
        self._add_gap(clause.text[position : clause.end], position)
        self._has_preposition = any(item.tag is _Tag.PREPOSITION for item in self._items)

    def near(self, start: int, end: int) -> str:
        """The entity that the attribute at this place belongs to; empty when the clause names none.

        Looked for directly before the attribute, then behind `of`, `for`, `in` after it, then behind such a word
        anywhere, then among the words before the attribute.
        """
        if start not in self._found:
            count = len(self._items)
            at = next((index for index in range(count) if self._items[index].start >= start), count)
            after = next((index for index in range(at, count) if self._items[index].start >= end), count)
            # "revenue: North 120": the name stands behind the colon.
            opens_list = after < count and self._items[after].word in (":", "：")
            limit = self._end if opens_list else start
            self._found[start] = (
                self._backward(at - 1) or self._behind_preposition(after, stop_early=True) or self._named_before(limit)
            )
        return self._found[start]

    def anywhere(self) -> str:
        """The first name in the clause."""
        return self._named_before(self._end)

    def _named_before(self, limit: int) -> str:
        return self._behind_preposition(0, stop_early=False) or self._single_code() or self._first_run(limit)

    def _add_token(self, token: Token) -> None:
        if token.kind is TokenKind.CUE:
            tag = _CUE_TAGS.get(token.name, _Tag.STOP)
        else:
            tag = _TOKEN_TAGS.get(token.kind, _Tag.STOP)
        self._items.append(_Item(tag, token.name, token.start))

    def _add_gap(self, gap: str, offset: int) -> None:
        if not gap or gap.isspace():
            return
        previous_generic = bool(self._items) and self._items[-1].tag is _Tag.SKIP
        for piece in gap.split() if gap.isascii() else pieces_of(gap):
            word = piece.strip("\"'`*_~.").removesuffix("'s").removesuffix("’s")
            lowered = word.lower()
            if not lowered or not any(char.isalnum() for char in lowered):
                continue
            tag = self._tag_of(lowered)
            if len(word) == 1 and word.isascii() and word.isupper() and previous_generic:
                tag = _Tag.NAME  # product A: the letter is the name
            previous_generic = tag is _Tag.SKIP
            self._items.append(_Item(tag, lowered, offset))

    @staticmethod
    def _tag_of(word: str) -> _Tag:
        if word in _PREPOSITIONS:
            return _Tag.PREPOSITION
        if word in lexicon.SKIP_WORDS:
            return _Tag.SKIP
        if word in lexicon.HARD_WORDS or (len(word) == 1 and word.isascii()):
            return _Tag.STOP
        return _Tag.NAME

    def _backward(self, index: int) -> str:
        taken: list[_Item] = []
        while index >= 0:
            item = self._items[index]
            if item.tag in (_Tag.NAME, _Tag.CODE):
                taken.insert(0, item)
            elif item.tag is _Tag.JOIN:
                if not taken or index == 0 or self._items[index - 1].tag is not _Tag.NAME:
                    break
            elif item.tag is not _Tag.SKIP:
                break
            index -= 1
        return _named(taken)

    def _behind_preposition(self, index: int, *, stop_early: bool) -> str:
        if not self._has_preposition:
            return ""
        armed = False
        taken: list[_Item] = []
        for item in self._items[index:]:
            if item.tag is _Tag.PREPOSITION and not taken:
                armed = True
            elif item.tag in (_Tag.NAME, _Tag.CODE) and armed:
                taken.append(item)
            elif item.tag in (_Tag.SKIP, _Tag.JOIN):
                continue
            elif taken or stop_early:
                break
            else:
                armed = False
        return _named(taken)

    def _single_code(self) -> str:
        # The code behind `account` is the value of that attribute.
        codes = [
            item
            for index, item in enumerate(self._items)
            if item.tag is _Tag.CODE and (index == 0 or self._items[index - 1].tag is not _Tag.ATTRIBUTE)
        ]
        return codes[0].word if len(codes) == 1 else ""

    def _first_run(self, limit: int) -> str:
        """The first name before the attribute and before any value: what comes later is no subject."""
        taken: list[_Item] = []
        for item in self._items:
            if item.start >= limit:
                break
            if item.tag is _Tag.NAME:
                taken.append(item)
            elif item.tag is _Tag.VALUE or (taken and item.tag is not _Tag.SKIP):
                break
        return _named(taken)


def _named(items: list[_Item]) -> str:
    codes = [item.word for item in items if item.tag is _Tag.CODE]
    # A code identifies on its own, whatever stands beside it.
    return codes[-1] if codes else " ".join(plain_han(item.word) for item in items[:MAX_NAME_WORDS])
