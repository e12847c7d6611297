"""Every Python example in the pages on constraints and drift runs, and their YAML is a valid constraint file."""

from pathlib import Path

import pytest
import re2

from mage_ml.runtime.governor import parse_constraints

DOCS = Path(__file__).parents[3] / "docs"
PAGES = ("constraints.md", "drift.md")


def blocks(language):
    return [
        pytest.param(match.group(1), id=f"{page}-{number}")
        for page in PAGES
        for number, match in enumerate(
            re2.finditer(rf"(?s)```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8")), start=1
        )
    ]


@pytest.mark.parametrize("code", blocks("python"))
def test_a_python_example_runs(code, capsys):
    exec(compile(code, "example", "exec"), {})


@pytest.mark.parametrize("text", blocks("yaml"))
def test_an_example_file_is_valid(text):
    assert parse_constraints(text, "example").constraints.constraints
