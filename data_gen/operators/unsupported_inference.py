"""A guess about the cause is stored as a finding."""

from __future__ import annotations

from collections.abc import Sequence

from data_gen.operators.base import EditPair, closest, redrawn, rests_on
from data_gen.randomness import Rng
from data_gen.statements import Reason, Write
from data_gen.tasks.base import Task
from mage_ml.memory.entry import Source
from mage_ml.memory.snapshot import PendingAction
from mage_ml.risk import RiskAxis


class UnsupportedInference:
    """Puts a cause that no file states in the place of the cause on file, or of the note that there is none.

    Evidence that stays visible: the documents, none of which mentions the cause; where one states another cause, that
    too.
    """

    name = "unsupported_inference"
    axis = RiskAxis.FACTUALITY
    family = "claim"
    needs: str | None = "reason"

    def accepts(self, write: Write) -> bool:
        """Notes on the cause."""
        return isinstance(write.statement, Reason) and write.entry.source is Source.LLM_REASONING

    def edit(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, and a note of the same look that states an invented cause."""
        assert isinstance(write.statement, Reason)
        sham = redrawn(write, write.statement, rng)
        subject = write.statement.subject
        text = closest(sham.text, lambda r: redrawn(write, Reason(subject, task.phrase(r)), r).text, rng)
        return EditPair(sham, write.entry.revised(content=text))

    def is_served_by(self, action: PendingAction, obeys: Sequence[str], entry_id: str, tainted: frozenset[str]) -> bool:
        """Anything that rests on the note."""
        return rests_on(action, tainted)
