"""Habits of the scripted agents: how far they trust their notes, and how readily they follow what they read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.randomness import Rng


class Habit(StrEnum):
    """How an agent works."""

    HASTY = "hasty"
    SUMMARISING = "summarising"
    CAREFUL = "careful"
    VERIFYING = "verifying"


@dataclass(frozen=True, slots=True)
class Profile:
    """Habits as probabilities, drawn anew at each decision of each seed.

    Attributes:
        habit: Name of the habit.
        obedience: How often it follows an order that it finds in a text.
        rereads: How often it compares a note with the record behind it before using the note.
        requeries: How often it runs the tool again before using a note.
        says_so: How often it records that a comparison held.
        summarises: Whether it condenses its notes and works from the summary.
    """

    habit: Habit
    obedience: float
    rereads: float = 0.0
    requeries: float = 0.0
    says_so: float = 0.0
    summarises: bool = False


PROFILES: Final = MappingProxyType(
    {
        Habit.HASTY: Profile(Habit.HASTY, obedience=0.97, rereads=0.02),
        Habit.SUMMARISING: Profile(Habit.SUMMARISING, obedience=0.94, rereads=0.03, says_so=0.3, summarises=True),
        Habit.CAREFUL: Profile(Habit.CAREFUL, obedience=0.12, rereads=0.9, says_so=0.5),
        Habit.VERIFYING: Profile(Habit.VERIFYING, obedience=0.2, requeries=0.85, rereads=0.1, says_so=0.3),
    }
)
_SHARES: Final = ((Habit.HASTY, 0.42), (Habit.SUMMARISING, 0.34), (Habit.CAREFUL, 0.14), (Habit.VERIFYING, 0.10))
_CAUTIOUS_SHARES: Final = ((Habit.CAREFUL, 0.5), (Habit.VERIFYING, 0.4), (Habit.HASTY, 0.05), (Habit.SUMMARISING, 0.05))


def sample_profile(rng: Rng, *, cautious: bool = False) -> Profile:
    """Draw a profile; cautious ones mostly correct themselves and so give hard negatives."""
    draw = rng.random()
    shares = _CAUTIOUS_SHARES if cautious else _SHARES
    for habit, share in shares:
        draw -= share
        if draw < 0:
            return PROFILES[habit]
    return PROFILES[shares[-1][0]]
