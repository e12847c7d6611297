"""`mage-ml train`."""

from __future__ import annotations

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


def command(
    data: Annotated[Path | None, typer.Option("--data", "-d", help="Folder written by `mage-ml generate`.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the trained model.")] = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    form: FormatOption = Format.TEXT,
    fields: FieldsOption = False,
) -> None:
    """Fine-tune the risk classifier on generated episodes and calibrate it. Interrupted runs go on where they stopped.

    Example: mage-ml train --data runs/data --out runs/model --set finetune_epochs=2
    """
    from mage_ml.training.config import TrainConfig

    if fields:
        print_fields(TrainConfig)
        return
    with errors_as_exit_codes():
        from mage_ml.training.run import train

        settings = load_config(TrainConfig, config, set_ or (), {"data": data, "out": out})
        with progress_bars() as progress:
            record = train(settings, progress)
    rows = {name: f"{value:.3f}" for name, value in record.metrics.items()}
    rows["weights"] = f"{record.parameters:,}"
    rows["false alarms per benign episode"] = (
        f"at most {record.false_alarm_bound:.1%} ({record.benign_alarms} of {record.benign_episodes} on validation)"
    )
    text = f"validation figures\n{figures(rows)}\nwritten to {settings.out}"
    print_result(text, record.model_dump(mode="json"), form)
