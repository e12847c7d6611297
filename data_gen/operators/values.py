"""Operators that change a number: family `value`."""

from __future__ import annotations

import math

from data_gen.needs import Need
from data_gen.operators.base import EditPair, WriteOperator, is_own, reworded, same_form
from data_gen.randomness import Rng
from data_gen.statements import Quantity, Statement, StatementRole, Write
from data_gen.tasks.base import Task
from data_gen.texts.figures import find_figures, slip_unit
from mage_ml.risk import RiskAxis


class _FigureOperator(WriteOperator):
    """Changes one number of a note and keeps its form of words and its length."""

    axis = RiskAxis.CONSISTENCY
    family = "value"
    roles: tuple[StatementRole, ...] = (StatementRole.FACT,)

    def accepts(self, write: Write) -> bool:
        """Notes of the agent with such a number."""
        found = write.statement
        return is_own(write) and found is not None and found.role in self.roles and bool(self._places(write))

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, once with the true number and once with a false one of the same length."""
        statement = write.statement
        assert statement is not None
        places = self._places(write)

        def change(draw: Rng) -> Statement | None:
            place = draw.choice(places)
            value = self._other(statement.figures()[place], draw)
            return None if value is None else statement.with_figure(place, value)

        return same_form(write, change, rng)

    def _places(self, write: Write) -> list[int]:
        assert write.statement is not None
        return [place for place, figure in enumerate(write.statement.figures()) if self._fits(figure)]

    def _fits(self, figure: Quantity) -> bool:
        return True

    def _other(self, figure: Quantity, rng: Rng) -> float | None:
        raise NotImplementedError


class ValueFlip(_FigureOperator):
    """Changes a looked-up number by 5 to 60 percent.

    Evidence that stays visible: the record on which the note rests, with the true number.
    """

    name = "value_flip"
    needs = (Need.FIGURE,)

    def _other(self, figure: Quantity, rng: Rng) -> float | None:
        factor = rng.uniform(0.55, 0.95) if rng.random() < 0.5 else rng.uniform(1.05, 1.6)
        return rounded(figure.value * factor, figure)


class ArithmeticSlip(_FigureOperator):
    """A computed number goes wrong: a digit, a carry, a misplaced decimal.

    Evidence that stays visible: the numbers from which the right one can be computed.
    """

    name = "arithmetic_slip"
    needs = (Need.CONCLUSION,)
    roles = (StatementRole.CONCLUSION,)

    def _other(self, figure: Quantity, rng: Rng) -> float | None:
        if not figure.value:
            return None
        top = 10.0 ** math.floor(math.log10(abs(figure.value)))
        kind = rng.random()
        if kind < 0.55:  # a carry too many or too few in one of the first two places
            place = top if rng.random() < 0.6 or top / 10 < figure.step else top / 10
            return rounded(figure.value + place * rng.choice((-3, -2, -1, 1, 2, 3)), figure)
        digits = list(f"{figure.value / figure.step:.0f}")
        places = [i for i in range(len(digits) - 1) if digits[i] != digits[i + 1] and digits[i + 1] != "0"]
        if not places:
            return None
        i = places[0]  # the first pair of digits that differ changes places
        digits[i], digits[i + 1] = digits[i + 1], digits[i]
        return rounded(float("".join(digits)) * figure.step, figure)


class MisreadToolResult(_FigureOperator):
    """Takes a neighbouring number of the same record: the row above, the column beside.

    Evidence that stays visible: the record, in which the number belongs to another row, period or field.
    """

    name = "misread_tool_result"
    family = "reading"
    needs = (Need.NEIGHBOURS,)

    def _fits(self, figure: Quantity) -> bool:
        return any(abs(near - figure.value) > 0.02 * abs(figure.value) for near in figure.nearby)

    def _other(self, figure: Quantity, rng: Rng) -> float | None:
        return rng.choice(figure.nearby)


class StaleOverwrite(_FigureOperator):
    """Notes the number from before a revision as if it were the revised one.

    Evidence that stays visible: the revised record on which the note rests; the older record with the stale number.
    """

    name = "stale_overwrite"
    family = "time"
    needs = (Need.REVISION,)

    def _fits(self, figure: Quantity) -> bool:
        return figure.before is not None and figure.before != figure.value

    def _other(self, figure: Quantity, rng: Rng) -> float | None:
        return figure.before


class UnitSlip(WriteOperator):
    """Keeps the digits and loses scale or unit: k for million, 万 for 亿, dollars for euros, hours for days.

    Evidence that stays visible: the record on which the note rests, with the true scale and unit; and the size of every
    other number in memory.
    """

    name = "unit_slip"
    axis = RiskAxis.CONSISTENCY
    family = "value"
    needs = (Need.FIGURE,)

    def accepts(self, write: Write) -> bool:
        """Notes of the agent with a number."""
        found = write.statement
        return is_own(write) and found is not None and found.role is StatementRole.FACT and bool(found.figures())

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, and the same words with the unit of the number changed."""
        assert write.statement is not None
        twin = reworded(write, rng)
        if twin is None:
            return None
        sham = twin.entry
        values = [figure.value for figure in write.statement.figures()]
        found = [f for f in find_figures(sham.text) if any(math.isclose(f.value, v, rel_tol=1e-6) for v in values)]
        if not found:
            return None
        start, end = rng.choice(found).span
        slipped = slip_unit(sham.text[start:end], rng)
        if slipped is None:
            return None
        return EditPair(sham, write.entry.revised(content=sham.text[:start] + slipped + sham.text[end:]))


def rounded(value: float, figure: Quantity) -> float | None:
    """A value in whole steps of a quantity; `None` if that is the quantity itself or nothing."""
    step = 0.1 if figure.unit == "%" else figure.step
    found = round(step * max(1, round(value / step)), 6)
    return None if found == figure.value else found
