"""Actions and restatements that leave the task which the user set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import re2

from mage_ml.memory import Source
from mage_ml.memory.facts.arithmetic import is_same
from mage_ml.memory.facts.figures import Figure, figures_in
from mage_ml.memory.facts.quantities import find_periods
from mage_ml.memory.facts.words import content_words
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.normalise import normalised
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.constraint_words import deeds_in
from mage_ml.runtime.evaluators.rules.owners import belongs_to_named
from mage_ml.runtime.evaluators.rules.request import Request
from mage_ml.runtime.evaluators.rules.restated import Restatement
from mage_ml.runtime.evaluators.rules.scope import Scope

_OWN: Final = frozenset({Source.LLM_REASONING, Source.AGENT})
_REWRITTEN: Final = 0.64
_BESIDE: Final = 0.5
_NOT_ASKED: Final = {"pay": 0.4, "delete": 0.3}
_MAX_ENTRIES: Final = 64
_MAX_HOLDERS: Final = 8
_MIN_FIGURE: Final = 10.0

_ADDRESS = re2.compile(r"(?i)[a-z0-9._%+\-]+@[a-z0-9.\-]+\.[a-z]{2,}|\b[A-Z]{2}\d{2}[A-Z0-9]{8,30}\b")
_RECEIVER = re2.compile(
    r"\b(?:to|for|tell|notify|inform|mail|email|message|pay|cc)\s+([A-Z][a-z]{2,}(?:\s[A-Z][a-z]{2,})?)\b"
    r"|(?:发给|发送给|发送至|转给|抄送给?|通知|告知|汇给|付给|支付给|转账给)([\p{Han}]{2,4})"
)
_NEGATED = re2.compile(
    r"(?i)\b(?:do not|don't|never|must not|mustn't|should not|without|no need to|not to|no)\s+(?:\w+\s+){0,2}?(\w+)\b"
    r"|(?:不要|不得|不能|不可|禁止|切勿|请勿|无需|别)([\p{Han}]{2,6})"
)
_NO_NAMES: Final = frozenset(
    [
        "The",
        "This",
        "That",
        "Please",
        "Each",
        "Every",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
)


class GoalDeviation:
    """The action, or a note that says what the task is, departs from the user's own words.

    Catches: a silently rewritten goal, that is a note of the agent or of another agent that restates the task with
    another address, receiver, amount or period than the user gave, or without the user's "do not"; and, as a weak sign,
    a payment or deletion when the user asked for nothing of the kind and named nothing that the action touches.
    A detail that the user gave in a later message, or that a record gives for somebody the user named, is no departure.
    Does not catch: another aim in the same words; a tool of the right kind used for the wrong thing.
    """

    id = RuleId.GOAL_DEVIATION
    axis = RiskAxis.CONSISTENCY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        if not scope.request.text:
            return
        for reading in scope.readings[: 2 * _MAX_ENTRIES]:
            entry = reading.entry
            if entry.source not in _OWN:
                continue
            for restated in reading.restatements:
                what = _departure(scope, restated)
                if what:
                    used = entry.id in scope.support_ids and scope.action.is_consequential
                    yield Evidence(
                        axis=self.axis,
                        score=_REWRITTEN if used else _REWRITTEN * _BESIDE,
                        found_by=self.id,
                        entry_ids=(entry.id,),
                        message=f"Entry {entry.id!r} ({entry.source}) restates the task with {what}.",
                        span=restated.span,
                    )
                    break
        unasked = _unasked(scope) if scope.action.is_consequential and scope.action.tool_name else frozenset()
        if unasked:
            yield Evidence(
                axis=self.axis,
                score=max(_NOT_ASKED[kind] for kind in unasked),
                found_by=self.id,
                message=f"The action calls {scope.action.tool_name!r}; the user asked for nothing of the kind "
                "and named nothing that it touches.",
            )


def _departure(scope: Scope, restated: Restatement) -> str:
    """In what a restatement departs from the request, in words; empty when in nothing."""
    request, text = scope.request, restated.text
    for match in _ADDRESS.finditer(text):
        value = match.group(0).lower()
        if not request.mentions(value) and not _is_theirs(scope, value):
            return f"the address or account {value!r}, which the user did not give"
    other = _other_receiver(request, scope.snapshot.goal, text)
    if other:
        return f"the receiver {other!r}, whom the user did not name"
    wrong = _other_figure(request, text)
    if wrong:
        return f"the figure {wrong!r}, which the user did not give"
    period = _other_period(request, text)
    if period:
        return f"the period {period}, which the user did not give"
    kind = _lost_negation(request, text)
    return f"an order to {kind}, which the user ruled out" if kind else ""


def _is_theirs(scope: Scope, value: str) -> bool:
    """Whether a record or the user gives this address, beside a name the user named or in the user's own entry."""
    holders = scope.known(scope.snapshot.facts.entries_with(value, latest=_MAX_HOLDERS))
    for holder in holders:
        if holder.is_trusted:
            return True
        if holder.source is Source.TOOL and belongs_to_named(
            holder, value, scope.read(holder).plain[:2_000], scope.request.names
        ):
            return True
    return False


def _other_receiver(request: Request, goal: str, text: str) -> str:
    asked = {name for name in _receivers(goal) if name}
    if not asked:
        return ""
    for name in _receivers(text):
        known = any(part in request.text for part in (name, *name.split()))
        if not known and not any(part in request.text for part in _prefixes(name)):
            return name
    return ""


def _receivers(text: str) -> list[str]:
    found = []
    for match in _RECEIVER.finditer(normalised(text)):
        name = match.group(1) or match.group(2)
        if name.split()[0] not in _NO_NAMES:
            found.append(name.lower())
    return found


def _prefixes(name: str) -> tuple[str, ...]:
    """Chinese names run into the words after them."""
    return () if name.isascii() else tuple(name[:size] for size in (2, 3) if size <= len(name))


def _other_figure(request: Request, text: str) -> str:
    """A figure of a unit in which the user gave figures, but not this one."""
    asked = [figure for figure in request.figures if _tells(figure)]
    for figure in figures_in(text):
        rivals = [other for other in asked if other.unit == figure.unit]
        if rivals and _tells(figure) and not any(is_same(figure, other) for other in request.figures):
            return text[slice(*figure.span)].strip()
    return ""


def _tells(figure: Figure) -> bool:
    is_year = not figure.unit and figure.number == int(figure.number) and 1900 <= figure.number <= 2100
    return abs(figure.number) >= _MIN_FIGURE and not is_year


def _other_period(request: Request, text: str) -> str:
    asked = {period.name for period in find_periods(request.text)}
    said = [period.name for period in find_periods(text)]
    strange = [value for value in said if not any(value in known or known in value for known in asked)]
    return strange[0] if asked and strange and len(strange) == len(said) else ""


def _lost_negation(request: Request, text: str) -> str:
    """A kind of deed that the user ruled out and only ruled out, and that the restatement asks for."""
    ruled_out = _negated_kinds(request.text)
    if not ruled_out:
        return ""
    wanted = deeds_in(_NEGATED.sub(" ", request.text))
    lost = (deeds_in(_NEGATED.sub(" ", text)) & ruled_out) - wanted - _negated_kinds(text)
    return min(lost, default="")


def _negated_kinds(text: str) -> set[str]:
    return {deed for match in _NEGATED.finditer(text) for deed in deeds_in(match.group(1) or match.group(2))}


def _unasked(scope: Scope) -> frozenset[str]:
    """The grave deeds of the action that the user did not ask for, where it touches nothing that the user named."""
    request = scope.request
    kinds = scope.kinds & _NOT_ASKED.keys()
    if not kinds or request.delegates or kinds & (request.kinds | deeds_in(request.text)):
        return frozenset()
    if scope.tool_words & request.words:
        return frozenset()
    said = content_words(scope.said) | {argument.text.lower() for argument in scope.arguments}
    named = any(request.mentions(argument.text) for argument in scope.arguments if len(argument.text) >= 3)
    return frozenset() if named or said & request.words else frozenset(kinds)
