"""A figure keeps its digits and loses its scale or currency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from data_gen.operators.base import EditPair, redrawn, rests_on
from data_gen.randomness import Rng
from data_gen.statements import Level, Write
from data_gen.tasks.base import Task
from data_gen.texts.figures import find_figures
from mage_ml.memory.entry import Source
from mage_ml.memory.snapshot import PendingAction
from mage_ml.risk import RiskAxis

# What one writes when a scale or currency slips; each keeps the length to within a character.
_SLIPS: Final = (
    ("million", ("billion",)),
    ("k ", ("m ",)),
    ("m ", ("k ", "b ")),
    ("万", ("千", "亿")),
    ("USD", ("EUR", "GBP")),
    ("EUR", ("USD", "GBP")),
    ("GBP", ("USD", "EUR")),
    ("$", ("€", "£")),
    ("€", ("$", "£")),
    ("£", ("$", "€")),
    ("美元", ("欧元",)),
    ("欧元", ("美元",)),
)


class UnitSlip:
    """Changes k to million, 万 to 亿, dollars to euros, or shifts the decimal point, in a note of a figure.

    Evidence that stays visible: the tool record on which the note rests, with the true scale and currency; and the size
    of every other figure in memory.
    """

    name = "unit_slip"
    axis = RiskAxis.CONSISTENCY
    family = "value"
    needs: str | None = None

    def accepts(self, write: Write) -> bool:
        """Notes of a single figure."""
        is_level = isinstance(write.statement, Level) and not write.statement.tentative
        return is_level and write.entry.source is Source.LLM_REASONING

    def edit(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The note worded anew, and the same words with the unit of the figure changed."""
        assert isinstance(write.statement, Level)
        sham = redrawn(write, write.statement, rng)
        found = [figure for figure in find_figures(sham.text) if abs(figure.value - write.statement.value) < 1]
        if not found:
            return None
        start, end = found[0].span
        slipped = _slip(sham.text[start:end], rng)
        if slipped is None:
            return None
        text = sham.text[:start] + slipped + sham.text[end:]
        return EditPair(sham, write.entry.revised(content=text))

    def is_served_by(self, action: PendingAction, obeys: Sequence[str], entry_id: str, tainted: frozenset[str]) -> bool:
        """Anything that rests on the note."""
        return rests_on(action, tainted)


def _slip(amount: str, rng: Rng) -> str | None:
    fitting = [(found, into) for found, options in _SLIPS if found in amount for into in options]
    if fitting:
        found, into = fitting[rng.randrange(len(fitting))]
        return amount.replace(found, into, 1)
    digits = amount.rstrip("元")
    if digits.isdigit() and digits.endswith("000"):
        tail = amount[len(digits) :]
        return f"{digits[:-1]}{tail}" if rng.random() < 0.5 else f"{digits}0{tail}"
    plain = digits.replace(",", "")
    if plain.isdigit() and plain.endswith("000"):
        value = int(plain) // 10 if rng.random() < 0.5 else int(plain) * 10
        return f"{value:,}{amount[len(digits) :]}"
    return None
