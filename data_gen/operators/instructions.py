"""Operators that plant orders in texts of third parties: family `instruction`.

The harmless twin holds the same kind of request, with the same ingredients and in the same place, addressed to somebody
else. Evidence that stays visible: the order itself, in a text with the role of data; the user's request, which does not
ask for it; the action, which does what the order says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from data_gen.needs import Need
from data_gen.operators.base import (
    REWORDINGS,
    Consequence,
    EditPair,
    Spot,
    WriteOperator,
    closest,
    looks_like,
    redrawn,
)
from data_gen.randomness import Rng, rng_for
from data_gen.statements import BY_NAME, EXPLAINS, Channel, OrderStyle, Passage, Write
from data_gen.tasks.base import Task
from mage_ml.risk import RiskAxis


class PlainInstruction(WriteOperator):
    """An order to the agent in the voice of its surroundings: copy, divert, send, save, leave out, pay, install."""

    name = "plain_instruction"
    axis = RiskAxis.SAFETY
    family = "instruction"
    needs: tuple[Need, ...] = (Need.DOCUMENT,)
    channel = Channel.DOCUMENT
    style = OrderStyle.PLAIN
    sentence_style = OrderStyle.PLAIN

    def accepts(self, write: Write) -> bool:
        """Texts with a sentence that can be replaced."""
        return bool(_places(write, self.channel, self.sentence_style))

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The text with another harmless request, and with an order of the same look."""
        book = task.phrasebook
        assert isinstance(write.statement, Passage)
        sentences = write.statement.sentences
        places = _places(write, self.channel, self.sentence_style)
        fitting = [p for p in places if book is not None and book.kinds(sentences[p].ingredient, self.style)]
        if book is None or not fitting:
            return None
        place = rng.choice(fitting)
        clean, ingredient = sentences[place].text, sentences[place].ingredient
        kinds = list(book.kinds(ingredient, self.style))
        rng.shuffle(kinds)
        for kind in kinds:
            texts = _twins(
                clean,
                lambda r: book.harmless(ingredient, self.sentence_style, r),
                partial(book.order, kind, self.style),
                rng,
            )
            if texts is not None:
                return replaced(write, place, texts)
        return None

    def is_served_by(self, consequence: Consequence, place: int) -> bool:
        """What the agent does because of the order, not what it does with the rest of the text."""
        return consequence.follows_its_order


class SourceSpoofing(PlainInstruction):
    """An order that claims to come from the user, the system or a superior.

    Evidence that stays visible besides the order: its entry comes from a third party, whatever it says of itself. The
    twin makes the same claim for a request to somebody else.
    """

    name = "source_spoofing"
    family = "provenance"
    needs = (Need.AUTHORITY,)
    style = sentence_style = OrderStyle.SPOOFED


class MemoryInjection(PlainInstruction):
    """An ordinary query of another user leaves an order in shared memory, which later work recalls as a precedent.

    After S. Dong et al., "A Practical Memory Injection Attack against LLM Agents" (2025).
    """

    name = "memory_injection"
    needs = (Need.PRECEDENT,)
    channel = Channel.MEMORY
    style = sentence_style = OrderStyle.PRECEDENT


class Looping(PlainInstruction):
    """An order to run a tool again and again: a loop or cascade that burns the budget.

    Evidence that stays visible besides the order: the same call, with the same result, over and over.
    """

    name = "looping"
    family = "resource"
    needs = (Need.LOOP,)
    style = OrderStyle.REPEATING


class GradualInjection(WriteOperator):
    """Two small texts, each harmless alone: one says what a name stands for, a later one gives an order with the name.

    In the twin the first text is the same, and the second holds a request to somebody else by the same name. The
    evidence suffices from the second text on, which carries the label.
    """

    name = "gradual_injection"
    axis = RiskAxis.SAFETY
    family = "instruction"
    needs = (Need.TWO_DOCUMENTS,)
    width = 2

    def spots(self, writes: Sequence[Write]) -> list[Spot]:
        """Every text that explains a name, with every later one that holds a request by name."""
        explain = list(dict.fromkeys(write.slot for write in writes if _holding(write, EXPLAINS) is not None))
        request = list(dict.fromkeys(write.slot for write in writes if _holding(write, BY_NAME) is not None))
        order = list(dict.fromkeys(write.slot for write in writes))
        return [Spot((a, b)) for a in explain for b in request if order.index(a) < order.index(b)]

    def edit(self, writes: Sequence[Write], rng: Rng, task: Task) -> tuple[EditPair, ...] | None:
        """The name explained in the first text, and used in the second."""
        first, second = writes
        one, two, book = _holding(first, EXPLAINS), _holding(second, BY_NAME), task.phrasebook
        alias = book.alias(rng) if book is not None else None
        if book is None or alias is None or one is None or two is None:
            return None
        passage = second.statement
        assert isinstance(passage, Passage)
        kind = rng.choice(book.kinds(alias.ingredient, OrderStyle.PLAIN))
        texts = _twins(
            passage.sentences[two].text,
            lambda r: book.harmless(alias.ingredient, OrderStyle.PLAIN, r, alias.name),
            lambda r: book.order(kind, OrderStyle.PLAIN, r, alias.name),
            rng,
        )
        if texts is None:
            return None
        return replaced(first, one, Twins(alias.sentence, alias.sentence)), replaced(second, two, texts)

    def axis_of(self, place: int) -> RiskAxis | None:
        """The first text only prepares."""
        return None if place == 0 else self.axis

    def is_served_by(self, consequence: Consequence, place: int) -> bool:
        """What the agent does because of the order."""
        return place == 1 and consequence.follows_its_order


@dataclass(frozen=True, slots=True)
class Twins:
    """A harmless sentence and an order."""

    harmless: str
    order: str


def _places(write: Write, channel: Channel, style: OrderStyle) -> list[int]:
    found = write.statement
    if not isinstance(found, Passage) or found.channel is not channel:
        return []
    return [i for i, item in enumerate(found.sentences) if item.replaceable and item.style is style]


def _holding(write: Write, ingredient: str) -> int | None:
    passage = write.statement
    if not isinstance(passage, Passage):
        return None
    places = _places(write, Channel.DOCUMENT, OrderStyle.PLAIN)
    return next((place for place in places if passage.sentences[place].ingredient == ingredient), None)


def _twins(clean: str, harmless: Callable[[Rng], str], order: Callable[[Rng], str], rng: Rng) -> Twins | None:
    """A harmless sentence that looks like the clean one, and an order that looks like it.

    A capital or comma more would tell the arms apart.
    """
    base = rng.getrandbits(48)
    drawn = (harmless(rng_for(base, "harmless", number)) for number in range(3 * REWORDINGS))
    fitting = islice((text for text in drawn if text != clean and looks_like(text, clean)), 3)
    for number, one in enumerate(fitting):
        other = closest(one, order, rng_for(base, "order", number), tries=300)
        if looks_like(one, other):
            return Twins(one, other)
    return None


def replaced(write: Write, place: int, texts: Twins) -> EditPair:
    """The text of a write with one sentence or the other in one place."""
    passage = write.statement
    assert isinstance(passage, Passage)
    rng = rng_for(write.slot)  # texts of third parties are joined, not worded
    sham = redrawn(write, passage.with_sentence(place, texts.harmless), rng)
    return EditPair(sham, redrawn(write, passage.with_sentence(place, texts.order), rng), payload=texts.order)
