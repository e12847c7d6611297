"""The table framework x decision, made from the contracts."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from tests.integrations.contract import AdapterContract, Decided


def proofs(decided: Decided) -> list[str]:
    """The names of the tests that prove a column."""
    tests = inspect.getmembers(AdapterContract, inspect.isfunction)
    return sorted(name for name, test in tests if getattr(test, "decided", None) is decided)


def render_table(contracts: Sequence[type[AdapterContract]]) -> str:
    """The table framework x decision -> tests, in Markdown; what cannot be supported is given with its reason."""
    lines = ["| framework | " + " | ".join(Decided) + " |", "|---" * (len(Decided) + 1) + "|"]
    for contract in contracts:
        cells = [
            f"– ({contract.unsupported[decided]})" if decided in contract.unsupported else _cell(contract, decided)
            for decided in Decided
        ]
        lines.append(f"| {contract.harness_type.framework} | " + " | ".join(cells) + " |")
    legend = [f"* {decided}: " + ", ".join(f"`{name}`" for name in proofs(decided)) for decided in Decided]
    return "\n".join([*lines, "", *legend])


def _cell(contract: type[AdapterContract], decided: Decided) -> str:
    ways = "/".join(contract.harness_type.ways)
    return f"`{contract.__name__}` {ways}, {len(proofs(decided))}"
