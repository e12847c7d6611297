"""Every Python example in the page on monitoring and adaptation runs."""

from pathlib import Path

import pytest
import re2

TEXT = (Path(__file__).parents[3] / "docs" / "governor.md").read_text(encoding="utf-8")
EXAMPLES = [match.group(1) for match in re2.finditer(r"(?s)```python\n(.*?)```", TEXT)]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_a_python_example_runs(number, capsys):
    exec(compile(EXAMPLES[number], f"docs/governor.md example {number + 1}", "exec"), {})


def test_the_page_has_examples():
    assert len(EXAMPLES) >= 3
