"""A text against the constraints that have to survive in it: one finding for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import re2

from mage_ml.runtime.evaluators.languages import is_supported
from mage_ml.runtime.evaluators.normalise import layers_of
from mage_ml.runtime.governor.drift.accepted import AcceptedRewordings
from mage_ml.runtime.governor.drift.compare import Comparison, compare, is_near
from mage_ml.runtime.governor.drift.pin import Pin
from mage_ml.runtime.governor.drift.reading import RuleReading, read_rule
from mage_ml.runtime.governor.drift.synonyms import Synonyms, synonyms_of
from mage_ml.runtime.governor.drift.verdicts import Aspect, Finding, Verdict
from mage_ml.runtime.governor.drift.words import PAST_HEADER, REVOKES, RULE_NOUN

MAX_CHARS: Final = 200_000
MAX_SENTENCES: Final = 4_000
_QUOTE: Final = 200
_ADJACENT: Final = 2
_NEAR: Final = 0.34
_RANK: Final = {
    Verdict.WEAKENED: 0,
    Verdict.WIDENED: 1,
    Verdict.MISBOUND: 2,
    Verdict.DROPPED: 3,
    Verdict.UNVERIFIABLE: 4,
    Verdict.PARAPHRASED: 5,
    Verdict.PRESERVED: 6,
}
_END = re2.compile(r"[.!;](?:\s|$)|[?？]|[。！；\n]")
_HEADER = re2.compile(r"[:：]\s*[*_]*\s*$")
_LETTERS = re2.compile(r"[A-Za-z]{2,}")
_HAN = re2.compile(r"[\p{Han}]")
_FOREIGN_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence, its place in the original text, and the nearest heading above it."""

    text: str
    span: tuple[int, int]
    reading: RuleReading
    header: str


@dataclass(frozen=True, slots=True)
class _Said:
    """A text, read.

    Attributes:
        sentences: In order.
        is_whole: Whether all of it was read, in languages that can be read.
        languages: Those it has words in.
    """

    sentences: tuple[_Sentence, ...]
    is_whole: bool
    languages: frozenset[str]


def verify(
    pins: Sequence[Pin],
    text: str,
    *,
    synonyms: Synonyms | None = None,
    accepted: AcceptedRewordings | None = None,
) -> tuple[Finding, ...]:
    """What became of each constraint in a text, such as a summary, a briefing or a restored session.

    A sentence that keeps one constraint is not held against another. Reads the first 200,000 characters and 4,000
    sentences; a constraint that is not found in a longer text is `UNVERIFIABLE`, not `DROPPED`.

    Args:
        pins: The constraints.
        text: What the agent goes on with.
        synonyms: Words that count as equal; the built-in ones if not given.
        accepted: Rewordings that a person has accepted.
    """
    known = synonyms if synonyms is not None else synonyms_of()
    said = _read(text, known)
    compared = {pin.constraint_id: [_compare(part, said, known, accepted) for part in pin.parts] for pin in pins}
    if any(not found for parts in compared.values() for found in parts) and not is_supported(text[:MAX_CHARS]):
        said = replace(said, is_whole=False)
    keeping = {
        place for parts in compared.values() for found in parts for place, item in found.items() if item.verdict.is_kept
    }
    return tuple(_finding(pin, compared[pin.constraint_id], keeping, said, text) for pin in pins)


def languages_in(text: str) -> frozenset[str]:
    """`en` and `zh`, as far as a text has words in them."""
    found = set()
    if _HAN.search(text):
        found.add("zh")
    if sum(1 for _ in islice(_LETTERS.finditer(text), _FOREIGN_WORDS)) >= _FOREIGN_WORDS:
        found.add("en")
    return frozenset(found)


def _read(text: str, synonyms: Synonyms) -> _Said:
    head = text[:MAX_CHARS]
    layer = layers_of(head)[0]
    sentences: list[_Sentence] = []
    header, start = "", 0
    is_whole = len(text) <= MAX_CHARS
    for end, stop in _ends(layer.text):
        piece = layer.text[start:end]
        if piece.strip():
            if len(sentences) >= MAX_SENTENCES:
                is_whole = False
                break
            sentences.append(_Sentence(piece, layer.span(start, end), read_rule(piece.strip(), synonyms), header))
            header = piece if _HEADER.search(piece) else header
        elif "\n" in layer.text[start:stop] and not piece.strip():
            header = ""  # a blank line ends what a heading covers
        start = stop
    return _Said(tuple(sentences), is_whole, languages_in(layer.text))


def _ends(text: str) -> Iterable[tuple[int, int]]:
    """End of each sentence, and start of the next; a question keeps its mark."""
    for match in _END.finditer(text):
        yield (match.end() if match.group(0) in "?？" else match.start()), match.end()
    yield len(text), len(text)


def _compare(
    wordings: tuple[str, ...], said: _Said, synonyms: Synonyms, accepted: AcceptedRewordings | None
) -> dict[int, Comparison]:
    """Sentence -> what it makes of a part of a constraint, in whichever wording it fits best; only those that bear."""
    found: dict[int, Comparison] = {}
    for number, wording in enumerate(wordings):
        rule = read_rule(wording, synonyms)
        for place, sentence in enumerate(said.sentences):
            if not is_near(rule, sentence.reading):
                continue
            item = compare(rule, sentence.reading, accepted)
            if item.verdict is Verdict.PRESERVED and number >= 2:
                item = Comparison(Verdict.PARAPHRASED, None, "in an accepted wording", 1.0)
            best = found.get(place)
            if item.verdict is not Verdict.DROPPED and (best is None or _rank(item) > _rank(best)):
                found[place] = item
    return found


def _rank(item: Comparison) -> tuple[int, float]:
    return (_RANK[item.verdict], item.closeness)


def _finding(pin: Pin, parts: list[dict[int, Comparison]], keeping: set[int], said: _Said, original: str) -> Finding:
    found = [_settle(part, keeping, said, pin) for part in parts]
    place, item = min(found, key=lambda pair: _RANK[pair[1].verdict])
    if place is None:
        return Finding(constraint_id=pin.constraint_id, verdict=item.verdict, aspect=item.aspect, message=item.how)
    start, end = said.sentences[place].span
    start += len(original[start:end]) - len(original[start:end].lstrip())
    message = f"The text states it {item.how}."
    return Finding(
        constraint_id=pin.constraint_id,
        verdict=item.verdict,
        aspect=item.aspect,
        message=message,
        span=(start, end),
        quote=original[start:end].strip()[:_QUOTE],
    )


def _settle(part: dict[int, Comparison], keeping: set[int], said: _Said, pin: Pin) -> tuple[int | None, Comparison]:
    """The sentence that decides on a part of a constraint, and what it makes of it."""
    kept = {place: item for place, item in part.items() if item.verdict.is_kept}
    rest = {place: item for place, item in part.items() if place not in keeping}
    if kept:
        against = {place: item for place, item in rest.items() if item.overrules}
        if against:
            return min(against.items(), key=lambda pair: (_RANK[pair[1].verdict], -pair[1].closeness))
        place, item = max(kept.items(), key=lambda pair: _RANK[pair[1].verdict])
        doubt = _taken_back(place, part, keeping, said)
        return doubt if doubt is not None else (place, item)
    if rest:
        return max(rest.items(), key=lambda pair: (pair[1].is_rule, pair[1].closeness, -_RANK[pair[1].verdict]))
    if not said.is_whole:
        return None, Comparison(
            Verdict.UNVERIFIABLE, Aspect.TEXT, "Not found in the part of the text that could be read."
        )
    if not said.languages & pin.languages and said.languages:
        return None, Comparison(
            Verdict.UNVERIFIABLE, Aspect.TEXT, "The text is in a language that it has no wording in."
        )
    return None, Comparison(Verdict.DROPPED, Aspect.TEXT, "Nothing in the text speaks of it.")


def _taken_back(
    place: int, part: dict[int, Comparison], keeping: set[int], said: _Said
) -> tuple[int, Comparison] | None:
    """A sentence that may take a rule back which another one states."""
    header = said.sentences[place].header
    if header and (REVOKES.search(header) or PAST_HEADER.search(header)):
        doubt = Comparison(Verdict.UNVERIFIABLE, Aspect.FORCE, "under a heading by which it may not be in force")
        return place, doubt
    for other, sentence in enumerate(said.sentences):
        if other in keeping or not REVOKES.search(sentence.text):
            continue
        near = abs(other - place) <= _ADJACENT or (other in part and part[other].closeness >= _NEAR)
        if near or RULE_NOUN.search(sentence.text):
            doubt = Comparison(Verdict.UNVERIFIABLE, Aspect.FORCE, "and may take it back in this sentence")
            return other, doubt
    return None
