from dataclasses import replace

import numpy as np
import pytest

from data_gen.config import GenerateConfig
from data_gen.probes import Contrast, ProbePair, ProbeStatus, ProbeView, require_clean, run_probes, wilson
from data_gen.randomness import rng_for
from data_gen.runner import generate
from data_gen.tasks.sales_report.statements import Key, Level, Metric
from data_gen.tasks.sales_report.wording import WRITERS
from mage_ml.errors import ConfigError, ProbeError
from mage_ml.training.sentences import sentence_vectors


def view(number, arm):
    rng = rng_for("probe", number, arm)
    level = Level(Key("North", "2025-Q1", Metric.REVENUE), 1000.0 * rng.randint(1000, 9999), "USD")
    text = WRITERS["en-terse"].word(level, rng)
    return ProbeView(text, "llm_reasoning/data", "", 5, 9)


def pairs(count=160):
    return [
        ProbePair("en", "en-terse", "value_flip", *(view(number, arm) for arm in ("clean", "sham", "contaminated")))
        for number in range(count)
    ]


def probe(found, **options):
    return run_probes(found, **{"limit": 0.55, "confidence": 0.99, "seed": 0, **options})


def changed(found, arm, change):
    return [replace(pair, **{arm: change(getattr(pair, arm))}) for pair in found]


def test_clean_data_passes():
    rows = probe(pairs())
    require_clean(rows)
    assert {row.contrast for row in rows} == set(Contrast)
    assert all(row.pairs == 160 for row in rows)


@pytest.mark.parametrize(
    ("arm", "leak", "caught_by"),
    [
        ("contaminated", lambda v: replace(v, text=v.text + "!"), "punctuation_and_case"),
        ("contaminated", lambda v: replace(v, text=v.text.upper()), "punctuation_and_case"),
        ("contaminated", lambda v: replace(v, text=v.text + " so far as one can tell"), "length"),
        ("contaminated", lambda v: replace(v, entries=v.entries + 1), "number_of_entries"),
        ("contaminated", lambda v: replace(v, position=v.position + 1), "position"),
        ("contaminated", lambda v: replace(v, source="tool/data"), "role"),
        ("contaminated", lambda v: replace(v, tool="search"), "tool_name"),
        ("sham", lambda v: replace(v, text="indeed " + v.text), "bag_of_words_en"),
    ],
)
def test_a_planted_leak_is_caught(arm, leak, caught_by):
    rows = probe(changed(pairs(), arm, leak))
    failed = {row.probe for row in rows if row.status is ProbeStatus.FAILED}
    assert caught_by in failed
    with pytest.raises(ProbeError, match=caught_by):
        require_clean(rows)


def test_a_leak_in_many_of_the_pairs_is_caught():
    found = pairs(240)
    leaky = changed(found[:100], "contaminated", lambda v: replace(v, text=v.text + "!")) + found[100:]
    failed = {row.probe for row in probe(leaky) if row.status is ProbeStatus.FAILED}
    assert "punctuation_and_case" in failed


def test_the_limit_and_the_confidence_decide():
    leaky = changed(pairs(), "contaminated", lambda v: replace(v, text=v.text + "!"))
    assert all(row.status is not ProbeStatus.FAILED for row in probe(leaky, limit=1.0))
    weak = pairs(60)
    weak = changed(weak[:12], "contaminated", lambda v: replace(v, text=v.text + "!")) + weak[12:]
    loose = {row.probe for row in probe(weak, confidence=0.6) if row.status is ProbeStatus.FAILED}
    strict = {row.probe for row in probe(weak, confidence=0.9999) if row.status is ProbeStatus.FAILED}
    assert strict < loose or strict == loose == set()


def test_few_pairs_are_inconclusive_and_not_clean():
    row = next(row for row in probe(pairs(40)) if row.probe == "length" and row.contrast is Contrast.SHAM_CLEAN)
    assert row.status is not ProbeStatus.PASSED


def test_wilson_matches_known_values():
    low, high = wilson(0.5, 100, 0.95)
    assert (low, high) == (pytest.approx(0.4038, abs=1e-3), pytest.approx(0.5962, abs=1e-3))
    assert wilson(0.0, 0, 0.95) == (0.0, 1.0)


def letters(texts):
    return np.array(
        [[text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz0123456789"] for text in texts], float
    )


def test_the_encoder_sees_what_a_vector_of_the_whole_text_gives_away():
    leaky = changed(pairs(), "sham", lambda v: replace(v, text="zzz " + v.text))
    rows = {row.probe: row for row in probe(leaky, encode=letters, encoder_pairs=100)}
    assert rows["base_encoder_en"].status is ProbeStatus.FAILED
    assert rows["base_encoder_en"].pairs == 100
    clean = {row.probe: row for row in probe(pairs(), encode=letters, encoder_pairs=100)}
    assert clean["base_encoder_en"].status is not ProbeStatus.FAILED
    assert "base_encoder_en" not in {row.probe for row in probe(leaky, encode=letters)}


def test_a_build_that_wants_the_encoder_probe_and_has_no_encoder_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="encoder_pairs"):
        generate(GenerateConfig(triples=6, encoder_pairs=10), tmp_path / "data")
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_the_base_model_gives_like_sentences_like_vectors():
    near, same, far = sentence_vectors(
        ["The order was refunded.", "The order got a refund.", "Rain is falling in Oslo."]
    )
    assert np.isclose(np.linalg.norm(near), 1.0, atol=1e-5)
    assert near @ same > near @ far + 0.2
