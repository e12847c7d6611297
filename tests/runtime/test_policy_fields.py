"""Complaints 18 and 28: every field of a policy changes something that can be observed.

`PROBES` gives two policies that differ in one field and says how to see the difference; `ELSEWHERE` names the test that
does so for fields which need a set-up of their own. A field that is in neither fails the test.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from mage_ml.errors import ConfigError
from mage_ml.runtime.guardrail import PolicyMatrix
from tests.runtime.policy_looks import policy_of
from tests.runtime.policy_probes import PROBES

EXEMPTIONS = "test_rules_exemptions.py::test_an_exemption_applies_where_all_of_its_scope_matches_and_nowhere_else"
FEEDBACK = "test_feedback.py::test_every_setting_changes_something"
SAMPLED = "test_tier_economy.py::test_harmless_steps_without_anything_new_are_not_looked_at_and_coverage_says_so"
SCOPES = (".tools", ".sources", ".origins", ".agents", ".text")
ELSEWHERE = {
    "rules.exemptions": "test_rules_exemptions.py::test_a_decision_shows_what_was_exempted",
    "rules.exemptions.rules": "test_rules_exemptions.py::test_an_exemption_is_for_its_rules_only",
    **{
        f"rules.exemptions.scope{name}": EXEMPTIONS
        for name in ("", ".tools", ".sources", ".origins", ".agents", ".text")
    },
    "rules.exemptions.expires": "test_rules_exemptions.py::"
    "test_an_exemption_holds_up_to_its_last_day_and_is_reported_after_it",
    **{
        f"rules.exemptions.{name}": "test_rules_exemptions.py::"
        "test_complaint_14_an_exempted_finding_stays_in_the_evidence_with_score_0_and_the_reason"
        for name in ("reason", "author")
    },
    "tiers.latency_budget_ms": "test_tier_economy.py::test_complaint_08_a_tier_that_would_not_fit_is_skipped_and_named",
    "tiers.sampling": SAMPLED,
    "tiers.sampling.enabled": SAMPLED,
    "tiers.sampling.types": "test_tier_economy.py::test_types_that_are_not_sampled_keep_their_own_rule",
    **{
        f"tiers.sampling.{name}": "test_tier_economy.py::"
        "test_a_new_entry_is_looked_at_when_it_is_weak_or_of_the_agents_own_making"
        for name in ("confidence_below", "reasoning")
    },
    "tiers.sampling.every_steps": "test_tier_economy.py::test_the_classifier_looks_at_least_every_so_many_steps",
    "tiers.sampling.every_seconds": "test_tier_economy.py::"
    "test_the_classifier_looks_after_so_many_seconds_and_when_the_clock_jumps_back",
    "tiers.deferred": "test_deferred.py::test_a_deferred_check_answers_from_the_rules_at_once_and_says_so",
    "tiers.deferred_queue": "test_deferred.py::test_a_full_queue_loses_nothing_the_next_check_is_made_at_once",
    "tiers.deferred_wait_s": "test_deferred.py::test_running_out_of_time_is_a_failed_tier_and_the_fail_mode_decides",
    "severity": "test_severity.py::test_a_declared_level_changes_a_decision",
    **{
        f"severity.{name}": "test_severity.py::test_a_level_moves_the_rungs_of_tools_and_action_types"
        for name in ("tools", "actions", "factors")
    },
    **{
        f"feedback{name}": FEEDBACK
        for name in ("", ".enabled", ".min_observations", ".wanted_right_share", ".confidence", ".max_step", ".floor")
    },
    "feedback.floors": FEEDBACK,
}
WHOLE_PARTS = {
    "audit": "tests/runtime/test_audit_redaction.py",
}
"""Parts whose tests go through all of their fields."""
STATEMENTS = {f"tiers.calibration.{name}" for name in ("bound", "confidence", "episodes", "alarms", "data_digest")}
"""What a calibration says about how it was made; it changes nothing by design."""


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from models_in(part)


def fields_of(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield prefix + name
        for inner in dict.fromkeys(models_in(field.annotation)):
            yield from fields_of(inner, f"{prefix}{name}.")


def seen(look, data):
    try:
        return look(policy_of(data))
    except ConfigError:
        return "refused"


def test_every_field_of_a_policy_is_in_a_table():
    fields = list(fields_of(PolicyMatrix))
    listed = {*PROBES, *ELSEWHERE}
    missing = [name for name in fields if name not in listed | STATEMENTS and not name.startswith(tuple(WHOLE_PARTS))]
    assert not missing, f"fields without an entry in PROBES or ELSEWHERE: {missing}"
    assert not listed - set(fields), f"entries for fields that are gone: {listed - set(fields)}"


@pytest.mark.parametrize("name", PROBES)
def test_complaint_28_a_field_changes_what_is_observed(name):
    probe = PROBES[name]
    one, other = seen(probe.look, probe.one), seen(probe.look, probe.other)
    assert one != other, f"{name} changes nothing: {one}"


@pytest.mark.parametrize("name", PROBES)
def test_the_two_policies_of_a_probe_differ_in_its_part_only(name):
    probe = PROBES[name]
    changed = {key for key in {*probe.one, *probe.other} if probe.one.get(key) != probe.other.get(key)}
    assert changed == {name.split(".")[0]} or name in ("max_repairs", "tiers.judge_timeout_s", "own_actions"), changed


@pytest.mark.parametrize(("name", "place"), ELSEWHERE.items(), ids=list(ELSEWHERE))
def test_complaint_18_the_test_of_a_field_exists_and_speaks_of_it(name, place):
    file, function = place.split("::")
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    assert f"def {function}(" in text
    assert name.split(".")[-1] in text


@pytest.mark.parametrize(("part", "file"), WHOLE_PARTS.items())
def test_complaint_18_a_part_with_a_file_of_tests_is_spoken_of_there(part, file):
    text = (Path(__file__).parents[2] / file).read_text(encoding="utf-8")
    for name in fields_of(PolicyMatrix):
        if name.startswith(f"{part}."):
            assert name.split(".")[-1] in text, f"{name} is not spoken of in {file}"
