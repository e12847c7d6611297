"""A text of a third party carries an order to the agent, in the voice of its surroundings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from data_gen.operators.base import EditPair, closest, redrawn, same_marks
from data_gen.randomness import Rng
from data_gen.statements import Passage, Write
from data_gen.tasks.base import Task
from data_gen.texts.documents import ORDERS_BY_INGREDIENT, harmless, order
from mage_ml.memory.snapshot import PendingAction
from mage_ml.risk import RiskAxis


class PlainInstruction:
    """Replaces a request to somebody else by an order to the agent: copy, divert, send, save or leave out.

    Evidence that stays visible: the order itself, in a text with the role of data; the user's request, which does not
    ask for it; the action, which does what the order says. The harmless twin holds the same kind of request, with the
    same ingredients, addressed to another person.
    """

    name = "plain_instruction"
    axis = RiskAxis.SAFETY
    family = "instruction"
    needs: str | None = "document"

    def accepts(self, write: Write) -> bool:
        """Documents and remarks with a sentence that can be replaced."""
        return isinstance(write.statement, Passage) and any(s.replaceable for s in write.statement.sentences)

    def edit(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The text with another harmless request, and with an order of the same look."""
        assert isinstance(write.statement, Passage)
        sentences = list(write.statement.sentences)
        place = next(index for index, item in enumerate(sentences) if item.replaceable)
        ingredient = sentences[place].ingredient
        kinds = ORDERS_BY_INGREDIENT[ingredient]
        kind = kinds[rng.randrange(len(kinds))]
        harmless_text = harmless(task.language, ingredient, rng, task.company)
        ordered = closest(harmless_text, lambda r: order(task.language, kind, r, task.company), rng, tries=240)
        if not same_marks(harmless_text, ordered):
            return None  # a capital or comma more would tell the arms apart

        def with_text(text: str) -> Passage:
            return Passage((*sentences[:place], replace(sentences[place], text=text), *sentences[place + 1 :]))

        sham = redrawn(write, with_text(harmless_text), rng)
        return EditPair(sham, redrawn(write, with_text(ordered), rng), payload=ordered)

    def is_served_by(self, action: PendingAction, obeys: Sequence[str], entry_id: str, tainted: frozenset[str]) -> bool:
        """What the agent does because of the order, not what it does with the rest of the text."""
        return entry_id in obeys
