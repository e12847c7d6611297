import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import EvaluatorError
from mage_ml.memory import MemoryEntry
from mage_ml.risk import Assessment, Coverage, RiskAxis
from mage_ml.runtime.evaluators import TimeLimited
from mage_ml.runtime.evaluators.base import PreparedEvaluator
from mage_ml.runtime.evaluators.cache import CachedEvaluator, content_key
from mage_ml.testing import FailingEvaluator, FixedEvaluator, SlowEvaluator
from tests.runtime.cases import GOAL_EN, chain, mail, note, record, snapshot, tool, user

SAFETY = RiskAxis.SAFETY
KEY = content_key("model 1", "policy 1")
MEMORY = (user(), tool(record(120_000)), note("North revenue in Q1 2025 was 120,000.", "e1"))


def view(*extra, action=None, goal=GOAL_EN):
    return snapshot(chain(*MEMORY, *extra), action or mail("e2"), goal)


def cached(evaluator=None, **options):
    inner = evaluator or FixedEvaluator({SAFETY: 0.4}, name="judge")
    return inner, CachedEvaluator(inner, KEY, **options)


def test_complaint_42_the_same_action_retried_is_answered_from_the_cache():
    inner, cache = cached()
    assert cache.assess(view()) == cache.assess(view())
    assert (inner.calls, cache.stats.hits, cache.stats.misses, cache.stats.hit_rate) == (1, 1, 1, 0.5)


def test_an_unrelated_entry_changes_no_key():
    inner, cache = cached()
    cache.assess(view())
    cache.assess(view(tool({"weather": "sunny"}, "get_weather"), note("The meeting room is blue.")))
    assert inner.calls == 1


ENTRY_CHANGES = {
    "content": "North revenue in Q1 2025 was 80,000.",
    "source": "agent",
    "role": "instruction",
    "tool_name": "other_tool",
    "origin": "https://elsewhere.example",
    "agent_id": "other",
    "step": 7,
    "timestamp": 5.0,
    "confidence": 0.1,
    "depends_on": (),
    "status": "suspect",
    "contradicts_with": ("e1",),
    "annotations": ("checked by hand",),
}


@pytest.mark.parametrize("field", [name for name in MemoryEntry.model_fields if name != "id"])
def test_complaint_42_every_field_of_an_entry_that_bears_on_the_action_makes_another_question(field):
    inner, cache = cached()
    cache.assess(view())
    changed = dict(MEMORY[2]) | {field: ENTRY_CHANGES[field]}
    cache.assess(snapshot(chain(*MEMORY[:2], changed), mail("e2"), GOAL_EN))
    assert inner.calls == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("type", "final_output"),
        ("tool_name", "send_fax"),
        ("arguments", {"to": "other@corp.example"}),
        ("content", "more"),
        ("agent_id", "other"),
        ("depends_on", ("e1", "e2")),
    ],
)
def test_every_field_of_the_action_makes_another_question(field, value):
    inner, cache = cached()
    cache.assess(view())
    cache.assess(view(action=mail("e2").model_copy(update={field: value})))
    assert inner.calls == 2


def test_the_goal_and_each_version_make_another_question():
    keys = {KEY(view()), KEY(view(goal="查询华北营收")), content_key("model 2", "policy 1")(view()),
            content_key("model 1", "policy 2")(view())}  # fmt: skip
    assert len(keys) == 4


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=8), min_size=2, max_size=2, unique=True))
def test_two_different_texts_never_share_a_key(texts):
    keys = {KEY(view(note(text, "e1"), action=mail("e3"))) for text in texts}
    assert len(keys) == 2


def test_complaint_42_errors_and_partial_answers_are_not_kept():
    _, cache = cached(FailingEvaluator(name="judge"))
    for _ in range(2):
        with pytest.raises(EvaluatorError):
            cache.assess(view())
    partial, cache = cached(FixedEvaluator({}, name="judge", coverage=Coverage(ran=("judge",), failed={"part": "x"})))
    cache.assess(view())
    cache.assess(view())
    assert (partial.calls, cache.stats.size, cache.stats.not_kept) == (2, 0, 2)


def test_complaint_10_the_cache_is_bounded_and_the_longest_unused_goes_first():
    inner, cache = cached(capacity=2)
    views = [view(action=mail("e2", body=f"Report {number}.")) for number in range(3)]
    for item in (views[0], views[1], views[0], views[2], views[0]):
        cache.assess(item)
    assert (inner.calls, cache.stats.size, cache.stats.evictions) == (3, 2, 1)
    cache.assess(views[1])
    assert inner.calls == 4
    cache.clear()
    assert cache.stats.size == 0


def test_callers_with_one_question_at_the_same_time_ask_once():
    inner, cache = cached(SlowEvaluator(0.1, {SAFETY: 0.4}, name="judge"))
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(cache.assess(view()))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inner.calls == 1
    assert len({answer.risk.safety for answer in answers}) == 1
    assert (cache.stats.hits, cache.stats.misses) == (15, 1)


def test_those_who_wait_for_a_question_that_fails_ask_for_themselves():
    class FailsOnce(FixedEvaluator):
        def assess(self, snapshot):
            first = self.calls == 0
            answer = super().assess(snapshot)
            if first:
                time.sleep(0.1)
                raise EvaluatorError("the first call fails")
            return answer

    _, cache = cached(FailsOnce({SAFETY: 0.4}, name="judge"))
    outcomes = []

    def ask():
        try:
            outcomes.append(cache.assess(view()).risk.safety)
        except EvaluatorError:
            outcomes.append("failed")

    first = threading.Thread(target=ask)
    first.start()
    time.sleep(0.03)
    others = [threading.Thread(target=ask) for _ in range(3)]
    for thread in others:
        thread.start()
    for thread in (first, *others):
        thread.join()
    assert sorted(map(str, outcomes)) == ["0.4", "0.4", "0.4", "failed"]


def test_a_prepared_question_is_about_memory_as_it_was():
    inner, cache = cached(FixedEvaluator({SAFETY: 0.4}, name="judge"))
    call = cache.prepare(view())
    assert call.ask() == cache.assess(view())
    assert inner.calls == 1


def test_an_evaluator_without_a_key_is_refused():
    with pytest.raises(TypeError, match="give CachedEvaluator a key"):
        CachedEvaluator(FixedEvaluator({}, name="judge"))


def test_without_a_key_behind_a_time_limit_nothing_is_kept():
    inner = FixedEvaluator({SAFETY: 0.4}, name="judge")
    cache = CachedEvaluator(TimeLimited(inner, 5.0))
    cache.assess(view())
    cache.assess(view())
    assert (inner.calls, cache.stats.size) == (2, 0)


@pytest.fixture(scope="module")
def classifier():
    from mage_ml.artifact import default_artifact_path, load_artifact
    from mage_ml.runtime.evaluators.onnx import OnnxEvaluator

    return OnnxEvaluator(load_artifact(default_artifact_path()))


def test_the_classifier_names_its_own_questions_by_the_numbers_it_reads(classifier):
    assert isinstance(classifier, PreparedEvaluator)
    cache = CachedEvaluator(TimeLimited(classifier, 30.0))
    first, again = cache.assess(view()), cache.assess(view())
    assert first == again == classifier.assess(view())
    assert (cache.stats.hits, cache.stats.misses) == (1, 1)
    other = cache.assess(view(action=mail("e2", body="North revenue in Q1 2025 was 80,000 USD.")))
    assert cache.stats.misses == 2
    assert other != first


def test_two_runs_with_other_entry_ids_are_two_questions(classifier):
    renamed = [dict(fields, id=f"x{n}") for n, fields in enumerate(MEMORY)]
    renamed[2]["depends_on"] = ("x1",)
    keys = {classifier.prepare(view()).key, classifier.prepare(snapshot(chain(*renamed), mail("x2"), GOAL_EN)).key}
    assert len(keys) == 2


def test_a_cached_answer_is_an_assessment_like_any_other():
    _, cache = cached()
    assert isinstance(cache.assess(view()), Assessment)
    assert cache.name == "judge"
