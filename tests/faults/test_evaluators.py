"""No fault of an evaluator loosens a verdict."""

import asyncio
import itertools

import numpy as np
import pytest

from mage_ml.artifact import default_artifact_path, load_artifact
from mage_ml.errors import ArtifactError
from mage_ml.risk import RiskAxis
from mage_ml.runtime.evaluators import RuleEvaluator, TieredEvaluator, TimeLimited
from mage_ml.runtime.evaluators.onnx import OnnxEvaluator
from mage_ml.runtime.evaluators.rules import default_rules
from mage_ml.runtime.guardrail import FailMode, GuardrailEngine, ReasonKind
from mage_ml.testing import EvaluatorFault, FaultyEvaluator, FixedEvaluator, damage_file
from tests.faults.cases import ACTIONS, ENTRIES, POLICY, SOUND, guard_for, is_no_looser

SEAMS = ("alone", "rules", "classifier", "judge")
SCORES = ({}, {RiskAxis.CONSISTENCY: 0.6}, {RiskAxis.SAFETY: 0.95})
LIMIT_S = 0.4
ESCAPES = (EvaluatorFault.ENDS_THE_PROGRAM, EvaluatorFault.IS_CANCELLED)
IS_AN_ANSWER = (EvaluatorFault.IS_SLOW, EvaluatorFault.NAMES_UNKNOWN_ENTRIES)


def engine_with(seam, scores, fault=None):
    """An engine whose evaluator at one seam may be faulty; the other tiers see no risk."""
    told = FixedEvaluator(scores, entry_ids=("e2",), name=seam)
    delay = LIMIT_S + 0.2 if seam in SEAMS[2:] else 0.01
    broken = told if fault is None else FaultyEvaluator(fault, told, delay_s=delay)
    if seam == "alone":
        return GuardrailEngine(broken, POLICY)
    tiers = {name: FixedEvaluator(name=name) for name in SEAMS[1:]} | {seam: broken}
    limited = {name: TimeLimited(tiers[name], LIMIT_S) for name in SEAMS[2:]}
    evaluator = TieredEvaluator(tiers["rules"], limited["classifier"], limited["judge"], is_critical=lambda _: True)
    return GuardrailEngine(evaluator, POLICY)


@pytest.mark.parametrize(("seam", "fault", "kind"), list(itertools.product(SEAMS, EvaluatorFault, ACTIONS)))
def test_complaint_2_a_decision_under_a_fault_is_as_strict_as_without_or_the_fail_modes(seam, fault, kind):
    for scores in SCORES[:1] if fault is EvaluatorFault.IS_SLOW else SCORES:
        sound = guard_for(engine_with(seam, scores)).check(ACTIONS[kind])
        guard = guard_for(engine_with(seam, scores, fault))
        if seam in ("alone", "rules") and fault in ESCAPES:
            with pytest.raises((SystemExit, asyncio.CancelledError)):
                guard.check(ACTIONS[kind])
            assert not guard._lock.is_held  # the next caller is not shut out
            continue
        faulty = guard.check(ACTIONS[kind])
        assert is_no_looser(faulty, sound)
        if fault not in IS_AN_ANSWER:
            was_asked = faulty.coverage.failed or faulty.coverage.skipped.get(seam)
            assert was_asked
        if faulty.coverage.failed:
            closed = faulty.fail_mode is FailMode.CLOSED
            assert faulty.allowed is (False if closed else faulty.allowed)
            kinds = {reason.kind for reason in faulty.reasons}
            assert kinds & ({ReasonKind.FAILURE} if closed else {ReasonKind.FAIL_OPEN})


@pytest.mark.parametrize("kind", ACTIONS)
@pytest.mark.parametrize("number", range(len(default_rules())))
def test_a_rule_that_raises_costs_only_its_own_finding(number, kind):
    class Broken:
        def __init__(self, rule):
            self.id, self.axis, self.threshold, self.weight = rule.id, rule.axis, rule.threshold, rule.weight

        def find(self, scope):
            raise RecursionError("injected fault")

    rules = default_rules()
    broken = tuple(Broken(rule) if place == number else rule for place, rule in enumerate(rules))
    for entries in (ENTRIES, SOUND):
        sound = guard_for(GuardrailEngine(RuleEvaluator(rules=rules), POLICY), entries).check(ACTIONS[kind])
        faulty = guard_for(GuardrailEngine(RuleEvaluator(rules=broken), POLICY), entries).check(ACTIONS[kind])
        assert is_no_looser(faulty, sound)
        assert list(faulty.coverage.failed) == [f"rules.{rules[number].id}"]


@pytest.fixture
def model_copy(tmp_path):
    """A copy of the shipped model's folder."""
    source = default_artifact_path()
    for path in source.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


@pytest.mark.parametrize("name", ["encoder.onnx", "chain.onnx", "tokenizer.json", "manifest.json"])
def test_a_model_with_a_flipped_bit_is_refused_or_is_the_same_model(model_copy, name):
    rng = np.random.default_rng(5)
    whole = (model_copy / name).read_bytes()
    for _ in range(6):
        damage_file(model_copy / name, rng)
        try:
            loaded = load_artifact(model_copy)
        except ArtifactError:
            pass
        else:  # only the manifest holds text that nothing depends on
            assert name == "manifest.json"
            assert loaded.manifest.files == load_artifact(default_artifact_path()).manifest.files
        (model_copy / name).write_bytes(whole)
    (model_copy / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ArtifactError):
        load_artifact(model_copy)
    (model_copy / name).unlink()
    with pytest.raises(ArtifactError):
        load_artifact(model_copy)


class Session:
    """An inference session that gives a model's answers, spoilt."""

    def __init__(self, session, spoil):
        self._session = session
        self._spoil = spoil

    def run(self, names, inputs):
        return self._spoil(self._session.run(names, inputs))


SPOILS = {
    "nan": lambda arrays: [np.full_like(array, np.nan) for array in arrays],
    "infinite": lambda arrays: [np.full_like(array, np.inf) for array in arrays],
    "too short": lambda arrays: [array[:, :1] for array in arrays],
    "empty": lambda arrays: [array[:0] for array in arrays],
    "one array less": lambda arrays: arrays[:-1],
    "nothing": lambda _arrays: None,
}


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("kind", ["write", "final"])
def test_a_model_that_gives_no_numbers_or_too_few_fails(spoil, kind):
    model = load_artifact(default_artifact_path())
    tiers = TieredEvaluator(RuleEvaluator(), OnnxEvaluator(model), thresholds=model.manifest.thresholds)
    engine = GuardrailEngine(tiers, POLICY)
    sound = guard_for(engine, SOUND).check(ACTIONS[kind])
    assert "classifier" in sound.coverage.ran
    model._chain_session = Session(model._chain_session, SPOILS[spoil])
    faulty = guard_for(engine, SOUND).check(ACTIONS[kind])
    assert is_no_looser(faulty, sound)
    assert not faulty.allowed
