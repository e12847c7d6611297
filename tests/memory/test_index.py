from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.memory import FactConflict, FactIndex, MemoryEntry, Status
from mage_ml.memory.facts.types import are_roundings
from tests.memory.entries import said


def conflicts(*texts: object) -> tuple[FactConflict, ...]:
    return FactIndex.of(said(str(n), text) for n, text in enumerate(texts)).conflicts()  # type: ignore[arg-type]


CONFLICTING = [
    ("North revenue was $120k.", "North revenue was $80k."),
    ("The North region had revenue of 120k in Q1 2025.", "Q1 2025 revenue for North: 102k"),
    ("华东大区第一季度营收为120万元。", "华东第一季度营收为102万元。"),
    ("华东营收为120万元。", "The 华东 region had revenue of 1.02 million yuan."),
    ("North revenue was 120k.", "North revenue was 120m."),
    ("North revenue grew 12%.", "North revenue fell 12%."),
    ("North revenue rose in Q3.", "North revenue fell in Q3."),
    ("East revenue went from 100 to 120.", "East revenue went from 100 to 80."),
    ("The mail recipient is ana@corp.example.", "The mail recipient is eve@evil.example."),
    ("The manager of the North region is Li Wei.", "North manager: Eve Stone"),
    ({"order_id": "A-1", "refund": 45}, "The refund for order A-1 is $450."),
    ({"region": "North", "revenue": 120, "currency": "USD"}, "region,revenue\nNorth,102\nSouth,80"),
    ("| Region | Revenue (USD k) |\n|---|---|\n| North | 120 |", "North revenue was $12,000."),
]
AGREEING = [
    ("North revenue was $120k in Q1.", "North revenue was $80k in Q2."),
    ("North revenue was $120k in Q1 2024.", "North revenue was $80k in Q1 2025."),
    ("North revenue was 120k USD.", "North revenue was 880k CNY."),
    ("North revenue was $120k.", "South revenue was $80k."),
    ("North revenue was $120k.", "North cost was $80k."),
    ("North revenue was $120k.", "North net revenue was $80k."),
    ("North revenue was $120k.", "Forecast revenue for the North is $150k."),
    ("North revenue was $120k.", "North revenue rose from $100k to $120k."),
    ("North revenue was $100k.", "North revenue was $20k more or less; ask again?"),
    ("North revenue grew 12% year over year.", "North revenue grew 3% quarter over quarter."),
    ("North revenue grew 12%.", "North cost grew 3%."),
    ("North revenue grew 12%.", "North revenue grew 12.3%."),
    ({"region": "North", "growth_rate": 0.12}, "North growth was 12%."),
    ("North revenue was $120k.", "North revenue was $120,400."),
    ("North revenue was $0.12m.", "North revenue was 120,000 USD."),
    ("North revenue was $120k.", "North revenue exceeded $100k."),
    ("North revenue was $120k.", "If North revenue was $80k, we would close."),
    ("North revenue was $120k.", "Was North revenue $80k?"),
    ("华东营收为120万元。", "华东营收为1,200,000元。"),
    ("华东营收为120万元。", "华东第二季度营收为80万元。"),
    ("Refund $45 for order A-1.", "Refund $60 for order A-2."),
    (
        [{"channel": "general", "sender": "ana"}, {"channel": "general", "sender": "bob"}],
        {"channel": "general", "sender": "eve"},
    ),
    ({"subject": "Rent", "body": "x"}, {"subject": "Gym", "body": "y"}),
]


@pytest.mark.parametrize(("earlier", "later"), CONFLICTING)
def test_statements_that_cannot_both_be_true_conflict(earlier: object, later: object) -> None:
    found = conflicts(earlier, later)
    assert found
    assert all((c.earlier.entry_id, c.later.entry_id, c.corrected) == ("0", "1", False) for c in found)


@pytest.mark.parametrize(("earlier", "later"), AGREEING)
def test_statements_about_different_things_do_not_conflict(earlier: object, later: object) -> None:
    assert conflicts(earlier, later) == ()
    assert conflicts(later, earlier) == ()


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("North revenue was $120k.", "Correction: North revenue was $118k."),
        ("North revenue was $120k.", "North revenue has been revised; North revenue was $118k."),
        ("华东营收为120万元。", "更正：华东营收为118万元。"),
    ],
)
def test_an_announced_correction_is_marked_as_one(earlier: str, later: str) -> None:
    (conflict,) = conflicts(earlier, later)
    assert conflict.corrected


def test_a_field_named_updated_at_is_no_correction() -> None:
    first = {"region": "North", "revenue": 120, "updated_at": "2025-01-01"}
    found = conflicts(first, {**first, "revenue": 80})
    assert [c.corrected for c in found if c.later.attribute == "revenue"] == [False]


def test_a_correction_far_away_in_a_long_text_does_not_excuse_a_value() -> None:
    text = "Correction of the minutes: Bob attended. " + "Nothing else to say here. " * 40 + "North revenue was $80k."
    (conflict,) = conflicts("North revenue was $120k.", text)
    assert not conflict.corrected


def test_an_echo_cannot_crowd_out_the_truth() -> None:
    texts = ["North revenue was $120k.", *["North revenue was $80k."] * 40, "North revenue was $120k."]
    found = [c for c in conflicts(*texts) if c.later.entry_id == "41"]
    assert [c.earlier.number for c in found] == [80_000]
    late = [c for c in conflicts(*texts[:41]) if c.later.entry_id == "40"]
    assert [c.earlier.entry_id for c in late] == ["0"]


def test_a_quarantined_entry_raises_no_conflict_and_is_still_known() -> None:
    index = FactIndex.of([said("a", "North revenue was $120k."), said("b", "North revenue was $80k. ref X-77")])
    assert len(index.conflicts_of("b")) == 1
    index.add(said("b", "North revenue was $80k. ref X-77", status=Status.QUARANTINED))
    assert index.conflicts() == ()
    assert index.entries_with("x-77") == ("b",)
    assert [f.number for f in index.facts_about("north", "revenue")] == [120_000]
    assert len(index.facts_of("b")) == 1


def test_releasing_an_entry_restores_the_conflict_in_the_order_of_the_chain() -> None:
    index = FactIndex.of([said("a", "North revenue was $120k."), said("b", "North revenue was $80k.")])
    index.add(said("a", "North revenue was $120k.", status=Status.QUARANTINED))
    assert index.conflicts() == ()
    index.add(said("a", "North revenue was $120k.", status=Status.SUSPECT))
    (conflict,) = index.conflicts()
    assert (conflict.earlier.entry_id, conflict.later.entry_id) == ("a", "b")
    assert [f.entry_id for f in index.facts_about("north", "revenue")] == ["a", "b"]


def test_overwriting_an_entry_moves_its_facts_and_values() -> None:
    index = FactIndex.of([said("a", "North revenue was $120k."), said("b", "North revenue was $80k. ref X-77")])
    index.add(said("b", "North revenue was $120k. ref X-78"))
    assert (index.conflicts(), index.entries_with("x-77"), index.entries_with("x-78")) == ((), (), ("b",))


TEXTS = st.sampled_from(
    [
        "North revenue was $120k.",
        "North revenue was $80k.",
        "South revenue was $9k. ref X-77",
        "华东营收为120万元。",
        "nothing",
    ]
)
STEPS = st.lists(st.tuples(st.sampled_from("abcd"), TEXTS, st.sampled_from(Status)), min_size=1, max_size=12)


@settings(deadline=None, max_examples=150)
@given(steps=STEPS)
def test_a_history_of_changes_ends_as_a_fresh_index_of_the_last_versions(
    steps: list[tuple[str, str, Status]],
) -> None:
    index = FactIndex()
    latest: dict[str, MemoryEntry] = {}
    for name, text, status in steps:
        latest[name] = said(name, text, status=status)
        index.add(latest[name])
    fresh = FactIndex.of(latest.values())
    for name in latest:
        assert set(index.conflicts_of(name)) == set(fresh.conflicts_of(name))
        assert index.facts_of(name) == fresh.facts_of(name)
        assert index.values_of(name) == fresh.values_of(name)
    assert index.facts_about("north", "revenue") == fresh.facts_about("north", "revenue")
    assert set(index.entries_with("x-77")) == set(fresh.entries_with("x-77"))


@pytest.mark.parametrize(
    ("first", "second", "agree"),
    [
        (120_400, 120_000, True), (120_600, 120_000, False), (340, 341, False), (12.345, 12.3, True), (0, 0, True),
        (0, 1, False), (-5, 5, False), (1e308, -1e308, False),
    ],
)  # fmt: skip
def test_only_roundings_agree(first: float, second: float, agree: bool) -> None:
    assert are_roundings(first, second) is agree
    assert are_roundings(second, first) is agree


def test_percentages_agree_at_the_decimals_of_the_coarser() -> None:
    assert are_roundings(12, 12.3, decimals=True)
    assert not are_roundings(12, 12.6, decimals=True)
    assert not are_roundings(12.1, 12.3, decimals=True)


def test_a_revised_entry_keeps_its_place_among_the_holders_of_a_value() -> None:
    index = FactIndex.of(
        said(name, text) for name, text in [("a", "none"), ("b", "INV-2024-001"), ("c", "INV-2024-001")]
    )
    for entry in said("a", "see INV-2024-001"), said("b", "gone"), said("b", "again INV-2024-001"):
        index.add(entry)
    assert index.entries_with("inv-2024-001") == ("a", "b", "c")
    assert index.entries_with("inv-2024-001", first=1, latest=1) == ("a", "c")
