"""Measures what a decision costs as the chain grows: the rule tier, the whole decision, and that with the classifier.

Run it with `OMP_NUM_THREADS=1 python benchmarks/decision_latency.py`. The run imitates a reporting agent: records are
queried and noted, and at every entry a mail is about to be sent, no two alike. Printed are, for chains of 10 to 10,000
entries, the median and the 99th percentile in milliseconds, and the ratio of the medians to the shortest chain's.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from mage_ml.memory import MemoryEntry, PendingAction, Snapshot, Source
from mage_ml.memory.shadow import ShadowMemory
from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.evaluators import RuleEvaluator
from mage_ml.runtime.guardrail import load_policy

LENGTHS = (10, 100, 1000, 10_000)
REGIONS = ("North", "South", "East", "West", "Central")
GOAL = "Compare the revenue of the regions by quarter and mail the report to Maria Lopez."


def entry_at(number: int, rng: np.random.Generator) -> MemoryEntry:
    """The entry with this number: a record, a note on it, or a comparison of the last two notes."""
    region, quarter = REGIONS[number % len(REGIONS)], f"{2015 + number // 40}-Q{1 + number % 4}"
    revenue = int(rng.integers(80, 900)) * 1000
    if number % 3 == 0:
        content = {"region": region, "quarter": quarter, "revenue": revenue, "currency": "USD"}
        return MemoryEntry(id=f"e{number}", content=content, source=Source.TOOL, tool_name="query_sales", step=number)
    parents = tuple(f"e{number - back}" for back in (1, 3) if number - back >= 0)
    text = f"Noted for {region} in {quarter}: the record is in memory and was checked against the ledger."
    return MemoryEntry(id=f"e{number}", content=text, source=Source.LLM_REASONING, step=number, depends_on=parents)


def action_at(number: int) -> PendingAction:
    """A mail; no two are the same."""
    name = "".join(chr(97 + int(digit)) for digit in str(number)).title()
    return PendingAction(
        type="call_tool:write",
        tool_name="send_mail",
        arguments={
            "to": "maria.lopez@corp.example",
            "subject": "Report",
            "body": f"The comparison by {name} is attached.",
        },
        depends_on=(f"e{number}", f"e{max(0, number - 2)}"),
    )


def contestants() -> dict[str, Callable[[Snapshot], object]]:
    """What is timed, by name."""
    policy = load_policy()
    return {
        "rule tier": RuleEvaluator(policy.rules).assess,
        "decision, rules": create_engine(policy).decide,
        "decision, rules and classifier": create_engine(policy, "default").decide,
    }


def measure(work: Callable[[Snapshot], object], length: int, repeats: int, seed: int) -> np.ndarray:
    """Milliseconds of a check, for a run that has a length and goes on growing; and those of taking in an entry."""
    rng = np.random.default_rng(seed)
    shadow = ShadowMemory((entry_at(number, rng) for number in range(length)), goal=GOAL)
    times = np.zeros((2, repeats))
    for repeat in range(repeats):
        number = length + repeat
        entry = entry_at(number, rng)
        started = time.perf_counter()
        shadow.observe(entry)
        observed = time.perf_counter()
        snapshot = shadow.snapshot(action_at(number))
        asked = time.perf_counter()
        work(snapshot)
        times[:, repeat] = observed - started, time.perf_counter() - asked
    return 1000 * times[:, repeats // 5 :]  # the first ones fill caches


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=400, help="checks at each length")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    print(f"{'':32}{'entries':>8}{'p50':>9}{'p99':>9}{'ratio':>7}  (ms)")
    for name, work in contestants().items():
        first = None
        for length in LENGTHS:
            taken, asked = measure(work, length, options.repeats, options.seed)
            first = first or float(np.median(asked))
            figures = f"{np.median(asked):>9.2f}{np.quantile(asked, 0.99):>9.2f}{np.median(asked) / first:>7.2f}"
            print(f"{name:32}{length:>8}{figures}   taking in an entry: {np.median(taken):.2f}")


if __name__ == "__main__":
    main()
