"""Settings of an export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from mage_ml.config import Config


class ExportConfig(Config):
    """One export: which model, where to, and the gates it must pass."""

    model: Annotated[Path, Field(description="Folder of a finished `mage-ml train`.")] = Path("runs/model")
    out: Annotated[Path, Field(description="Folder for the sealed artifact.")] = Path("runs/artifact")
    model_version: Annotated[str, Field(min_length=1, description="Version of the model, for the manifest.")] = "0.1.0"
    data: Annotated[
        Path | None, Field(description="Folder of episodes for the gates; by default the one it was trained on.")
    ] = None
    gate_snapshots: Annotated[int, Field(ge=20, description="Validation snapshots the gates are judged on.")] = 400
    max_fp32_difference: Annotated[
        float, Field(gt=0.0, description="Largest difference of a probability between torch and fp32 ONNX.")
    ] = 1e-3
    min_int8_agreement: Annotated[
        float, Field(gt=0.0, le=1.0, description="Least share of equal decisions between torch and int8.")
    ] = 0.99
    max_recall_drop: Annotated[float, Field(ge=0.0, description="Most recall that int8 may lose, as a share.")] = 0.005
    ablations: Annotated[bool, Field(description="Export the ablations of the run too, for the benchmark.")] = True
