"""Measures what ways to repair a poisoned memory cost and save, on generated cases with a proven consequence.

Run it with `python benchmarks/memory_repair.py --cases 10`. For each operator, language and seed one proven case is
found; the same contaminated run is repaired once in each way, just before its first consequence. Printed per way:
*recovery*, the share of runs that end right (Wilson interval, 95 %); *collateral*, clean entries lost for each poisoned
entry removed; *left*, poisoned entries that stay in use, per run.
"""

from __future__ import annotations

import argparse
import json

from data_gen.guarded import GuardedCase, find_case
from data_gen.operators import OPERATORS
from data_gen.repair_trial import RepairRun, Strategy, run_repaired
from data_gen.tasks import BUILT_IN
from data_gen.triples import domains_for
from mage_ml.errors import ConfigError, MageError
from mage_ml.evaluation.metrics import proportion


def cases(number: int, seed: int, domains: tuple[str, ...]) -> list[GuardedCase]:
    """Proven cases over all operators, both languages and the domains that offer what an operator needs."""
    found = []
    for operator in OPERATORS:
        for language in ("en", "zh"):
            able = domains_for(operator, domains, language)
            for index in range(number if able else 0):
                try:
                    found.append(
                        find_case(
                            operator,
                            seed=seed + index,
                            language=language,
                            domain=able[index % len(able)],
                            max_attempts=40,
                        )
                    )
                except ConfigError:
                    continue
    return found


def summary(runs: list[RepairRun]) -> dict[str, object]:
    """The figures of one way to repair."""
    right, poisoned = sum(run.recovered for run in runs), sum(run.poisoned for run in runs)
    estimate = proportion(right, len(runs))
    return {
        "runs": len(runs),
        "recovered": right,
        "recovery": right / len(runs),
        "interval": [estimate.low, estimate.high] if estimate is not None else [0.0, 1.0],
        "halted": sum(run.halted for run in runs),
        "collateral": sum(run.collateral for run in runs) / poisoned if poisoned else None,
        "left_per_run": sum(run.left for run in runs) / len(runs),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=10, help="cases for each operator and language")
    parser.add_argument("--seed", type=int, default=70_000)
    parser.add_argument("--domains", default=",".join(BUILT_IN), help="comma-separated")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    domains = tuple(name for name in options.domains.split(",") if name != "agentdojo")
    table: dict[str, list[RepairRun]] = {strategy.value: [] for strategy in Strategy}
    for case in cases(options.cases, options.seed, domains):
        try:
            runs = {strategy.value: run_repaired(case, strategy) for strategy in Strategy}
        except MageError:
            continue
        if all(run is not None for run in runs.values()):
            for name, run in runs.items():
                table[name] += [run] if run is not None else []
    figures = {name: summary(runs) for name, runs in table.items() if runs}
    if options.json:
        print(json.dumps(figures, indent=1))
        return
    print(f"{'repair':<12} {'runs':>5} {'recovery':>22} {'halted':>7} {'collateral':>11} {'left/run':>9}")
    for name, item in figures.items():
        low, high = item["interval"]
        collateral = "-" if item["collateral"] is None else f"{item['collateral']:.2f}"
        shown = f"{item['recovery']:.1%} [{low:.1%}, {high:.1%}]"
        tail = f"{item['halted']:>7} {collateral:>11} {item['left_per_run']:>9.2f}"
        print(f"{name:<12} {item['runs']:>5} {shown:>22} {tail}")


if __name__ == "__main__":
    main()
