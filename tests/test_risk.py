from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis, RiskVector

SCORE = st.floats(0, 1)
VECTOR = st.builds(RiskVector, consistency=SCORE, factuality=SCORE, safety=SCORE, dependency=SCORE)


def found(axis: RiskAxis, score: float, *entries: str) -> Evidence:
    return Evidence(axis=axis, score=score, found_by="rule", entry_ids=entries)


@given(first=VECTOR, second=VECTOR)
def test_combining_takes_the_larger_score_on_each_axis(first: RiskVector, second: RiskVector) -> None:
    together = first.combined(second)
    assert all(together[axis] == max(first[axis], second[axis]) for axis in RiskAxis)
    assert together == second.combined(first)
    assert together.combined(first) == together
    assert together.peak == max(first.peak, second.peak)


@pytest.mark.parametrize("score", [-0.01, 1.01, float("nan"), float("inf")])
def test_a_score_outside_zero_to_one_is_refused(score: float) -> None:
    with pytest.raises(ValidationError):
        RiskVector(safety=score)
    with pytest.raises(ValidationError):
        RiskVector.from_scores({RiskAxis.SAFETY: score})


def test_the_first_axis_wins_a_tie() -> None:
    assert RiskVector().highest is RiskAxis.CONSISTENCY
    assert RiskVector(safety=0.4, dependency=0.4).highest is RiskAxis.SAFETY


def test_evidence_gives_each_axis_and_each_first_entry_its_strongest_score() -> None:
    evidence = [
        found(RiskAxis.SAFETY, 0.2, "a", "b"),
        found(RiskAxis.SAFETY, 0.9, "b"),
        found(RiskAxis.DEPENDENCY, 0.5, "a"),
    ]
    assessment = Assessment.from_evidence(evidence, Coverage(ran=("rules",)))
    assert assessment.risk == RiskVector(safety=0.9, dependency=0.5)
    assert assessment.entry_scores == {"b": 0.9, "a": 0.5}
    assert [item.score for item in assessment.evidence] == [0.9, 0.5, 0.2]


def test_no_evidence_is_no_risk_but_still_says_what_ran() -> None:
    assessment = Assessment.from_evidence([], Coverage(ran=("rules",)))
    assert (assessment.risk, assessment.coverage.ran) == (RiskVector(), ("rules",))


def test_merging_keeps_the_larger_score_and_everything_that_was_not_checked() -> None:
    rules = Assessment.from_evidence(
        [found(RiskAxis.SAFETY, 0.3, "a")],
        Coverage(ran=("rules",), skipped={"judge": "clear"}, tokens_seen=3, tokens_total=10),
    )
    model = Assessment(
        risk=RiskVector(safety=0.7),
        entry_scores={"a": 0.1, "b": 0.6},
        coverage=Coverage(
            ran=("rules", "classifier"), failed={"x": "late"}, tokens_seen=2, tokens_total=2, language_supported=False
        ),
    )
    both = rules.merged(model)
    assert both.risk.safety == 0.7
    assert both.entry_scores == {"a": 0.3, "b": 0.6}
    assert both.coverage == Coverage(
        ran=("rules", "classifier"),
        skipped={"judge": "clear"},
        failed={"x": "late"},
        tokens_seen=5,
        tokens_total=12,
        language_supported=False,
    )


def test_scores_and_coverage_survive_json() -> None:
    assessment = Assessment.from_evidence([found(RiskAxis.SAFETY, 0.3, "a")], Coverage(failed={"judge": "超时"}))
    assert Assessment.model_validate_json(assessment.model_dump_json()) == assessment


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(ValidationError):
        RiskVector(toxicity=0.5)  # type: ignore[call-arg]
