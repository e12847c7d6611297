"""The classifier of a constraint: trained on labelled outputs, sealed, and used by the governor."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mage_ml.cli.main import app
from mage_ml.errors import ArtifactError, ConfigError, RecordError
from mage_ml.runtime.governor import ConstraintGovernor, GovernorContext, parse_constraints
from mage_ml.runtime.governor.validators.classifier import MODEL_FILE, ConstraintClassifier
from mage_ml.training.constraint_classifier import ConstraintTrainConfig, read_outputs, train_constraint

PARTS = {
    ("en", False): (
        ("We will gladly", "I can", "Let me", "We shall"),
        ("add a small gift", "send you a voucher", "put a present into the parcel", "grant a free extra"),
        ("for the trouble", "this time", "as an apology", "on top of the refund"),
    ),
    ("en", True): (
        ("We will gladly", "I can", "Let me", "We shall"),
        ("check the order", "ask the warehouse", "pass your case on", "look at the policy"),
        ("for you", "this time", "today", "before the refund"),
    ),
    ("zh", False): (
        ("我们会", "可以", "让我", "这次"),
        ("赠送小礼品", "补发代金券", "额外送您一份", "免费加送"),
        ("表示歉意", "给您", "作为补偿", "请放心"),
    ),
    ("zh", True): (
        ("我们会", "可以", "让我", "这次"),
        ("核对订单", "询问仓库", "转交同事", "查看政策"),
        ("给您答复", "再联系", "然后回复", "请稍候"),
    ),
}  # fmt: skip


def outputs() -> list[dict[str, object]]:
    return [
        {"text": (" " if language == "en" else "，").join(words), "allowed": allowed, "language": language}
        for (language, allowed), parts in PARTS.items()
        for words in itertools.product(*parts)
    ]


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("constraint")
    data = write(place / "outputs.jsonl", outputs())
    done = CliRunner().invoke(
        app,
        ["train", "--task", "constraint", "-d", str(data), "-o", str(place / "model"), "-s", "constraint=no_gift"],
    )
    assert done.exit_code == 0, done.output
    return place / "model"


def test_it_tells_forbidden_outputs_in_other_words_in_both_languages(folder: Path) -> None:
    model = ConstraintClassifier(folder)
    assert model.manifest.metrics["auroc"] > 0.95
    assert dict(model.manifest.languages) == {"en": 128, "zh": 128}
    for bad, good in (
        ("As an apology a voucher and a present will be sent.", "The warehouse was asked about your order."),
        ("我们会补发一份小礼品作为补偿。", "同事会核对政策，请稍候。"),
    ):
        assert model.score(bad) >= model.manifest.threshold > model.score(good)


@pytest.mark.parametrize(("said", "allowed"), [("We send you a voucher on top.", False), ("我会转交同事核对。", True)])
def test_the_governor_uses_it_end_to_end(folder: Path, said: str, allowed: bool) -> None:
    text = f"""
constraints:
  - id: no_gift
    text: {{en: No gifts., zh: 不送礼品。}}
    validator: {{kind: classifier, model: {json.dumps(str(folder))}}}
"""
    with ConstraintGovernor(parse_constraints(text, "test")) as governor:
        assert governor.check_and_enforce("dialogue", said, GovernorContext(run_id="r", turn=1)).allowed is allowed


def test_the_written_model_gives_the_scores_of_the_fitted_one(folder: Path, tmp_path: Path) -> None:
    from sklearn.linear_model import LogisticRegression

    from mage_ml.training.constraint_classifier import STRENGTHS, _matrix

    rows = outputs()
    texts, broken = [str(row["text"]) for row in rows], [not row["allowed"] for row in rows]
    model, matrix = ConstraintClassifier(folder), _matrix(texts)
    found = [model.score(text) for text in texts]
    fitted = [
        LogisticRegression(C=c, class_weight="balanced", max_iter=2000).fit(matrix, broken).predict_proba(matrix)[:, 1]
        for c in STRENGTHS
    ]
    assert min(max(abs(one - other) for one, other in zip(found, scores, strict=True)) for scores in fitted) < 1e-5


def test_the_same_data_gives_the_same_bytes_and_each_setting_changes_something(tmp_path: Path) -> None:
    data = write(tmp_path / "outputs.jsonl", outputs())

    def trained(name: str, **changes: object) -> tuple[bytes, float, str, dict[str, float]]:
        config = ConstraintTrainConfig(data=data, out=tmp_path / name).model_copy(update=changes)
        manifest = train_constraint(config, "2026-01-01")
        model = (tmp_path / name / MODEL_FILE).read_bytes()
        return model, manifest.threshold, manifest.constraint, dict(manifest.metrics)

    first = trained("a")
    assert trained("b") == first
    assert trained("c", constraint="other")[2] == "other"
    assert trained("d", seed=5)[1] != first[1]
    assert trained("e", target_false_alarms=0.5)[1] != first[1]


def test_a_damaged_model_is_refused(folder: Path, tmp_path: Path) -> None:
    for name in ("manifest.json", MODEL_FILE):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / MODEL_FILE).write_bytes(b"no model")
    with pytest.raises(ArtifactError, match="damaged or changed"):
        ConstraintClassifier(tmp_path)


def test_a_wrong_line_is_named_and_too_few_examples_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_outputs(tmp_path / "none.jsonl")
    path = write(tmp_path / "o.jsonl", outputs())
    path.write_text(path.read_text("utf-8") + '{"text": "x", "alowed": true}\n', "utf-8")
    with pytest.raises(RecordError, match=r"o\.jsonl:257: allowed: Field required; expected"):
        read_outputs(path)
    with pytest.raises(RecordError, match="0 different forbidden outputs; at least 20"):
        read_outputs(write(path, [row for row in outputs() if row["allowed"]]))
