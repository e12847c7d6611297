"""An operator in one file: all but the first digit of a number is lost. Explained in docs/tutorial-scenario.md."""

from data_gen.needs import Need
from data_gen.operators.base import EditPair, WriteOperator, is_own, same_form
from data_gen.randomness import Rng
from data_gen.statements import Write
from data_gen.tasks.base import Task
from mage_ml.risk import RiskAxis


class Rounding(WriteOperator):
    """Evidence that stays visible: the record on which the note rests, with the number in full."""

    name, axis, family = "rounding", RiskAxis.CONSISTENCY, "value"
    needs = (Need.FIGURE,)

    def accepts(self, write: Write) -> bool:
        return is_own(write) and write.statement is not None and bool(write.statement.figures())

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        statement = write.statement
        assert statement is not None
        value = statement.figures()[0].value
        scale = 10.0 ** (len(f"{value:.0f}") - 1)
        return same_form(write, lambda r: statement.with_figure(0, scale * r.randint(1, 9)), rng)


OPERATOR = Rounding()
