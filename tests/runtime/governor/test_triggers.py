"""When constraints are checked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.runtime.governor import ConstraintGovernor, GovernorContext, GovernorSetup, Outcome
from mage_ml.runtime.governor.triggers import PatternSet, keyword_pattern

from .make import at, constraint_set, regex


def checked(rules: list[dict[str, Any]], output: str, context: GovernorContext | None = None, **setup: Any) -> set[str]:
    with ConstraintGovernor(constraint_set(*rules), GovernorSetup(**setup)) as governor:
        ruling = governor.check_and_enforce("agent", output, context or at())
        return {*ruling.checked, *ruling.deferred}


@pytest.mark.parametrize(
    ("trigger", "output", "context", "due"),
    [
        ({"keywords": ["gift"]}, "Two GIFTS for you", at(), True),
        ({"keywords": ["gift"]}, "a regift", at(), False),
        ({"keywords": ["bank transfer"]}, "by bank \n transfer", at(), True),
        ({"keywords": ["礼品"]}, "我们送礼品给您", at(), True),
        ({"keywords": ["gift"]}, "a g\u200bift", at(), True),
        ({"keywords": ["gift"]}, "a ｇｉｆｔ", at(), True),
        ({"keywords": ["gift"]}, "YSBnaWZ0IGZvciB5b3UgYW5kIHlvdXIgZmFtaWx5", at(), True),
        ({"regex": r"(?i)order \d+"}, "Order 17", at(), True),
        ({"regex": r"order \d+"}, "order x", at(), False),
        ({"turns": {"at_least": 10}}, "x", at(turn=9), False),
        ({"turns": {"at_least": 10}}, "x", at(turn=10), True),
        ({"turns": {"at_least": 10, "every": 5}}, "x", at(turn=14), False),
        ({"turns": {"at_least": 10, "every": 5}}, "x", at(turn=15), True),
        ({"intent": "angry"}, "x", at(user="This is outrageous"), True),
        ({"intent": "angry"}, "x", at(user="真是太离谱了"), True),
        ({"intent": "angry"}, "x", at(user="Thanks"), False),
        ({"intent": "angry"}, "x", at(intents=("angry",)), True),
        ({"cel": "turn > 3 && sentiment < -0.5"}, "x", at(turn=4, sentiment=-0.9), True),
        ({"cel": "turn > 3 && sentiment < -0.5"}, "x", at(turn=4), False),
        ({"cel": "chars(output) > 3"}, "中文", at(), False),
        ({"cel": "chars(output) == 2 && facts.vip == true"}, "中文", at(facts={"vip": True}), True),
    ],
)
def test_each_kind_of_trigger_fires_when_it_should(
    trigger: dict[str, Any], output: str, context: GovernorContext, due: bool
) -> None:
    rules = [regex("a", "never matched", triggers=[trigger])]
    words = {"angry": {"keywords": ["outrageous", "离谱"]}}
    with ConstraintGovernor(constraint_set(*rules, intents=words)) as governor:
        assert governor.check_and_enforce("agent", output, context).checked == (("a",) if due else ())


def test_without_triggers_a_constraint_is_always_checked() -> None:
    assert checked([regex("a", "zzz")], "anything") == {"a"}


def test_a_trigger_that_cannot_be_evaluated_makes_the_check_due() -> None:
    # `facts.amount` was not given: nobody knows whether the trigger holds.
    assert checked([regex("a", "zzz", triggers=[{"cel": "facts.amount > 3"}])], "anything") == {"a"}


def test_when_the_hosts_intent_reader_fails_every_constraint_is_checked() -> None:
    def broken(_: str) -> list[str]:
        raise RuntimeError("down")

    rules = [regex("a", "zzz", triggers=[{"intent": "x"}]), regex("b", "zzz", triggers=[{"keywords": ["never"]}])]
    assert checked(rules, "anything", read_intents=broken) == {"a", "b"}


@pytest.mark.parametrize(
    ("scope", "covered"),
    [
        ({}, True),
        ({"agents": ["agent"]}, True),
        ({"agents": ["ag*"]}, True),
        ({"agents": ["other"]}, False),
        ({"tasks": ["refund*"]}, True),
        ({"tasks": ["report"]}, False),
        ({"channels": ["final_output"]}, True),
        ({"channels": ["agent_message"]}, False),
    ],
)
def test_a_constraint_holds_only_inside_its_scope(scope: dict[str, Any], covered: bool) -> None:
    found = checked([regex("a", "zzz", scope=scope)], "x", at(task="refund_service"))
    assert found == ({"a"} if covered else set())


def test_an_unknown_task_is_no_way_out_of_a_constraint() -> None:
    assert checked([regex("a", "zzz", scope={"tasks": ["refund"]})], "x", at()) == {"a"}


def test_the_set_of_patterns_says_the_same_as_each_pattern_by_itself() -> None:
    words = [f"word{number}" for number in range(300)]
    found = PatternSet([keyword_pattern(word) for word in words]).matches("Say WORD7 and word123.")
    assert {words[place] for place in found} == {"word7", "word12", "word123", "word1"}


def test_a_set_that_runs_out_of_memory_falls_back_to_each_pattern_by_itself() -> None:
    patterns = PatternSet([keyword_pattern("gift"), keyword_pattern("free")])

    class Exhausted:
        def Match(self, text: str) -> list[int]:
            return []

    patterns._set = Exhausted()
    assert patterns.matches("a gift") == [0]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text("ab礼 .", min_size=1, max_size=4).filter(str.strip), max_size=6), st.text("ab礼 .", max_size=20)
)
def test_any_keywords_in_any_text_match_as_one_by_one(words: list[str], text: str) -> None:
    patterns = [keyword_pattern(word.strip()) for word in words]
    together = PatternSet(patterns).matches(text)
    assert together == [place for place, pattern in enumerate(patterns) if PatternSet([pattern]).matches(text)]


def test_an_inactive_constraint_is_not_checked_until_it_is_switched_on() -> None:
    rules = [regex("a", "bad", state={"active": False})]
    with ConstraintGovernor(constraint_set(*rules)) as governor:
        assert governor.check_and_enforce("agent", "bad", at()).outcome is Outcome.PASS
        governor.switch("a", True, author="mei", reason="needed")
        assert governor.check_and_enforce("agent", "bad", at()).outcome is Outcome.REGENERATE
