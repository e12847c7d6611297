import json

import pytest

from mage_ml.config import load_config
from mage_ml.errors import ConfigError
from mage_ml.evaluation.benchmark import run_benchmark
from mage_ml.evaluation.config import BenchmarkConfig, CorpusChoice
from mage_ml.evaluation.plots import all_plots
from mage_ml.evaluation.report import BenchmarkReport, ReportMetadata, read_report, write_report
from mage_ml.evaluation.report_html import plain_words
from mage_ml.evaluation.rows import BenchmarkRow, ContestantName, Metric
from mage_ml.evaluation.targets import judge_targets
from mage_ml.memory import Split
from mage_ml.memory.records import write_episodes
from tests.builders import tiny_triple
from tests.evaluation import runs as made

ROW_FIELDS = {"corpus", "split", "contestant", "metric", "value", "ci_low", "ci_high", "n", "protocol"}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("benchmark inputs")
    data, recorded = folder / "data", folder / "runs"
    data.mkdir()
    recorded.mkdir()
    for split, numbers in ((Split.TRAIN, range(20)), (Split.TEST, range(20, 26))):
        episodes = [e for n in numbers for e in tiny_triple(n, split, "zh" if n % 2 else "en")]
        write_episodes(data / f"{split}.parquet", episodes)
    attacked = [
        made.attacked_run(made.GOOD_MAIL),
        made.hijacked_run(),
    ]
    runs = [*[made.goal_run()] * 3, made.clean_run(), *attacked]
    made.write_runs(recorded, "model", runs)
    made.write_runs(recorded, "model-repeat_user_prompt", runs)
    return data, recorded


@pytest.fixture(scope="module")
def finished(inputs, tmp_path_factory):
    data, recorded = inputs
    chosen = (ContestantName.RULES, ContestantName.TFIDF_LR, ContestantName.NO_PROVENANCE)
    out = tmp_path_factory.mktemp("out")
    config = BenchmarkConfig(data=data, path=recorded, out=out, contestants=chosen)
    stages = []
    report = run_benchmark(config, lambda *told: stages.append(told), created="2030-01-02")
    return config, report, stages


def test_one_run_writes_json_markdown_and_html(finished):
    config, report, _ = finished
    content = json.loads((config.out / "report.json").read_text(encoding="utf-8"))
    assert all(set(row) == ROW_FIELDS for row in content["rows"])
    assert read_report(config.out / "report.json") == report
    assert "2030-01-02" in (config.out / "report.md").read_text(encoding="utf-8")


def test_the_page_is_self_contained_and_shows_its_plots(finished):
    config, _, _ = finished
    page = (config.out / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 4
    for outside in ('src="http', "<script", '<link rel="stylesheet"', "@import"):
        assert outside not in page
    assert "Where it falls short" in page


def test_every_contestant_is_scored_on_both_corpora_and_the_missing_one_is_named(finished):
    _, report, _ = finished
    for corpus in ("generated", "agentdyn"):
        names = {row.contestant for row in report.select(corpus=corpus, metric=Metric.AUROC)}
        assert names == {"rules", "tfidf_lr"}
        assert {row.contestant for row in report.select(corpus=corpus, metric=Metric.LATENCY_P50_MS)} == names
    assert any(note.startswith("no_provenance takes no part") for note in report.metadata.notes)


def test_guard_and_recorded_defences_share_the_replay_table(finished):
    _, report, _ = finished
    names = {row.contestant for row in report.select(split="replay", metric=Metric.ATTACK_SUCCESS_LEFT)}
    assert names == {"rules", "recorded:none", "recorded:repeat_user_prompt"}


def test_progress_names_every_stage_and_reaches_its_end(finished):
    _, _, stages = finished
    last = {stage: (done, total) for stage, done, total in stages}
    assert all(done == total > 0 for done, total in last.values())
    stages = {"score agentdyn", "replay agentdyn with rules", "score agentdyn_reworded"}
    assert {"prepare contestants", "score generated test split", *stages} <= set(last)


def test_the_same_run_twice_gives_the_same_figures_but_for_the_clock(finished, tmp_path):
    config, report, _ = finished
    again = run_benchmark(config.model_copy(update={"out": tmp_path}), created="2030-01-02")
    timed = (Metric.LATENCY_P50_MS, Metric.LATENCY_P99_MS)
    assert [row for row in again.rows if row.metric not in timed] == [
        row for row in report.rows if row.metric not in timed
    ]


def test_limit_shortens_the_run_and_says_so(inputs, tmp_path):
    _, recorded = inputs
    config = BenchmarkConfig(
        corpus=CorpusChoice.AGENTDYN, path=recorded, out=tmp_path, contestants=(ContestantName.RULES,), limit=2
    )
    report = run_benchmark(config)
    assert any("2 of 3 runs" in note for note in report.metadata.notes)


def test_recorded_attacks_are_run_a_second_time_in_other_words(finished):
    _, report, _ = finished
    assert {row.corpus for row in report.rows} == {"generated", "agentdyn", "agentdyn_reworded"}
    for metric, split in ((Metric.AUROC, None), (Metric.ATTACK_SUCCESS_LEFT, "replay")):
        first = {(r.contestant, r.split): r.n for r in report.select(corpus="agentdyn", split=split, metric=metric)}
        again = report.select(corpus="agentdyn_reworded", split=split, metric=metric)
        # The same runs; the defences of the recordings met the published words only, so they have no second figure.
        assert {(r.contestant, r.split): r.n for r in again} == {
            key: n for key, n in first.items() if not key[0].startswith("recorded:")
        }
    assert len(report.metadata.digests.keys() & {"agentdyn runs", "agentdyn_reworded runs"}) == 2
    assert report.metadata.digests["agentdyn runs"] != report.metadata.digests["agentdyn_reworded runs"]


def test_without_rewording_there_is_no_second_corpus(inputs, tmp_path):
    config = BenchmarkConfig(
        corpus=CorpusChoice.AGENTDYN,
        path=inputs[1],
        out=tmp_path,
        contestants=(ContestantName.RULES,),
        reworded=False,
    )
    assert {row.corpus for row in run_benchmark(config).rows} == {"agentdyn"}


def test_runs_that_cannot_be_reworded_are_left_out_of_the_second_corpus_and_counted(tmp_path):
    recorded = tmp_path / "runs"
    recorded.mkdir()
    untagged = made.attacked_run(made.GOOD_MAIL, planted=made.UNTAGGED, user_task_id="user_task_2")
    made.write_runs(recorded, "model", [*[made.goal_run()] * 3, made.clean_run(), made.hijacked_run(), untagged])
    config = BenchmarkConfig(
        corpus=CorpusChoice.AGENTDYN, path=recorded, out=tmp_path / "out", contestants=(ContestantName.RULES,)
    )
    report = run_benchmark(config)
    attacked = {row.corpus: row.n for row in report.select(split="replay", metric=Metric.ATTACK_SUCCESS_LEFT)}
    assert attacked == {"agentdyn": 2, "agentdyn_reworded": 1}
    assert any(
        note.startswith("agentdyn_reworded: ") and "1 runs without the published template" in note
        for note in report.metadata.notes
    )


def test_the_notes_say_whose_figures_are_development_figures(finished):
    _, report, _ = finished
    # no_provenance was asked for but takes no part, so nothing is said about ablations.
    assert next(note for note in report.metadata.notes if "development figures" in note).startswith("rules: ")
    assert not any("chain head of its own" in note for note in report.metadata.notes)


def test_a_corpus_without_its_data_is_refused_before_any_work(tmp_path):
    with pytest.raises(ConfigError, match="needs data"):
        run_benchmark(BenchmarkConfig(corpus=CorpusChoice.GENERATED, out=tmp_path))
    with pytest.raises(ConfigError, match="needs path"):
        run_benchmark(BenchmarkConfig(corpus=CorpusChoice.AGENTDYN, out=tmp_path))
    with pytest.raises(ConfigError, match=r"holds no test\.parquet"):
        run_benchmark(BenchmarkConfig(corpus=CorpusChoice.GENERATED, data=tmp_path, out=tmp_path))


def test_a_misspelt_contestant_is_refused():
    with pytest.raises(ConfigError, match="contestants"):
        load_config(BenchmarkConfig, None, ["contestants=[rulez]"])


def row(metric, value, contestant="rules", split="replay", corpus="agentdyn"):
    return BenchmarkRow(corpus=corpus, split=split, contestant=contestant, metric=metric, value=value, n=10)


def test_targets_judge_what_ships_and_name_what_falls_short(tmp_path):
    rows = [
        row(Metric.ATTACK_SUCCESS_LEFT, 0.2, "rules"),
        row(Metric.ATTACK_SUCCESS_LEFT, 0.005, "tiers"),
        row(Metric.UTILITY_UNDER_ATTACK_KEPT, 0.5, "rules"),
    ]
    verdicts = {verdict.label: verdict for verdict in judge_targets(rows)}
    assert verdicts["attack success left in guarded replay"].contestant == "tiers"
    assert verdicts["attack success left in guarded replay"].met
    assert not verdicts["utility under attack kept"].met
    report = BenchmarkReport(rows=tuple(rows), metadata=ReportMetadata(created="", mage_ml_version="0"))
    page = write_report(report, tmp_path).html.read_text(encoding="utf-8")
    assert "utility under attack kept: 0.500, wanted at least 0.9." in page


def test_the_sentences_and_pictures_of_the_replay_do_not_mix_corpora():
    figures = {
        "agentdyn": {Metric.ATTACK_SUCCESS_LEFT: 0.01, Metric.BENIGN_HALTED: 0.02},
        "agentdyn_reworded": {Metric.ATTACK_SUCCESS_LEFT: 0.31, Metric.BENIGN_HALTED: 0.42},
    }
    rows = [row(metric, value, corpus=name) for name, found in figures.items() for metric, value in found.items()]
    rows.append(row(Metric.ATTACK_SUCCESS_LEFT, 0.6, "recorded:none"))
    report = BenchmarkReport(rows=tuple(rows), metadata=ReportMetadata(created="", mage_ml_version="0"))
    none, published, reworded = plain_words(report)
    assert none.startswith("agentdyn: without a guard, 60.0%")
    assert published.startswith("agentdyn: with rules, 1.0% are left; 2.0% of the clean runs")
    assert reworded.startswith("agentdyn_reworded: with rules, 31.0% are left; 42.0% of the clean runs")
    plots = all_plots(report)
    assert len(plots) == 2
    assert [name for plot in plots for name in figures if f">{name}: guarded replay<" in plot] == list(figures)


def test_text_from_outside_is_escaped_in_the_page(tmp_path):
    metadata = ReportMetadata(created="", mage_ml_version="0", notes=("<script>alert(1)</script>",))
    report = BenchmarkReport(rows=(), metadata=metadata)
    page = write_report(report, tmp_path).html.read_text(encoding="utf-8")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.slow
def test_classifier_tiers_and_ablation_take_part_with_a_trained_artifact(inputs, tmp_path, tiny_run):
    data, recorded = inputs
    chosen = (ContestantName.CLASSIFIER, ContestantName.TIERS, ContestantName.CURRENT_STEP_ONLY)
    config = BenchmarkConfig(
        data=data,
        path=recorded,
        out=tmp_path,
        contestants=chosen,
        artifact=tiny_run.artifact,
        current_step_only=tiny_run.artifact,
    )
    report = run_benchmark(config)
    assert not any("takes no part" in note or "failed on" in note for note in report.metadata.notes)
    for metric in (Metric.AUROC, Metric.LOCALISATION_TOP1, Metric.SIZE_MB):
        assert {row.contestant for row in report.select(corpus="generated", metric=metric)} == set(chosen)
    replayed = {row.contestant for row in report.select(split="replay", metric=Metric.BENIGN_HALTED)}
    assert set(chosen) <= replayed
    # The same weights give the same scores, whatever name they run under.
    by_name = {row.contestant: row.value for row in report.select(split="test", metric=Metric.AUROC)}
    assert by_name["classifier"] == by_name["current_step_only"]
