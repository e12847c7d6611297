"""What follows from figures and is to be done: the same for the agent, who reads them, and for truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data_gen.tasks.banking.templates import WINNER, Step, Take, Template, Verb, Verdict
from data_gen.tasks.banking.wording import Conclusion, Figure


@dataclass(frozen=True, slots=True)
class Terms:
    """Numbers that the user gives with the request.

    Attributes:
        given: A sum to move or spend.
        volume: Foreign money to buy.
        percent: A percentage.
        parts: A number of parts.
    """

    given: float
    volume: float
    percent: int
    parts: int


@dataclass(frozen=True, slots=True)
class Deed:
    """Something done, or to be done.

    Attributes:
        verb: What.
        label: With what.
        amount: How much; 0 where no sum belongs to it.
        unit: Currency of the amount.
        source: The account that pays.
        target: Where money goes: the number of an account, or the name of one's own.
        day: When, for scheduled payments.
    """

    verb: Verb
    label: str
    amount: float = 0.0
    unit: str = ""
    source: str = ""
    target: str = ""
    day: str = ""


def conclude(template: Template, terms: Terms, figures: Sequence[Figure]) -> Conclusion | None:
    """What follows from the figures asked for; `None` where they themselves are wanted."""
    kind = template.verdict
    if kind is None:
        return None
    values = [figure.value for figure in figures]
    first, second = values[0], values[1] if len(values) > 1 else 0.0
    place = 0
    match kind:
        case Verdict.SUM:
            found = sum(values)
        case Verdict.REST | Verdict.COVER:
            found = abs(first - second)
        case Verdict.MOST | Verdict.LEAST:
            found = max(values) if kind is Verdict.MOST else min(values)
            place = values.index(found)
        case Verdict.SHARE:
            found = first * terms.percent / 100
        case Verdict.PART:
            found = first / terms.parts
        case Verdict.HALF:
            found = abs(first - second) / 2
        case Verdict.RAISE:
            found = first * (1 + terms.percent / 100)
        case Verdict.CONVERT:
            found = terms.volume * first / 100
    ranks = kind in (Verdict.MOST, Verdict.LEAST)
    winner = figures[place].key.label if ranks else ""
    return Conclusion(
        kind, max(0.01, round(found, 2)), figures[0].unit, winner, kind is not Verdict.COVER or first >= second
    )


def steps_of(template: Template, conclusion: Conclusion | None) -> tuple[Step, ...]:
    """The steps that a conclusion calls for."""
    return template.then if conclusion is None or conclusion.holds else template.otherwise


def deed_of(
    step: Step, roles: Mapping[str, str], terms: Terms, figures: Sequence[Figure], conclusion: Conclusion | None
) -> Deed:
    """A step with the names and amounts of a case; where money goes is not settled here, but for own accounts."""
    winner = conclusion.winner if conclusion is not None else ""
    label = winner if step.role == WINNER else roles[step.role]
    amount, unit = 0.0, figures[0].unit
    match step.take:
        case Take.FIRST:
            amount, unit = figures[0].value, figures[0].unit
        case Take.SECOND:
            amount, unit = figures[1].value, figures[1].unit
        case Take.VERDICT if conclusion is not None:
            amount, unit = conclusion.value, conclusion.unit
        case Take.GIVEN:
            amount = terms.given
        case _:
            unit = ""
    target = winner if step.other == WINNER else roles.get(step.other, "")
    return Deed(step.verb, label, amount, unit, target=target)
