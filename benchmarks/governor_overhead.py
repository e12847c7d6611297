"""What the constraint governor costs: time per check, reloading under load, and 16 processes that share one state.

Run with `python benchmarks/governor_overhead.py`; a minute on two cores.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import statistics
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import yaml

from mage_ml.runtime.governor import ConstraintGovernor, ConstraintSet, GovernorContext, GovernorSetup, Outcome
from mage_ml.runtime.governor.state import StateStore

SIZES = (10, 100, 1000)
PROCESSES = 16
_TOPICS = (
    "refund",
    "delivery",
    "invoice",
    "warranty",
    "exchange",
    "account",
    "address",
    "repair",
    "退款",
    "物流",
    "保修",
)
_CLEAN = (
    "Your order left the warehouse on Monday, and the carrier expects to deliver it on Thursday before noon. ",
    "I have looked at the account and see no open items. Is there anything else that you would like to know? ",
    "您的订单已经出库，预计周四上午送达。如有其他问题，请随时联系我们。",
)


def constraints(count: int) -> ConstraintSet:
    """Constraints of all kinds of triggers, most of them for other words than an output holds."""
    made = []
    for number in range(count):
        topic = _TOPICS[number % len(_TOPICS)]
        word = f"{topic}{number}"
        trigger: dict[str, object] = {"keywords": [word, f"{topic} case {number}"]}
        if number % 10 == 7:
            trigger = {"cel": f"turn > {1000 + number} && output.contains('{word}')"}
        elif number % 10 == 8:
            trigger = {"turns": {"at_least": 1000 + number}}
        elif number % 10 == 9:
            trigger = {"regex": rf"(?i)\b{topic}\s+number\s+{number}\b"}
        elif number % 10 == 0:
            trigger = {"keywords": ["order", "订单"]} if number < 40 else trigger
        made.append(
            {
                "id": f"c{number}",
                "text": f"Never promise {word}.",
                "triggers": [trigger],
                "validator": {"kind": "regex", "forbid": [rf"(?i)\bpromise[^.]*{word}\b"]},
                "severity": "block" if number % 3 else "warn",
            }
        )
    return ConstraintSet.model_validate({"constraints": made})


@dataclass(frozen=True, slots=True)
class Times:
    """Microseconds of a check: by the clock on the wall, and of the processor alone."""

    wall_p50: float
    wall_p99: float
    cpu_p50: float
    cpu_p99: float


def measure(count: int, checks: int) -> Times:
    """Time checks of outputs that break nothing."""
    rng = random.Random(7)
    wall: list[float] = []
    cpu: list[float] = []
    with ConstraintGovernor(constraints(count)) as governor:
        for number in range(checks + 200):
            text = "".join(rng.choice(_CLEAN) for _ in range(rng.randint(1, 4))) + str(number)
            context = GovernorContext(run_id=f"r{number % 50}", turn=number % 30)
            started, worked = time.perf_counter_ns(), time.thread_time_ns()
            governor.check_and_enforce("agent", text, context)
            if number >= 200:
                cpu.append((time.thread_time_ns() - worked) / 1000)
                wall.append((time.perf_counter_ns() - started) / 1000)
    high = [statistics.quantiles(times, n=100)[98] for times in (wall, cpu)]
    return Times(statistics.median(wall), high[0], statistics.median(cpu), high[1])


def reload_under_load(reloads: int) -> str:
    """Threads check while the file changes; every check has to be decided by one version or the other."""
    rule = {"id": "no_gift", "text": "No gifts.", "validator": {"kind": "regex", "forbid": ["(?i)gift"]}}
    wrong, checks, stop = [], [0] * 4, threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "constraints.yaml"

        def write(version: int) -> None:
            data = {"version": str(version), "constraints": [rule, *_fillers(version)]}
            fresh = path.with_suffix(".new")
            fresh.write_text(yaml.safe_dump(data), encoding="utf-8")
            fresh.replace(path)

        write(0)
        with ConstraintGovernor(path, GovernorSetup(poll_s=0.01)) as governor:

            def work(number: int) -> None:
                while not stop.is_set():
                    run = f"{number}-{checks[number]}"
                    ruling = governor.check_and_enforce("a", "a gift for you", GovernorContext(run_id=run, turn=1))
                    checks[number] += 1
                    if ruling.outcome is not Outcome.REGENERATE or len(ruling.findings) != 1:
                        wrong.append(ruling.outcome)

            threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
            for thread in threads:
                thread.start()
            seen = {governor.constraints.version}
            for version in range(1, reloads + 1):
                write(version)
                limit = time.monotonic() + 10
                while governor.constraints.version != str(version) and time.monotonic() < limit:
                    time.sleep(0.005)
                seen.add(governor.constraints.version)
            stop.set()
            for thread in threads:
                thread.join()
            left = len(governor.constraints.constraints)
    return (
        f"{sum(checks):,} checks, {len(seen) - 1} of {reloads} versions taken up, {len(wrong)} wrong, "
        f"{left} constraints at the end"
    )


def _fillers(version: int) -> list[dict[str, object]]:
    return [
        {"id": f"f{version}_{number}", "text": "x", "validator": {"kind": "regex", "forbid": [f"zz{version}_{number}"]}}
        for number in range(20)
    ]


def _process(place: str, number: int, checks: int) -> None:
    governor = ConstraintGovernor(constraints(10), GovernorSetup(state=place))
    for step in range(checks):
        bad = step % 5 == 0
        text = "I promise your order refund0 today." if bad else "Your order is on its way."
        governor.check_and_enforce(f"agent{number % 4}", text, GovernorContext(run_id=f"{number}-{step}", turn=1))
    governor.close()


def shared_state(place: str, checks: int) -> str:
    """Sixteen processes count into one state."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["mage_ml.runtime.governor", "cel"])
    started = time.perf_counter()
    workers = [context.Process(target=_process, args=(place, number, checks)) for number in range(PROCESSES)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    store = StateStore(place)
    found = store.health("c0").counts
    per_agent = sum(row.counts.violated for row in store.counts(constraint_id="c0"))
    store.close()
    bad = PROCESSES * len(range(0, checks, 5))
    exact = (found.triggered, found.violated, per_agent) == (PROCESSES * checks, bad, bad)
    took = time.perf_counter() - started
    return (
        f"{found.triggered:,} of {PROCESSES * checks:,} checks and {found.violated:,} of {bad:,} violations counted, "
        f"{'exact' if exact else 'NOT EXACT'}, {took:.1f} s"
    )


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=int, default=3000, help="checks per size")
    parser.add_argument("--reloads", type=int, default=20, help="versions of the file")
    parser.add_argument("--state", default=None, help="postgresql:// URL instead of a SQLite file")
    given = parser.parse_args()
    print("constraints   p50 us   p99 us   p50 of CPU   p99 of CPU")
    for count in SIZES:
        found = measure(count, given.checks)
        print(
            f"{count:>11} {found.wall_p50:>8.0f} {found.wall_p99:>8.0f} {found.cpu_p50:>12.0f} {found.cpu_p99:>12.0f}"
        )
    print("reload under load:", reload_under_load(given.reloads))
    with tempfile.TemporaryDirectory() as folder:
        print("16 processes:", shared_state(given.state or str(Path(folder) / "state.db"), 200))


if __name__ == "__main__":
    main()
