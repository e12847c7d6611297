from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import ConfigError
from mage_ml.runtime.governor import (
    ConstraintGovernor,
    GovernorSetup,
    Resources,
    Severity,
    StateError,
    StateStore,
    Verdict,
)
from mage_ml.runtime.governor.adaptive import Setting, Tuner, TuningPlan, check_plan, setting_of
from mage_ml.runtime.governor.constraint import ConstraintSet
from tests.runtime.governor.make import NO_GIFT, constraint_set, regex, rule


def judged(severity: str = "warn", threshold: float = 0.5) -> ConstraintSet:
    validator = {"kind": "llm", "threshold": threshold}
    return constraint_set(rule(id="polite", validator=validator, severity=severity), NO_GIFT)


def governed(constraints: ConstraintSet) -> ConstraintGovernor:
    judge = Resources(judge=lambda question, words: Verdict(violated=False))
    return ConstraintGovernor(constraints, GovernorSetup(resources=judge))


def plan(**changes: object) -> TuningPlan:
    tunable = {"constraint": "polite", "threshold": {"low": 0.3, "high": 0.7, "steps": 3}, **changes}
    return TuningPlan.model_validate({"tunables": [tunable], "min_labels": 20})


def teach(tuner: Tuner, border: float, count: int = 60) -> None:
    """Labels of somebody for whom outputs from `border` on are violations."""
    for number in range(count):
        score = (number % 20) / 20.0
        tuner.label("polite", is_violation=score >= border, flagged=score >= 0.5, author="mei", score=score)


def in_force(governor: ConstraintGovernor) -> Setting:
    return setting_of(next(one for one in governor.constraints.constraints if one.id == "polite"))


@pytest.mark.parametrize(("border", "threshold"), [(0.3, 0.3), (0.7, 0.7)])
def test_the_bandit_moves_the_threshold_to_where_people_draw_the_line(border: float, threshold: float) -> None:
    with governed(judged()) as governor:
        tuner = Tuner(governor, plan())
        teach(tuner, border)
        (change,) = tuner.step(author="mei")
        assert in_force(governor) == Setting(threshold, Severity.WARN)
        assert change.before == Setting(0.5, Severity.WARN)


def test_a_constraint_whose_warnings_are_all_false_is_logged_only() -> None:
    with governed(judged()) as governor:
        tuner = Tuner(governor, plan(threshold=None, severities=["warn", "log"]))
        for _ in range(40):
            tuner.label("polite", is_violation=False, flagged=True, author="mei")
        tuner.step(author="mei")
        assert in_force(governor).severity is Severity.LOG


def test_a_missed_violation_weighs_more_than_a_false_alarm() -> None:
    laxest = {}
    for weight in (1, 20):
        with governed(judged()) as governor:
            tuner = Tuner(governor, plan().model_copy(update={"miss_weight": weight}))
            for number in range(60):
                tuner.label("polite", is_violation=number % 4 == 0, flagged=False, author="mei", score=0.4)
            tuner.step(author="mei")
            laxest[weight] = in_force(governor).threshold
    assert laxest[1] in (0.5, 0.7)
    assert laxest[20] == 0.3


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=20, max_size=40), st.integers(0, 1000))
def test_no_labels_ever_take_a_constraint_out_of_its_bounds_or_block_away(
    said: list[tuple[float, bool]], seed: int
) -> None:
    with governed(judged("block")) as governor:
        tuner = Tuner(governor, plan(), seed=seed)
        for score, is_violation in said:
            tuner.label("polite", is_violation=is_violation, flagged=score >= 0.5, author="mei", score=score)
        tuner.step(author="mei")
        assert in_force(governor).severity is Severity.BLOCK
        assert in_force(governor).threshold in (0.3, 0.5, 0.7)


@pytest.mark.parametrize(
    ("severity", "changes", "said"),
    [
        ("block", {"severities": ["warn", "block"]}, "tuning never changes"),
        ("warn", {"severities": ["warn", "block"]}, "makes no constraint block"),
        ("warn", {"severities": ["log"]}, "not among"),
        ("warn", {"constraint": "no_gift"}, "no threshold"),
        ("warn", {"constraint": "polit"}, "unknown constraint 'polit'"),
    ],
)
def test_a_plan_that_goes_beyond_what_tuning_may_do_is_refused(
    severity: str, changes: dict[str, object], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        check_plan(plan(**changes), judged(severity))


def test_every_change_is_on_record_with_author_and_reason_and_can_be_taken_back() -> None:
    with governed(judged()) as governor:
        tuner = Tuner(governor, plan())
        teach(tuner, 0.3)
        (change,) = tuner.step(author="mei")
        latest = governor.history.all()[-1]
        assert (latest.author, "polite" in latest.reason) == ("mei", True)
        back = tuner.revert(change.number, author="lin", reason="too strict")
        assert in_force(governor) == Setting(0.5, Severity.WARN)
        assert [(one.author, one.reverts) for one in tuner.history()] == [("mei", None), ("lin", change.number)]
        assert back.after == change.before
        assert governor.history.all()[-1].author == "lin"


def test_nothing_is_changed_before_there_are_enough_labels_nor_twice_from_the_same_ones() -> None:
    with governed(judged()) as governor:
        tuner = Tuner(governor, plan())
        teach(tuner, 0.3, count=19)
        assert tuner.step(author="mei") == ()
        teach(tuner, 0.3, count=41)
        assert len(tuner.step(author="mei")) == 1
        assert tuner.step(author="mei") == ()


def test_the_same_labels_and_seed_give_the_same_choice() -> None:
    chosen = set()
    for _ in range(2):
        with governed(judged()) as governor:
            tuner = Tuner(governor, plan(), seed=4)
            teach(tuner, 0.55, count=24)
            chosen.add(tuner.choice("polite").setting)
    assert len(chosen) == 1


def test_a_change_that_cannot_be_recorded_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with governed(judged()) as governor:
        tuner = Tuner(governor, plan())
        teach(tuner, 0.3)
        with governor.state.database.write() as connection:
            connection.exec_driver_sql("CREATE TRIGGER full BEFORE INSERT ON governor_tunings "
                                       "BEGIN SELECT RAISE(ABORT, 'disk full'); END")  # fmt: skip
        with pytest.raises(StateError, match="disk full"):
            tuner.step(author="mei")
        assert in_force(governor) == Setting(0.5, Severity.WARN)


def test_labels_and_history_are_there_for_the_next_process(tmp_path) -> None:
    place = tmp_path / "governor.db"
    judge = Resources(judge=lambda question, words: Verdict(violated=False))
    for expected in (0, 60):
        store = StateStore(place)
        with ConstraintGovernor(judged(), GovernorSetup(state=store, resources=judge)) as governor:
            tuner = Tuner(governor, plan())
            assert len(tuner.labels.all("polite")) == expected
            if not expected:
                teach(tuner, 0.3)
        store.close()


def test_a_label_without_an_author_is_refused() -> None:
    with governed(constraint_set(regex("polite", "xx"))) as governor:
        tuner = Tuner(governor, TuningPlan())
        with pytest.raises(ConfigError, match="author"):
            tuner.label("polite", is_violation=True, flagged=False, author=" ")


def test_what_keeps_the_rest_of_a_constraint_is_untouched_by_tuning() -> None:
    with governed(judged()) as governor:
        before = governor.constraints
        tuner = Tuner(governor, plan())
        teach(tuner, 0.3)
        tuner.step(author="mei")
        after = governor.constraints
    old, new = (next(one for one in found.constraints if one.id == "polite") for found in (before, after))
    assert new.version == old.version + 1
    same = {"version", "validator"}
    assert old.model_dump(exclude=same) == new.model_dump(exclude=same)
    assert before.constraints[1] == after.constraints[1]
