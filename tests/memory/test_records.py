from __future__ import annotations

import json
from pathlib import Path

import pytest

from mage_ml.errors import RecordError
from mage_ml.memory import Arm, Episode, MemoryChain, Moment, PendingAction
from mage_ml.memory.records import digest_of, read_chain, read_episodes, write_chain, write_episodes
from tests.memory.entries import said

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

HEADER = {"schema": "mage-ml/chain", "schema_version": 1, "chain_id": "run"}
ENTRY = {"id": "a", "content": "x", "source": "tool"}


def episode(number: int, **changes: object) -> Episode:
    fields = {
        "episode_id": f"e{number}",
        "group_id": f"g{number // 3}",
        "arm": Arm.CLEAN,
        "domain": "sales",
        "language": "zh",
        "entries": (said("a", "华东营收为120万元"), said("b", {"n": [1.5, None, True]}, "a")),
        "moments": (Moment(visible=2, action=PendingAction(type="final_output", content="done")),),
    }
    return Episode.model_validate({**fields, **changes})


def lines(path: Path, *records: object) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records) + "\n", encoding="utf-8")
    return path


def kept(error: RecordError) -> list[str]:
    assert isinstance(error.chain, MemoryChain)
    return [entry.id for entry in error.chain]


def test_a_chain_survives_json_lines(tmp_path: Path) -> None:
    chain = MemoryChain([said("a", "华东\n营收"), said("b", {"k": [1, "二"]}, "a")], chain_id="run 7")
    write_chain(tmp_path / "c.jsonl", chain)
    again = read_chain(tmp_path / "c.jsonl")
    assert (again.chain_id, again.entries) == ("run 7", chain.entries)


def test_a_bare_list_of_entries_is_read_too(tmp_path: Path) -> None:
    chain = read_chain(lines(tmp_path / "notes.jsonl", ENTRY, "", {**ENTRY, "id": "b"}))
    assert (chain.chain_id, len(chain)) == ("notes", 2)


def test_an_empty_file_is_an_empty_chain(tmp_path: Path) -> None:
    assert len(read_chain(lines(tmp_path / "c.jsonl"))) == 0


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_bytes(b"\xef\xbb\xbf" + json.dumps(ENTRY).encode())
    assert len(read_chain(tmp_path / "c.jsonl")) == 1


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ('{"id": "b", "content": "x", "sour', "record 3: not valid JSON"),
        ("[1, 2]", "record 3: expected a JSON object, found list"),
        ("7", "record 3: expected a JSON object, found int"),
        ("\x00\x01", "record 3: not valid JSON"),
        ("[" * 10_000 + "]" * 10_000, "record 3: not valid JSON"),
        ('{"id": "b", "content": ' + "[" * 500 + "]" * 500 + ', "source": "tool"}', "record 3, id 'b'.*32 levels"),
        ('{"id": "b", "content": NaN, "source": "tool"}', "record 3, id 'b': content.*use null"),
        ('{"id": "b", "content": "x", "source": "tool", "confidence": NaN}', "record 3, id 'b': confidence"),
        ('{"id": "b", "content": "x", "source": "tool", "confidence": 1.2}', "record 3, id 'b': confidence.*1.2"),
        ('{"id": "b", "content": "\\ud800", "source": "tool"}', "record 3, id 'b': content.*lone surrogate"),
        ('{"id": "b", "content": "x", "source": "oracle"}', "record 3, id 'b': source.*'oracle'"),
        ('{"id": "b", "content": ' + "9" * 5000 + ', "source": "tool"}', "record 3: not valid JSON"),
        ('{"id": "", "content": "x", "source": "tool"}', "record 3, id '': id"),
        ('{"content": "x", "source": "tool"}', "record 3: id: Field required"),
        ('{"id": "a", "content": "x", "source": "tool"}', "record 2, id 'a': duplicate"),
        ('{"id": "b", "content": "x", "source": "tool", "depends_on": ["z"]}', "id 'b': depends on 'z'"),
        (json.dumps({"id": "b", "content": "x" * 10_000_000, "source": "tool"}), "record 3, id 'b'.*10,000,000"),
        (json.dumps({**HEADER}), "record 3: a header after the first entry"),
    ],
)
def test_a_bad_line_names_its_record_and_what_came_before_is_kept(tmp_path: Path, bad: str, message: str) -> None:
    path = lines(tmp_path / "c.jsonl", HEADER, ENTRY, bad, {**ENTRY, "id": "c"})
    with pytest.raises(RecordError, match=message) as caught:
        read_chain(path)
    assert kept(caught.value) == ["a"]


def test_a_line_beyond_the_bound_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mage_ml.memory.records.MAX_LINE_BYTES", 100)
    with pytest.raises(RecordError, match="record 2: the line has") as caught:
        read_chain(lines(tmp_path / "c.jsonl", ENTRY, {**ENTRY, "id": "b", "content": "y" * 200}))
    assert kept(caught.value) == ["a"]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({**HEADER, "schema_version": 2}, "record 1: schema version 2; this release reads up to 1"),
        ({**HEADER, "schema_version": "1"}, "record 1: schema version '1'; expected a whole number"),
        ({**HEADER, "schema_version": True}, "expected a whole number"),
        ({**HEADER, "schema_version": 0}, "expected a whole number"),
        ({"schema": "mage-ml/chain"}, "expected a whole number"),
        ({**HEADER, "schema": "other/thing"}, "schema 'other/thing'; expected 'mage-ml/chain'"),
    ],
)
def test_foreign_and_newer_headers_are_refused(tmp_path: Path, header: dict[str, object], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read_chain(lines(tmp_path / "c.jsonl", header, ENTRY))


def test_dangling_parents_are_read_when_allowed(tmp_path: Path) -> None:
    path = lines(tmp_path / "c.jsonl", {**ENTRY, "depends_on": ["z"]})
    assert read_chain(path, allow_dangling=True)["a"].depends_on == ("z",)


@pytest.mark.parametrize("name", ["e.jsonl", "e.parquet"])
def test_episodes_survive_both_formats_with_an_equal_digest(tmp_path: Path, name: str) -> None:
    episodes = [episode(n, consequential=bool(n % 2), operator=None if n % 3 else "value_flip") for n in range(600)]
    assert write_episodes(tmp_path / name, episodes) == 600
    assert list(read_episodes(tmp_path / name)) == episodes
    assert digest_of(read_episodes(tmp_path / name)) == digest_of(episodes)


def test_the_digest_sees_order_and_content() -> None:
    first, second = episode(1), episode(2)
    assert len({digest_of(x) for x in ([], [first], [second], [first, second], [second, first])}) == 5


def test_an_empty_parquet_file_is_an_empty_data_set(tmp_path: Path) -> None:
    assert write_episodes(tmp_path / "e.parquet", []) == 0
    assert list(read_episodes(tmp_path / "e.parquet")) == []


def test_parquet_columns_can_be_filtered_without_reading_records(tmp_path: Path) -> None:
    write_episodes(tmp_path / "e.parquet", [episode(1), episode(2, arm=Arm.SHAM)])
    table = pq.read_table(tmp_path / "e.parquet", columns=["episode_id", "arm"])
    assert table.to_pydict() == {"episode_id": ["e1", "e2"], "arm": ["clean", "sham"]}
    assert pq.read_schema(tmp_path / "e.parquet").metadata[b"schema_version"] == b"1"


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"e\.csv: expected a name that ends in"):
        write_episodes(tmp_path / "e.csv", [])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema_version": 2}, "record 2: schema version 2; this release reads up to 1"),
        ({"schema_version": "x"}, "record 2: schema version 'x'"),
        ({"arm": "dirty"}, "record 2, id 'e2': arm"),
        ({"moments": [{"visible": 3, "action": {"type": "final_output"}}]}, "record 2, id 'e2'.*sees 3 entries"),
        ({"entries": [ENTRY, ENTRY], "moments": []}, "record 2, id 'e2'.*entry id 'a' is used twice"),
    ],
)
def test_a_bad_episode_names_its_record_and_those_before_it_are_read(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    good = json.loads(episode(1).model_dump_json())
    bad = {**json.loads(episode(2).model_dump_json()), **changes}
    rows = [json.dumps(good), json.dumps(bad)]
    lines(tmp_path / "e.jsonl", *rows)
    pq.write_table(pa.table({"record": rows}), tmp_path / "e.parquet")
    for name in ("e.jsonl", "e.parquet"):
        reader = read_episodes(tmp_path / name)
        assert next(reader).episode_id == "e1"
        with pytest.raises(RecordError, match=message):
            next(reader)


def test_a_damaged_or_foreign_parquet_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "cut.parquet").write_bytes(b"PAR1 and then nothing")
    with pytest.raises(RecordError, match=r"cut\.parquet is not a Parquet file"):
        next(read_episodes(tmp_path / "cut.parquet"))
    pq.write_table(pa.table({"x": [1]}), tmp_path / "foreign.parquet")
    with pytest.raises(RecordError, match=r"foreign\.parquet has no column 'record'"):
        next(read_episodes(tmp_path / "foreign.parquet"))
    pq.write_table(pa.table({"record": ["{", None]}), tmp_path / "bad.parquet")
    with pytest.raises(RecordError, match="record 1: not valid JSON"):
        next(read_episodes(tmp_path / "bad.parquet"))
