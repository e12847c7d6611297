"""Counts how runs of the sales agent as a LangGraph graph end under guard: every contamination, both languages.

Run it with `OMP_NUM_THREADS=1 python -m benchmarks.sales_graph`. Each case provably goes wrong without a guard. With
`--stated` the agent's messages name what they rest on; otherwise the guard infers it.
"""

from __future__ import annotations

import argparse
from collections import Counter

from data_gen.guarded import find_case
from data_gen.operators import OPERATORS
from data_gen.triples import usable_operators
from mage_ml.runtime.integrations.core import SessionPool
from tests.integrations.sales_graph import GraphRun, run_sales_graph

ARMS = ("clean", "sham", "contaminated")


def ending(run: GraphRun) -> str:
    """How a run ended, in a word."""
    if run.finished_right:
        return "right"
    return "stopped" if run.stopped and not run.outcome.harm_done else "wrong"


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--stated", action="store_true", help="messages name their sources")
    options = parser.parse_args()
    pool = SessionPool.create(retrieval_tools=("read_*", "search_memory"))
    counts: Counter[tuple[str, str]] = Counter()
    for operator in usable_operators(tuple(OPERATORS), ("sales_report",)):
        for language in ("en", "zh"):
            case = find_case(operator, seed=options.seed, language=language)
            for arm, edit in zip(ARMS, (None, case.sham, case.contaminated), strict=True):
                name = f"{operator}-{language}-{arm}"
                run = run_sales_graph(case, edit, pool, name, states_sources=options.stated)
                counts[arm, ending(run)] += 1
                if ending(run) != "right":
                    print(f"{name:40} {ending(run):8} {run.outcome.detail[:60]}")
    for arm in ARMS:
        print(arm, {word: counts[arm, word] for word in ("right", "stopped", "wrong")})


if __name__ == "__main__":
    main()
