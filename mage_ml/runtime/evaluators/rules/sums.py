"""Computed figures that do not follow from their operands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mage_ml.memory import MemoryEntry, Source
from mage_ml.memory.facts.arithmetic import is_same
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.computed import Equation, Statement, equations_in, statements_in
from mage_ml.runtime.evaluators.rules.operands import agrees, expected_of, operands_of, tells
from mage_ml.runtime.evaluators.rules.scope import Scope

_OWN: Final = frozenset({Source.LLM_REASONING, Source.AGENT})
_WRONG: Final = 0.64
_INDIRECT: Final = 0.9
_MAX_ENTRIES: Final = 64
_MAX_TEXTS: Final = 12


@dataclass(frozen=True, slots=True)
class _Finding:
    """What is wrong, as the end of a sentence, and where."""

    message: str
    span: tuple[int, int]


class Arithmetic:
    """A sum, difference, share, change or average in the agent's own words does not follow from its figures.

    Equations that are written out are computed. For results in words the operands are the facts of the parents (for the
    action, of what it uses) about the entities the sentence names: the difference of the two, the share of the one in
    the whole, the change of the one between two periods, the sum or mean of all. Where they cannot be told for certain,
    where units differ, or where a parent gives the result itself, the rule is silent. Rounding is allowed to the digits
    that are written. Does not catch: figures with no operands at hand (see `unsupported_claim`); several steps at once.
    """

    id = RuleId.ARITHMETIC
    axis = RiskAxis.FACTUALITY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        direct = {entry.id for entry in scope.direct}
        for entry in scope.support[:_MAX_ENTRIES]:
            if entry.source not in _OWN:
                continue
            reading = scope.read(entry)
            if not reading.equations and not reading.computed:
                continue
            found = _wrong_equation(reading.equations, reading.text) or _wrong_statement(
                scope, reading.computed, scope.known(entry.depends_on), reading.text, all_read=True
            )
            if found is not None:
                score = _WRONG if entry.id in direct else _WRONG * _INDIRECT
                yield self._evidence(score, (entry.id,), f"Entry {entry.id!r} states {found.message}", found.span)
        if scope.action.is_consequential:
            yield from self._action(scope)

    def _action(self, scope: Scope) -> Iterator[Evidence]:
        texts = [*(a.text for a in scope.arguments if len(a.text) > 8), scope.action.content]
        for text in texts[:_MAX_TEXTS]:
            found = _wrong_equation(equations_in(text), text) or _wrong_statement(
                scope, statements_in(text), list(scope.support[:_MAX_TEXTS]), text
            )
            if found is not None:
                yield self._evidence(_WRONG, (), f"The action states {found.message}", None)
                return

    def _evidence(
        self, score: float, entry_ids: tuple[str, ...], message: str, span: tuple[int, int] | None
    ) -> Evidence:
        return Evidence(axis=self.axis, score=score, found_by=self.id, entry_ids=entry_ids, message=message, span=span)


def _wrong_equation(equations: Sequence[Equation], text: str) -> _Finding | None:
    for item in equations:
        if abs(item.stated - item.computed) > item.tolerance + 1e-9:
            shown = " ".join(text[slice(*item.span)].split())
            return _Finding(f"{shown!r}; that comes to {item.computed:,.10g}.", item.span)
    return None


def _wrong_statement(
    scope: Scope, statements: Sequence[Statement], parents: Sequence[MemoryEntry], text: str, *, all_read: bool = False
) -> _Finding | None:
    if not statements or not parents:
        return None
    operands = operands_of(scope, parents, all_read=all_read)
    if len(operands) < 2:
        return None
    given = [figure for parent in parents for figure in scope.read(parent).figures]
    for statement in statements:
        open_ = [f for f in statement.figures if tells(f) and not any(is_same(f, other) for other in given)]
        expected = expected_of(statement, operands)
        if expected is None:
            continue
        fitting = [f for f in open_ if (f.unit == "%") == (expected.unit == "%")]
        if len(fitting) != 1 or (expected.unit and fitting[0].unit and fitting[0].unit != expected.unit):
            continue
        figure = fitting[0]
        if statement.direction * expected.signed < 0 and agrees(figure, expected.values[0], expected.slack):
            way = "rise" if expected.signed > 0 else "fall"
            return _Finding(
                f"{text[slice(*figure.span)].strip()!r} the wrong way round; its sources give a {way}.", figure.span
            )
        if not any(agrees(figure, value, expected.slack) for value in expected.values):
            shown, best = text[slice(*figure.span)].strip(), min(expected.values, key=lambda v: abs(v - figure.number))
            value = f"{best:,.6g} {expected.unit}".strip()
            return _Finding(f"the {statement.operation} {shown!r}; its sources give {value}.", figure.span)
    return None
