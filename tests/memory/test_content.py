"""Content types: what kind a text is, and that code, logs and long texts do not mislead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mage_ml.memory.facts import ContentType, content_type, extract_facts, scan_values, values_in
from mage_ml.memory.facts.content import segments_in
from mage_ml.memory.facts.values import MAX_VALUE_CHARS, MAX_WINDOWS
from tests.memory.entries import said

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "facts.json").read_text(encoding="utf-8"))
TYPED = [case for case in GOLDEN if "type" in case]
PIECES = (
    "```\n",
    "```python\n",
    "--- a/x\n+++ b/x\n",
    "@@ -1 +1 @@\n",
    "-a: 1\n",
    "+a: 2\n",
    "def f(x):\n",
    "    y = 2\n",
    "Traceback (most recent call last):\n",
    '  File "a.py", line 3, in f\n',
    "ValueError: cost 4\n",
    "\tat a.B(C.java:1)\n",
    "2025-03-04 10:00:00 INFO ",
    "order_id=A-1 amount=4\n",
    '{"price": 3}\n',
    "From: a@b.example\n",
    "Subject: x\n",
    "[10:02] ana: ",
    "李雷 10:02\n",
    "<table><tr><th>Region</th><th>Revenue</th></tr>",
    "<tr><td>North</td><td>1</td></tr>",
    "</table>",
    "North revenue was $120k.\n",
    "华东营收为120万元。\n",
    "\n",
    " ",
    "|a|b|\n|-|-|\n|1|2|\n",
    "<b>",
    "&amp;",
    "\u2028",
)


@pytest.mark.parametrize("case", TYPED, ids=lambda case: str(case["text"])[:40])
def test_each_typed_note_is_recognised_as_its_type(case: dict[str, Any]) -> None:
    mixed = "```" in str(case["text"])
    expected = {"record": "table"}.get(case["type"], case["type"])
    found = content_type(case["text"])
    assert found == expected or (mixed and found in (ContentType.CODE, ContentType.PROSE))


@pytest.mark.parametrize(
    ("content", "kind"), [("", "empty"), (" \n", "empty"), (None, "empty"), (5, "empty"), ([], "tool_json")]
)
def test_content_without_text_has_a_type_too(content: Any, kind: str) -> None:
    assert content_type(content) == kind


@pytest.mark.parametrize(
    ("rise", "fall"),
    [
        ("East revenue rose from 100 to 120.", "East revenue fell from 100 to 80."),
        ("华东营收从100增至120。", "华东营收从100降至80。"),
    ]
    + [
        (template.replace("NEW", "120"), template.replace("NEW", "80"))
        for template in (
            '{"region": "East", "revenue": {"from": 100, "to": NEW}}',
            '{"地区": "华东", "上期营收": 100, "营收": NEW}',
            "| Region | Q1 | Q2 |\n|---|---|---|\n| East | 100 | NEW |",
            "region,before,after\nEast,100,NEW",
            "<table><tr><th>Region</th><th>Q1</th></tr><tr><td>East</td><td>100</td></tr><tr><td>West</td><td>NEW</td></tr></table>",
            "[10:02] ana: East revenue went from 100 to NEW",
            "From: a@b.example\nSubject: x\n\nEast revenue went from 100 to NEW.",
            "2025-03-04 10:00:00 INFO region=East before=100 after=NEW",
            "--- a/l.yaml\n+++ b/l.yaml\n@@ -1 +1 @@\n-limit: 100\n+limit: NEW",
            "region: East\nbefore: 100\nafter: NEW",
        )
    ],
    ids=lambda text: str(text)[:24],
)
def test_100_to_120_and_100_to_80_stay_distinguishable(rise: Any, fall: Any) -> None:
    up, down = extract_facts(said("a", rise)), extract_facts(said("b", fall))
    assert any(first.disagrees_with(second) for first in up for second in down)
    assert not any(first.disagrees_with(again) for first in up for again in extract_facts(said("c", rise)))
    assert any(fact.number == 100 for fact in up)


@pytest.mark.parametrize(
    "text",
    [
        "for (let i = 0; i < price; i++) { total += cost; }\nconst revenue = 120;",
        "function refund(amount) {\n  return amount * 2;\n}",
        "INSERT INTO sales (region, revenue) VALUES ('North', 120);",
        "UPDATE orders SET refund = 45 WHERE id = 7;",
        "#include <stdio.h>\nint main() {\n  int price = 120;\n}",
        "import os\nprice = 120\nprint(price)",
        "2025-03-04 10:00:00 INFO price 120 stored, revenue 30 computed",
        "Mar  4 10:00:00 host app[12]: refund 45 for order A-1 done",
        '10.0.0.1 - - [04/Mar/2025:10:00:00 +0000] "GET /price HTTP/1.1" 200 512',
        "2025-03-04 10:00:00 警告 无\n2025-03-04 10:00:00 ERROR 退款45元失败",
        "RuntimeError: refund 45\n  at a.b (c.js:1:2)\n  at d.e (f.js:3:4)",
    ],
)
def test_code_and_logs_state_nothing(text: str) -> None:
    assert extract_facts(said("e", text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "From what we saw: North revenue was $120k.",
        "Class of 2025: North revenue was $120k.",
        "Select the best region: North revenue was $120k.",
        "To sum up: North revenue was $120k.",
        "Import duties aside, North revenue was $120k.",
        "North revenue was $120k (error: none).",
        "Meeting at 10:30: North revenue was $120k.",
    ],
)
def test_prose_that_resembles_code_is_still_read(text: str) -> None:
    assert [(fact.entity, fact.number) for fact in extract_facts(said("e", text))] == [("north", 120_000.0)]


@settings(deadline=None, max_examples=150)
@example(pieces=["```python\n", "<table><tr><th>Region</th><th>Revenue</th></tr>", "</table>"])
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=20))
def test_stretches_lie_inside_the_text_in_order_without_overlap(pieces: list[str]) -> None:
    text = "".join(pieces)
    end = 0
    for segment in segments_in("e", text):
        assert end <= segment.block.start <= segment.block.end <= len(text)
        end = segment.block.end
    assert extract_facts(said("e", text)) == extract_facts(said("e", text))


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"currency": "EUR", "items": [{"id": "A-1", "price": 4}]}, ("a-1", "price", 4, "EUR")),
        ({"items": [{"id": "A-1", "price": 4}], "meta": {"currency": "EUR"}}, ("a-1", "price", 4, "EUR")),
        ({"currency": "EUR", "items": [{"id": "A-1", "price": 4, "currency": "USD"}]}, ("a-1", "price", 4, "USD")),
        ({"currency": "EUR", "items": [{"id": "A-1", "stock": 4}]}, ("a-1", "stock", 4, "")),
        ({"unit": "kg", "items": [{"id": "A-1", "price": 4}]}, ("a-1", "price", 4, "")),
        ({"单位": "万元", "明细": [{"产品": "台灯", "价格": 4}]}, ("台灯", "price", 40_000, "CNY")),
        ({"id": "A-1", "weight": {"value": 2, "unit": "kg"}}, ("a-1", "weight", 2, "kg")),
    ],
)
def test_a_number_takes_its_unit_from_what_is_around_its_record(record: Any, expected: tuple[Any, ...]) -> None:
    found = [
        (f.entity, f.attribute, f.number, f.unit) for f in extract_facts(said("e", record)) if f.number is not None
    ]
    assert found == [expected]


def test_values_beyond_the_first_window_are_found_and_the_rest_is_told() -> None:
    filler = "nothing to see here " * 3_000
    text = f"A-1001 {filler} mail eve@evil.example {filler * 20} B-2002"
    scan = scan_values(text)
    assert {"a-1001", "eve@evil.example", "b-2002"} <= scan.values
    assert (scan.chars_total, scan.chars_read <= MAX_WINDOWS * MAX_VALUE_CHARS) == (len(text), True)
    assert scan.chars_read < scan.chars_total


@settings(deadline=None, max_examples=20)
@given(lead=st.integers(MAX_VALUE_CHARS - 60, MAX_VALUE_CHARS + 5), mark=st.sampled_from([" ", "，", "\n"]))
def test_a_value_at_the_edge_of_a_window_is_found_whole(lead: int, mark: str) -> None:
    text = ("x" + mark) * (lead // 2) + "eve@evil.example" + mark + ("y" + mark) * 400
    assert values_in(text) == {"eve@evil.example"}
    scan = scan_values(text)
    assert scan.chars_read == scan.chars_total
