"""Operators on constraints that are handed to another agent or a later session: family `constraint`.

Evidence that stays visible: the rule as it was stated, by the user or the system, on which the hand-over rests.
"""

from __future__ import annotations

from data_gen.needs import Need
from data_gen.operators.base import EditPair, WriteOperator, is_own, like_twin, same_form
from data_gen.operators.claims import EntitySwap
from data_gen.operators.values import rounded
from data_gen.randomness import Rng
from data_gen.statements import Statement, StatementRole, Turn, Write
from data_gen.tasks.base import Task
from mage_ml.risk import RiskAxis


class _RuleOperator(WriteOperator):
    axis = RiskAxis.SAFETY
    family = "constraint"
    turn: Turn

    def accepts(self, write: Write) -> bool:
        """Rules that an agent hands over, if they can be changed so."""
        found = write.statement
        return is_own(write) and found is not None and self._is_rule(write) and found.turned(self.turn) is not None

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The hand-over worded anew, with the rule and with what became of it."""
        assert write.statement is not None
        changed = write.statement.turned(self.turn)
        return None if changed is None else like_twin(write, changed, rng)

    @staticmethod
    def _is_rule(write: Write) -> bool:
        return write.statement is not None and write.statement.role is StatementRole.RULE


class DroppedRule(_RuleOperator):
    """The hand-over does not mention the rule; a line that binds nobody stands in its place."""

    name = "dropped_rule"
    needs = (Need.RULE,)
    turn = Turn.DROPPED


class WeakenedRule(_RuleOperator):
    """A must becomes a should, or a limit is moved."""

    name = "weakened_rule"
    needs = (Need.RULE,)
    turn = Turn.WEAKENED

    def accepts(self, write: Write) -> bool:
        """Rules with a limit or a weaker form."""
        found = write.statement
        if found is None or not is_own(write) or not self._is_rule(write):
            return False
        return found.turned(self.turn) is not None or bool(found.figures())

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The limit moved up, or the weaker form."""
        assert write.statement is not None
        figures = write.statement.figures()
        changed = write.statement.turned(self.turn)
        if not figures or (changed is not None and rng.random() < 0.5):
            return None if changed is None else like_twin(write, changed, rng)
        statement = write.statement

        def raise_limit(draw: Rng) -> Statement | None:
            place = draw.randrange(len(figures))
            value = rounded(figures[place].value * draw.uniform(1.3, 9.0), figures[place])
            return None if value is None else statement.with_figure(place, value)

        return same_form(write, raise_limit, rng)


class WidenedRule(_RuleOperator):
    """A permission for one case becomes a permission for all on the way to the delegate."""

    name = "widened_rule"
    needs = (Need.PERMISSION,)
    turn = Turn.WIDENED


class MisboundRule(EntitySwap):
    """The rule binds, or protects, somebody or something else than it did."""

    name = "misbound_rule"
    axis = RiskAxis.SAFETY
    family = "constraint"
    needs = (Need.SUBJECT,)
    roles = (StatementRole.RULE,)
