"""`mage-ml calibrate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
import yaml

from mage_ml.cli.terminal import Format, FormatOption, errors_as_exit_codes, print_result, progress_bars
from mage_ml.config import parse_yaml
from mage_ml.errors import ConfigError
from mage_ml.memory.records import read_episodes
from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.evaluators.tier_settings import CombinedCalibration
from mage_ml.runtime.guardrail import load_policy
from mage_ml.runtime.guardrail.policy_file import policy_text

NAME = "calibrate"


def command(
    benign: Annotated[
        list[Path], typer.Option("--benign", "-b", help="Benign episodes (.jsonl, .parquet) or a folder. Repeatable.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Policy to write.")],
    policy: Annotated[str | None, typer.Option(help="Policy to start from: a file or a preset.")] = None,
    artifact: Annotated[Path | None, typer.Option("--artifact", "-a", help="Sealed model; default: shipped.")] = None,
    bound: Annotated[
        float, typer.Option(help="Wanted bound on false alarms per benign episode.", min=0.0001, max=0.5)
    ] = 0.02,
    confidence: Annotated[float, typer.Option(help="Confidence of the bound.", min=0.5, max=0.9999)] = 0.95,
    may_lower: Annotated[
        bool, typer.Option("--may-lower", help="Allow a threshold below 0.5, which alarms more.")
    ] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Fit the tiers' combined scores to your benign episodes, and write a policy with a stated false-alarm bound.

    Example: mage-ml calibrate --benign runs/data/validation.parquet --out policy.yaml
    """
    from mage_ml.evaluation.tier_calibration import benign_peaks, fit_combined, statement

    with errors_as_exit_codes():
        matrix = load_policy(policy)
        # Fitted on what the tiers say by themselves, and without a time limit that the load of this machine could hit.
        loose: dict[str, object] = {"calibration": None, "latency_budget_ms": {}, "classifier_timeout_s": 600.0}
        bare = matrix.model_copy(update={"tiers": matrix.tiers.model_copy(update=loose)})
        engine = create_engine(bare, artifact or "default")
        files = [file for path in benign for file in episode_files(path)]
        with progress_bars() as progress:
            episodes = (episode for file in files for episode in read_episodes(file))
            total = sum(1 for file in files for _ in read_episodes(file))
            found = benign_peaks(episodes, engine.evaluator, progress, total=total)
        fitted = fit_combined(found, engine.model_version, target=bound, confidence=confidence, may_lower=may_lower)
        write_calibrated(policy, fitted, out)
    left_out = f"\nleft out: {found.contaminated} episodes that are not benign" if found.contaminated else ""
    print_result(f"{statement(fitted)}{left_out}\nwritten to {out}", fitted.model_dump(mode="json"), form)


def episode_files(path: Path) -> list[Path]:
    """The episode files that a path names.

    Raises:
        ConfigError: There are none.
    """
    files = sorted([*path.glob("*.parquet"), *path.glob("*.jsonl")]) if path.is_dir() else [path]
    if not files or not all(file.is_file() for file in files):
        raise ConfigError(f"{path}: no episodes found; expected .jsonl or .parquet as `mage-ml generate` writes them")
    return files


def write_calibrated(policy: str | None, fitted: CombinedCalibration, out: Path) -> None:
    """Write a policy again with a calibration in it. Comments of the source are not kept."""
    data, _ = parse_yaml(*policy_text(policy))
    tiers = dict(data.get("tiers") or {})
    tiers["calibration"] = fitted.model_dump(mode="json")
    data["tiers"] = tiers
    data["version"] = f"{data['version']}+calibrated"
    out.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
