"""Lines of a text with their places, and the stretches of it that are read in a way of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mage_ml.memory.facts.types import Fact


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text that is not prose.

    Attributes:
        start: First character.
        end: One past the last character.
        facts: What it states.
    """

    start: int
    end: int
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text.

    Attributes:
        text: Without its line break.
        start: First character.
        end: One past the last character.
    """

    text: str
    start: int
    end: int


def lines_of(text: str) -> list[Line]:
    """The lines of a text in order."""
    lines, offset = [], 0
    for raw in text.split("\n"):
        lines.append(Line(raw, offset, offset + len(raw)))
        offset += len(raw) + 1
    return lines


def block_over(lines: list[Line], start: int, stop: int, facts: Iterable[Fact] = ()) -> Block:
    """The block from one line up to, without, another."""
    return Block(lines[start].start, lines[stop - 1].end, tuple(facts))
