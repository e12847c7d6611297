"""The README keeps its word: its commands exist and its code runs as printed, against the shipped model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import re2
from typer.main import get_command
from typer.testing import CliRunner

from mage_ml.cli.main import app

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return [match.group(1) for match in re2.finditer(rf"(?s)```{language}\n(.*?)```", README)]


def test_the_two_commands_are_make_demo_and_make_test() -> None:
    commands = [line for block in blocks("console") for line in block.split("\n") if line]
    assert commands[:2] == ["make demo", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{target}:" in makefile for target in ("demo", "test"))


@pytest.mark.slow
@pytest.mark.parametrize("code", blocks("python"))
def test_the_code_runs_as_printed(code: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert re2.search(r"\bm[02]\b", done.stdout)


def test_every_command_of_the_table_exists_and_no_other() -> None:
    named = [match.group(1) for match in re2.finditer(r"\| `mage-ml (\w+)` \|", README)]
    assert named == list(get_command(app).commands)  # type: ignore[attr-defined]
    for command in named:
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0


def test_every_folder_of_the_map_exists() -> None:
    folders = [match.group(1) for match in re2.finditer(r"(?m)^((?:mage_ml/\w+|data_gen))  ", README)]
    assert len(folders) >= 8
    assert all((ROOT / folder).is_dir() for folder in folders)


def test_no_placeholder_is_left() -> None:
    assert "FIGURES" not in README
