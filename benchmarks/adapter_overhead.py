"""Measures what an adapter adds to each step of an agent: the same run with and without it, in turn.

Run it with `OMP_NUM_THREADS=1 python -m benchmarks.adapter_overhead --framework langchain`. A step is the time from one
tool call to the next: the framework's own work, a scripted model that answers at once, the adapter, the guard. Printed
are the median and the 99th percentile in milliseconds without the guard, with the rules, and with rules and classifier,
and the ratio of the medians to the run without.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mage_ml.config import nearest
from mage_ml.runtime.integrations.core import SessionPool

Run = Callable[[int, SessionPool | None], Sequence[float]]
GOAL = "Look up the revenue of every region, quarter by quarter."


def langchain_run(calls: int, pool: SessionPool | None) -> Sequence[float]:
    """The moments at which the tool of a LangChain agent ran."""
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    from mage_ml.runtime.integrations.langchain import MageMiddleware

    moments: list[float] = []

    class Scripted(GenericFakeChatModel):
        """Calls the tool again and again."""

        def bind_tools(self, tools: Any, **options: Any) -> Scripted:  # noqa: ANN401 - the framework's signature
            """It needs to know none."""
            return self

    def query_sales(region: str, quarter: str) -> str:
        """Look up the revenue of a region."""
        moments.append(time.perf_counter())
        return f'{{"region": "{region}", "quarter": "{quarter}", "revenue": {100_000 + 37 * len(moments)}}}'

    def call(number: int) -> AIMessage:
        arguments = {"region": f"Region {number % 7}", "quarter": f"{2010 + number // 4}-Q{1 + number % 4}"}
        return AIMessage("", tool_calls=[{"name": "query_sales", "args": arguments, "id": f"c{number}"}])

    model = Scripted(messages=iter([*map(call, range(calls)), AIMessage("Done.")]))
    layers = [] if pool is None else [MageMiddleware(pool)]
    agent: Any = create_agent(model, [query_sales], middleware=layers)
    agent.invoke({"messages": [("user", GOAL)]}, {"recursion_limit": 20 * calls})
    return moments


FRAMEWORKS: dict[str, Run] = {"langchain": langchain_run}


def steps(run: Run, calls: int, pool: SessionPool | None) -> np.ndarray:
    """Milliseconds of each step of one run."""
    moments = run(calls, pool)
    if len(moments) != calls:
        raise RuntimeError(f"{len(moments)} of {calls} calls were made; the guard held some back")
    return 1000 * np.diff(np.asarray(moments))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--framework", default="langchain", help=", ".join(FRAMEWORKS))
    parser.add_argument("--calls", type=int, default=40, help="tool calls in a run")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each kind, in turn")
    options = parser.parse_args()
    if options.framework not in FRAMEWORKS:
        parser.error(f"no framework {options.framework!r}; {nearest(options.framework, list(FRAMEWORKS))}")
    run = FRAMEWORKS[options.framework]
    pools = {
        "without": None,
        "rules": SessionPool.create(artifact=None),
        "rules and classifier": SessionPool.create(),
    }
    for pool in pools.values():
        steps(run, 3, pool)  # first calls import and fill caches
    times: dict[str, list[np.ndarray]] = {name: [] for name in pools}
    for _ in range(options.repeats):
        for name, pool in pools.items():
            times[name].append(steps(run, options.calls, pool))
    base = float(np.median(np.concatenate(times["without"])))
    print(f"{options.framework}: {options.repeats} runs of {options.calls} calls, milliseconds a step")
    print(f"{'':24}{'p50':>8}{'p99':>8}{'ratio':>8}{'added p50':>11}")
    for name, found in times.items():
        taken = np.concatenate(found)
        p50, p99 = float(np.median(taken)), float(np.quantile(taken, 0.99))
        print(f"{name:24}{p50:>8.2f}{p99:>8.2f}{p50 / base:>8.2f}{p50 - base:>11.2f}")


if __name__ == "__main__":
    main()
