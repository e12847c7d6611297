"""Draws that several domains share."""

from __future__ import annotations

from data_gen.needs import Need
from data_gen.randomness import Rng


def draw_precedents(wanted: frozenset[Need], rng: Rng) -> list[bool]:
    """For each stored request of another user, in one task of five, whether it is put plainly or as a precedent."""
    plain = [rng.random() < 0.4 for _ in range(rng.choice((1, 1, 2)))]
    return [False, *plain[1:]] if Need.PRECEDENT in wanted else plain if rng.random() < 0.2 else []
