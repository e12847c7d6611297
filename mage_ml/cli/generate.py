"""`mage-ml generate`."""

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
    print_fields,
    print_result,
    progress_bars,
)
from mage_ml.config import load_config

NAME = "generate"


def command(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the episodes and their data card.")] = Path(
        "runs/data"
    ),
    config: ConfigOption = None,
    set_: SetOption = None,
    form: FormatOption = Format.TEXT,
    fields: FieldsOption = False,
) -> None:
    """Run agents with injected errors and record clean, sham and contaminated memory chains with causal proof.

    Example: mage-ml generate --out runs/data --set triples=200
    """
    from data_gen.config import GenerateConfig
    from data_gen.runner import generate

    if fields:
        print_fields(GenerateConfig)
        return
    with errors_as_exit_codes():
        settings = load_config(GenerateConfig, config, set_ or ())
        with progress_bars() as progress:
            card = generate(settings, out, progress)
    print_result(f"{card.summary()}\nwritten to {out}", card.model_dump(mode="json"), form)
