import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mage_ml.errors import MageError, RecordError
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan import ScanSettings, Tiers, TraceFormat, records, scan
from mage_ml.scan.detect import READERS, detect
from mage_ml.scan.gather import raw_traces
from mage_ml.scan.positions import line_of, offset_of
from mage_ml.scan.records import parse_part, read_parts
from mage_ml.scan.refusal import refused
from mage_ml.scan.trace import Part, Pointer, RawTrace, lookup
from mage_ml.scan.turns import Conversation, Turn, TurnKind
from tests.scan import story

RULES = ScanSettings(tiers=Tiers.RULES)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


def _places(value, steps=()):
    yield steps
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places(item, (*steps, key))


@given(json_values, st.sampled_from([None, 0, 2]), st.integers(1, 50))
def test_the_place_of_every_value_is_where_it_can_be_read_again(value, indent, line):
    text = "\n " + json.dumps(value, indent=indent, ensure_ascii=False)
    raw = RawTrace(TraceFormat.OPENAI_CHAT, "x", (Part(text, line),))
    for steps in _places(value):
        offset = offset_of(text, steps)
        found, _ = json.JSONDecoder().raw_decode(text, offset)
        assert json.dumps(found) == json.dumps(lookup(value, steps))
        assert line_of(raw, Pointer(0, steps)) == line + text[:offset].count("\n")


def test_a_place_that_is_not_there_is_the_nearest_one_around_it():
    text = '{"a": [1, {"b": 2}]}'
    assert offset_of(text, ("a", 7)) == offset_of(text, ("a",))
    assert offset_of(text, ("a", 1, "c")) == offset_of(text, ("a", 1))
    assert offset_of("[1, oops", (5,)) == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(json_values, min_size=1, max_size=8), st.sampled_from([None, 2]), st.integers(1, 40))
def test_a_list_is_read_item_by_item_whatever_the_size_of_the_pieces(tmp_path, monkeypatch, items, indent, chunk):
    monkeypatch.setattr(records, "_CHUNK", chunk)
    path = tmp_path / "a.json"
    text = json.dumps(items, indent=indent, ensure_ascii=False)
    path.write_text(text, encoding="utf-8", newline="")
    parts = list(read_parts(path))
    assert [json.dumps(parse_part(part, "a")) for part in parts] == [json.dumps(item) for item in items]
    lines = text.split("\n")
    assert all(part.text.split("\n")[0] in lines[part.line - 1] for part in parts)


def test_a_file_of_many_megabytes_is_read_in_the_memory_of_one_trace(tmp_path):
    filler = "x" * 20_000
    talk = {"messages": [{"role": "user", "content": filler}, {"role": "assistant", "content": "ok"}]}
    for path in (tmp_path / "a.json", tmp_path / "a.jsonl"):
        with path.open("w", encoding="utf-8") as file:
            text = json.dumps(talk)
            if path.suffix == ".json":
                file.write("[" + ",\n".join([text] * 1000) + "]")
            else:
                file.writelines(f"{text}\n" for _ in range(1000))
        assert path.stat().st_size > 20_000_000
        detected = detect(path)
        tracemalloc.start()
        count = sum(1 for _ in raw_traces(path, detected, _refuse))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == 1000
        assert peak < 2_000_000


def _refuse(error: RecordError) -> None:
    raise error


def _lines(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


GOOD = json.dumps({"messages": story.openai_messages()})


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ('{"messages": [', "not valid JSON"),
        ('{"messages": [{"role": "user"}, {"role": "robot", "content": "x"}]}', "role"),
        ('{"messages": 3}', "no list of messages"),
        ("7", "no list of messages"),
        ('{"messages": [{"role": "tool", "content": "' + "x" * 1_000_001 + '"}]}', "1,000,000"),
        ('{"messages": [{"role": "user", "content": "\\ud800"}]}', "surrogate"),
    ],
)
def test_a_malformed_line_stops_the_run_with_its_number_and_is_counted_when_asked(bad, said, tmp_path):
    path = _lines(tmp_path / "a.jsonl", GOOD, "", bad, GOOD)
    with pytest.raises(RecordError, match=rf"a\.jsonl:3: .*{said}"):
        scan(path, RULES)
    report = scan(path, ScanSettings(tiers=Tiers.RULES, skip_malformed=True))
    assert (report.traces, report.malformed_count) == (2, 1)
    assert "a.jsonl:3: " in report.malformed[0]


def test_bytes_that_are_no_utf8_are_malformed_on_their_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(f"{GOOD}\n".encode() + b'{"messages": [{"role": "user", "content": "\xff"}]}\n')
    with pytest.raises(RecordError, match=r"a\.jsonl:2: not UTF-8"):
        scan(path, RULES)


def test_an_item_cut_short_in_a_list_is_malformed_on_its_line(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(f"[\n{GOOD},\n{GOOD[:-20]}", encoding="utf-8")
    with pytest.raises(RecordError, match=r"a\.json:3: not valid JSON"):
        scan(path, RULES)
    report = scan(path, ScanSettings(tiers=Tiers.RULES, skip_malformed=True))
    assert (report.traces, report.malformed_count) == (1, 1)


def test_malformed_records_of_grouped_files_are_told_once(tmp_path):
    spans = [json.dumps(story.otel_export(span)) for span in story.otel_spans()]
    path = _lines(tmp_path / "a.jsonl", *spans, "{", '{"resourceSpans": [{"scopeSpans": [{"spans": [{}]}]}]}')
    report = scan(path, ScanSettings(tiers=Tiers.RULES, skip_malformed=True))
    assert (report.traces, report.malformed_count) == (1, 2)
    assert all(f"a.jsonl:{line}: " in text for line, text in zip((6, 7), report.malformed, strict=True))


def test_a_file_in_a_folder_that_is_no_trace_stops_the_run_or_is_counted(tmp_path):
    story.write_lines(tmp_path / "a.jsonl", [{"messages": story.openai_messages()}])
    (tmp_path / "package.json").write_text('{"name": "x"}', encoding="utf-8")
    with pytest.raises(RecordError, match=r"package\.json: no known trace format"):
        scan(tmp_path, RULES)
    report = scan(tmp_path, ScanSettings(tiers=Tiers.RULES, skip_malformed=True))
    assert (report.traces, report.malformed_count) == (1, 1)


@pytest.mark.parametrize("text", ["", "  \n", "[]"])
def test_an_empty_file_is_an_error(text, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match="empty"):
        scan(path, RULES)


def test_a_missing_path_and_a_folder_without_traces_are_errors(tmp_path):
    with pytest.raises(RecordError, match="no such file"):
        scan(tmp_path / "nowhere", RULES)
    with pytest.raises(RecordError, match="no trace files"):
        scan(tmp_path, RULES)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(list(TraceFormat)), st.data())
def test_a_record_of_any_shape_is_a_trace_or_a_record_error_never_a_crash(form, data):
    records_of = {
        TraceFormat.INSPECT: story.inspect_log(),
        TraceFormat.OTEL: story.otel_export(*story.otel_spans()),
        TraceFormat.LANGSMITH: {**story.langsmith_runs()[0], "child_runs": story.langsmith_runs()[1:]},
        TraceFormat.SENTINEL: story.sentinel(),
        TraceFormat.TAU_BENCH: story.tau_bench(),
        TraceFormat.AGENTDOJO: story.agentdojo(),
        TraceFormat.LANGCHAIN: {"messages": story.langchain_messages()},
        TraceFormat.OPENAI_RESPONSES: story.openai_responses(),
        TraceFormat.ANTHROPIC: story.anthropic(),
        TraceFormat.OPENAI_CHAT: {"messages": story.openai_messages()},
    }
    value = json.loads(json.dumps(records_of[form]))
    places = list(_places(value))
    place = data.draw(st.sampled_from(places))
    broken = data.draw(json_values)
    if place:
        lookup(value, place[:-1])[place[-1]] = broken
    else:
        value = broken
    _read_or_refuse(form, value)


def _read_or_refuse(form, value):
    from mage_ml.scan.judging import read_traces

    reader = READERS[form]
    part = Part(json.dumps(value), 1)
    reader.complaint(value)
    reader.layout(value)
    try:
        with refused("x", part, form):
            keys = reader.keys(value) or ("a" * 32,)
        list(read_traces(RawTrace(form, "x", (part,), keys[0]), [value], ValueCache()))
    except MageError:
        pass


def test_a_conversation_that_is_sent_again_with_each_request_is_kept_once():
    at = Pointer()
    first = [Turn(TurnKind.USER, at, "hi"), Turn(TurnKind.ANSWER, at, "ok")]
    second = [*first, Turn(TurnKind.USER, at, "again"), Turn(TurnKind.ANSWER, at, "ok")]
    talk = Conversation()
    for turns in (first, second, second):
        talk.extend(turns)
    assert [turn.text for turn in talk.turns] == ["hi", "ok", "again", "ok"]
