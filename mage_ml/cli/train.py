"""`mage-ml train`."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

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

NAME = "train"


class Task(StrEnum):
    """What to train."""

    RISK = "risk"
    """The risk classifier, on generated episodes."""
    CONSTRAINT = "constraint"
    """The classifier of one constraint, on labelled outputs."""


def command(
    data: Annotated[
        Path | None,
        typer.Option("--data", "-d", help="Folder written by `mage-ml generate`; for a constraint, labelled outputs."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the trained model.")] = None,
    task: Annotated[
        Task, typer.Option(help="risk: the risk classifier; constraint: the classifier of one constraint.")
    ] = Task.RISK,
    config: ConfigOption = None,
    set_: SetOption = None,
    form: FormatOption = Format.TEXT,
    fields: FieldsOption = False,
) -> None:
    """Fine-tune the risk classifier on generated episodes and calibrate it. Interrupted runs go on where they stopped.

    Example: mage-ml train --data runs/data --out runs/model --set finetune_epochs=2

    Example: mage-ml train --task constraint --data outputs.jsonl --out models/no_gift --set constraint=no_gift
    """
    given = {"data": data, "out": out}
    with errors_as_exit_codes():
        if task is Task.CONSTRAINT:
            _constraint(config, set_ or (), given, form, fields=fields)
        else:
            _risk(config, set_ or (), given, form, fields=fields)


def _risk(
    config: Path | None, changes: Sequence[str], given: Mapping[str, object], form: Format, *, fields: bool
) -> None:
    from mage_ml.training.config import TrainConfig

    if fields:
        print_fields(TrainConfig)
        return
    from mage_ml.training.run import train

    settings = load_config(TrainConfig, config, changes, given)
    with progress_bars() as progress:
        record = train(settings, progress)
    rows = {name: f"{value:.3f}" for name, value in record.metrics.items()}
    rows["weights"] = f"{record.parameters:,}"
    rows["false alarms per benign episode"] = (
        f"at most {record.false_alarm_bound:.1%} ({record.benign_alarms} of {record.benign_episodes} on validation)"
    )
    text = f"validation figures\n{figures(rows)}\nwritten to {settings.out}"
    print_result(text, record.model_dump(mode="json"), form)


def _constraint(
    config: Path | None, changes: Sequence[str], given: Mapping[str, object], form: Format, *, fields: bool
) -> None:
    from mage_ml.training.constraint_classifier import ConstraintTrainConfig, train_constraint

    if fields:
        print_fields(ConstraintTrainConfig)
        return
    settings = load_config(ConstraintTrainConfig, config, changes, given)
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    with progress_bars() as progress:
        manifest = train_constraint(settings, today, progress)
    rows = {name: f"{value:.3f}" for name, value in manifest.metrics.items()}
    rows["threshold"] = f"{manifest.threshold:.3f}"
    text = f"{manifest.examples} outputs, cross-validated\n{figures(rows)}\nwritten to {settings.out}"
    print_result(text, manifest.model_dump(mode="json"), form)
