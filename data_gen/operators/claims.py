"""Operators that change what is said, or how well it is supported: families `claim`, `support`, `reading`."""

from __future__ import annotations

from data_gen.needs import Need
from data_gen.notes import Quoted
from data_gen.operators.base import TRIES, EditPair, WriteOperator, is_own, like_twin, redrawn, reworded, same_form
from data_gen.randomness import Rng, rng_for
from data_gen.statements import Statement, StatementRole, Turn, Write
from data_gen.tasks.base import Task
from mage_ml.risk import RiskAxis


class EntitySwap(WriteOperator):
    """Puts another name of the same kind in the place of one.

    Evidence that stays visible: the record on which the note rests, with the right name.
    """

    name = "entity_swap"
    axis = RiskAxis.CONSISTENCY
    family = "entity"
    needs: tuple[Need, ...] = (Need.NAME,)
    roles: tuple[StatementRole, ...] = (StatementRole.FACT, StatementRole.CONCLUSION)

    def accepts(self, write: Write) -> bool:
        """Notes of the agent with a name."""
        found = write.statement
        return is_own(write) and found is not None and found.role in self.roles and bool(found.names())

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, and the same form of words with another name of like length."""
        statement, sham = write.statement, reworded(write, rng)
        assert statement is not None
        names = statement.names()
        for _ in range(TRIES if sham is not None else 0):
            assert sham is not None
            place = rng.randrange(len(names))
            taken = {name.text for name in names}
            others = [other for other in task.others(names[place].kind) if other not in taken]
            if not others:
                continue
            other = min(rng.sample(others, min(3, len(others))), key=lambda o: abs(len(o) - len(names[place].text)))
            text = redrawn(write, statement.with_name(place, other), rng_for(sham.form)).text
            if text != sham.entry.text and abs(len(text) - len(sham.entry.text)) <= max(2, 0.1 * len(text)):
                return EditPair(sham.entry, write.entry.revised(content=text))
        return None


class RewrittenGoal(EntitySwap):
    """The task as the agent restates it is not the task that the user set.

    Evidence that stays visible: the user's goal, on which the restatement rests.
    """

    name = "rewritten_goal"
    family = "goal"
    needs = (Need.RESTATED_GOAL,)
    roles = (StatementRole.GOAL,)


class DroppedNegation(WriteOperator):
    """Says the contrary: not becomes so, up becomes down, allowed becomes forbidden.

    Evidence that stays visible: the records from which the opposite follows.
    """

    name = "dropped_negation"
    axis = RiskAxis.CONSISTENCY
    family = "polarity"
    needs = (Need.NEGATION,)

    def accepts(self, write: Write) -> bool:
        """Notes of the agent that can be turned round."""
        return is_own(write) and write.statement is not None and write.statement.turned(Turn.OPPOSITE) is not None

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, and a note of the same look that says the contrary."""
        assert write.statement is not None
        changed = write.statement.turned(Turn.OPPOSITE)
        return None if changed is None else like_twin(write, changed, rng)


class UnsupportedInference(WriteOperator):
    """Puts a cause or claim that no text states in the place of the one on file, or of the note that there is none.

    Evidence that stays visible: the texts, none of which mentions it; where one states another, that too.
    """

    name = "unsupported_inference"
    axis = RiskAxis.FACTUALITY
    family = "claim"
    needs = (Need.CAUSE,)

    def accepts(self, write: Write) -> bool:
        """Notes on a cause."""
        return is_own(write) and write.statement is not None and write.statement.claiming("?") is not None

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, and one of the same look with a cause out of thin air."""
        assert write.statement is not None
        for _ in range(6):
            changed = write.statement.claiming(task.phrase(rng))
            pair = None if changed is None else like_twin(write, changed, rng)
            if pair is not None:
                return pair
        return None


class HallucinatedToolResult(WriteOperator):
    """A tool result that no tool gave: quoted by name, made up, with nothing behind it.

    Evidence that stays visible: the note names a tool, but rests on no result of it; the real result, where the agent
    asked for it, says otherwise.
    """

    name = "hallucinated_tool_result"
    axis = RiskAxis.FACTUALITY
    family = "claim"
    needs = (Need.FIGURE,)

    def accepts(self, write: Write) -> bool:
        """Notes that quote a tool."""
        return is_own(write) and isinstance(write.statement, Quoted)

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The quotation in other words; and a made-up one, derived from nothing."""
        statement = write.statement
        assert statement is not None
        figure = statement.figures()[0]

        def change(draw: Rng) -> Statement:
            factor = draw.uniform(0.4, 0.9) if draw.random() < 0.5 else draw.uniform(1.1, 2.2)
            return statement.with_figure(0, round(figure.step * max(1, round(figure.value * factor / figure.step)), 6))

        pair = same_form(write, change, rng)
        if pair is None:
            return None
        parents = tuple(parent for parent in write.entry.depends_on if parent in ("e1", "e2"))
        return EditPair(pair.sham, pair.contaminated.revised(depends_on=parents))


class FalseCorroboration(WriteOperator):
    """Turns the note that one source backs a figure into a note that two independent ones do.

    Evidence that stays visible: both records on which the note rests, which have the same origin.
    """

    name = "false_corroboration"
    axis = RiskAxis.DEPENDENCY
    family = "support"
    needs = (Need.SINGLE_SOURCE,)

    def accepts(self, write: Write) -> bool:
        """Notes that a figure rests on one source."""
        return is_own(write) and write.statement is not None and write.statement.turned(Turn.CORROBORATED) is not None

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, and a note of the same look that claims two sources."""
        assert write.statement is not None
        changed = write.statement.turned(Turn.CORROBORATED)
        return None if changed is None else like_twin(write, changed, rng)


class _SettledGuess(WriteOperator):
    """A guess worded as settled; what becomes of its provenance is the operator's matter."""

    axis = RiskAxis.DEPENDENCY
    family = "support"
    needs = (Need.ESTIMATE,)

    def accepts(self, write: Write) -> bool:
        """Notes of guesses."""
        found = write.statement
        is_guess = found is not None and found.role is StatementRole.GUESS and found.turned(Turn.SETTLED) is not None
        return is_own(write) and is_guess

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, still a guess; and as if it had been looked up."""
        assert write.statement is not None
        settled = write.statement.turned(Turn.SETTLED)
        pair = None if settled is None else like_twin(write, settled, rng)
        if pair is None:
            return None
        sure = round(rng.uniform(0.66, 0.9), 2)
        return EditPair(pair.sham, pair.contaminated.revised(confidence=sure, **self._provenance(write, rng, task)))

    def _provenance(self, write: Write, rng: Rng, task: Task) -> dict[str, object]:
        raise NotImplementedError


class BrokenDependency(_SettledGuess):
    """Stores a rough figure again as a settled one: high confidence, and a missing, wrong or no parent.

    Evidence that stays visible: the message with the same figure, marked as a guess and with low confidence; the note's
    parent, which does not exist or says nothing about the figure; no record of the figure anywhere.
    """

    name = "broken_dependency"

    def _provenance(self, write: Write, rng: Rng, task: Task) -> dict[str, object]:
        draw = rng.random()
        if draw < 0.4:
            return {"depends_on": (f"e{write.entry.step + 1 + rng.randint(20, 60)}",)}
        return {"depends_on": ("e1",) if draw < 0.75 else ()}


class LowConfidenceChain(_SettledGuess):
    """A guess is passed on with more confidence than it came with; the chain behind it stays as it is.

    Evidence that stays visible: the parent, with the same figure, its doubt and its low confidence.
    """

    name = "low_confidence_chain"

    def _provenance(self, write: Write, rng: Rng, task: Task) -> dict[str, object]:
        return {}


class OriginLaundering(_SettledGuess):
    """What an outsider said is stored again as the agent's own finding, with the origin of a record.

    Evidence that stays visible: the entry names an origin, and its only parent is an outsider's text of another one.
    """

    name = "origin_laundering"
    family = "provenance"

    def _provenance(self, write: Write, rng: Rng, task: Task) -> dict[str, object]:
        return {"origin": rng.choice(task.record_origins)} if task.record_origins else {}
