from __future__ import annotations

import pytest

from mage_ml.config import dump_config
from mage_ml.errors import ConfigError
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.governor import ConstraintGovernor, GovernorSetup, Severity, parse_constraints
from mage_ml.runtime.governor.adaptive import (
    LabelBook,
    NearMiss,
    ProposalSettings,
    Tuner,
    TuningPlan,
    WhyNear,
    allow_list,
    from_audit,
    from_labels,
    propose,
    templates_from,
)
from mage_ml.runtime.governor.lint import LintLevel, lint_constraints
from mage_ml.runtime.governor.templates import Template
from mage_ml.runtime.governor.trial import try_examples
from tests.runtime.governor.make import at, constraint_set, regex

HINTS = (
    "Between you and me, the parcel will arrive on Monday.",
    "Between you and me, the claim goes through.",
    "Well, between you and me: it is as good as done.",
    "Between you and me, nobody checks this.",
)
ASIDES = ("咱们私下说，这事已经定了。", "私下说一句，包裹周一就到。", "我私下说，您的申请会通过。")
FINE = (
    "The parcel will arrive on Monday, says the carrier.",
    "The claim is open; nobody can say how it ends.",
    "Between Monday and Friday you can call us.",
    "您的申请还在审核，结果会书面通知您。",
    "包裹预计周一到达。",
)
NEAR = tuple(NearMiss(text, WhyNear.LEFT, "tone", "dialogue") for text in (*HINTS, *ASIDES))


def test_near_misses_that_are_alike_give_a_constraint_in_each_language_that_finds_them_and_nothing_fine() -> None:
    proposed = propose(NEAR, FINE)
    patterns = [pattern for one in proposed.constraints for pattern in one.validator.forbid]
    assert len(proposed.constraints) == 2
    assert any("between" in pattern for pattern in patterns)
    assert any("私下" in pattern for pattern in patterns)
    with ConstraintGovernor(switched_on(dump_config(proposed))) as governor:
        for number, text in enumerate((*HINTS, *ASIDES)):
            assert governor.check_and_enforce("dialogue", text, at(number)).findings, text
        for number, text in enumerate(FINE):
            assert not governor.check_and_enforce("dialogue", text, at(100 + number)).findings, text


def switched_on(text: str):
    found = parse_constraints(text, "proposed.yaml")
    on = [one.model_copy(update={"state": one.state.model_copy(update={"active": True})})
          for one in found.constraints.constraints]  # fmt: skip
    return found.constraints.model_copy(update={"constraints": tuple(on)})


def test_what_is_proposed_loads_lints_without_errors_and_its_examples_come_out_as_expected(tmp_path) -> None:
    path = tmp_path / "proposed.yaml"
    path.write_text(dump_config(propose(NEAR, FINE)), encoding="utf-8")
    assert [remark for remark in lint_constraints(path) if remark.level is LintLevel.ERROR] == []
    source = parse_constraints(path.read_text(encoding="utf-8"), "proposed.yaml")
    assert all(result.is_right for result in try_examples(source))
    assert all(one.examples for one in source.constraints.constraints)


def test_a_proposal_holds_nothing_back_and_is_off_until_a_person_switches_it_on() -> None:
    for one in propose(NEAR, FINE).constraints:
        assert one.severity is Severity.WARN
        assert not one.state.active
        assert one.scope.agents == ("dialogue",)


def test_near_misses_that_have_nothing_in_common_give_no_constraint() -> None:
    unlike = ("The kettle is blue.", "Call again tomorrow?", "I like trains very much!", "Snow fell over the hills.")
    assert propose([NearMiss(text, WhyNear.LEFT, "tone") for text in unlike], FINE).constraints == ()


def test_near_misses_that_no_phrase_tells_from_accepted_outputs_give_no_constraint() -> None:
    assert propose([NearMiss(text, WhyNear.LEFT, "tone") for text in HINTS], HINTS).constraints == ()


def test_a_cluster_that_is_too_small_gives_no_constraint() -> None:
    few = [NearMiss(text, WhyNear.LEFT, "tone") for text in HINTS[:2]]
    assert propose(few, FINE).constraints == ()
    assert len(propose(few, FINE, ProposalSettings(min_size=2)).constraints) == 1


def test_near_misses_are_outputs_that_left_and_labels_of_what_was_missed(tmp_path) -> None:
    log = AuditLog(tmp_path / "audit.sqlite", durable=False)
    rules = constraint_set(regex("tone", "between you", severity="warn"), regex("gift", "gift"))
    with ConstraintGovernor(rules, GovernorSetup(audit=log)) as governor:
        governor.check_and_enforce("dialogue", "between you and me", at(1))
        governor.check_and_enforce("dialogue", "a gift", at(2))
        governor.check_and_enforce("dialogue", "fine", at(3))
        governor.drain()
        tuner = Tuner(governor, TuningPlan())
        tuner.label("gift", is_violation=True, flagged=False, author="mei", text="a small present")
        tuner.label("gift", is_violation=True, flagged=True, author="mei", text="a gift")
        labelled = list(from_labels(LabelBook(governor.state).all()))
    assert [(one.text, one.agent_id) for one in from_audit(log)] == [("between you and me", "dialogue")]
    assert [(one.text, one.why) for one in labelled] == [("a small present", WhyNear.MISSED)]


def test_templates_are_drawn_from_sentences_accepted_more_than_once_with_slots_for_figures_only() -> None:
    accepted = [
        "Your refund of 40 euros was approved on 2026-05-03. Thank you.",
        "Your refund of 15 euros was approved on 2026-06-11. Have a nice day.",
        "您的退款40元已获批。",
        "您的退款15元已获批。",
        "Said once.",
    ]
    templates = templates_from(accepted)
    assert len(templates) == 2
    for text in ("Your refund of 99 euros was approved on 2026-07-01.", "您的退款7元已获批。"):
        assert any(Template(template).fits(text) for template in templates)
    for text in ("Your refund of 99 euros was refused on 2026-07-01.", "Said once.", "您的退款一定获批。"):
        assert not any(Template(template).fits(text) for template in templates)


def test_an_allow_list_made_of_templates_lets_accepted_answers_pass_and_nothing_else() -> None:
    templates = templates_from(["The review is open.", "The review is open.", "审核尚未结束。", "审核尚未结束。"])
    made = constraint_set().model_copy(update={"constraints": (allow_list(templates),)})
    with ConstraintGovernor(switched_on(dump_config(made))) as governor:
        assert governor.check_and_enforce("a", "The review is open. 审核尚未结束。", at(1)).allowed
        assert not governor.check_and_enforce("a", "The review is open. It ends well.", at(2)).allowed
    with pytest.raises(ConfigError, match="no templates"):
        allow_list(())
