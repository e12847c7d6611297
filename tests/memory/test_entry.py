from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from mage_ml.memory import MemoryEntry, Role, Source, Status
from mage_ml.memory.entry import DEFAULT_CONFIDENCE, MAX_CONTENT_CHARS

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=12,
)


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@settings(deadline=None, max_examples=60)
@given(content=JSON, source=st.sampled_from(Source), confidence=st.none() | st.floats(0, 1))
def test_an_entry_survives_json(content: Any, source: Source, confidence: float | None) -> None:
    entry = MemoryEntry.model_validate({"id": "a", "content": content, "source": source, "confidence": confidence})
    again = MemoryEntry.model_validate(json.loads(entry.model_dump_json()))
    assert again.text == entry.text
    assert again.model_dump(exclude={"content"}) == entry.model_dump(exclude={"content"})


@pytest.mark.parametrize("source", list(Source))
def test_confidence_and_role_default_by_source(source: Source) -> None:
    entry = MemoryEntry(id="a", content="x", source=source)
    assert entry.confidence == DEFAULT_CONFIDENCE[source]
    assert entry.role is (Role.INSTRUCTION if source in (Source.USER, Source.SYSTEM) else Role.DATA)


def test_a_stated_confidence_and_role_win_over_the_default() -> None:
    entry = MemoryEntry(id="a", content="x", source=Source.USER, confidence=0.0, role=Role.DATA)
    assert (entry.confidence, entry.role, entry.is_trusted) == (0.0, Role.DATA, False)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"confidence": 1.2}, "confidence"),
        ({"confidence": -0.1}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"timestamp": float("inf")}, "timestamp"),
        ({"timestamp": -1.0}, "timestamp"),
        ({"source": "oracle"}, "source"),
        ({"source": None}, "source"),
        ({"status": "fine"}, "status"),
        ({"role": "boss"}, "role"),
        ({"step": -1}, "step"),
        ({"step": 10**400}, "step"),
        ({"id": ""}, "id"),
        ({"id": "x" * 257}, "id"),
        ({"id": "\ud800"}, "id"),
        ({"depends_on": ["\ud800"]}, "depends_on"),
        ({"annotations": ["\udfff"]}, "annotations"),
        ({"depends_on": ["a"]}, "depends on itself"),
        ({"content": "\ud800"}, "lone surrogate"),
        ({"content": {"\ud800": 1}}, "lone surrogate"),
        ({"content": {"k": "\ud800"}}, "lone surrogate"),
        ({"content": "x" * 10_000_000}, "10,000,000 characters"),
        ({"content": ["x" * 400_000] * 5}, "1,000,000 characters in all"),
        ({"content": nested(10_000)}, "nested deeper than 32"),
        ({"content": float("nan")}, "use null"),
        ({"content": {"k": [float("-inf")]}}, "use null"),
        ({"content": 10**5000}, "integer"),
        ({"content": {1: "x"}}, "JSON keys are text"),
        ({"content": b"x"}, "JSON"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_fields_are_refused_by_name(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(ValidationError) as caught:
        MemoryEntry.model_validate({"id": "a", "content": "x", "source": "tool", **fields})
    assert named in " ".join(f"{item['loc']} {item['msg']}" for item in caught.value.errors())


def test_content_at_the_bound_is_accepted() -> None:
    assert len(MemoryEntry(id="a", content="字" * MAX_CONTENT_CHARS, source=Source.TOOL).text) == MAX_CONTENT_CHARS
    assert MemoryEntry(id="a", content=nested(30), source=Source.TOOL).text


def test_json_text_keeps_key_order_and_scripts() -> None:
    assert MemoryEntry(id="a", content={"营收": 1, "a": [True]}, source=Source.TOOL).text == '{"营收": 1, "a": [true]}'


def test_a_revision_is_validated_and_leaves_the_original_alone() -> None:
    entry = MemoryEntry(id="a", content="x", source=Source.TOOL)
    revised = entry.revised(status=Status.SUSPECT, confidence=0.1)
    assert (entry.status, revised.status, revised.confidence) == (Status.ACTIVE, Status.SUSPECT, 0.1)
    with pytest.raises(ValidationError):
        entry.revised(confidence=2)


def test_an_entry_cannot_be_changed_in_place() -> None:
    entry = MemoryEntry(id="a", content="x", source=Source.TOOL)
    with pytest.raises(ValidationError):
        entry.confidence = 0.1  # type: ignore[misc]
