from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.memory import Fact
from mage_ml.memory.facts import extract_facts
from mage_ml.memory.facts.extract import MAX_FACTS_PER_ENTRY
from mage_ml.memory.facts.names import canonical_attribute, entity_name
from mage_ml.memory.facts.structured import read_column
from tests.memory.entries import said

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "facts.json").read_text(encoding="utf-8"))
PIECES = (
    "North", "region", "revenue", "营收", "华东", "was", "为", "is", "120k", "$1,200.50", "12%", "万元", "120万元",
    "rose", "fell", "增长", "from", "to", "至", "Q1", "2025", "第一季度", "A-1001", "@", "a@b.example", "|", ":", "：",
    ",", "，", ".", "。", "\n", "- ", "(", "）", "and", "和", "if", "not", "respectively", "分别", "status", "\u200b",
    "😀", "İ", "ﬁ", "１２",
)  # fmt: skip


def rows(text: Any) -> list[tuple[str, str, float | str, str, str]]:
    return [
        (f.entity, f.attribute, f.word if f.number is None else round(f.number, 6), f.unit, f.time)
        for f in extract_facts(said("e", text))
    ]


def one(text: Any) -> Fact:
    (fact,) = extract_facts(said("e", text))
    return fact


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: str(case["text"])[:40])
def test_a_note_states_exactly_the_facts_written_down_for_it(case: dict[str, Any]) -> None:
    expected = [(f["entity"], f["attribute"], f["value"], f["unit"], f["time"]) for f in case["facts"]]
    assert sorted(rows(case["text"]), key=str) == sorted(expected, key=str)


def test_the_golden_notes_cover_both_languages() -> None:
    by_language = [case["language"] for case in GOLDEN]
    assert len(GOLDEN) >= 60
    assert min(by_language.count("en"), by_language.count("zh")) >= 25


@pytest.mark.parametrize("text", ["0.12m USD", "$0.12m", "120k USD", "$120,000", "USD 120000", "12万美元", "120千美元"])
def test_one_amount_written_in_many_ways_is_one_value(text: str) -> None:
    assert rows(f"North revenue was {text}.")[0][2:4] == (120000, "USD")
    assert rows(f"华东营收为{text}。")[0][2:4] == (120000, "USD")


def test_a_rise_and_a_fall_from_the_same_level_stay_distinguishable() -> None:
    for rise, fall in (
        ("East revenue went from 100 to 120.", "East revenue went from 100 to 80."),
        ("East revenue rose from 100 to 120.", "East revenue fell from 100 to 80."),
        ("华东营收从100增至120。", "华东营收从100降至80。"),
    ):
        up, down = extract_facts(said("a", rise)), extract_facts(said("b", fall))
        assert any(first.disagrees_with(second) for first in up for second in down)
        assert not any(first.disagrees_with(again) for first in up for again in extract_facts(said("c", rise)))


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("The refund limit is 500 CNY.", "退款上限为500元。"),
        ("Forecast revenue in Q3 2025 is 1.4 million yuan.", "预计2025年第三季度营收为140万元。"),
        ("Average price was 30 yuan last quarter.", "上季度平均单价为30元。"),
        ("Revenue grew 12% year over year.", "营收同比增长12%。"),
    ],
)
def test_both_languages_give_the_same_fact(english: str, chinese: str) -> None:
    assert set(rows(english)) == set(rows(chinese))


def test_json_text_and_python_literal_read_alike() -> None:
    record = {"region": "North", "quarter": "Q1", "revenue": 120, "note": None, "open": True}
    assert rows(record) == rows(json.dumps(record)) == rows(str(record))
    assert rows(record) == [("north", "revenue", 120, "", "Q1"), ("north", "open", "true", "", "Q1")]


def test_spans_point_at_the_value_in_the_text_as_given() -> None:
    for text, value in (("😀 North revenue was $120k.", "$120k"), ("华东营收为１２０万元。", "１２０万元")):
        start, end = one(text).span
        assert text[start:end] == value


def test_the_number_of_facts_is_bounded() -> None:
    assert len(extract_facts(said("e", [{"id": f"p{n}", "price": n} for n in range(1000)]))) == MAX_FACTS_PER_ENTRY


@pytest.mark.parametrize(
    "content", ["", " ", "\n\n", "?", "。", "1", {}, [], None, True, 5, "[", "{", '{"a":', "|", "|\n|-|", "a,b\n"]
)
def test_nothing_is_found_in_nothing(content: Any) -> None:
    assert extract_facts(said("e", content)) == ()


def test_an_integer_beyond_any_measure_is_left_out() -> None:
    assert rows({"name": "x", "price": 10**300}) == [("x", "price", 1e300, "", "")]
    assert rows('{"name": "x", "price": ' + "9" * 400 + "}") == []


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(["", " "]))
def test_any_text_gives_the_same_facts_twice_with_spans_inside(pieces: list[str], glue: str) -> None:
    text = glue.join(pieces)
    facts = extract_facts(said("e", text))
    assert facts == extract_facts(said("e", text))
    for fact in facts:
        assert 0 <= fact.span[0] <= fact.span[1] <= len(text)
        assert fact.number is not None or fact.word
        assert fact.attribute


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200))
def test_arbitrary_text_never_fails(text: str) -> None:
    extract_facts(said("e", text))


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("sales_total", "revenue"),
        ("refundAmount", "refund"),
        ("refundLimit", "refund limit"),
        ("退款上限", "refund limit"),
        ("accountBalance", "balance"),
        ("avg_price", "average price"),
        ("净利润", "net profit"),
        ("revenue growth", "growth"),
        ("Frobnication Level", "frobnication level"),
        ("", ""),
    ],
)
def test_attributes_have_one_name(name: str, canonical: str) -> None:
    assert canonical_attribute(name) == canonical


@pytest.mark.parametrize(
    ("header", "attribute", "unit", "factor", "time"),
    [
        ("Revenue (USD k)", "revenue", "USD", 1e3, ""),
        ("营收（万元）", "revenue", "CNY", 1e4, ""),
        ("refund_amount_usd", "refund", "USD", 1.0, ""),
        ("growth (%)", "growth", "%", 1.0, ""),
        ("Q1 revenue", "revenue", "", 1.0, "Q1"),
        ("2025年第一季度", "value", "", 1.0, "2025-Q1"),
    ],
)
def test_headers_give_attribute_unit_scale_and_period(
    header: str, attribute: str, unit: str, factor: float, time: str
) -> None:
    column = read_column(header)
    assert (column.attribute, column.unit, column.factor, column.time) == (attribute, unit, factor, time)


@pytest.mark.parametrize(
    ("name", "entity"),
    [
        ("The North Region", "north"),
        ("north's", "north"),
        ("华东大区", "华东"),
        ("华北区", "华北"),
        ("西区", "西区"),
        ("Order #A-1001", "a-1001"),
        ("Product A", "a"),
        ("1001", "1001"),
        ("Total", "total"),
    ],
)
def test_entities_have_one_name(name: str, entity: str) -> None:
    assert entity_name(name) == entity
