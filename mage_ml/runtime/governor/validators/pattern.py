"""Checks by RE2 pattern, by CEL expression, and by allow-list."""

from __future__ import annotations

from typing import Final

import re2

from mage_ml.runtime.governor.clauses import clause_around, sentence_around, sentences_of
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.expressions import Expression
from mage_ml.runtime.governor.templates import Template
from mage_ml.runtime.governor.validator_specs import AllowListSpec, CelSpec, RegexSpec, Within
from mage_ml.runtime.governor.validators.base import KEPT, Verdict

_QUOTED: Final = 160


class RegexValidator:
    """Forbidden and required patterns, in the text as a reader sees it and in whatever is encoded in it.

    Args:
        spec: The patterns.
    """

    def __init__(self, spec: RegexSpec) -> None:
        self._forbid = [re2.compile(pattern) for pattern in spec.forbid]
        self._unless = [re2.compile(pattern) for pattern in spec.unless]
        self._require = [re2.compile(pattern) for pattern in spec.require]
        self._within = spec.within

    def check(self, question: Question) -> Verdict:
        """Look for the patterns."""
        readings = question.utterance.readings
        for text in readings:
            for pattern in self._forbid:
                for match in pattern.finditer(text):
                    if not self._is_excepted(text, match.start(0), match.end(0)):
                        return _broken(match.group(0), f"pattern {pattern.pattern}")
        for pattern in self._require:
            if not any(pattern.search(text) for text in readings[:1]):
                return Verdict(
                    violated=True, explanation="something required is missing", found_by=_short(pattern.pattern)
                )
        return KEPT

    def _is_excepted(self, text: str, start: int, end: int) -> bool:
        if not self._unless:
            return False
        if self._within is Within.CLAUSE:
            around = clause_around(text, start, end)
        elif self._within is Within.SENTENCE:
            around = sentence_around(text, start, end)
        else:
            around = text
        return any(pattern.search(around) for pattern in self._unless)


class CelValidator:
    """An expression that is true where the constraint is kept.

    Args:
        spec: The expression.
    """

    def __init__(self, spec: CelSpec) -> None:
        self._expression = Expression(spec.allow)

    def check(self, question: Question) -> Verdict:
        """Evaluate it.

        Raises:
            EvaluatorError: It has no value.
        """
        if self._expression.holds(question.utterance.activation):
            return KEPT
        return Verdict(violated=True, explanation=f"{self._expression.text[:200]} does not hold", found_by="cel")


class AllowListValidator:
    """Known-safe answers: every sentence, or the whole output, has to fit one of the templates.

    Args:
        spec: The templates.
    """

    def __init__(self, spec: AllowListSpec) -> None:
        self._templates = [Template(text) for text in spec.templates]
        self._by_sentence = spec.per == "sentence"

    def check(self, question: Question) -> Verdict:
        """Look for something that fits no template."""
        text = question.utterance.text
        for piece in sentences_of(text) if self._by_sentence else [text]:
            if not any(template.fits(piece) for template in self._templates):
                return _broken(piece, "allow-list", "fits none of the answers known to be safe")
        return KEPT


def _broken(words: str, found_by: str, explanation: str = "") -> Verdict:
    return Verdict(violated=True, offending=words[:_QUOTED], explanation=explanation, found_by=_short(found_by))


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:199] + "…"
