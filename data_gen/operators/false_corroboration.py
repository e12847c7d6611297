"""One source is counted twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from data_gen.operators.base import EditPair, closest, redrawn, rests_on
from data_gen.randomness import Rng
from data_gen.statements import Support, Write
from data_gen.tasks.base import Task
from mage_ml.memory.entry import Source
from mage_ml.memory.snapshot import PendingAction
from mage_ml.risk import RiskAxis


class FalseCorroboration:
    """Turns the note that one source backs a figure into a note that two independent ones do.

    Evidence that stays visible: both records on which the note rests, which have the same origin; the second says that
    it is a copy.
    """

    name = "false_corroboration"
    axis = RiskAxis.DEPENDENCY
    family = "support"
    needs: str | None = "single_source"

    def accepts(self, write: Write) -> bool:
        """Notes that a figure rests on one source."""
        statement = write.statement
        is_single = isinstance(statement, Support) and not statement.independent
        return is_single and write.entry.source is Source.LLM_REASONING

    def edit(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, and a note of the same look that claims two sources."""
        assert isinstance(write.statement, Support)
        claimed = replace(write.statement, independent=True)
        sham = redrawn(write, write.statement, rng)
        text = closest(sham.text, lambda r: redrawn(write, claimed, r).text, rng)
        return EditPair(sham, write.entry.revised(content=text))

    def is_served_by(self, action: PendingAction, obeys: Sequence[str], entry_id: str, tainted: frozenset[str]) -> bool:
        """Anything that rests on the note."""
        return rests_on(action, tainted)
