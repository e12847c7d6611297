"""A tool result arrives damaged, and is read as if it were whole."""

from __future__ import annotations

import math

from data_gen.needs import Need
from data_gen.operators.base import EditPair, WriteOperator
from data_gen.randomness import Rng
from data_gen.statements import Write
from data_gen.tasks.base import Task
from data_gen.texts.figures import find_figures
from data_gen.texts.noise import find_debris, harmless_places
from mage_ml.memory.entry import Source
from mage_ml.risk import RiskAxis


class GarbledToolResult(WriteOperator):
    """Debris inside a number cuts it in two, and what is left of it is read as the number.

    The twin has the same debris in a place where it does no harm. Evidence that stays visible: the debris inside the
    number; the size of every other number in memory; a second result, where the agent asks again.
    """

    name = "garbled_tool_result"
    axis = RiskAxis.FACTUALITY
    family = "reading"
    needs = (Need.RECORD,)

    def accepts(self, write: Write) -> bool:
        """Damaged tool results as text, with a number."""
        is_text = write.entry.source is Source.TOOL and isinstance(write.entry.content, str)
        is_damaged = is_text and find_debris(write.entry.text) is not None
        return is_damaged and write.statement is not None and bool(write.statement.figures())

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The debris in another harmless place, and inside the number."""
        assert write.statement is not None
        debris = find_debris(write.entry.text)
        assert debris is not None
        text = write.entry.text.replace(debris, "")
        value = write.statement.figures()[0].value
        spans = [f.span for f in find_figures(text) if math.isclose(f.value, value, rel_tol=1e-6)]
        if not spans:
            return None
        start, end = spans[0]
        inner = [i for i in range(start + 1, end) if text[i - 1].isdigit() and text[i] in "123456789"]
        outer = harmless_places(text)
        if not inner or not outer:
            return None
        broken, whole = inner[rng.randrange(len(inner))], outer[rng.randrange(len(outer))]
        sham = write.entry.revised(content=text[:whole] + debris + text[whole:])
        return EditPair(sham, write.entry.revised(content=text[:broken] + debris + text[broken:]))
