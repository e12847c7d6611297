"""`mage-ml doctor`."""

from __future__ import annotations

import importlib.metadata
import platform
from dataclasses import dataclass
from pathlib import Path

import typer

from mage_ml.artifact import default_artifact_path, load_artifact
from mage_ml.cli.judge import JudgeFileOption, JudgeKeyOption, JudgeModelOption, JudgeUrlOption, create_judge, probe
from mage_ml.cli.terminal import EXIT_FINDINGS, Format, FormatOption, print_result
from mage_ml.errors import MageError
from mage_ml.version import __version__

NAME = "doctor"

_RUNTIME = ("numpy", "onnxruntime", "tokenizers", "pydantic", "PyYAML", "google-re2", "SQLAlchemy", "typer", "rich")
_EXTRAS = {
    "train": (
        "torch", "transformers", "accelerate", "datasets", "pyarrow", "safetensors", "scikit-learn", "onnx",
        "onnxscript", "matplotlib",
    ),
    "eval": ("pyarrow", "safetensors", "scikit-learn", "matplotlib", "Jinja2"),
    "judge": ("openai",),
    "governor": ("common-expression-language",),
    "adapt": ("river", "scikit-learn"),
    "langchain": ("langchain", "langchain-core", "langgraph"),
    "agentdojo": ("agentdojo",),
    "ray": ("ray",),
    "postgres": ("psycopg",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report."""

    name: str
    fine: bool
    required: bool
    detail: str


def command(
    judge: JudgeFileOption = None,
    judge_url: JudgeUrlOption = None,
    judge_model: JudgeModelOption = None,
    judge_key_variable: JudgeKeyOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Say what is installed, whether the shipped model is intact, and what is missing for which job.

    With --judge-url or --judge the judge's endpoint is asked one small question, too.
    """
    checks = [Check("mage-ml", True, True, f"{__version__} on Python {platform.python_version()}")]
    checks += [_package(name, required=True) for name in _RUNTIME]
    checks += [_extra(extra, names) for extra, names in _EXTRAS.items()]
    checks += [_default_model(), _base_model()]
    checks += _judge(judge, judge_url, judge_model, judge_key_variable)
    text = "\n".join(f"{_mark(check)} {check.name:<14} {check.detail}" for check in checks)
    print_result(text, [as_json(check) for check in checks], form)
    if any(check.required and not check.fine for check in checks):
        raise typer.Exit(EXIT_FINDINGS)


def as_json(check: Check) -> dict[str, object]:
    """The check as a JSON object."""
    return {"name": check.name, "fine": check.fine, "required": check.required, "detail": check.detail}


def _mark(check: Check) -> str:
    return "ok  " if check.fine else ("FAIL" if check.required else "-   ")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _package(name: str, *, required: bool) -> Check:
    found = _version(name)
    return Check(name, found is not None, required, found or "not installed; reinstall with: pip install mage-ml")


def _extra(extra: str, names: tuple[str, ...]) -> Check:
    missing = [name for name in names if _version(name) is None]
    if not missing:
        return Check(f"extra {extra}", True, False, "complete")
    return Check(f"extra {extra}", False, False, f"without {', '.join(missing)}; pip install 'mage-ml[{extra}]'")


def _default_model() -> Check:
    try:
        model = load_artifact(default_artifact_path())
    except (MageError, ImportError) as error:
        return Check("default model", False, True, str(error))
    manifest = model.manifest
    return Check(
        "default model", True, True, f"{manifest.name} {manifest.model_version}, {manifest.parity.shipped}, intact"
    )


def _judge(file: Path | None, url: str | None, model: str | None, key_variable: str | None) -> list[Check]:
    try:
        judge = create_judge(file, url, model, key_variable)
    except MageError as error:
        return [Check("judge", False, True, str(error))]
    if judge is None:
        return []
    with judge:
        found = probe(judge)
    return [Check("judge", found.answers, True, found.detail)]


def _base_model() -> Check:
    from mage_ml.training.base_model import find_base_model

    try:
        base = find_base_model(None)
    except MageError as error:
        return Check("base model", False, False, f"{error} (needed for training only)")
    return Check("base model", True, False, f"weights {base.weights_sha256[:12]}, as expected")
