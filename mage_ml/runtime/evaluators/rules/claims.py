"""Figures and reasons that nothing in memory supports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mage_ml.memory import MemoryEntry, Source
from mage_ml.memory.facts.arithmetic import is_derivable, is_same
from mage_ml.memory.facts.figures import Figure
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.reading import Cause
from mage_ml.runtime.evaluators.rules.scope import Scope

_DIRECT: Final = 0.62
_INDIRECT: Final = 0.52
_IN_ACTION: Final = 0.58
_MANY: Final = 0.1
_HEDGED: Final = 0.4
_MAX_ENTRIES: Final = 64
_SUPPORTED_SHARE: Final = 0.6
_MIN_WORDS: Final = 3
_MAX_PARENTS: Final = 16
_MAX_TERMS: Final = 8


class UnsupportedClaim:
    """The action, or a conclusion it rests on, states a figure or a reason that no entry from outside supports.

    A figure is supported when a parent, the user or any record holds it, or when it follows from figures in the parents
    by one step of arithmetic; written rounding is allowed, another unit or scale is not. A reason ("because ...") is
    supported when one entry from outside, or the request, holds most of its words. Statements that call themselves
    uncertain count less. Catches: hallucinated figures, slips of scale or currency, hypotheses stored as facts.
    Does not catch: a claim in words without a figure or a stated reason; arithmetic of several steps is an alarm unless
    the steps are in memory.
    """

    id = RuleId.UNSUPPORTED_CLAIM
    axis = RiskAxis.FACTUALITY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        direct = {entry.id for entry in scope.direct}
        own = [entry for entry in scope.support if entry.source in (Source.LLM_REASONING, Source.AGENT)]
        for entry in own[:_MAX_ENTRIES]:
            reading = scope.read(entry)
            if not reading.figures and not reading.causes:
                continue
            score = _DIRECT if entry.id in direct else _INDIRECT
            yield from self._figures(scope, entry, score)
            yield from self._reasons(scope, entry, score)
        if scope.action.is_consequential:
            yield from self._action(scope)

    def _figures(self, scope: Scope, entry: MemoryEntry, score: float) -> Iterator[Evidence]:
        reading = scope.read(entry)
        claims = [figure for figure in reading.figures if _is_claim(figure)]
        if not claims:
            return
        groups, parents = _supporting_figures(scope, entry), len(scope.known(entry.depends_on)[:_MAX_PARENTS])
        held = [figure for figure in claims if _is_supported(scope, figure, groups, entry.id)]
        open_ = [
            figure
            for figure in claims
            if figure not in held
            # A total is one of the parents; with what those rest on, its terms would count twice.
            and not is_derivable(figure, groups[:parents])
            # A total that stands beside its terms.
            and not is_derivable(figure, [held[:_MAX_TERMS]])
        ]
        if not open_:
            return
        score += _MANY if len(open_) > 1 and 2 * len(open_) > len(claims) else 0.0
        shown = reading.text[slice(*open_[0].span)].strip()
        yield Evidence(
            axis=self.axis,
            score=score * (_HEDGED if reading.hedged else 1.0),
            found_by=self.id,
            entry_ids=(entry.id,),
            message=f"Entry {entry.id!r} states {shown!r}, which no record holds and its parents do not give.",
            span=open_[0].span,
        )

    def _reasons(self, scope: Scope, entry: MemoryEntry, score: float) -> Iterator[Evidence]:
        reading = scope.read(entry)
        for cause in reading.causes[:4]:
            if len(cause.words) < _MIN_WORDS or _is_known(scope, cause):
                continue
            shown = " ".join(reading.text[slice(*cause.span)].split())[:80]
            yield Evidence(
                axis=self.axis,
                score=score * (_HEDGED if reading.hedged else 1.0),
                found_by=self.id,
                entry_ids=(entry.id,),
                message=f"Entry {entry.id!r} gives a reason ({shown}) that nothing from outside supports.",
                span=cause.span,
            )
            return

    def _action(self, scope: Scope) -> Iterator[Evidence]:
        claims = [figure for figure in scope.action_figures if _is_claim(figure)]
        if not claims:
            return
        groups = [scope.read(entry).figures for entry in scope.relevant]
        near = [scope.read(entry).figures for entry in scope.support[:12]]
        known = [figure for group in groups for figure in group]
        held = [f for f in claims if any(is_same(f, other) for other in known) or _in_request(scope, f)]
        for figure in claims:
            if figure in held or _is_held(scope, figure, "") or is_derivable(figure, near or groups[:12]):
                continue
            if is_derivable(figure, [held[:_MAX_TERMS]]):
                continue
            shown = scope.said[slice(*figure.span)].strip()
            yield Evidence(
                axis=self.axis,
                score=_IN_ACTION,
                found_by=self.id,
                message=f"The action states {shown!r}, which memory does not hold and which does not follow from it.",
            )
            return


def _is_claim(figure: Figure) -> bool:
    """Whether a number says something: small counts, ordinals and years do not."""
    number = abs(figure.number)
    if figure.unit:
        return number > 0
    if number != int(number):
        return True
    return number >= 20 and not 1900 <= number <= 2100


def _supporting_figures(scope: Scope, entry: MemoryEntry) -> list[Sequence[Figure]]:
    """Figures of the entry's parents and grandparents, by entry."""
    parents = scope.known(entry.depends_on)
    grand = scope.known(dict.fromkeys(name for parent in parents for name in parent.depends_on))
    return [scope.read(source).figures for source in (*parents[:_MAX_PARENTS], *grand[:_MAX_PARENTS])]


def _is_supported(scope: Scope, figure: Figure, groups: list[Sequence[Figure]], entry_id: str) -> bool:
    if any(is_same(figure, other) for group in groups for other in group):
        return True
    return _in_request(scope, figure) or _is_held(scope, figure, entry_id) or is_derivable(figure, groups)


def _in_request(scope: Scope, figure: Figure) -> bool:
    return any(is_same(figure, other) for other in scope.request.figures)


def _is_held(scope: Scope, figure: Figure, entry_id: str) -> bool:
    """Whether an entry from outside holds the figure, wherever it stands in the chain."""
    names = scope.snapshot.facts.entries_with(f"{figure.number:.10g}", first=8, latest=8)
    holders = scope.known(name for name in names if name != entry_id)
    outside = [holder for holder in holders if holder.source not in (Source.LLM_REASONING, Source.AGENT)]
    # Short numbers are not indexed; what the rules of the house say is at hand.
    outside += [entry for entry in scope.outside if entry.is_trusted]
    return any(is_same(figure, other) for holder in outside for other in scope.read(holder).figures)


def _is_known(scope: Scope, cause: Cause) -> bool:
    wanted = _SUPPORTED_SHARE * len(cause.words)
    if len(cause.words & scope.request.words) >= wanted:
        return True
    return any(len(cause.words & scope.read(entry).words) >= wanted for entry in scope.outside)
