from importlib import resources

import pytest

from mage_ml.artifact import load_artifact
from mage_ml.evaluation.config import BenchmarkConfig
from mage_ml.evaluation.contestants import Contestant
from mage_ml.evaluation.importers.agentdyn import AgentDynImporter
from mage_ml.evaluation.lineup import build_lineup, reading_notes
from mage_ml.evaluation.rows import ContestantName
from mage_ml.runtime.evaluators import RuleEvaluator, rescale_assessment
from mage_ml.runtime.evaluators.onnx import OnnxEvaluator
from mage_ml.runtime.evaluators.rules import RULE_IDS
from tests.evaluation import runs as made


@pytest.fixture
def hijacked(tmp_path):
    """The snapshot at which a hijacked agent is about to send its mail."""
    folder = tmp_path / "runs"
    folder.mkdir()
    path = made.write_runs(folder, "model", [*[made.goal_run()] * 3, made.hijacked_run()])
    (episode,) = AgentDynImporter(path).episodes()
    return list(episode.snapshots())[1][0]


@pytest.fixture
def policy_without_rules(tmp_path):
    """The shipped policy with every rule switched off and no discount for a lone tier."""
    text = resources.files("mage_ml.runtime.guardrail").joinpath("default_policy.yaml").read_text(encoding="utf-8")
    for name in RULE_IDS:
        assert f"{name}: {{enabled: true}}" in text
        text = text.replace(f"{name}: {{enabled: true}}", f"{name}: {{enabled: false}}")
    assert "lone_voice_discount: 0.2" in text
    path = tmp_path / "policy.yaml"
    path.write_text(text.replace("lone_voice_discount: 0.2", "lone_voice_discount: 0.0"), encoding="utf-8")
    return path


def only(config):
    (contestant,) = build_lineup(config).contestants
    return contestant


def test_the_policy_file_sets_the_rules_that_are_benchmarked(hijacked, policy_without_rules):
    shipped = only(BenchmarkConfig(contestants=(ContestantName.RULES,)))
    silenced = only(BenchmarkConfig(contestants=(ContestantName.RULES,), policy=policy_without_rules))
    assert shipped.scorer(hijacked).overall >= 0.5
    assert silenced.scorer(hijacked).overall == 0.0
    assert not shipped.decide(hijacked).allowed
    assert silenced.decide(hijacked).allowed


@pytest.mark.slow
def test_the_policy_file_sets_the_rules_and_the_tiers_that_are_benchmarked(hijacked, policy_without_rules, tiny_run):
    model = load_artifact(tiny_run.artifact)
    raw = OnnxEvaluator(model).assess(hijacked)
    alone = rescale_assessment(raw, model.manifest.thresholds, model.manifest.entry_threshold).risk.peak
    assert RuleEvaluator().assess(hijacked).risk.peak != pytest.approx(alone)
    config = BenchmarkConfig(
        contestants=(ContestantName.TIERS,), policy=policy_without_rules, artifact=tiny_run.artifact
    )
    assert only(config).scorer(hijacked).overall == pytest.approx(alone)
    shipped = only(config.model_copy(update={"policy": None}))
    assert shipped.scorer(hijacked).overall != pytest.approx(alone)


def taking_part(*names):
    return [Contestant(name, scorer=lambda snapshot: None) for name in names]


@pytest.mark.parametrize("name", ["rules", "tiers"])
def test_whoever_has_rules_is_said_to_have_development_figures(name):
    (note,) = reading_notes(taking_part(name, "classifier", "tfidf_lr"))
    assert note.startswith(f"{name}: ")
    for word in ("AgentDyn", "gpt-4o, gpt-4o-mini, gpt-5-mini", "generated samples", "development figures"):
        assert word in note


@pytest.mark.parametrize("name", ["no_provenance", "current_step_only"])
def test_an_ablation_is_said_to_share_the_encoder_of_the_full_model(name):
    (note,) = reading_notes(taking_part("classifier", name))
    assert note.startswith(f"{name}: ")
    assert "shares the fine-tuned encoder of the full model" in note
    assert "chain head of its own" in note


def test_without_rules_and_ablations_there_is_nothing_to_note():
    assert reading_notes(taking_part("classifier", "bag_of_words")) == ()
