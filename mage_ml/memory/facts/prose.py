"""Reads facts from prose in English and Chinese, clause by clause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from mage_ml.memory.facts import lexicon
from mage_ml.memory.facts.clauses import Clause, clauses_of
from mage_ml.memory.facts.entities import ClauseNames
from mage_ml.memory.facts.lexer import Token, TokenKind
from mage_ml.memory.facts.measures import Attribute, Reading, attributes_in, readings_in
from mage_ml.memory.facts.names import pieces_of
from mage_ml.memory.facts.roles import Change, change_in
from mage_ml.memory.facts.types import Fact

_MAX_VALUE_WORDS: Final = 4
_ENDS_VALUE: Final = frozenset(
    {
        TokenKind.ATTRIBUTE,
        TokenKind.NUMBER,
        TokenKind.PERIOD,
        TokenKind.PAREN,
        TokenKind.COLON,
        TokenKind.ADDRESS,
    }
)


class _Carried(NamedTuple):
    """What earlier clauses of a sentence, or a heading, have set: the next clause may leave it out."""

    entity: str = ""
    attribute: Attribute | None = None
    time: str = ""


class ProseReader:
    """Reads one text. What a sentence has named once (entity, attribute, time) holds until it ends."""

    def __init__(self, entry_id: str) -> None:
        self._entry_id = entry_id
        self._sentence = _Carried()
        self._heading = _Carried()
        self._year = ""

    def read(self, text: str) -> Iterator[Fact]:
        """The facts of a text in order."""
        for clause in clauses_of(text):
            if clause.after_blank:
                self._heading = _Carried()
            if clause.opens_sentence and not self._refers_back(clause):
                self._sentence = self._heading
            yield from self._read_clause(clause)

    def _read_clause(self, clause: Clause) -> Iterator[Fact]:
        attributes = attributes_in(clause)
        change = change_in(clause)
        readings = readings_in(clause, attributes, self._sentence.attribute, change)
        times = [self._dated(token.name) for token in clause.tokens if token.kind is TokenKind.PERIOD]
        if not attributes and not readings:
            self._carry_names(clause, times)
            return
        names = ClauseNames(clause)
        prefix = "forecast " if lexicon.Cue.FORECAST in clause.cues else ""
        for reading in readings:
            yield self._fact(clause, names, reading, prefix)
        if change is not None:
            yield from self._direction(clause, names, attributes, readings, change, prefix)
        yield from self._words(clause, names, attributes)
        self._carry_statement(clause, names, attributes, readings, times)

    def _fact(self, clause: Clause, names: ClauseNames, reading: Reading, prefix: str) -> Fact:
        return Fact(
            self._entry_id,
            self._entity(clause, names, reading.attribute),
            prefix + reading.name,
            number=reading.number,
            unit=reading.unit,
            time=self._dated(reading.time) if reading.time else "" if reading.is_previous else self._sentence.time,
            action=reading.action,
            span=(reading.start, reading.end),
        )

    def _entity(self, clause: Clause, names: ClauseNames, attribute: Attribute) -> str:
        if not clause.start <= attribute.start < clause.end:
            return names.anywhere() or self._sentence.entity
        found = names.near(attribute.start, attribute.end)
        # A sum speaks for everything named before it, not for the last of them.
        return found or ("" if attribute.is_total else self._sentence.entity)

    def _direction(
        self,
        clause: Clause,
        names: ClauseNames,
        attributes: list[Attribute],
        readings: list[Reading],
        change: Change,
        prefix: str,
    ) -> Iterator[Fact]:
        measured = [item for item in attributes if item.kind is not lexicon.Kind.WORD and item.name != "growth"]
        before = [item for item in measured if item.end <= change.start]
        attribute = (
            before[-1] if before else measured[0] if measured else self._sentence.attribute if readings else None
        )
        if attribute is None or attribute.kind is lexicon.Kind.WORD or attribute.name == "growth":
            return
        time = next((reading.time for reading in readings if reading.time and not reading.is_previous), "")
        if not readings:
            time = next(iter(change.times), "")
        yield Fact(
            self._entry_id,
            self._entity(clause, names, attribute),
            f"direction of {prefix}{attribute.name}",
            word=change.action,
            time=self._dated(time) if time else self._sentence.time,
            action=change.action,
            span=(change.start, change.end),
        )

    def _words(self, clause: Clause, names: ClauseNames, attributes: list[Attribute]) -> Iterator[Fact]:
        for attribute in attributes:
            if attribute.kind is not lexicon.Kind.WORD:
                continue
            found = _word_value(clause, attribute)
            if found is not None:
                entity = names.near(attribute.start, attribute.end)
                entity = "" if entity == found.name else entity
                yield Fact(
                    self._entry_id,
                    entity or self._sentence.entity,
                    attribute.name,
                    word=self._dated(found.name) if found.kind is TokenKind.PERIOD else found.name,
                    span=(found.start, found.end),
                )

    def _carry_names(self, clause: Clause, times: list[str]) -> None:
        # "As requested, ..." names nothing; "In the North, ..." and "North region: ..." do.
        named = ClauseNames(clause).anywhere() if _introduces(clause) else ""
        if named:
            self._sentence = self._sentence._replace(entity=named)
        if times:
            self._sentence = self._sentence._replace(time=times[-1])
        if clause.is_heading:
            self._heading = self._sentence._replace(attribute=None)

    def _carry_statement(
        self,
        clause: Clause,
        names: ClauseNames,
        attributes: list[Attribute],
        readings: list[Reading],
        times: list[str],
    ) -> None:
        attribute = readings[-1].attribute if readings else attributes[-1]
        entity = self._entity(clause, names, attribute)
        level = next((reading.time for reading in reversed(readings) if reading.time and not reading.is_previous), "")
        time = self._dated(level) if level else times[-1] if times and not readings else self._sentence.time
        numeric = attribute if attribute.kind is not lexicon.Kind.WORD else self._sentence.attribute
        if clause.is_heading:
            kept = entity if names.near(attribute.start, attribute.end) else ""
            self._heading = self._sentence = _Carried(kept, numeric, time)
        else:
            self._sentence = _Carried(entity if not attribute.is_total else self._sentence.entity, numeric, time)

    def _refers_back(self, clause: Clause) -> bool:
        lead = clause.text[clause.start : clause.start + 40].lstrip().lower()
        return lead.startswith(lexicon.PRONOUNS_ZH) or lead.split(" ", 1)[0].removesuffix("'s") in lexicon.PRONOUNS

    def _dated(self, name: str) -> str:
        """A quarter or month without a year takes the year named last in the text."""
        if name[:4].isdigit():
            self._year = name[:4]
        elif self._year and name[:1] in ("Q", "H") and name[1:].isdigit():
            return f"{self._year}-{name}"
        elif self._year and name[:1] == "M" and name[1:3].isdigit():
            return f"{self._year}-{name[1:]}"
        return name


def _introduces(clause: Clause) -> bool:
    """Whether a clause without a statement names what the next ones are about."""
    if clause.text[clause.end : clause.end + 1] in (":", "："):
        return True
    lead = clause.text[clause.start : clause.end].strip().lower()
    if lead.startswith(("in ", "for ", "at ", "of ")):
        return True
    return len(lead) <= 16 and not lead.isascii() and any(noun in lead for noun in lexicon.GENERIC_ZH)


def _word_value(clause: Clause, attribute: Attribute) -> Token | None:
    """What stands behind a word-valued attribute: an address, a code, a date, or a few words after `is` or a colon."""
    linked = False
    for index, token in enumerate(clause.tokens):
        if token.start < attribute.end:
            continue
        is_link = token.kind is TokenKind.COLON or token.name == lexicon.Cue.LINK
        if token.kind is TokenKind.ATTRIBUTE or (linked and is_link):
            return None
        if is_link:
            linked = True
            if attribute.name in ("manager", "status", "currency"):
                return _words_after(clause, index)
        elif token.kind is TokenKind.PERIOD and attribute.name == "deadline":
            return token
        elif token.kind is TokenKind.ADDRESS or (
            token.kind is TokenKind.CODE and attribute.name == "account" and linked
        ):
            return token if linked or token.start - attribute.end <= 3 else None
        elif token.kind is TokenKind.NUMBER:
            return None
    return None


def _words_after(clause: Clause, index: int) -> Token | None:
    start = clause.tokens[index].end
    behind = clause.tokens[index + 1 :]
    ends = (token.start for token in behind if token.kind in _ENDS_VALUE or token.name == lexicon.Cue.AND)
    stop = next(ends, clause.end)
    words: list[str] = []
    for piece in pieces_of(clause.text[start:stop]):
        if words and words[-1] != "not" and piece.lower() in lexicon.HARD_WORDS:
            break
        words.append(piece.lower())
    if not words or len(words) > _MAX_VALUE_WORDS:
        return None
    return Token(TokenKind.OTHER, " ".join(words), start, stop)
