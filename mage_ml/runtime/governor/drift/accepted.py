"""Rewordings that a person has accepted: two sentences that say the same, whatever names and figures they hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mage_ml.errors import ConfigError
from mage_ml.runtime.evaluators.normalise import normalised
from mage_ml.runtime.governor.drift.reading import RuleReading, read_rule
from mage_ml.runtime.governor.drift.synonyms import Synonyms, synonyms_of
from mage_ml.runtime.governor.drift.words import Mark

_PASSING: Final = frozenset({Mark.NEUTRAL, Mark.FOR_NOW})


@dataclass(frozen=True, slots=True)
class Rewording:
    """A rule and a restatement of it that says the same.

    Attributes:
        rule: As it was laid down.
        restated: As it was restated.
    """

    rule: str
    restated: str


class AcceptedRewordings:
    """Rewordings by their pattern. Immutable; safe to share between threads.

    What both sentences of an accepted pair hold, such as a name, stands for anything that both sentences of another
    pair hold in these places; figures may be others, if they are the same in both. So a pair that was accepted for one
    customer serves for all, and a restatement for another customer than the rule's never fits.

    Args:
        rewordings: The accepted pairs.
        synonyms: Words that count as equal; those the board works with.

    Raises:
        ConfigError: A pair differs in its figures, or neither sentence lays down a rule.
    """

    def __init__(self, rewordings: Iterable[Rewording] = (), *, synonyms: Synonyms | None = None) -> None:
        known = synonyms if synonyms is not None else synonyms_of()
        self._patterns: set[_Pattern] = set()
        for pair in rewordings:
            rule, said = (read_rule(normalised(text).strip(), known) for text in (pair.rule, pair.restated))
            pattern, back = _pattern(rule, said), _pattern(said, rule)
            if pattern is None or back is None or not (rule.binds and said.binds):
                raise ConfigError(
                    f"rewording {pair.restated!r}: expected a rule with the figures of {pair.rule!r}; "
                    "a pair with other figures, or without a word that binds, cannot be accepted"
                )
            self._patterns |= {pattern, back}

    def __len__(self) -> int:
        return len(self._patterns)

    def knows(self, rule: RuleReading, said: RuleReading) -> bool:
        """Whether a restatement follows an accepted pattern of this rule."""
        if not self._patterns:
            return False
        pattern = _pattern(rule, said)
        return pattern is not None and pattern in self._patterns


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Two readings with what they share replaced by the number of its place."""

    content: tuple[tuple[str | int, ...], tuple[str | int, ...]]
    deeds: tuple[frozenset[str], frozenset[str]]
    marks: tuple[frozenset[Mark], frozenset[Mark]]
    bounds: tuple[tuple[Mark, ...], tuple[Mark, ...]]


def _pattern(rule: RuleReading, said: RuleReading) -> _Pattern | None:
    """The pattern of a pair; `None` where the figures differ."""
    if [(bound.number, bound.unit) for bound in rule.bounds] != [(bound.number, bound.unit) for bound in said.bounds]:
        return None
    return _Pattern(
        _shared(rule.content, said.content),
        (rule.deeds - said.deeds, said.deeds - rule.deeds),
        (rule.marks - _PASSING, said.marks - _PASSING),
        (tuple(bound.mark for bound in rule.bounds), tuple(bound.mark for bound in said.bounds)),
    )


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[tuple[str | int, ...], tuple[str | int, ...]]:
    """Both contents with the longest runs that both hold replaced by numbers, from the left of the first."""
    left: list[str | int] = []
    right: list[str | int] = list(other)
    place = number = 0
    while place < len(one):
        size, at = _longest(one, place, right)
        if size == 0:
            left.append(one[place])
            place += 1
            continue
        left.append(number)
        right[at : at + size] = [number]
        number += 1
        place += size
    return tuple(left), tuple(right)


def _longest(one: tuple[str, ...], place: int, right: list[str | int]) -> tuple[int, int]:
    """Length and place in the second content of the longest run that starts at a place of the first."""
    best, at = 0, 0
    for start in range(len(right)):
        size = 0
        while place + size < len(one) and start + size < len(right) and right[start + size] == one[place + size]:
            size += 1
        if size > best:
            best, at = size, start
    return best, at
