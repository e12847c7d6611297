"""Measures what a decision by rules costs as the chain grows.

Run it with `python benchmarks/rules_latency.py`. The run imitates a reporting agent: records are queried, noted and
compared, and every tenth entry a mail is about to be sent. The median and the 99th percentile of a check, and of taking
in one entry, are printed for chains of 10 to 10,000 entries, with the ratio to the shortest chain.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np

from mage_ml.memory import MemoryEntry, PendingAction, Source
from mage_ml.memory.shadow import ShadowMemory
from mage_ml.runtime.guard import create_engine
from mage_ml.runtime.guardrail import load_policy

REGIONS = ("North", "South", "East", "West", "Central")
GOAL = "Compare the revenue of the regions by quarter and mail the report to Maria Lopez."


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds at one chain length."""

    entries: int
    observe_p50: float
    check_p50: float
    check_p99: float


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


def measure(length: int, repeats: int, seed: int) -> Timing:
    """Grow a run to a length, then check mails while it goes on growing."""
    rng = np.random.default_rng(seed)
    engine = create_engine(load_policy())
    shadow = ShadowMemory((entry_at(number, rng) for number in range(length)), goal=GOAL)
    observed, checked = [], []
    for repeat in range(repeats):
        number = length + repeat
        entry = entry_at(number, rng)
        started = time.perf_counter()
        shadow.observe(entry)
        observed.append(time.perf_counter() - started)
        action = PendingAction(
            type="call_tool:write",
            tool_name="send_mail",
            arguments={"to": "maria.lopez@corp.example", "subject": "Report", "body": "The comparison is attached."},
            depends_on=(f"e{number}", f"e{max(0, number - 2)}"),
        )
        started = time.perf_counter()
        engine.decide(shadow.snapshot(action))
        checked.append(time.perf_counter() - started)
    warm = slice(repeats // 5, None)  # the first ones fill caches
    return Timing(
        length,
        1000 * float(np.median(observed[warm])),
        1000 * float(np.median(checked[warm])),
        1000 * float(np.quantile(checked[warm], 0.99)),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=400, help="checks at each length")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    first: Timing | None = None
    print(f"{'entries':>8} {'observe p50':>12} {'check p50':>10} {'check p99':>10} {'p50 ratio':>10}  (ms)")
    for length in (10, 100, 1000, 10_000):
        timing = measure(length, options.repeats, options.seed)
        first = first or timing
        ratio = timing.check_p50 / first.check_p50
        figures = f"{timing.observe_p50:>12.3f} {timing.check_p50:>10.3f} {timing.check_p99:>10.3f}"
        print(f"{length:>8} {figures} {ratio:>10.2f}")


if __name__ == "__main__":
    main()
