import gzip
import io
import json
import struct
import zipfile
import zlib

import pytest

from mage_ml.errors import RecordError
from mage_ml.runtime.guardrail import DecisionAction
from mage_ml.scan import ScanSettings, Tiers, TraceFormat, scan
from mage_ml.scan.detect import detect
from mage_ml.scan.trace import Layout
from tests.scan import story

RULES = ScanSettings(tiers=Tiers.RULES, show_secrets=True)


def _files(folder):
    """Every format and layout, with the line on which the risky call stands; `None` in an archive."""
    lines, indented = story.write_lines, story.write_indented
    chat, responses, anthropic = story.openai_messages(), story.openai_responses(), story.anthropic()
    choice = {"choices": [{"message": chat[-1]}]}
    spans, runs = story.otel_spans(), story.langsmith_runs()
    return {
        "chat lines": (lines(folder / "a.jsonl", [{"messages": chat}]), TraceFormat.OPENAI_CHAT),
        "chat list": (indented(folder / "b.json", chat), TraceFormat.OPENAI_CHAT),
        "chat records": (indented(folder / "c.json", [{"messages": chat}]), TraceFormat.OPENAI_CHAT),
        "message lines": (lines(folder / "d.jsonl", chat), TraceFormat.OPENAI_CHAT),
        "request and answer": (
            lines(folder / "e.jsonl", [{"request": {"messages": chat[:-1]}, "response": choice}]),
            TraceFormat.OPENAI_CHAT,
        ),
        "responses": (indented(folder / "f.json", responses), TraceFormat.OPENAI_RESPONSES),
        "response items": (
            lines(folder / "g.jsonl", [*responses["input"], *responses["output"]]),
            TraceFormat.OPENAI_RESPONSES,
        ),
        "anthropic": (lines(folder / "h.jsonl", [anthropic]), TraceFormat.ANTHROPIC),
        "anthropic messages": (indented(folder / "i.json", anthropic["messages"]), TraceFormat.ANTHROPIC),
        "langchain": (indented(folder / "j.json", story.langchain_messages()), TraceFormat.LANGCHAIN),
        "langchain dicts": (lines(folder / "k.jsonl", [story.langchain_messages("dict")]), TraceFormat.LANGCHAIN),
        "langchain constructors": (
            lines(folder / "l.jsonl", [{"messages": story.langchain_messages("constructor")}]),
            TraceFormat.LANGCHAIN,
        ),
        "langsmith lines": (lines(folder / "m.jsonl", runs), TraceFormat.LANGSMITH),
        "langsmith outer run": (lines(folder / "n.jsonl", runs[:1]), TraceFormat.LANGSMITH),
        "langsmith nested": (
            indented(folder / "o.json", {**runs[0], "child_runs": runs[1:]}),
            TraceFormat.LANGSMITH,
        ),
        "otel one export": (indented(folder / "p.json", story.otel_export(*spans)), TraceFormat.OTEL),
        "otel lines": (lines(folder / "q.jsonl", [story.otel_export(span) for span in spans]), TraceFormat.OTEL),
        "inspect": (indented(folder / "r.json", story.inspect_log()), TraceFormat.INSPECT),
        "inspect archive": (story.write_eval(folder / "s.eval"), TraceFormat.INSPECT),
        "sentinel": (lines(folder / "t.jsonl", [story.sentinel()]), TraceFormat.SENTINEL),
        "agentdojo": (lines(folder / "u.jsonl", [{"metadata": {}}, story.agentdojo()]), TraceFormat.AGENTDOJO),
        "tau-bench": (indented(folder / "v.json", [story.tau_bench()]), TraceFormat.TAU_BENCH),
    }


NAMES = (
    "chat lines", "chat list", "chat records", "message lines", "request and answer", "responses", "response items",
    "anthropic", "anthropic messages", "langchain", "langchain dicts", "langchain constructors", "langsmith lines",
    "langsmith outer run", "langsmith nested", "otel one export", "otel lines", "inspect", "inspect archive",
    "sentinel", "agentdojo", "tau-bench",
)  # fmt: skip


def test_every_file_of_the_list_is_tried(tmp_path):
    assert set(_files(tmp_path)) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_planted_order_is_found_in_every_format_at_the_call_that_obeys_it(name, tmp_path):
    path, form = _files(tmp_path)[name]
    assert detect(path).format is form
    report = scan(path, RULES)
    assert report.files == {form: 1}
    assert (report.traces, sum(report.actions.values())) == (1, len(story.ACTIONS))
    step = next(step for step in report.steps if step.decision is DecisionAction.HALT)
    assert (step.step, step.tool, step.rule, step.stopped) == (2, "send_mail", "hidden_instruction", True)
    culprit = next(item for item in step.culprits if item.found_by == "hidden_instruction")
    assert culprit.source == "tool"
    assert culprit.origin.startswith("read_inbox")
    assert "contracts.zip" in culprit.quote
    assert culprit.location is not None
    _check_lines(path, step.location, culprit.location)


def _check_lines(path, acting, planted):
    if acting.line is None:
        assert path.suffix == ".eval"
        assert acting.inside == "samples/1_epoch_1.json#messages[4]"
        return
    if path.suffix == ".jsonl":
        lines = path.read_text(encoding="utf-8").splitlines()
        assert "send_mail" in lines[acting.line - 1]
        assert "contracts.zip" in lines[planted.line - 1]
        return
    # In an indented file, the value that begins on this line is the one that holds the words.
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for location, words in ((acting, "send_mail"), (planted, "previous instructions")):
        rest = "".join(lines[location.line - 1 :]).lstrip()
        if rest.startswith('"'):
            rest = rest[json.JSONDecoder().raw_decode(rest)[1] :].lstrip(": ")
        value, _ = json.JSONDecoder().raw_decode(rest)
        spelt = json.dumps(value, ensure_ascii=False)
        assert words in spelt or "attachment://" in spelt
        assert len(spelt) < 2000


def test_outcomes_are_those_of_the_source(tmp_path):
    files = _files(tmp_path)
    outcomes = {
        name: scan(files[name][0], RULES).by_outcome for name in ("tau-bench", "agentdojo", "sentinel", "inspect")
    }
    told = {name: [item.outcome for item in found] for name, found in outcomes.items()}
    assert told == {
        "tau-bench": ["reward 0"],
        "agentdojo": ["attack succeeded"],
        "sentinel": ["fault wrong_document"],
        "inspect": ["match C"],
    }


def test_a_gzipped_file_is_read_like_the_plain_one(tmp_path):
    plain = story.write_lines(tmp_path / "a.jsonl", [{"messages": story.openai_messages()}])
    packed = tmp_path / "b.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    steps = [
        [step.model_copy(update={"location": None}) for step in scan(path, RULES).steps] for path in (plain, packed)
    ]
    assert [step.rule for step in steps[0]] == [step.rule for step in steps[1]]
    assert steps[0]


def test_spans_and_runs_of_traces_that_are_mixed_up_in_a_file_are_put_together(tmp_path):
    first, second = story.otel_spans("a" * 32), story.otel_spans("b" * 32)
    mixed = [story.otel_export(one, other) for one, other in zip(first, second, strict=True)]
    report = scan(story.write_lines(tmp_path / "spans.jsonl", mixed), RULES)
    assert (report.traces, report.actions["call_tool:write"]) == (2, 2)
    runs = [run for pair in zip(story.langsmith_runs("x"), story.langsmith_runs("y"), strict=True) for run in pair]
    report = scan(story.write_lines(tmp_path / "runs.jsonl", runs), RULES)
    assert {step.trace_id for step in report.steps} == {"x", "y"}
    assert (report.traces, report.actions["call_tool:write"]) == (2, 2)


@pytest.mark.parametrize("style", ["events", "numbered"])
def test_older_ways_to_record_messages_on_spans_are_read(style, tmp_path):
    span = story.otel_span("c" * 32, 0, operation__name="chat")
    call = {"id": "c2", "type": "function", "function": {"name": story.SEND[1], "arguments": json.dumps(story.SEND[2])}}
    if style == "events":
        told = [
            ("gen_ai.user.message", {"content": story.REQUEST}),
            ("gen_ai.tool.message", {"content": story.MAIL, "id": "c1"}),
            ("gen_ai.choice", {"message": json.dumps({"role": "assistant", "tool_calls": [call]})}),
        ]
        span["events"] = [
            {"name": name, "attributes": [story._attribute(key, value) for key, value in fields.items()]}
            for name, fields in told
        ]
    else:
        flat = {
            "prompt.0.role": "user", "prompt.0.content": story.REQUEST, "prompt.1.role": "tool",
            "prompt.1.content": story.MAIL, "completion.0.role": "assistant",
            "completion.0.tool_calls.0.name": "send_mail",
            "completion.0.tool_calls.0.arguments": json.dumps(story.SEND[2]),
        }  # fmt: skip
        span["attributes"] += [story._attribute(f"gen_ai.{name}", value) for name, value in flat.items()]
    report = scan(story.write_lines(tmp_path / "spans.jsonl", [story.otel_export(span)]), RULES)
    assert [step.tool for step in report.steps] == ["send_mail"]
    assert report.steps[0].decision is DecisionAction.HALT


def test_spans_without_messages_are_an_error_not_a_clean_bill(tmp_path):
    span = story.otel_span("d" * 32, 0, operation__name="chat", request__model="m")
    path = story.write_lines(tmp_path / "spans.jsonl", [story.otel_export(span)])
    with pytest.raises(RecordError, match="hold no messages"):
        scan(path, RULES)


def test_what_langchain_itself_dumps_is_read(tmp_path):
    messages = pytest.importorskip("langchain_core.messages")
    load = pytest.importorskip("langchain_core.load")
    talk = [
        messages.HumanMessage(story.REQUEST),
        messages.AIMessage("", tool_calls=[{"name": READ[1], "args": READ[2], "id": READ[0]} for READ in [story.READ]]),
        messages.ToolMessage(story.MAIL, tool_call_id="c1", name="read_inbox"),
        messages.AIMessage("", tool_calls=[{"name": "send_mail", "args": story.SEND[2], "id": "c2"}]),
    ]
    shapes = {
        "dumpd": [load.dumpd(message) for message in talk],
        "to_dict": messages.messages_to_dict(talk),
        "model": [message.model_dump() for message in talk],
    }
    for name, dumped in shapes.items():
        report = scan(story.write_lines(tmp_path / f"{name}.jsonl", [dumped]), RULES)
        assert report.files == {TraceFormat.LANGCHAIN: 1}
        assert [step.tool for step in report.steps] == ["send_mail"], name


def test_an_inspect_archive_with_zstd_is_read_and_a_damaged_one_is_refused(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    raw = json.dumps(story.inspect_sample()).encode()
    packed = zstandard.ZstdCompressor().compress(raw)
    path = tmp_path / "z.eval"
    path.write_bytes(_archive(b"samples/1_epoch_1.json", raw, packed))
    assert [step.tool for step in scan(path, RULES).steps if step.decision is DecisionAction.HALT] == ["send_mail"]
    path.write_bytes(_archive(b"samples/1_epoch_1.json", raw + b" ", packed))
    with pytest.raises(RecordError, match="damaged"):
        scan(path, RULES)


def _archive(name: bytes, raw: bytes, packed: bytes) -> bytes:
    """A zip file with one member in method 93, which the standard library cannot write yet."""
    fields = (93, 0, 33, zlib.crc32(raw), len(packed), len(raw), len(name), 0)
    head = struct.pack("<4s2H", b"PK\x03\x04", 63, 0) + struct.pack("<3H3L2H", *fields) + name + packed
    entry = struct.pack("<4s3H", b"PK\x01\x02", 63, 63, 0) + struct.pack("<3H3L2H", *fields)
    entry += struct.pack("<3H2L", 0, 0, 0, 0, 0) + name
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(entry), len(head), 0)
    assert zipfile.ZipFile(io.BytesIO(head + entry + end)).namelist() == [name.decode()]
    return head + entry + end


def test_plain_chats_with_a_later_block_of_anthropic_are_told_from_openai(tmp_path):
    plain = {"messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good day."}]}
    path = story.write_lines(tmp_path / "a.jsonl", [plain, story.anthropic()])
    assert detect(path).format is TraceFormat.ANTHROPIC
    assert scan(path, RULES).traces == 2
    with pytest.raises(RecordError, match="--format anthropic"):
        scan(path, ScanSettings(tiers=Tiers.RULES, format=TraceFormat.OPENAI_CHAT))


def test_an_unknown_format_is_refused_with_what_was_tried_and_why_not(tmp_path):
    path = story.write_lines(tmp_path / "a.jsonl", [{"name": "package", "version": "1.0"}])
    with pytest.raises(RecordError) as caught:
        scan(path, RULES)
    text = str(caught.value)
    assert all(f"\n  {form}: " in text for form in TraceFormat)
    assert "resourceSpans" in text
    assert "--format" in text


def test_the_layout_is_told_from_the_content_when_the_format_is_named(tmp_path):
    path = story.write_indented(tmp_path / "a.json", story.openai_messages())
    assert detect(path, TraceFormat.OPENAI_CHAT).layout is Layout.FILE
    path = story.write_lines(tmp_path / "b.jsonl", [{"messages": story.openai_messages()}])
    assert detect(path, TraceFormat.OPENAI_CHAT).layout is Layout.RECORD
