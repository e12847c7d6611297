"""Sentences and clauses of a text, with the tokens of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from mage_ml.memory.facts.lexer import Token, TokenKind, lex
from mage_ml.memory.facts.lexicon import Cue

_ENDS_SENTENCE: Final = frozenset({TokenKind.SENTENCE, TokenKind.QUESTION, TokenKind.LINE})
MAX_CLAUSE_TOKENS: Final = 40
"""No real clause is longer; the bound keeps the reading of a text linear in its length."""
_CONTENT: Final = frozenset({TokenKind.ATTRIBUTE, TokenKind.NUMBER})


class Clause(NamedTuple):
    """A stretch of text that states at most one thing about one entity.

    Attributes:
        text: The whole text.
        tokens: The tokens inside, in order.
        start: First character.
        end: One past the last character.
        opens_sentence: Whether it is the first of its sentence.
        cues: The cues inside.
        is_heading: Whether it ends in a colon and stands for what follows.
        after_blank: Whether a blank line or the start of the text comes before it.
    """

    text: str
    tokens: tuple[Token, ...]
    start: int
    end: int
    cues: frozenset[str]
    opens_sentence: bool
    is_heading: bool
    after_blank: bool

    def gap_before(self, index: int) -> str:
        """The text between a token and the one before it (or the start of the clause)."""
        begin = self.tokens[index - 1].end if index else self.start
        return self.text[begin : self.tokens[index].start]

    def gap_after(self, index: int) -> str:
        """The text between a token and the one after it (or the end of the clause)."""
        stop = self.tokens[index + 1].start if index + 1 < len(self.tokens) else self.end
        return self.text[self.tokens[index].end : stop]


def clauses_of(text: str) -> Iterator[Clause]:
    """The clauses of a text in order. Questions and what follows an `if` are left out: they state nothing."""
    tokens = lex(text)
    begin = 0
    offset = 0
    blank = True
    while begin < len(tokens):
        stop = next((i for i in range(begin, len(tokens)) if tokens[i].kind in _ENDS_SENTENCE), len(tokens))
        end = tokens[stop].start if stop < len(tokens) else len(text)
        if stop == len(tokens) or tokens[stop].kind is not TokenKind.QUESTION:
            yield from _clauses_in(text, tokens[begin:stop], offset, end, blank)
        blank = end == offset or not text[offset:end].strip()
        offset = tokens[stop].end if stop < len(tokens) else end
        begin = stop + 1


def _clauses_in(text: str, tokens: list[Token], start: int, end: int, after_blank: bool) -> Iterator[Clause]:
    condition = next((i for i, token in enumerate(tokens) if token.name == Cue.CONDITION), None)
    if condition is not None:
        end = tokens[condition].start
        tokens = tokens[:condition]
    opens, first = True, 0
    for index, token in enumerate(tokens):
        is_break, is_heading = _breaks(tokens, first, index, text, end)
        if not is_break and index - first < MAX_CLAUSE_TOKENS:
            continue
        yield _clause(text, tokens[first:index], start, token.start, opens, is_heading, after_blank)
        opens, first, start = False, index + 1, token.end
    yield _clause(text, tokens[first:], start, end, opens, False, after_blank)


def _clause(
    text: str, tokens: list[Token], start: int, end: int, opens: bool, is_heading: bool, after_blank: bool
) -> Clause:
    cues = frozenset(token.name for token in tokens if token.kind is TokenKind.CUE)
    return Clause(text, tuple(tokens), start, end, cues, opens, is_heading, after_blank and opens)


def _breaks(tokens: list[Token], first: int, index: int, text: str, end: int) -> tuple[bool, bool]:
    token = tokens[index]
    if token.kind is TokenKind.CLAUSE:
        return True, False
    if token.kind is TokenKind.COLON:
        before = tokens[first:index]
        stated = any(earlier.kind is TokenKind.NUMBER for earlier in before)
        named = any(earlier.kind is TokenKind.ATTRIBUTE for earlier in before)
        at_end = not text[token.end : end].strip()
        return (at_end or not named) and not stated, at_end
    if token.kind is TokenKind.CUE and token.name == Cue.AND:
        return _joins_two_statements(tokens, first, index), False
    return False, False


def _joins_two_statements(tokens: list[Token], first: int, index: int) -> bool:
    """`North had 120 and South 80` is two statements; `between 80 and 120` and `North and South` are not."""
    before = tokens[first:index]
    if not any(token.kind is TokenKind.NUMBER for token in before) or any(t.name == Cue.BOUND for t in before[-2:]):
        return False
    if any(token.name == Cue.RESPECTIVELY for token in tokens[first : index + 13]):
        return False
    for token in tokens[index + 1 : index + 13]:
        if token.kind is TokenKind.CLAUSE:
            return False
        if token.kind is TokenKind.NUMBER:
            return True
    return any(token.kind in _CONTENT for token in tokens[index + 1 : index + 6])
