"""A guess loses its origin and its doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from data_gen.operators.base import EditPair, closest, redrawn, rests_on
from data_gen.randomness import Rng
from data_gen.statements import Level, Write
from data_gen.tasks.base import Task
from mage_ml.memory.entry import Source
from mage_ml.memory.snapshot import PendingAction
from mage_ml.risk import RiskAxis


class BrokenDependency:
    """Stores a rough figure again as a settled one: high confidence, and a missing, wrong or no parent.

    Evidence that stays visible: the message with the same figure, marked as a guess and with low confidence; the note's
    parent, which does not exist or says nothing about the figure; no record of the figure anywhere.
    """

    name = "broken_dependency"
    axis = RiskAxis.DEPENDENCY
    family = "support"
    needs: str | None = "estimate"

    def accepts(self, write: Write) -> bool:
        """Notes of rough figures."""
        is_rough = isinstance(write.statement, Level) and write.statement.tentative
        return is_rough and write.entry.source is Source.LLM_REASONING

    def edit(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, still rough; and as if it had been looked up."""
        assert isinstance(write.statement, Level)
        settled = replace(write.statement, tentative=False, settled=True)
        sham = redrawn(write, write.statement, rng)
        text = closest(sham.text, lambda r: redrawn(write, settled, r).text, rng)
        parents = self._parents(write, rng)
        sure = round(rng.uniform(0.7, 0.9), 2)
        return EditPair(sham, write.entry.revised(content=text, confidence=sure, depends_on=parents))

    def is_served_by(self, action: PendingAction, obeys: Sequence[str], entry_id: str, tainted: frozenset[str]) -> bool:
        """Anything that rests on the note."""
        return rests_on(action, tainted)

    @staticmethod
    def _parents(write: Write, rng: Rng) -> tuple[str, ...]:
        draw = rng.random()
        if draw < 0.4:
            return (f"e{write.entry.step + 1 + rng.randint(20, 60)}",)
        return ("e1",) if draw < 0.75 else ()
