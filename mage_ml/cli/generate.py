"""`mage-ml generate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mage_ml.cli.terminal import (
    ConfigOption,
    FieldsOption,
    Format,
    FormatOption,
    SetOption,
    errors_as_exit_codes,
    figures,
    print_fields,
    print_result,
    progress_bars,
)
from mage_ml.config import load_config

if TYPE_CHECKING:
    from data_gen.card import DataCard
    from data_gen.probes import Encode
    from mage_ml.progress import Progress

NAME = "generate"


def command(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the episodes and their data card.")] = Path(
        "runs/data"
    ),
    workers: Annotated[int | None, typer.Option("--workers", "-w", help="Worker processes, or CPUs of Ray.")] = None,
    engine: Annotated[str | None, typer.Option(help="local, or ray for a Ray cluster.")] = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    form: FormatOption = Format.TEXT,
    fields: FieldsOption = False,
) -> None:
    """Run agents with injected errors and record clean, sham and contaminated memory chains with causal proof.

    An interrupted run goes on where it was when it is started again with the same settings.

    Example: mage-ml generate --out runs/data --set triples=200
    """
    from data_gen.config import GenerateConfig
    from data_gen.runner import generate

    if fields:
        print_fields(GenerateConfig)
        return
    with errors_as_exit_codes():
        settings = load_config(GenerateConfig, config, set_ or (), {"workers": workers, "engine": engine})
        with progress_bars() as progress:
            card = generate(settings, out, progress, _encoder(progress) if settings.encoder_pairs else None)
    print_result(f"{summary(card)}\nwritten to {out}", card.model_dump(mode="json"), form)


def _encoder(progress: Progress) -> Encode:
    from mage_ml.training.sentences import sentence_vectors

    return lambda texts: sentence_vectors(texts, progress=progress)


def summary(card: DataCard) -> str:
    """What was generated, in a few lines."""
    worst = max(card.probes, key=lambda row: row.auroc, default=None)
    rows = {
        "triples": f"{card.triples} ({card.consequential} proven, {card.hard_negatives} hard negatives)",
        "episodes": f"{card.episodes}, {card.moments:,} pending actions, {card.risky_moments:,} at risk",
        "splits": ", ".join(f"{name} {count}" for name, count in card.by_split.items()),
        "languages": ", ".join(f"{name} {count}" for name, count in card.by_language.items()),
        "rejected": f"{sum(card.rejections.values())} of {card.attempts} candidates: "
        + ", ".join(f"{name} {count}" for name, count in card.rejections.items()),
    }
    if worst is not None:
        rows["probes"] = f"{len(card.probes)}, highest AUROC {worst.auroc:.3f} ({worst.probe}, {worst.status})"
    return figures(rows)
