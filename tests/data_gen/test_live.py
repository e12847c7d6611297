"""Live agents against a real local server that speaks the chat-completions protocol."""

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("openai")

from data_gen.agents import PROFILES, Habit
from data_gen.live.agent import LiveDomain, rendered_memory
from data_gen.live.chat import ChatConfig, ChatModel
from data_gen.live.sales_tools import SALES_TOOLS
from data_gen.proof import RunFailedError, run_once
from data_gen.randomness import rng_for
from data_gen.session import Edit
from data_gen.tasks import DOMAINS
from data_gen.tasks.sales_report.environment import READ_TOOLS, WRITE_TOOLS
from mage_ml.cassette import Cassette, CassetteMode
from mage_ml.errors import RecordError
from mage_ml.memory.entry import Source
from mage_ml.memory.snapshot import ActionType

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
PROFILE = PROFILES[Habit.HASTY]
CUT = {"finish_reason": "length"}


def say(text):
    return {"role": "assistant", "content": text}


def call(tool, arguments, text=None):
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": tool, "arguments": raw}
    return {"role": "assistant", "content": text, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


@contextmanager
def served(answer):
    """A server that answers each request with `answer(request, number)`: a message, or a status code."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append(request)
            found = answer(request, len(requests) - 1)
            status = found if isinstance(found, int) else 200
            message = {} if status != 200 else {key: value for key, value in found.items() if key != "finish_reason"}
            reason = "stop" if status != 200 else found.get("finish_reason", "stop")
            body = {
                "id": "x", "object": "chat.completion", "created": 0, "model": "local",
                "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            }  # fmt: skip
            data = json.dumps(body if status == 200 else {"error": {"message": "busy"}}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield ChatConfig(base_url=f"http://127.0.0.1:{server.server_port}/v1", retries=1, timeout_s=10), requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def scripted(*messages):
    return lambda request, number: messages[min(number, len(messages) - 1)]


def sales_task(language="en"):
    domain = DOMAINS["sales_report"]
    template = domain.templates()[0]
    tasks = (domain.sample(template, language, "w", rng_for("live", language, number)) for number in range(50))
    return next(task for task in tasks if task.waits == 0)


def some_level(task):
    return {"region": task.world.regions[0], "quarter": "2024-Q2"}


def mailing(task):
    """A model that looks a figure up and mails what its memory says about it."""

    def answer(request, number):
        memory = request["messages"][1]["content"]
        if "query_sales]" not in memory:
            return call("query_sales", some_level(task), "I look the figure up first.")
        if "send_mail]" not in memory:
            record = memory.split("query_sales]", 1)[1]
            figure = max(re.findall(r"\d[\d,.]*\d", record), key=len, default="unknown")
            return call("send_mail", {"to": "ann@corp.example", "subject": "figure", "body": f"It is {figure}."})
        return say("Done.")

    return answer


def run_live(config, task, cassette=None, edit=None, max_steps=8):
    model = ChatModel(config, cassette)
    try:
        domain = LiveDomain(DOMAINS["sales_report"], SALES_TOOLS, model, max_steps)
        return run_once(domain, task, PROFILE, 1, edit=edit)
    finally:
        model.close()


def test_the_tools_told_to_the_model_are_those_of_the_domain():
    assert {tool.name for tool in SALES_TOOLS} <= {*READ_TOOLS, *WRITE_TOOLS}
    assert {*WRITE_TOOLS} <= {tool.name for tool in SALES_TOOLS}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_model_calls_real_tools_and_its_run_is_recorded_as_memory(language):
    task = sales_task(language)
    with served(mailing(task)) as (config, requests):
        run = run_live(config, task)
    assert [entry.source for entry in run.entries[:2]] == [Source.USER, Source.LLM_REASONING]
    assert [entry.tool_name for entry in run.entries if entry.tool_name] == ["query_sales", "send_mail"]
    assert [moment.proposal.action.type for moment in run.moments] == [
        ActionType.INTERNAL_REASONING, ActionType.READ, ActionType.WRITE, ActionType.FINAL_OUTPUT,
    ]  # fmt: skip
    record = next(entry for entry in run.entries if entry.tool_name == "query_sales")
    assert record.id in run.moments[2].proposal.action.depends_on
    assert task.goal in requests[0]["messages"][1]["content"]
    assert run.outcome.task_solved is False  # it mailed a stranger


def test_an_edited_entry_reaches_the_model_as_any_other():
    task = sales_task()
    with served(mailing(task)) as (config, _):
        clean = run_live(config, task)
        slot = next(write.slot for write in clean.writes if write.entry.tool_name == "query_sales")
        edit = Edit(slot, lambda write: write.entry.revised(content="revenue 987,654 USD"))
        edited = run_live(config, task, edit=edit)
    mails = [run.moments[2].proposal.action.arguments["body"] for run in (clean, edited)]
    assert mails[1] == "It is 987,654."
    assert mails[0] != mails[1]
    assert edited.edited[slot] in edited.moments[2].proposal.action.depends_on


def test_a_recorded_run_repeats_without_the_model(tmp_path):
    task, path = sales_task(), tmp_path / "cassette.jsonl"
    with served(mailing(task)) as (config, requests):
        recorded = run_live(config, task, Cassette(path, CassetteMode.RECORD))
        asked = len(requests)
        again = run_live(config, task, Cassette(path, CassetteMode.RECORD))
        assert len(requests) == asked
    replayed = run_live(config, task, Cassette(path, CassetteMode.REPLAY))
    assert recorded.entries == again.entries == replayed.entries
    assert recorded.moments == replayed.moments
    with pytest.raises(RunFailedError, match="record again"):
        run_live(config, sales_task("zh"), Cassette(path, CassetteMode.REPLAY))


def test_the_cassette_holds_no_key(tmp_path):
    task, path = sales_task(), tmp_path / "cassette.jsonl"
    with served(mailing(task)) as (config, _):
        secret = config.model_copy(update={"api_key": "sk-very-secret"})
        run_live(secret, task, Cassette(path, CassetteMode.RECORD))
    assert "sk-very-secret" not in path.read_text(encoding="utf-8")
    assert "sk-very-secret" not in repr(secret)


def test_a_damaged_cassette_is_refused_with_the_line(tmp_path):
    path = tmp_path / "cassette.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(RecordError, match="record 1"):
        Cassette(path, CassetteMode.REPLAY)
    with pytest.raises(RecordError, match="record one first"):
        Cassette(tmp_path / "none.jsonl", CassetteMode.REPLAY)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (call("query_sales", '{"region": '), "not valid JSON"),
        (call("query_sales", "[1]"), "expected a JSON object"),
        (call("launch_rocket", {}), "no tool 'launch_rocket'"),
        (call("find_contact", {"name": "Nobody Known"}), "nobody called 'Nobody Known'"),
    ],
)
def test_a_call_that_cannot_be_run_is_told_to_the_model_which_may_recover(bad, told):
    task = sales_task()
    with served(scripted(bad, say("I stop here."))) as (config, requests):
        run = run_live(config, task)
    assert told in requests[1]["messages"][1]["content"]
    assert any(entry.text.startswith("error: ") for entry in run.entries)
    assert run.moments[-1].proposal.action.type == ActionType.FINAL_OUTPUT


def test_a_model_that_keeps_making_bad_calls_fails_the_run():
    with served(scripted(call("launch_rocket", {}))) as (config, _), pytest.raises(RunFailedError, match="3 calls"):
        run_live(config, sales_task())


def test_an_error_of_the_server_is_tried_again():
    task = sales_task()
    with served(lambda request, number: 500 if number == 0 else say("Done.")) as (config, requests):
        run = run_live(config, task)
    assert len(requests) == 2
    assert run.moments[-1].proposal.action.content == "Done."


def test_a_server_that_keeps_failing_fails_the_run_and_records_nothing(tmp_path):
    path = tmp_path / "cassette.jsonl"
    with (
        served(lambda request, number: 500) as (config, requests),
        pytest.raises(RunFailedError, match="InternalServer"),
    ):
        run_live(config, sales_task(), Cassette(path, CassetteMode.RECORD))
    assert len(requests) == 2
    assert not path.exists()


def test_an_answer_that_was_cut_off_fails_the_run():
    answer = scripted({**say("The figure is 12"), **CUT})
    with served(answer) as (config, _), pytest.raises(RunFailedError, match="raise max_tokens"):
        run_live(config, sales_task())


def test_a_model_that_never_ends_is_stopped():
    with served(lambda request, number: call("list_reports", {})) as (config, requests):
        with pytest.raises(RunFailedError, match="4 steps"):
            run_live(config, sales_task(), max_steps=4)
        assert len(requests) == 4


def test_memory_is_shown_with_its_sources():
    from data_gen.session import Session

    session = Session(1)
    session.remember("a", "Do it", Source.USER)
    session.remember("b", {"x": 1}, Source.TOOL, tool_name="t")
    assert rendered_memory(session).splitlines()[0] == "[e1 user] Do it"
    assert rendered_memory(session).splitlines()[1].startswith("[e2 tool t] ")
