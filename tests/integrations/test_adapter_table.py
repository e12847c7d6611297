"""The table of docs/adapters.md, from the contracts; `python -m tests.integrations.test_adapter_table` writes it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.integrations import test_langchain_contract
from tests.integrations.contract import AdapterContract, Decided
from tests.integrations.table import proofs, render_table

ROOT = Path(__file__).parent.parent.parent
DOC = ROOT / "docs" / "adapters.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
CONTRACTS: list[type[AdapterContract]] = [
    test_langchain_contract.TestLangChain
]  # by module, or pytest runs them here again
EXAMPLES = sorted((ROOT / "examples").glob("*_quickstart.py"))
_LONGEST = 40


def test_the_table_in_the_documentation_is_the_one_that_the_contracts_give() -> None:
    text = DOC.read_text(encoding="utf-8")
    assert text.split(BEGIN)[1].split(END)[0].strip() == render_table(CONTRACTS)


def test_every_column_has_a_proof() -> None:
    for decided in Decided:
        assert proofs(decided), decided


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_a_quick_start_is_short_and_runs_without_a_key(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) < _LONGEST
    run = subprocess.run(
        [sys.executable, str(example)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
    )
    assert "[memory guard]" in run.stdout
    assert "mails sent to: []" in run.stdout


if __name__ == "__main__":
    before, after = DOC.read_text(encoding="utf-8").split(BEGIN)[0], DOC.read_text(encoding="utf-8").split(END)[1]
    DOC.write_text(f"{before}{BEGIN}\n{render_table(CONTRACTS)}\n{END}{after}", encoding="utf-8")
