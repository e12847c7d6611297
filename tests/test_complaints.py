"""docs/complaints.md keeps its word: every numbered complaint has a test that names it, or says that it is planned."""

from __future__ import annotations

from pathlib import Path

import pytest
import re2

ROOT = Path(__file__).parent.parent
ROWS = {
    int(match.group(1)): match.group(2)
    for match in re2.finditer(
        r"(?m)^\| (\d+) \| (.+) \|$", (ROOT / "docs" / "complaints.md").read_text(encoding="utf-8")
    )
}
NAMED = {
    int(number)
    for path in (ROOT / "tests").rglob("test_*.py")
    for match in re2.finditer(r"def test_complaints?_((?:\d+_)+)", path.read_text(encoding="utf-8"))
    for number in match.group(1).strip("_").split("_")
}


def test_the_list_is_whole() -> None:
    assert list(ROWS) == list(range(1, 46))


@pytest.mark.parametrize("number", sorted(ROWS))
def test_a_complaint_has_a_test_that_names_it_unless_it_is_planned(number: int) -> None:
    assert number in NAMED or "planned" in ROWS[number]
