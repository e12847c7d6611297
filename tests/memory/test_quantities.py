from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.memory.facts import values_in
from mage_ml.memory.facts.periods import find_periods, parse_period
from mage_ml.memory.facts.quantities import find_quantities, parse_quantity


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("120k", 120e3, ""),
        ("12万元", 120e3, "CNY"),
        ("$0.12m", 120e3, "USD"),
        ("1.2亿", 120e6, ""),
        ("3千克", 3, "kg"),
        ("3千", 3e3, ""),
        ("1,234,567.5", 1234567.5, ""),
        ("-$50", -50, "USD"),
        ("−5%", -5, "%"),
        ("+3.5 %", 3.5, "%"),
        ("１２０万元", 1.2e6, "CNY"),
        ("2 million EUR", 2e6, "EUR"),
        ("15 per cent", 15, "%"),
        ("3个百分点", 3, "%"),
        ("340件", 340, "unit"),
        ("¥1,280", 1280, "CNY"),
    ],
)
def test_a_number_is_read_with_scale_and_unit(text: str, number: float, unit: str) -> None:
    quantity = parse_quantity(text)
    assert quantity is not None
    assert (quantity.number, quantity.unit) == (pytest.approx(number), unit)


@pytest.mark.parametrize("text", ["", "abc", "12 apples", "SKU12", "1.2.3", "10:30", "3rd", "1-2", "x" * 100, "Q1"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert parse_quantity(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "SKU12",
        "A-1001",
        "v1.2.3",
        "at 10:30",
        "the 3rd",
        "/a/12/b",
        "#1001",
        "call 555-0199",
        "3-5 days",
        "in Q1 2025",
        "5GB",
    ],
)
def test_numbers_inside_words_paths_times_and_ranges_are_left_out(text: str) -> None:
    assert find_quantities(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2025-03-04T10:00:00Z", "2025-03-04"),
        ("March 4, 2025", "2025-03-04"),
        ("4th March 2025", "2025-03-04"),
        ("2025年3月4日", "2025-03-04"),
        ("2025/3/4", "2025-03-04"),
        ("Mar 2025", "2025-03"),
        ("Q1 2025", "2025-Q1"),
        ("2025Q1", "2025-Q1"),
        ("first quarter of 2025", "2025-Q1"),
        ("2025年第一季度", "2025-Q1"),
        ("一季度", "Q1"),
        ("H1 2025", "2025-H1"),
        ("2025年上半年", "2025-H1"),
        ("FY2025", "2025"),
        ("上个季度", "last quarter"),
        ("previous quarter", "last quarter"),
        ("3月份", "M03"),
        ("someday", ""),
        ("", ""),
    ],
)
def test_a_period_has_one_name_however_it_is_written(text: str, name: str) -> None:
    assert parse_period(text) == name


def test_periods_are_found_where_they_stand() -> None:
    text = "由2025年第一季度至Q2 2025"
    assert [(p.name, text[slice(*p.span)]) for p in find_periods(text)] == [
        ("2025-Q1", "2025年第一季度"),
        ("2025-Q2", "Q2 2025"),
    ]


@settings(deadline=None, max_examples=200)
@given(st.integers(-(10**9), 10**9), st.sampled_from(["", "$", "€"]), st.sampled_from(["", " USD", "万", "k", "%"]))
def test_a_written_number_reads_back(number: int, before: str, after: str) -> None:
    scale = {"万": 10_000, "k": 1000}.get(after, 1)
    quantity = parse_quantity(f"{'-' if number < 0 else ''}{before}{abs(number):,}{after}")
    assert quantity is not None
    assert quantity.number == number * scale


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet="0123456789.,-+$%kmb万元 Q年月日:/\n", max_size=40))
def test_spans_lie_in_the_text_and_do_not_overlap(text: str) -> None:
    found = find_quantities(text)
    spans = [span for quantity in found for span in quantity.span]
    assert spans == sorted(spans)
    assert all(0 <= place <= len(text) for place in spans)


def test_values_that_identify_are_found_and_ordinary_words_are_not() -> None:
    text = "Mail Ana.Lopez@corp.example about /srv/q1/report.csv, ref A-1001, 120k and 7 items; see https://x.example/a?b=1."
    assert values_in(text) == {
        "ana.lopez@corp.example", "/srv/q1/report.csv", "a-1001", "120000", "https://x.example/a?b=1",
    }  # fmt: skip


def test_an_identifying_value_is_the_same_in_both_scripts() -> None:
    assert values_in("金额为１２０万元，编号Ａ-1001") == values_in("a-1001 and 1,200,000 CNY")


def test_periods_identify_nothing() -> None:
    assert values_in("In Q1 2025 and on 2025-03-04") == frozenset()
