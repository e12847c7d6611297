"""The cost of one more entry does not grow with the chain. Counted in executed lines, so that no clock is involved."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from mage_ml.memory import DependencyGraph, FactIndex, MemoryEntry, Status
from mage_ml.memory.facts import extract_facts, values_in
from tests.memory.entries import said

SMALL, LARGE = 100, 4000


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python the work executes."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def note(number: int) -> MemoryEntry:
    # All about one entity and one attribute, all derived from one parent: the hardest case for the indexes.
    parents = ("0",) if number else ()
    return said(str(number), f"North revenue was ${100 + number % 7}k. See A-{number % 5}.", *parents, origin="o")


def cost_of_adding(size: int) -> tuple[int, int]:
    entries = [note(number) for number in range(size)]
    graph, index = DependencyGraph.of(entries), FactIndex.of(entries)
    new = said("new", "North revenue was $55k. See A-3.", "0", origin="o")
    return lines_run(lambda: graph.add(new)), lines_run(lambda: index.add(new))


def cost_of_quarantine(size: int) -> int:
    quiet = [said(f"q{number}", f"Region-{number} revenue was $1k.") for number in range(size)]
    pair = [said("a", "North revenue was $120k."), said("b", "North revenue was $80k.", "a")]
    index = FactIndex.of([*quiet[: size // 2], *pair, *quiet[size // 2 :]])
    held = pair[1].revised(status=Status.QUARANTINED)
    cost = lines_run(lambda: index.add(held))
    assert index.conflicts_of("b") == ()
    return cost


def cost_of_replacing_a_child(size: int) -> int:
    graph = DependencyGraph.of(note(number) for number in range(size))
    again = note(size - 1)
    return lines_run(lambda: graph.add(again))


def test_adding_an_entry_costs_the_same_in_a_long_chain() -> None:
    (graph_small, index_small), (graph_large, index_large) = cost_of_adding(SMALL), cost_of_adding(LARGE)
    assert graph_large <= 1.2 * graph_small + 20
    assert index_large <= 1.2 * index_small + 50


def test_quarantining_an_entry_costs_its_own_conflicts_and_not_the_chain() -> None:
    assert cost_of_quarantine(LARGE) <= 1.2 * cost_of_quarantine(SMALL) + 50


def test_replacing_one_of_many_children_costs_no_more_than_one_of_few() -> None:
    assert cost_of_replacing_a_child(LARGE) == cost_of_replacing_a_child(SMALL)


@pytest.mark.parametrize(
    "piece",
    [
        "Q1 revenue 120 ", "North revenue was $120k and ", "华东营收为120万元，", "a: 1\n", "- a: 1\n", "a,b\n",
        "|a|b|\n|-|-|\n", "1,", "( ", "if ", "x\n",
    ],
)  # fmt: skip
def test_reading_a_text_is_linear_in_its_length(piece: str) -> None:
    def cost(length: int) -> int:
        text = (piece * length)[:length]
        entry = said("e", text)
        return lines_run(lambda: (extract_facts(entry), values_in(text)))

    assert cost(16_000) <= 2.4 * cost(8_000) + 1000
