"""Promises about the code itself."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import data_gen
import mage_ml
from mage_ml.config import Config

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for package in ("mage_ml", "data_gen") for path in (ROOT / package).rglob("*.py"))
HEAVY = (
    "torch", "transformers", "sklearn", "pyarrow", "datasets", "onnx", "onnxruntime", "matplotlib", "fastapi", "jinja2",
    "accelerate", "scipy", "pandas",
)  # fmt: skip
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 50
MACHINE_PATHS = ("/work/", "/tmp/", "/root/", "/home/", "/Users/", "C:\\")


def functions_of(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def modules() -> list[str]:
    found = [
        module.name
        for package in (mage_ml, data_gen)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    return [name for name in found if not name.endswith("__main__")]


def test_each_layer_imports_only_the_layers_below_it() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 broken" in run.stdout


@pytest.mark.parametrize(
    "statement", ["import mage_ml", "import mage_ml.memory, mage_ml.risk, mage_ml.config", "import data_gen"]
)
def test_importing_the_foundation_loads_nothing_heavy(statement: str) -> None:
    script = f"import sys; {statement}; print([m for m in {HEAVY!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_no_module_prints_or_configures_logging_or_does_work_when_imported() -> None:
    script = (
        "import importlib, logging, random, sys\n"
        "import rich.progress, typer\n"  # they draw a random number when imported
        f"names = {modules()!r}\n"
        "state = random.getstate()\n"
        "for name in names: importlib.import_module(name)\n"
        "assert random.getstate() == state, 'seeded'\n"
        "assert not logging.getLogger().handlers, 'logging configured'\n"
        "import threading; assert threading.active_count() == 1, 'threads started'\n"
    )
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_files_and_functions_stay_short(path: Path) -> None:
    file_lines = len(path.read_text(encoding="utf-8").splitlines())
    assert file_lines <= MAX_FILE_LINES
    lengths = {f.name: (f.end_lineno or f.lineno) - f.lineno + 1 for f in functions_of(path)}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_FUNCTION_LINES} == {}


def test_no_library_module_calls_print() -> None:
    calls = [
        f"{name_of(path)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert calls == []


def test_no_file_is_called_utils() -> None:
    assert [name_of(path) for path in SOURCES if path.stem in ("utils", "util", "helpers", "misc", "common")] == []


def test_no_source_names_a_path_of_some_machine() -> None:
    found = [
        f"{name_of(path)}: {node.value!r}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if any(place in node.value for place in MACHINE_PATHS)
    ]
    assert found == []


def test_user_text_is_matched_by_the_linear_engine_only() -> None:
    imports = [
        name_of(path)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Import) and any(alias.name == "re" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "re")
    ]
    assert imports == []


def configs() -> list[type[Config]]:
    for name in modules():
        importlib.import_module(name)
    found: list[type[Config]] = []
    waiting = list(Config.__subclasses__())
    while waiting:
        config = waiting.pop()
        waiting += config.__subclasses__()
        if config.__module__.split(".")[0] in ("mage_ml", "data_gen"):
            found.append(config)
    return found


def test_every_field_of_every_configuration_is_described() -> None:
    found = configs()
    assert found
    nameless = [
        f"{config.__module__}.{config.__name__}.{name}"
        for config in found
        for name, field in config.model_fields.items()
        if not field.description
    ]
    assert nameless == []


def test_every_configuration_says_what_it_is_for() -> None:
    assert [config.__name__ for config in configs() if not inspect.getdoc(config)] == []
