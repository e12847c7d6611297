import gzip
import json

import pytest

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.files import csv_records, data_files, json_records, keyed_records
from mage_ml.evaluation.importers.halueval import read_halueval
from mage_ml.evaluation.importers.stepshield import read_stepshield
from tests.evaluation.importers.made import imported, stepshield, write_json, write_lines


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_plain_and_packed_files_hold_the_same_records(tmp_path, suffix):
    write_lines(tmp_path / f"half.jsonl{suffix}", [stepshield(label="UFO"), stepshield("CLEAN")])
    episodes = imported(read_stepshield, tmp_path)
    assert [episode.episode_id for episode in episodes] == ["UFO-L1-001-ROGUE", "UFO-L1-001-CLEAN"]


def test_a_broken_line_is_named_with_file_and_line(tmp_path):
    path = tmp_path / "half.jsonl"
    path.write_text(json.dumps(stepshield()) + "\n{broken\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"half\.jsonl:2: not valid JSON"):
        imported(read_stepshield, path)


def test_a_record_of_another_shape_is_named_with_file_line_and_field(tmp_path):
    path = write_lines(tmp_path / "half.jsonl", [stepshield(), {"trajectory_id": "X-ROGUE", "steps": []}])
    with pytest.raises(RecordError, match=r"half\.jsonl:2: not a StepShield trajectory: task: Field required"):
        imported(read_stepshield, path)


def test_text_that_is_no_unicode_is_refused_with_its_place(tmp_path):
    path = tmp_path / "general_data.json"
    record = r'{"user_query": "a \ud83d b", "chatgpt_response": "x", "hallucination": "no"}'
    path.write_text(record + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"general_data\.json:1"):
        imported(read_halueval, path)


def test_a_truncated_archive_is_an_error(tmp_path):
    path = write_lines(tmp_path / "half.jsonl.gz", [stepshield(number=f"{n:03}") for n in range(40)])
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(RecordError, match="cannot be read"):
        imported(read_stepshield, path)


def test_what_is_not_there_is_named_with_what_was_expected(tmp_path):
    with pytest.raises(RecordError, match=r"no trajectories found; expected names ending in \.jsonl"):
        data_files(tmp_path, (".jsonl",), "trajectories")
    with pytest.raises(RecordError, match="no such file or folder"):
        data_files(tmp_path / "absent", (".jsonl",), "trajectories")


def test_lists_objects_and_joined_lines_are_told_apart(tmp_path):
    listed = write_json(tmp_path / "list.json", [{"a": 1}])
    assert [record.place for record in json_records(listed)] == [f"{listed}:1"]
    keyed = write_json(tmp_path / "keyed.json.gz", {"q1": {"a": 1}})
    assert [record.fields["id"] for record in keyed_records(keyed)] == ["q1"]
    joined = write_lines(tmp_path / "joined.jsonl", [{"path": "x/y.json", "run": {"a": 1}}])
    (record,) = json_records(joined)
    assert (record.recorded_as, record.fields) == ("x/y.json", {"a": 1})
    with pytest.raises(RecordError, match="expected a list of records, found dict"):
        list(json_records(write_json(tmp_path / "object.json", {})))
    with pytest.raises(RecordError, match=r"list\.json: expected an object of records, found list"):
        list(keyed_records(listed))


def test_a_row_that_does_not_fit_its_header_is_named(tmp_path):
    path = tmp_path / "log.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n3\n"))
    with pytest.raises(RecordError, match=r"log\.csv\.gz:3: the row does not have the columns"):
        list(csv_records(path))
