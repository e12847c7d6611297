"""One benchmark run: every contestant on the same rows of every corpus, the guarded replay, one report."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from mage_ml.config import dump_config
from mage_ml.errors import ConfigError
from mage_ml.evaluation import metrics
from mage_ml.evaluation.config import BenchmarkConfig, CorpusChoice, PipelineChoice
from mage_ml.evaluation.contestants import Contestant
from mage_ml.evaluation.importers.agentdyn import CORPUS, AgentDynImporter, ImportTally
from mage_ml.evaluation.lineup import Lineup, build_lineup, reading_notes
from mage_ml.evaluation.recorded import NO_DEFENCE, RunOutcome, parse_pipeline, recorded_rows, summarise
from mage_ml.evaluation.replay import ReplaySummary, replay, replay_rows
from mage_ml.evaluation.report import (
    BenchmarkReport,
    ReliabilityBin,
    ReliabilityCurve,
    ReplayCounts,
    ReportMetadata,
    RocCurve,
    write_report,
)
from mage_ml.evaluation.rows import BenchmarkRow, recorded_name
from mage_ml.evaluation.sampling import stratified_sample
from mage_ml.evaluation.scoring import ContestantScores, ScoreTable, score_episodes
from mage_ml.evaluation.slices import (
    Slice,
    cost_rows,
    generated_slices,
    localisation_rows,
    recorded_slices,
    rows_of,
    take,
)
from mage_ml.memory import Episode
from mage_ml.memory.records import digest_of, episode_files, read_episodes
from mage_ml.progress import Progress, silent
from mage_ml.version import __version__

TEST_FILE: Final = "test.parquet"
ALL_MOMENTS: Final = "moments/all"
REWORDED: Final = f"{CORPUS}_reworded"
"""The same runs with every injected text in other words: without tag, sender and phrases of the published attack."""
_CURVE_POINTS: Final = 300
_DRAWN: Final = ("test", "runs/clean", "runs/resisted")
_LIBRARIES: Final = ("numpy", "scikit-learn", "onnxruntime", "tokenizers")


@dataclass(slots=True)
class _Findings:
    """What a run has found so far."""

    rows: list[BenchmarkRow] = field(default_factory=list)
    roc: list[RocCurve] = field(default_factory=list)
    reliability: list[ReliabilityCurve] = field(default_factory=list)
    counts: list[ReplayCounts] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)


def run_benchmark(
    config: BenchmarkConfig,
    progress: Progress = silent,
    *,
    created: str = "",
    lineup: Lineup | None = None,
) -> BenchmarkReport:
    """Run a benchmark and write `report.json`, `report.md` and `report.html` into `config.out`.

    Args:
        config: What to run.
        progress: Told how far each stage has come.
        created: Date to print in the report.
        lineup: The contestants; built from the config when not given.

    Raises:
        ConfigError: A corpus was asked for without its data.
        RecordError: A record of a corpus cannot be read.
        MissingExtraError: The `eval` extra is not installed.
    """
    _check(config)
    lineup = build_lineup(config, progress) if lineup is None else lineup
    notes = [*reading_notes(lineup.contestants), *lineup.notes]
    found = _Findings(notes=notes, digests=dict(lineup.digests))
    if config.corpus is not CorpusChoice.AGENTDYN:
        _run_generated(config, lineup.contestants, found, progress)
    if config.corpus is not CorpusChoice.GENERATED:
        _run_recorded(config, lineup.contestants, found, progress, reworded=False)
        if config.reworded:
            _run_recorded(config, lineup.contestants, found, progress, reworded=True)
    report = BenchmarkReport(
        rows=tuple(found.rows),
        metadata=ReportMetadata(
            created=created,
            mage_ml_version=__version__,
            versions={name: importlib.metadata.version(name) for name in _LIBRARIES},
            digests=found.digests,
            notes=tuple(found.notes),
            config=dump_config(config),
        ),
        roc=tuple(found.roc),
        reliability=tuple(found.reliability),
        replay_counts=tuple(found.counts),
        tier_stats=None if lineup.tiers is None else lineup.tiers.stats(),
    )
    write_report(report, config.out)
    return report


def _check(config: BenchmarkConfig) -> None:
    if config.corpus is not CorpusChoice.AGENTDYN and config.data is None:
        raise ConfigError("corpus 'generated' needs data: the folder that `mage-ml generate` wrote")
    if config.data is not None and not episode_files(config.data / TEST_FILE):
        raise ConfigError(f"data: {config.data} holds no {TEST_FILE}; give the folder that `mage-ml generate` wrote")
    if config.corpus is not CorpusChoice.GENERATED and config.path is None:
        raise ConfigError("corpus 'agentdyn' needs path: a run file of AgentDojo or AgentDyn, or a folder of them")


def _run_generated(
    config: BenchmarkConfig, contestants: Sequence[Contestant], found: _Findings, progress: Progress
) -> None:
    assert config.data is not None
    episodes = stratified_sample(list(read_episodes(config.data / TEST_FILE)), config.limit, config.seed)
    found.digests["generated test split"] = digest_of(episodes)
    table = score_episodes(episodes, contestants, progress, stage="score generated test split")
    for scores in table.scores:
        for slice_ in generated_slices(table.cases):
            found.rows += rows_of(slice_, table, scores, config.seed)
            _draw(slice_, table, scores, found)
        found.rows += localisation_rows("generated", "test", table, scores)
        found.rows += cost_rows("generated", "test", scores)
    found.notes += _failure_notes(table, "generated test split")


def _run_recorded(
    config: BenchmarkConfig,
    contestants: Sequence[Contestant],
    found: _Findings,
    progress: Progress,
    *,
    reworded: bool,
) -> None:
    assert config.path is not None
    corpus = REWORDED if reworded else CORPUS
    importer = AgentDynImporter(config.path, reworded=reworded)
    guarded: list[Episode] = []
    outcomes: list[RunOutcome] = []
    for episode in importer.episodes(progress):
        outcomes.append(RunOutcome.of(episode))
        if config.pipelines is PipelineChoice.ALL or parse_pipeline(episode.writer).defence == NO_DEFENCE:
            guarded.append(episode)
    found.notes += _import_notes(importer.tally, corpus)
    episodes = stratified_sample(guarded, config.limit, config.seed)
    if len(episodes) < len(guarded):
        found.notes.append(f"Scores and replay use {len(episodes):,} of {len(guarded):,} runs, drawn evenly.")
    unlocated = sum(bool(e.outcome.harm_done) and not any(m.label.is_risky for m in e.moments) for e in episodes)
    if unlocated:
        found.notes.append(
            f"In {unlocated} of the replayed runs the recording says that the attack succeeded, but no action serves "
            "the injected goal. They count as attacks left unless the guard stops the run."
        )
    found.digests[f"{corpus} runs"] = digest_of(episodes)
    table = score_episodes(episodes, contestants, progress, stage=f"score {corpus}")
    for scores in table.scores:
        for slice_ in recorded_slices(corpus, table.cases):
            found.rows += rows_of(slice_, table, scores, config.seed)
            _draw(slice_, table, scores, found)
        found.rows += localisation_rows(corpus, ALL_MOMENTS, table, scores)
        found.rows += cost_rows(corpus, ALL_MOMENTS, scores)
    found.notes += _failure_notes(table, corpus)
    if not reworded:
        _add_recorded(outcomes, found)
    _replay_all(corpus, episodes, contestants, found, progress)


def _add_recorded(outcomes: Sequence[RunOutcome], found: _Findings) -> None:
    """The defences that the recordings themselves hold."""
    found.rows += recorded_rows(CORPUS, outcomes)
    for recorded in summarise(outcomes):
        found.counts.append(
            ReplayCounts(
                corpus=CORPUS,
                contestant=recorded_name(recorded.defence),
                attacked=recorded.attacked,
                attacks_left=recorded.harmed,
                solved_under_attack=recorded.solved_under_attack,
                clean=recorded.clean,
                clean_solved=recorded.clean_solved,
            )
        )


def _replay_all(
    corpus: str,
    episodes: Sequence[Episode],
    contestants: Sequence[Contestant],
    found: _Findings,
    progress: Progress,
) -> None:
    clean = sum(episode.operator is None for episode in episodes)
    for contestant in contestants:
        if contestant.decide is None:
            continue
        runs = replay(episodes, contestant.decide, progress, stage=f"replay {corpus} with {contestant.name}")
        found.rows += replay_rows(corpus, contestant.name, runs)
        summary = ReplaySummary.of(runs)
        if summary.left_disarmed:
            found.notes.append(
                f"{contestant.name}: in {summary.left_disarmed} of its {summary.attacks_left} attacks left, every "
                "poisoned entry was in quarantine before the hijacked action. A live agent would no longer have read "
                "them; the recorded one had, so they are counted as left."
            )
        found.counts.append(
            ReplayCounts(
                corpus=corpus,
                contestant=contestant.name,
                attacked=summary.attacked,
                attacks_left=summary.attacks_left,
                solved_under_attack=summary.resisted_kept,
                clean=clean,
                clean_solved=summary.clean_solved - summary.clean_halted,
            )
        )


def _draw(slice_: Slice, table: ScoreTable, scores: ContestantScores, found: _Findings) -> None:
    """Keep the curves of the few slices that the report draws."""
    if slice_.name not in _DRAWN:
        return
    part = take(slice_, table, scores)
    name = scores.contestant.name
    false_rate, true_rate = metrics.roc_points(part.scores, part.positive)
    if len(false_rate):
        step = max(1, len(false_rate) // _CURVE_POINTS)
        keep = sorted({*range(0, len(false_rate), step), len(false_rate) - 1})
        found.roc.append(
            RocCurve(
                corpus=slice_.corpus,
                split=slice_.name,
                contestant=name,
                false_rate=tuple(round(float(false_rate[i]), 6) for i in keep),
                true_rate=tuple(round(float(true_rate[i]), 6) for i in keep),
            )
        )
    if not slice_.by_episode and len(part.scores):
        bins = tuple(
            ReliabilityBin(mean_score=b.mean_score, positive_share=b.positive_share, n=b.n)
            for b in metrics.reliability(part.scores, part.positive)
        )
        found.reliability.append(ReliabilityCurve(corpus=slice_.corpus, split=slice_.name, contestant=name, bins=bins))


def _failure_notes(table: ScoreTable, corpus: str) -> Iterator[str]:
    for scores in table.scores:
        if scores.failures:
            yield (
                f"{scores.contestant.name} failed on {len(scores.failures):,} of {len(table.cases):,} moments of "
                f"{corpus}; they are left out of its figures. First: {scores.failures[0]}"
            )


def _import_notes(tally: ImportTally, corpus: str) -> Iterator[str]:
    yield (
        f"{corpus}: {tally.runs:,} run records; {tally.attacked:,} attacked, of which {tally.succeeded:,} succeeded "
        f"and {tally.not_met:,} never met the injected text; {tally.clean:,} clean; {tally.goal_runs:,} runs that give "
        f"the injected goal as the task serve the labels only; {tally.unjudged + tally.crashed} aborted ones are out."
    )
    yield (
        f"{corpus}: the hijacked action is not recorded. It is found by comparing calls with runs that were given the "
        f"injected goal; {tally.hijacked:,} runs have one, {tally.succeeded_unlocated:,} successful attacks have none."
    )
    if corpus == REWORDED:
        yield (
            f"{corpus}: every injected text is in other words, by a few fixed sentences around the goal's own; "
            f"{tally.not_reworded:,} runs without the published template could not be reworded and are left out."
        )
    else:
        yield f"{corpus}: one attack wording only; a figure on it says little about other wordings."
