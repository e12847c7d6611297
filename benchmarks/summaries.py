"""Measures what layered summaries save, and what sync points cost.

Run it with `python benchmarks/summaries.py`. Three kinds of runs are taken in by an index that reads every entry at
once (eager), by one that keeps long entries at their first layer (the default), and by one that keeps all there (lazy),
without decisions and with one by rules after every tenth entry. Printed are microseconds per entry, the share of
entries that were opened, and the cost of a sync point and the entry after it at 10 to 10,000 entries.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mage_ml.memory import FactIndex, MemoryEntry, PendingAction, Source
from mage_ml.memory.facts.layers import LONG_ENTRY_CHARS
from mage_ml.memory.shadow import ShadowMemory
from mage_ml.runtime.guard import create_engine
from mage_ml.runtime.guardrail import load_policy

REGIONS = ("North", "South", "East", "West", "Central")
MODES = {"eager": 10**9, "default": LONG_ENTRY_CHARS, "lazy": 0}


@dataclass(frozen=True, slots=True)
class Cost:
    """Microseconds per entry, and the share of entries opened."""

    observe: float
    with_checks: float
    opened: float
    opened_with_checks: float


def entries_of(kind: str, count: int, rng: np.random.Generator) -> Sequence[MemoryEntry]:
    """A run of short notes, of long documents, or of both in turn (one document in five)."""
    made = []
    for number in range(count):
        region = REGIONS[number % len(REGIONS)]
        text = f"{region} revenue in {2015 + number // 40}-Q{1 + number % 4} was ${int(rng.integers(80, 900))}k."
        if kind == "long" or (kind == "mixed" and number % 5 == 0):
            text = " ".join([text, *(f"Item {at} was discussed, cost was {at * 3} USD." for at in range(120))])
        made.append(MemoryEntry(id=f"e{number}", content=text, source=Source.TOOL, tool_name="read", step=number))
    return made


def taken_in(entries: Sequence[MemoryEntry], defer_above: int, *, checks: bool) -> tuple[float, float]:
    """Microseconds per entry, and the share opened."""
    shadow = ShadowMemory(goal="Compare the revenue of the regions and mail the report to Maria Lopez.")
    shadow._facts = FactIndex(defer_above=defer_above)
    engine = create_engine(load_policy())
    action = PendingAction(
        type="call_tool:write", tool_name="send_mail", arguments={"to": "maria@corp.example", "body": "See the report."}
    )
    spent = 0.0
    for number, entry in enumerate(entries):
        started = time.process_time()
        shadow.observe(entry)
        spent += time.process_time() - started
        if checks and number % 10 == 9:
            started = time.process_time()
            engine.decide(shadow.snapshot(action))
            spent += time.process_time() - started
    return 1e6 * spent / len(entries), shadow.counts.opened / len(entries)


def layers(count: int, seed: int) -> None:
    """Print what deferring saves."""
    print(f"{'run':>8} {'mode':>8} {'observe':>9} {'opened':>7} {'+checks':>9} {'opened':>7}  (us per entry, share)")
    for kind in ("short", "long", "mixed"):
        entries = entries_of(kind, count, np.random.default_rng(seed))
        for mode, above in MODES.items():
            taken_in(entries[:20], above, checks=True)  # fills caches
            cost, opened = taken_in(entries, above, checks=False)
            full, opened_full = taken_in(entries, above, checks=True)
            print(f"{kind:>8} {mode:>8} {cost:>9.1f} {opened:>7.2f} {full:>9.1f} {opened_full:>7.2f}")


def sync_points(seed: int) -> None:
    """Print what a sync point and the entry after it cost as the chain grows."""
    first = 0.0
    print(f"\n{'entries':>8} {'sync+observe':>13} {'ratio':>6}  (us)")
    for length in (10, 100, 1000, 10_000):
        entries = entries_of("short", length + 200, np.random.default_rng(seed))
        shadow = ShadowMemory(entries[:length])
        costs = []
        for entry in entries[length:]:
            started = time.perf_counter()
            shadow.sync("before")
            shadow.observe(entry)
            costs.append(time.perf_counter() - started)
        median = 1e6 * float(np.median(costs))
        first = first or median
        print(f"{length:>8} {median:>13.1f} {median / first:>6.2f}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    layers(options.entries, options.seed)
    sync_points(options.seed)


if __name__ == "__main__":
    main()
