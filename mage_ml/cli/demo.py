"""`mage-ml demo`."""

from __future__ import annotations

import datetime
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from mage_ml.artifact import default_artifact_path
from mage_ml.cli.closed_loop import Ending, LiveRun, one_of_each, run_live, tally, verify_first
from mage_ml.cli.generate import summary
from mage_ml.cli.terminal import errors_as_exit_codes, out, progress_bars
from mage_ml.errors import ConfigError
from mage_ml.memory import Arm
from mage_ml.progress import Progress
from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import load_policy

NAME = "demo"
MARKER = ".mage-ml-demo"
LANGUAGES = ("en", "zh")
VERIFIABLE = ("value_flip", "unit_slip")


def command(
    folder: Annotated[
        Path, typer.Option("--out", "-o", help="Folder for everything the demo makes; an earlier demo there goes.")
    ] = Path("runs/demo"),
    triples: Annotated[int, typer.Option(help="How many triples to generate.", min=60)] = 300,
    cases: Annotated[int, typer.Option(help="Live cases for each operator and language.", min=1)] = 2,
) -> None:
    """Run the whole job on small defaults: poison agents, train, export, benchmark, guard live agents."""
    start = time.perf_counter()
    with errors_as_exit_codes():
        _clear(folder)
        with progress_bars() as progress:
            _generate(folder / "data", triples, progress)
            _train(folder, progress)
            _export(folder, progress)
            _benchmark(folder, progress)
            _live(folder, cases, progress)
    _show_made(folder)
    out.print(f"the whole job took {(time.perf_counter() - start) / 60:.1f} minutes")


def _clear(folder: Path) -> None:
    """Remove an earlier demo, and nothing else."""
    marker = folder / MARKER
    if folder.is_dir() and any(folder.iterdir()) and not marker.is_file():
        raise ConfigError(f"{folder}: holds other files; choose an empty folder, or an earlier demo's (--out)")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    marker.touch()


def _generate(data: Path, triples: int, progress: Progress) -> None:
    from data_gen.config import GenerateConfig
    from data_gen.runner import generate

    out.print("[bold]1/5 generate[/bold]: agents at work in a simulated sales office, clean, sham and contaminated")
    card = generate(GenerateConfig(triples=triples, validation_share=0.2, workers=2), data, progress)
    out.print(summary(card))


def _train(folder: Path, progress: Progress) -> None:
    from mage_ml.training.config import TrainConfig
    from mage_ml.training.run import train

    out.print("[bold]2/5 train[/bold]: three layers of the base model and a chain head")
    config = TrainConfig(
        data=folder / "data", out=folder / "model", name="mage-demo", head_epochs=4, target_false_alarms=0.1
    )
    record = train(config, progress)
    out.print(", ".join(f"{name} {value:.3f}" for name, value in record.metrics.items()))


def _export(folder: Path, progress: Progress) -> None:
    from mage_ml.export.config import ExportConfig
    from mage_ml.export.run import export

    out.print("[bold]3/5 export[/bold]: ONNX, 8 bits, sealed if it agrees with torch")
    config = ExportConfig(model=folder / "model", out=folder / "artifact")
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    out.print(export(config, today, progress).parity.reason)


def _benchmark(folder: Path, progress: Progress) -> None:
    from mage_ml.cli.benchmark import print_headlines
    from mage_ml.evaluation.benchmark import run_benchmark
    from mage_ml.evaluation.config import BenchmarkConfig, CorpusChoice

    out.print("[bold]4/5 benchmark[/bold]: on templates and writers that training never saw")
    config = BenchmarkConfig(
        corpus=CorpusChoice.GENERATED, data=folder / "data", artifact=folder / "artifact", out=folder / "benchmark"
    )
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    print_headlines(run_benchmark(config, progress, created=today))


def _live(folder: Path, cases: int, progress: Progress) -> None:
    """The same agents under the model just made in minutes, and under the one that ships."""
    out.print("[bold]5/5 guard[/bold]: live agents under MageGuard; each of these contaminations goes wrong without it")
    audit = AuditLog(folder / "audit.sqlite")
    _show_guarded("the model just trained", _guard(folder / "artifact", audit, cases, progress))
    runs = _guard(default_artifact_path(), audit, cases, progress)
    _show_guarded("the model that ships", runs)
    stories = one_of_each(runs)
    if all(run.ending is not Ending.REDIRECTED for run in stories):
        verified = _verifying(progress)
        stories += [verified] if verified is not None else []
    for run in stories:
        _show_story(run)


def _guard(artifact: Path, audit: AuditLog, cases: int, progress: Progress) -> list[LiveRun]:
    from data_gen.operators import OPERATORS
    from data_gen.triples import usable_operators

    engine = create_engine(load_policy(), artifact)

    def new_guard(goal: str) -> MageGuard:
        return MageGuard(engine, goal=goal, audit=audit)

    # Seeds far from those of the data set: none of these cases was trained on.
    seeds = range(9000, 9000 + cases)
    return run_live(usable_operators(tuple(OPERATORS), ("sales_report",)), LANGUAGES, seeds, new_guard, progress)


def _verifying(progress: Progress) -> LiveRun | None:
    """A run that verification saved, under a policy that verifies where the default one repairs."""
    engine = create_engine(verify_first(load_policy()), default_artifact_path())
    for seed in range(9000, 9010):
        runs = run_live(VERIFIABLE, LANGUAGES, [seed], lambda goal: MageGuard(engine, goal=goal), progress)
        found = [run for run in runs if run.arm is Arm.CONTAMINATED and run.ending is Ending.REDIRECTED]
        if found:
            return found[0]
    return None


def _show_guarded(model: str, runs: Sequence[LiveRun]) -> None:
    counts = tally(runs)
    heads = [str(ending).replace(", finished right", "") for ending in Ending]
    table = Table("arm", *heads, title=f"{model}; warned, repaired, redirected: finished right")
    for arm, by_ending in counts.items():
        table.add_row(str(arm), *(str(by_ending[ending]) for ending in Ending))
    out.print(table)


def _show_story(run: LiveRun) -> None:
    out.print(f"\n[bold]{run.ending}[/bold] ({run.operator}, {run.language})")
    out.print(Text(f"task: {run.goal}"))
    decision = run.turning_point
    if decision is not None:
        out.print(Text(decision.message))
        if run.ending is Ending.HALTED and decision.diagnosis is not None:
            out.print(Text(decision.diagnosis.to_text()))
    out.print(Text(f"outcome by ground truth: {run.run.outcome.detail or 'as asked'}"))


def _show_made(folder: Path) -> None:
    out.print("\n[bold]made[/bold]")
    for name, what in (
        ("data/data_card.md", "what was generated, with probes and rejections"),
        ("model/loss.png", "the loss curve"),
        ("artifact/README.md", "the model card"),
        ("benchmark/report.html", "the benchmark report"),
        ("audit.sqlite", "the audit log of the live runs"),
    ):
        out.print(f"  {folder / name}  {what}")
