"""`mage-ml export`."""

from __future__ import annotations

import datetime
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

NAME = "export"


def command(
    model: Annotated[Path | None, typer.Option("--model", "-m", help="Folder written by `mage-ml train`.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the sealed artifact.")] = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    form: FormatOption = Format.TEXT,
    fields: FieldsOption = False,
) -> None:
    """Export a trained model to ONNX and seal it, if torch, fp32 and int8 agree.

    Example: mage-ml export --model runs/model --out runs/artifact
    """
    from mage_ml.export.config import ExportConfig

    if fields:
        print_fields(ExportConfig)
        return
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    with errors_as_exit_codes():
        from mage_ml.export.run import export

        settings = load_config(ExportConfig, config, set_ or (), {"model": model, "out": out})
        with progress_bars() as progress:
            manifest = export(settings, today, progress)
    parity = manifest.parity
    rows = {
        "encoder": f"{parity.shipped}; {parity.reason}",
        "torch against fp32": f"largest difference {parity.fp32_max_difference:.1e}",
        "torch against int8": f"{parity.int8_decisions_agree:.1%} equal decisions on {parity.snapshots} snapshots",
        "recall drop": f"{parity.int8_recall_drop:+.2%}",
        **{name: f"{record.size_bytes / 1e6:.1f} MB" for name, record in manifest.files.items() if "onnx" in name},
    }
    print_result(f"{figures(rows)}\nsealed in {settings.out}", manifest.model_dump(mode="json"), form)
