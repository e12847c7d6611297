"""Two operators in one episode."""

from __future__ import annotations

from collections.abc import Sequence

from data_gen.needs import Need
from data_gen.operators.base import Consequence, EditPair, Operator, Spot
from data_gen.randomness import Rng
from data_gen.statements import Write
from data_gen.tasks.base import Task
from mage_ml.risk import RiskAxis


class Composite:
    """Strikes with two operators at different writes of one run. Its name is theirs, joined by `+`."""

    family = "composite"

    def __init__(self, one: Operator, two: Operator) -> None:
        self.name = f"{one.name}+{two.name}"
        self.needs: tuple[Need, ...] = tuple(dict.fromkeys((*one.needs, *two.needs)))
        self._parts = (one, two)
        self.width = one.width + two.width

    def spots(self, writes: Sequence[Write]) -> list[Spot]:
        """Every spot of the one with every spot of the other that it does not overlap."""
        firsts, seconds = (part.spots(writes) for part in self._parts)
        return [Spot((*a.slots, *b.slots)) for a in firsts for b in seconds if not set(a.slots) & set(b.slots)]

    def edit(self, writes: Sequence[Write], rng: Rng, task: Task) -> tuple[EditPair, ...] | None:
        """Both edits, or none."""
        one, two = self._parts
        border = one.width
        first = one.edit(writes[:border], rng, task)
        second = two.edit(writes[border:], rng, task) if first is not None else None
        return None if first is None or second is None else (*first, *second)

    def axis_of(self, place: int) -> RiskAxis | None:
        """The axis of the operator whose write it is."""
        border = self._parts[0].width
        return self._parts[0].axis_of(place) if place < border else self._parts[1].axis_of(place - border)

    def is_served_by(self, consequence: Consequence, place: int) -> bool:
        """What the operator says whose write it is."""
        border = self._parts[0].width
        if place < border:
            return self._parts[0].is_served_by(consequence, place)
        return self._parts[1].is_served_by(consequence, place - border)
