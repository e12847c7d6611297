"""An answer that is checked while it is being written."""

import asyncio
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.memory import PendingAction
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import Decision, DecisionAction, GuardrailEngine, Mode, load_policy
from mage_ml.runtime.streaming import Retraction, StreamEnd, StreamGate, StreamSettings, StreamText, stream_checked
from mage_ml.runtime.text_cuts import cut_before
from mage_ml.testing import FailingEvaluator
from tests.runtime.cases import GOAL_EN, GOAL_ZH, record, tool, user
from tests.runtime.test_guard import guard_with

ACTION = PendingAction(type="final_output")
SMALL = StreamSettings(window_chars=10, hold_chars=40, hold_s=600.0)


def judge(stop=None, seen=None):
    """A check that lets everything through but text with a certain word."""

    def check(action):
        if seen is not None:
            seen.append(action.content)
        allowed = stop is None or stop not in action.content
        kind = DecisionAction.PROCEED if allowed else DecisionAction.HALT
        return Decision(decision_id="d", action=kind, allowed=allowed, mode=Mode.ENFORCE, action_type=action.type)

    return check


def run(chunks, check=None, options=SMALL, clock=time.monotonic):
    return list(stream_checked(StreamGate(check or judge(), ACTION, options, clock), chunks))


def text_of(events):
    return "".join(event.text for event in events if isinstance(event, StreamText))


# complaints 9 and 25


def test_complaint_09_text_goes_out_while_the_answer_is_written():
    shown = []
    gate = StreamGate(judge(), ACTION, SMALL)
    for number in range(20):
        shown.append(text_of(gate.feed(f"This is sentence {number}. ")))
    assert sum(map(bool, shown)) > 10


def test_complaint_25_nothing_goes_out_before_its_check():
    seen = []
    gate = StreamGate(judge(seen=seen), ACTION, StreamSettings(window_chars=5, hold_chars=20, context_chars=1000))
    out = ""
    for chunk in ("One. ", "Two and three. ", "Four, five and six are the next ones. ", "End."):
        for event in gate.feed(chunk):
            out += event.text
            assert out in seen[-1]


def test_a_late_block_retracts_what_went_out_and_stops_the_source():
    closed = []

    def source():
        try:
            yield from ("All is well. ", "All is well again. ", "The BAD word. ", "Never ", "seen.")
        finally:
            closed.append(True)

    events = run(source(), judge("BAD"))
    assert isinstance(events[-1], Retraction)
    assert events[-1].released_chars == len(text_of(events)) > 0
    assert "BAD" not in text_of(events)
    assert closed == [True]


def test_the_full_text_is_checked_before_the_last_window_goes_out():
    def whole(action):
        return judge("first and last")(action.model_copy(update={"content": action.content.replace("X", "")}))

    chunks = ["first. ", "A sentence in between that is long. ", "and then some. ", "last"]
    seen = []
    options = StreamSettings(window_chars=5, hold_chars=20, context_chars=0)
    events = run(chunks, lambda action: (seen.append(action.content), judge()(action))[1], options)
    assert seen[-1] == "".join(chunks)
    assert isinstance(events[-1], StreamEnd)

    def only_whole(action):
        return judge("first. A sentence")(action)

    events = run(chunks, only_whole, options)
    assert isinstance(events[-1], Retraction)
    assert not text_of(events).endswith("last")


# complaint 23: odd chunks


@pytest.mark.parametrize(
    ("chunks", "text"),
    [
        ([], ""),
        (["", "a"], "a"),
        ([None], ""),
        ([None, "", "Hello."], "Hello."),
        (["   "], "   "),
        (list("你好，世界。"), "你好，世界。"),
        (["\ud83d", "\ude00 ok"], "😀 ok"),
        (["\ud83d"], "\ufffd"),
        (["a\udc00b"], "a\ufffdb"),
        ([b"\xe4\xbd", b"\xa0\xe5\xa5\xbd"], "你好"),
        ([b"\xff."], "\ufffd."),
        ([b"\xe4"], "\ufffd"),
        (["e", "\u0301", "t"], "e\u0301t"),
    ],
)
def test_complaint_23_odd_chunks_are_defined(chunks, text):
    events = run(chunks, options=StreamSettings(window_chars=1, hold_chars=1))
    assert text_of(events) == text
    assert isinstance(events[-1], StreamEnd)
    assert sum(not isinstance(event, StreamText) for event in events) == 1


def test_an_empty_answer_is_checked_all_the_same():
    seen = []
    run([], judge(seen=seen))
    assert seen == [""]


CLUSTERS = [
    "e\u0301",
    "👩\u200d👩\u200d👧",
    "🇩🇪",
    "🇫🇷",
    "👍🏽",
    "한",
    "नि",
    "中",
    "文",
    "x",
    " ",
    "。",
    ". ",
    "12,5",
    "\r\n",
    "❤\ufe0f",
]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(CLUSTERS), max_size=40), st.data())
def test_what_reads_as_one_character_is_never_split(clusters, data):
    text = "".join(clusters)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=10)))
    chunks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    events = run(chunks, options=StreamSettings(window_chars=3, hold_chars=12))
    assert text_of(events) == text
    ends, place = set(), 0
    for event in events:
        if isinstance(event, StreamText):
            place += len(event.text)
            ends.add(place)
    borders, place = {0}, 0
    for cluster in clusters:
        place += len(cluster)
        borders.add(place)
    borders |= {n for n in range(len(text)) if text[n - 1 : n + 1].isdigit() or text[n : n + 1] in ",5 \n"}
    assert ends <= borders


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.text(max_size=30) | st.none() | st.binary(max_size=12), max_size=30), st.integers(1, 50), st.booleans()
)
def test_the_hold_back_is_bounded_and_nothing_is_lost(chunks, hold, spaced):
    options = StreamSettings(window_chars=min(8, hold), hold_chars=hold, hold_s=600)
    gate = StreamGate(judge(), ACTION, options)
    out = ""
    for chunk in chunks:
        out += text_of(gate.feed(chunk + " " if spaced and isinstance(chunk, str) else chunk))
        assert gate.held_chars <= hold
    out += text_of(gate.finish())
    assert gate.held_chars == 0
    again = run([c + " " if spaced and isinstance(c, str) else c for c in chunks], options=StreamSettings())
    assert out == text_of(again)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab BAD.。，中\n", max_size=120), st.integers(1, 7), st.integers(1, 40))
def test_text_that_is_stopped_never_goes_out_whole(text, size, hold):
    chunks = [text[n : n + size] for n in range(0, len(text), size)]
    events = run(chunks, judge("BAD"), StreamSettings(window_chars=min(5, hold), hold_chars=hold))
    assert "BAD" not in text_of(events)
    assert isinstance(events[-1], Retraction) is ("BAD" in text)


def test_a_number_or_word_is_not_cut_where_there_is_room():
    assert cut_before("The total is 120,000", keep_at_most=10) == len("The total is ")
    assert cut_before("华北营收为120,000", keep_at_most=9) == len("华北营收为")
    assert cut_before("One. Two", sentence=True) == len("One. ")
    assert cut_before("One two", sentence=True) == 0
    assert cut_before("Hello", keep_at_most=16) == 0
    assert cut_before("a" * 50, keep_at_most=20) >= 30
    assert cut_before("", keep_at_most=1) == 0


def test_old_text_goes_out_when_the_next_chunk_comes():
    now = [0.0]
    gate = StreamGate(judge(), ACTION, StreamSettings(hold_s=2.0), lambda: now[0])
    assert text_of(gate.feed("Not long enough for")) == ""
    now[0] = 1.9
    assert text_of(gate.feed(" a window")) == ""
    now[0] = 2.1
    assert text_of(gate.feed(" yet")) == "Not long enough for a window "


def test_what_the_source_raises_comes_out_and_nothing_more_goes_out():
    def source():
        yield "Some text. More text. "
        raise OSError("line cut")

    got = []
    with pytest.raises(OSError, match="line cut"):
        got.extend(stream_checked(StreamGate(judge(), ACTION, SMALL), source()))


# asynchronous


def test_an_asynchronous_source_gives_the_same_and_old_text_does_not_wait_for_it():
    async def source():
        yield "The first words of an answer"
        await asyncio.sleep(0.5)
        yield " and the end."

    async def main():
        guard = MageGuard.create(goal=GOAL_EN)
        started, arrivals = time.monotonic(), []
        async for event in guard.astream(source(), settings=StreamSettings(hold_s=0.1)):
            arrivals.append((time.monotonic() - started, event))
        assert text_of(event for _, event in arrivals) == "The first words of an answer and the end."
        assert arrivals[0][0] < 0.45
        assert isinstance(arrivals[-1][1], StreamEnd)

    asyncio.run(main())


def test_a_reader_that_leaves_closes_the_source():
    closed = []

    async def source():
        try:
            while True:
                yield "One more sentence that is long enough to be shown at once. "
                await asyncio.sleep(0)
        finally:
            closed.append(True)

    async def main():
        events = MageGuard.create().astream(source(), settings=SMALL)
        async for _ in events:
            break
        await events.aclose()

    asyncio.run(main())
    assert closed == [True]


# with the guard


@pytest.mark.parametrize(
    ("goal", "good", "bad"),
    [
        (GOAL_EN, "Here is the result for you. ", "North revenue in Q1 2025 was 91,000 USD. "),
        (GOAL_ZH, "以下是您要的结果，请查收。", "华北2025年第一季度的营收为91,000。"),
    ],
)
def test_the_guard_retracts_an_unsupported_answer(tmp_path, goal, good, bad):
    with AuditLog(tmp_path / "a.sqlite") as log:
        guard = guard_with(user(goal), tool(record(120_000, "华北" if goal == GOAL_ZH else "North")), audit=log)
        guard._shadow.goal = goal
        events = list(guard.stream([good * 3, bad * 3, good], settings=SMALL))
        assert isinstance(events[-1], Retraction)
        assert "91,000" not in text_of(events)
        assert events[-1].decision.message
        kinds = [item.kind for item in log.records()]
        assert kinds[-1] == "stream_retracted"
        assert kinds.count("decision") == len(kinds) - 1 == len([e for e in events if isinstance(e, StreamText)]) + 1


def test_a_supported_answer_streams_to_the_end():
    guard = guard_with(user(), tool(record(120_000)))
    answer = ["North revenue in Q1 ", "2025 was 120", ",000 USD. ", "That is all I ", "found. ", "Goodbye."]
    events = list(guard.stream(answer, settings=StreamSettings(window_chars=10, hold_chars=60)))
    assert text_of(events) == "".join(answer)
    assert isinstance(events[-1], StreamEnd)


def test_a_check_that_fails_lets_no_final_output_out():
    guard = MageGuard(GuardrailEngine(FailingEvaluator(), load_policy()))
    events = list(guard.stream(["Some text. ", "And more of it. "], settings=SMALL))
    assert [type(event) for event in events] == [Retraction]
    assert events[0].released_chars == 0


def test_in_shadow_mode_nothing_is_held_for_good():
    policy = load_policy().model_copy(update={"mode": Mode.SHADOW})
    guard = MageGuard(GuardrailEngine(FailingEvaluator(), policy))
    events = list(guard.stream(["Some text. ", "And more of it. "], settings=SMALL))
    assert text_of(events) == "Some text. And more of it. "
