import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.messages import UNPARSED_ARGUMENTS, parse_arguments, text_of_content
from mage_ml.evaluation.importers.tools import action_type_of
from mage_ml.evaluation.importers.transcript import TranscriptBuilder, read_transcript
from mage_ml.memory import ActionType, Role, Snapshot, Source
from tests.evaluation.importers.made import answered, openai_call

LOOK = openai_call("get_order", 1, order_id="A-100")
MAIL = openai_call("send_email", 2, to="ann@firm.example", body="Order A-100 ships today.")
RUN = [
    {"role": "developer", "content": "Help politely."},
    {"role": "user", "content": [{"type": "text", "text": "Mail ann@firm.example about order A-100."}]},
    {"role": "assistant", "content": "Let me look.", "tool_calls": [LOOK]},
    answered(LOOK, '{"order": "A-100", "ships": "today"}'),
    {"role": "assistant", "content": None, "tool_calls": [MAIL]},
    answered(MAIL, "sent"),
    {"role": "assistant", "content": "Done."},
    {"role": "user", "content": "谢谢，还有订单 B-200 呢？"},
    {"role": "assistant", "content": "还没有发货。"},
]


def test_a_call_is_pending_before_its_result_is_known():
    transcript = read_transcript(RUN)
    look, mail, *said = transcript.acts
    assert [entry.source for entry in transcript.entries[: look.visible]] == [
        Source.SYSTEM, Source.USER, Source.LLM_REASONING,
    ]  # fmt: skip
    assert (look.action.type, look.action.arguments) == (ActionType.READ, {"order_id": "A-100"})
    assert transcript.entries[look.visible].source is Source.TOOL
    assert mail.action.type == ActionType.WRITE
    assert [act.action.content for act in said] == ["Done.", "还没有发货。"]


def test_what_was_said_to_the_user_is_memory_afterwards():
    transcript = read_transcript(RUN)
    last = transcript.acts[-1]
    assert [entry.text for entry in transcript.entries[: last.visible]][-2:] == ["Done.", "谢谢，还有订单 B-200 呢？"]


def test_a_result_has_the_origin_of_its_call_and_the_action_depends_on_where_its_values_came_from():
    transcript = read_transcript(RUN)
    result = transcript.entries[3]
    assert (result.tool_name, result.origin, result.role) == ("get_order", "get_order:a-100", Role.DATA)
    assert "m1" in transcript.acts[1].action.depends_on


def test_each_entry_and_action_knows_its_message():
    transcript = read_transcript(RUN)
    assert [act.message for act in transcript.acts] == [2, 4, 6, 8]
    assert [transcript.message_of[entry.id] for entry in transcript.entries] == [0, 1, 2, 3, 5, 6, 7, 8]
    assert [entry.text for entry in transcript.entries_of(5)] == ["sent"]


def test_the_chain_and_the_snapshots_are_valid():
    transcript = read_transcript(RUN)
    assert len(transcript.chain("run")) == len(transcript.entries)
    for act in transcript.acts:
        snapshot = Snapshot.of(transcript.entries[: act.visible], act.action, goal=transcript.goal)
        assert all(parent in snapshot for parent in act.action.depends_on)


def test_the_older_function_interface_is_read_too():
    old = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": None, "function_call": {"name": "get_time", "arguments": "{}"}},
        {"role": "function", "name": "get_time", "content": "noon"},
    ]
    transcript = read_transcript(old)
    assert transcript.acts[0].action.tool_name == "get_time"
    assert transcript.entries[1].tool_name == "get_time"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, {}),
        ("", {}),
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ("{broken", {UNPARSED_ARGUMENTS: "{broken"}),
        ("[1]", {UNPARSED_ARGUMENTS: [1]}),
    ],
)
def test_arguments_lose_nothing_whatever_a_model_wrote(value, expected):
    assert parse_arguments(value) == expected


def test_parts_without_text_are_named():
    assert (
        text_of_content([{"type": "text", "text": "Look:"}, {"type": "image_url"}, "end"]) == "Look:\n[image_url]\nend"
    )


def test_a_message_of_no_known_shape_is_named_with_its_place():
    with pytest.raises(RecordError, match=r"a\.json:7, message 2: role"):
        read_transcript([{"role": "user", "content": "Hi"}, {"role": "wizard"}], place="a.json:7")


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "system"]), st.text(max_size=30)), max_size=12))
def test_every_action_sees_only_what_stands_before_it(turns):
    messages = [{"role": role, "content": text} for role, text in turns]
    transcript = read_transcript(json.loads(json.dumps(messages)))
    for act in transcript.acts:
        assert all(transcript.message_of[entry.id] < act.message for entry in transcript.entries[: act.visible])


def test_a_builder_fills_in_what_a_format_does_not_tell():
    builder = TranscriptBuilder(agent_id="clerk")
    builder.user("查订单 A-100")
    act = builder.call("get_order", {"order_id": "A-100"})
    entry = builder.result("no such order", "get_order", {"order_id": "A-100"})
    assert act.action.depends_on == ("m0",)
    assert (entry.agent_id, entry.origin, builder.size) == ("clerk", "get_order:a-100", 2)


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("GmailReadEmail", ActionType.READ),
        ("web_search", ActionType.READ),
        ("calculator", ActionType.READ),
        ("AugustSmartLockGrantGuestAccess", ActionType.WRITE),
        ("ListManagerUpdateView", ActionType.WRITE),
        ("TerminalExecute", ActionType.WRITE),
        ("python", ActionType.WRITE),
    ],
)
def test_tool_names_of_other_styles_are_read_or_write_too(tool, expected):
    assert action_type_of(tool) is expected
