"""A figure, or the direction of a conclusion, is changed in one of the agent's own notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from data_gen.operators.base import EditPair, closest, redrawn, rests_on
from data_gen.randomness import Rng, rng_for
from data_gen.statements import Direction, Level, Statement, Summary, Verdict, Write
from data_gen.tasks.base import Task
from mage_ml.memory.entry import Source
from mage_ml.memory.snapshot import PendingAction
from mage_ml.risk import RiskAxis

_FLIP = {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP, Direction.NONE: Direction.NONE}


class ValueFlip:
    """Changes a figure in a note, summary or conclusion by 5 to 60 percent, or turns a conclusion round.

    Evidence that stays visible: the tool record on which the note rests, with the true figure; for a conclusion, the
    figures from which it can be computed.
    """

    name = "value_flip"
    axis = RiskAxis.CONSISTENCY
    family = "value"
    needs: str | None = None

    def accepts(self, write: Write) -> bool:
        """Notes, summaries and conclusions of the agent, not rough figures."""
        if write.entry.source is not Source.LLM_REASONING:
            return False
        statement = write.statement
        return isinstance(statement, Summary | Verdict) or (isinstance(statement, Level) and not statement.tentative)

    def edit(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, once with the true figure and once with a false one of the same length."""
        form = rng.getrandbits(48)
        assert write.statement is not None
        sham = redrawn(write, write.statement, rng_for(form))
        turned = isinstance(write.statement, Verdict) and write.statement.direction is not Direction.NONE
        if turned and rng.random() < 0.5:
            verdict = write.statement
            assert isinstance(verdict, Verdict)
            flipped = replace(verdict, direction=_FLIP[verdict.direction])
            text = closest(sham.text, lambda r: redrawn(write, flipped, r).text, rng)
            return EditPair(sham, write.entry.revised(content=text))
        for _ in range(16):
            changed = _changed(write.statement, rng)
            contaminated = redrawn(write, changed, rng_for(form))
            if len(contaminated.text) == len(sham.text) and contaminated.text != sham.text:
                return EditPair(sham, contaminated)
        return None

    def is_served_by(self, action: PendingAction, obeys: Sequence[str], entry_id: str, tainted: frozenset[str]) -> bool:
        """Anything that rests on the note."""
        return rests_on(action, tainted)


def _changed(statement: Statement, rng: Rng) -> Statement:
    factor = rng.uniform(0.55, 0.95) if rng.random() < 0.5 else rng.uniform(1.05, 1.6)
    match statement:
        case Level():
            return replace(statement, value=1000.0 * max(1, round(statement.value * factor / 1000)))
        case Summary():
            chosen = rng.randrange(len(statement.levels))
            changed = _changed(statement.levels[chosen], rng)
            assert isinstance(changed, Level)
            return Summary(tuple(changed if i == chosen else level for i, level in enumerate(statement.levels)))
        case Verdict():
            percent = statement.unit == "%"
            figure = (
                round(statement.figure * factor, 1)
                if percent
                else 1000.0 * max(1, round(statement.figure * factor / 1000))
            )
            return replace(statement, figure=figure)
    raise TypeError(f"no figure in a {type(statement).__name__}")
