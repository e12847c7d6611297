"""The built wheel, alone in an empty environment: it guards offline, at once, without the learning wing."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = """
import json, sys, time
start = time.perf_counter()
import socket
def refuse(*args, **kwargs):
    raise OSError("sockets are blocked in this test")
class Blocked(socket.socket):
    __init__ = refuse
socket.socket = Blocked
socket.create_connection = socket.getaddrinfo = refuse
from mage_ml import MageGuard, MemoryEntry, PendingAction
guard = MageGuard.create(goal="Mail the Q1 revenue of the north region to ann@corp.example", artifact="default")
guard.observe(MemoryEntry(id="m0", content="Mail the Q1 revenue of north", source="user"))
guard.observe(MemoryEntry(id="m1", content={"region": "north", "quarter": "2025-Q1", "revenue": 120000}, source="tool",
                          tool_name="query_sales", depends_on=("m0",)))
guard.observe(MemoryEntry(id="m2", content="North Q1 2025 revenue was 210000.", source="llm_reasoning",
                          depends_on=("m1",)))
decision = guard.check(PendingAction(type="call_tool:write", tool_name="send_mail", depends_on=("m0", "m2"),
    arguments={"to": "ann@corp.example", "body": "North Q1 2025 revenue was 210000."}))
print(json.dumps({
    "seconds": time.perf_counter() - start,
    "action": decision.action, "allowed": decision.allowed, "ran": decision.coverage.ran,
    "failed": dict(decision.coverage.failed),
    "heavy": [name for name in ("torch", "transformers", "sklearn", "pyarrow", "datasets", "matplotlib")
              if name in sys.modules],
}))
"""


@dataclass(frozen=True)
class Installed:
    wheel: Path
    python: Path
    size_mb: float


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel with spaces")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    before = _size_mb(folder / "env")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    return Installed(wheel, python, _size_mb(folder / "env") - before)


def _size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


@pytest.mark.slow
def test_complaints_17_19_the_wheel_alone_guards_offline_without_torch(
    installed: Installed, tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    script = tmp_path / "guarded.py"
    script.write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run([installed.python, script], check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    record_property("seconds_to_first_decision", found["seconds"])
    record_property("installed_mb", installed.size_mb)
    assert found["heavy"] == []
    assert found["failed"] == {}
    assert "rules" in found["ran"]
    assert not found["allowed"]


@pytest.mark.slow
def test_the_wheel_carries_the_model_and_no_tests(installed: Installed) -> None:
    names = zipfile.ZipFile(installed.wheel).namelist()
    assert "mage_ml/artifact/default/encoder.onnx" in names
    assert "mage_ml/runtime/guardrail/default_policy.yaml" in names
    assert "mage_ml/py.typed" in names
    assert not any(name.startswith(("tests/", "runs/")) for name in names)
    assert installed.wheel.stat().st_size < 30e6


@pytest.mark.slow
def test_a_missing_extra_gives_one_message_with_the_install_command(installed: Installed, tmp_path: Path) -> None:
    command = [installed.python, "-m", "mage_ml", "train", "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert "pip install 'mage-ml[train]'" in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_doctor_says_what_is_missing_for_which_job(installed: Installed, tmp_path: Path) -> None:
    command = [installed.python, "-m", "mage_ml", "doctor", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    checks = {check["name"]: check for check in json.loads(done.stdout)}
    assert done.returncode == 0
    assert checks["default model"]["fine"]
    assert not checks["extra train"]["fine"]
