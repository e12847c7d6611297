"""A sentence as a rule: figures, force, and content in order, with nothing left unaccounted for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import re2

from mage_ml.memory.facts.figures import figures_in
from mage_ml.memory.facts.quantities import CURRENCIES
from mage_ml.runtime.governor.drift.content import ONLY, TAKEN, content_of
from mage_ml.runtime.governor.drift.synonyms import Synonyms, root_of
from mage_ml.runtime.governor.drift.words import FIGURE, FRAME, PATTERNS, STRUCK, Mark

MAX_SENTENCE_CHARS: Final = 600


_TIGHT_UNIT = re2.compile(r"(\d)([A-Za-z]{2,})")
_CODE = re2.compile(
    r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+[A-Za-z0-9]|(?:https?|ftp)://\S+|[#!][0-9]+|(?:[A-Za-z0-9._\-]*/)+[A-Za-z0-9._\-]+"
    r"|\b[A-Za-z]+[\-_#]?[0-9][A-Za-z0-9_\-]*|\b[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+\b|[0-9]{4}-[0-9]{2}-[0-9]{2}"
)
_CURRENCY = re2.compile(r"(?i)^(?:us|usd|eur|gbp|cny|rmb|jpy)[0-9]")
_UNIT = re2.compile(FIGURE + r"\s?([A-Za-z]{1,4})\b")
_NO_UNIT_WORDS: Final = "of in or at as is to for per and may are on by if the a an be it so we he she us am pm"
_NO_UNIT: Final = frozenset(_NO_UNIT_WORDS.split())
_BEFORE_CODE = re2.compile(r"(?i)(?:\b(?:order|ticket|case|invoice|user|customer)|订单|工单|编号)\s*\x{E100}")
_EMPHASIS = re2.compile(r"(?i)^under no")
_CAPITAL = re2.compile(r"[A-Za-z][\w'\-]*")


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure and the side on which it binds.

    Attributes:
        number: In base units.
        unit: As written after it, or as the figure's unit; in lower case.
        mark: `AT_MOST`, `AT_LEAST`, `ABOVE`, `BELOW`, or `NEUTRAL` for a figure that is just named.
    """

    number: float
    unit: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class RuleReading:
    """A sentence as a rule.

    Attributes:
        text: The sentence, without frame, in one case and with single spaces.
        marks: What was said about force, without figures.
        bounds: The figures in order.
        deeds: What is done, by the representative of each group of synonyms.
        content: Everything else that carries meaning, in order: words, names, codes, Chinese characters.
        is_assertion: Whether it states something: not a question, not struck out, not too long to be read.
        names: The part of the content that is a name by its form.
        topic: Content and deeds together, without their order.
        links: English words with the preposition before them, as far as they have one.
        limits: The figures that bind on one side.
        force: The marks that make it bind; a limit makes `must` say nothing more.
    """

    text: str
    marks: frozenset[Mark]
    bounds: tuple[Bound, ...]
    deeds: frozenset[str]
    content: tuple[str, ...]
    is_assertion: bool
    names: frozenset[str]
    topic: frozenset[str]
    links: frozenset[tuple[str, str]]
    limits: tuple[Bound, ...]
    force: frozenset[Mark]

    @property
    def binds(self) -> bool:
        """Whether the sentence lays down a rule."""
        return bool(self.force or self.limits)


_MONEY: Final = frozenset(unit.lower() for unit in CURRENCIES)
_PAYING: Final = frozenset({"pay", "支付"})
"""What a limit in a currency says without saying it."""
_BINDING: Final = frozenset({Mark.NEVER, Mark.ONLY, Mark.MUST, Mark.APPROVAL})
_FIGURE_MARKS: Final = frozenset({Mark.AT_MOST, Mark.AT_LEAST, Mark.ABOVE, Mark.BELOW})


@lru_cache(maxsize=4096)
def read_rule(sentence: str, synonyms: Synonyms | None = None) -> RuleReading:
    """Read a sentence that has been normalised (`mage_ml.runtime.evaluators.normalise`). Linear in its length."""
    framed = FRAME.match(sentence)
    body = sentence[framed.end() :] if framed else sentence
    asserts = len(body) <= MAX_SENTENCE_CHARS and not STRUCK.search(sentence)
    text = plain_text(body)
    masked, codes = _without_codes(_TIGHT_UNIT.sub(r"\1 \2", body[:MAX_SENTENCE_CHARS]))
    masked, bounds = _without_figures(masked)
    marks: set[Mark] = set()
    masked = masked.lower()
    for mark, pattern in PATTERNS:
        if mark is Mark.NEVER and sum(not _EMPHASIS.search(match.group(0)) for match in pattern.finditer(masked)) > 1:
            marks.add(Mark.NEGATED_TWICE)
        masked = _take(mark, pattern, masked, marks, bounds)
    found = _settled(marks, bounds)
    has_limit = any(bound.mark is not Mark.NEUTRAL for bound in bounds) and Mark.NEVER not in found
    content = content_of(masked, codes, synonyms, has_limit=has_limit)
    if any(bound.unit in _MONEY and bound.mark is not Mark.NEUTRAL for bound in bounds):
        content = replace(content, deeds=content.deeds - _PAYING)
    named = (_names(body[:MAX_SENTENCE_CHARS]) | frozenset(codes)).intersection(
        word.rsplit(" ", 1)[-1] for word in content.words
    )
    limits = tuple(bound for bound in bounds if bound.mark is not Mark.NEUTRAL)
    return RuleReading(
        text,
        frozenset(found),
        tuple(bounds),
        content.deeds,
        content.words,
        asserts,
        named,
        content.deeds.union(content.words),
        content.links,
        limits,
        _force(frozenset(found), has_limits=bool(limits)),
    )


def _force(marks: frozenset[Mark], *, has_limits: bool) -> frozenset[Mark]:
    found = marks & _BINDING
    if not found and not has_limits:
        return marks & {Mark.ALLOWED}  # a permission: it binds as nothing else is allowed by it
    return found - {Mark.MUST} if found - {Mark.MUST} or has_limits else found


def plain_text(text: str) -> str:
    """A text in one case, without marks at its edges and with single spaces: equal means the same words."""
    return " ".join(text.casefold().split()).strip(" \t.;!,。；！，、|*_`\"'“”‘’")


def _without_codes(text: str) -> tuple[str, list[str]]:
    """Addresses, paths, identifiers and dates taken out, so that their digits are no figures."""
    codes: list[str] = []
    pieces: list[str] = []
    end = 0
    for match in _CODE.finditer(text):
        found = match.group(0)
        if _CURRENCY.match(found):
            continue
        pieces += (text[end : match.start()], f" \ue100{len(codes)}\ue101 ")
        codes.append(found.lower().rstrip(".-"))
        end = match.end()
    masked = "".join((*pieces, text[end:]))
    for match in reversed(list(_BEFORE_CODE.finditer(masked))):
        masked = f"{masked[: match.start()]} {masked[match.end() - 1 :]}"
    return masked, codes


def _names(text: str) -> frozenset[str]:
    """Words with a capital, but for the first: names, as far as English shows them."""
    words = [match.group(0) for match in _CAPITAL.finditer(text)]
    return frozenset(root_of(word.lower()) for word in words[1:] if word[0].isupper() and not word.isupper())


def _without_figures(text: str) -> tuple[str, list[Bound]]:
    bounds: list[Bound] = []
    pieces: list[str] = []
    end = 0
    for figure in figures_in(text):
        start, stop = figure.span
        if text[start - 1 : start] == "\ue100" or start < end:
            continue  # the number of a code
        pieces += (text[end:start], FIGURE)
        bounds.append(Bound(figure.number, figure.unit.lower(), Mark.NEUTRAL))
        end = stop
    masked = "".join((*pieces, text[end:]))
    for match in reversed(list(_UNIT.finditer(masked))):
        word = match.group(1).lower()
        place = masked.count(FIGURE, 0, match.start())
        if word not in _NO_UNIT and not bounds[place].unit:
            bounds[place] = Bound(bounds[place].number, root_of(word), Mark.NEUTRAL)
            masked = masked[: match.start() + 1] + masked[match.end(1) :]
    return masked, bounds


def _take(mark: Mark, pattern: object, text: str, marks: set[Mark], bounds: list[Bound]) -> str:
    """A text without what a pattern matches; the mark goes to the sentence, or to the figure beside it."""
    pieces: list[str] = []
    end = 0
    for match in pattern.finditer(text):  # type: ignore[attr-defined]
        spans = [match.span(number) for number in range(1, pattern.groups + 1) if match.start(number) >= 0]  # type: ignore[attr-defined]
        if mark in _FIGURE_MARKS:
            place = text.count(FIGURE, 0, match.start()) + match.group(0).count(FIGURE) - 1
            place = place if FIGURE in match.group(0) else -1
            if bounds[place].mark is not Mark.NEUTRAL:
                continue
            bounds[place] = Bound(bounds[place].number, bounds[place].unit, mark)
        else:
            marks.add(mark)
        for start, stop in spans or [match.span()]:
            left = ONLY if mark is Mark.ONLY else FIGURE * text.count(FIGURE, start, stop)
            pieces += (text[end:start], TAKEN + left + TAKEN)
            end = stop
    return "".join((*pieces, text[end:]))


def _settled(marks: set[Mark], bounds: list[Bound]) -> set[Mark]:
    """Two ways to say one thing made one: `never ... above 5` is `at most 5`, `no ... without approval` needs it."""
    if Mark.NO_APPROVAL in marks and Mark.NEVER in marks:
        marks = marks - {Mark.NO_APPROVAL, Mark.NEVER} | {Mark.APPROVAL}
    turned = {Mark.ABOVE: Mark.AT_MOST, Mark.BELOW: Mark.AT_LEAST}
    if Mark.NEVER in marks and any(bound.mark in turned for bound in bounds):
        for place, bound in enumerate(bounds):
            bounds[place] = Bound(bound.number, bound.unit, turned.get(bound.mark, bound.mark))
        marks = marks - {Mark.NEVER}
    return marks
