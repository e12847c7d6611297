from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import RecordError
from mage_ml.memory import MemoryChain
from tests.memory.entries import said


def test_entries_stay_in_order_and_are_found_by_id() -> None:
    chain = MemoryChain([said("a"), said("b", "y", "a")])
    assert [entry.id for entry in chain] == ["a", "b"]
    assert chain["b"].depends_on == ("a",)
    assert ("a" in chain, "z" in chain, len(chain)) == (True, False, 2)


def test_a_duplicate_id_is_refused_and_the_chain_keeps_what_it_had() -> None:
    chain = MemoryChain([said("a"), said("b")])
    with pytest.raises(RecordError, match=r"record 3, id 'a'.*first used by record 1") as caught:
        chain.append(said("a", "other"))
    assert (caught.value.record, caught.value.record_id) == (3, "a")
    assert [entry.text for entry in chain] == ["x", "x"]


def test_a_dangling_parent_is_refused_by_name_unless_allowed() -> None:
    with pytest.raises(RecordError, match=r"record 1, id 'a': depends on 'z'.*allow_dangling"):
        MemoryChain([said("a", "x", "z")])
    assert len(MemoryChain([said("a", "x", "z")], allow_dangling=True)) == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": "a", "content": "x", "source": "tool", "confidence": 1.2}, r"record 2, id 'a': confidence.*found 1.2"),
        ({"id": "a", "content": "x", "source": "oracle"}, r"record 2, id 'a': source.*found 'oracle'"),
        ({"content": "x", "source": "tool"}, r"record 2: id: Field required"),
        ({"id": 7, "content": "x", "source": "tool"}, r"record 2: id.*found 7"),
        ({"id": "a", "content": "x", "source": 10**5000}, r"record 2, id 'a': source.*huge integer"),
        ({"id": "\ud800", "content": "x", "source": "tool"}, r"record 2, id '\?'"),
    ],
)
def test_bad_fields_name_the_record_and_lose_nothing(fields: dict[str, Any], message: str) -> None:
    chain = MemoryChain([said("first")])
    with pytest.raises(RecordError, match=message):
        chain.add(**fields)
    assert [entry.id for entry in chain] == ["first"]


@pytest.mark.parametrize("field", ["content", "source", "depends_on"])
def test_a_field_of_ten_thousand_levels_is_an_error_and_not_a_crash(field: str) -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(RecordError, match=field):
        MemoryChain().add(**{"id": "a", "content": "x", "source": "tool", field: deep})


def test_replacing_keeps_the_place_and_returns_the_old_version() -> None:
    chain = MemoryChain([said("a"), said("b")])
    assert chain.replace(said("a", "new")).text == "x"
    assert [entry.text for entry in chain] == ["new", "x"]
    with pytest.raises(KeyError):
        chain.replace(said("z"))


def test_iteration_sees_the_chain_as_it_was_when_it_began() -> None:
    chain = MemoryChain([said("a")])
    for entry in chain:
        chain.append(said(entry.id + "'"))
    assert len(chain) == 2


@settings(deadline=None, max_examples=40)
@given(ids=st.lists(st.sampled_from("abcdef"), max_size=12))
def test_a_chain_holds_each_accepted_id_once_in_order(ids: list[str]) -> None:
    chain = MemoryChain()
    for name in ids:
        try:
            chain.append(said(name))
        except RecordError:
            assert name in chain
    assert [entry.id for entry in chain] == list(dict.fromkeys(ids))
