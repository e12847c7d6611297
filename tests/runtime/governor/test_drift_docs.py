"""Every Python example in the page on drift runs, and its YAML is a valid constraint file."""

from pathlib import Path

import pytest
import re2

from mage_ml.runtime.governor import parse_constraints

TEXT = (Path(__file__).parents[3] / "docs" / "drift.md").read_text(encoding="utf-8")


def blocks(language):
    return [match.group(1) for match in re2.finditer(rf"(?s)```{language}\n(.*?)```", TEXT)]


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_a_python_example_runs(number, capsys):
    exec(compile(blocks("python")[number], f"docs/drift.md example {number + 1}", "exec"), {})


def test_the_example_file_is_valid():
    (text,) = blocks("yaml")
    assert parse_constraints(text, "docs/drift.md").constraints.constraints[0].validator.kind == "flow"
