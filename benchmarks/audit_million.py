"""What the audit log costs: queries in a long log against a short one, and decisions a second by threads.

A million records take some minutes and 4.5 GB of disk. Figures are milliseconds (median) and ratios to the short
log; of commits, records a second and the ratio to one commit a record.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mage_ml.memory import PendingAction
from mage_ml.risk import RiskAxis
from mage_ml.runtime.audit import AuditEvent, AuditLog, AuditQuery, commit, verify
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import GuardrailEngine, load_policy
from mage_ml.testing import FixedEvaluator

BATCH = 1000
START = 1_700_000_000.0


def template() -> AuditEvent:
    """A real record of a decision, to be varied."""
    with AuditLog(":memory:") as log:
        evaluator = FixedEvaluator({RiskAxis.SAFETY: 0.7}, entry_ids=("e0", "e1"))
        guard = MageGuard(GuardrailEngine(evaluator, load_policy()), goal="Mail the report to Maria.", audit=log)
        guard.remember(content="Mail the report to Maria.", source="user")
        guard.remember(content={"region": "North", "revenue": 120_000}, source="tool", tool_name="query_sales")
        guard.check(PendingAction(type="call_tool:write", tool_name="send_mail", depends_on=("e1",)))
        return next(log.records())


def event_at(number: int, base: AuditEvent) -> AuditEvent:
    """The event with this number: one run in 50 records, one rare rule in 10,000."""
    decision = dict(base.payload["decision"])  # type: ignore[arg-type]
    rule = "rare_rule" if number % 10_000 == 17 else f"rule{number % 12}"
    decision["evidence"] = [
        {"found_by": rule, "entry_ids": [f"e{number % 997}"], "score": (number % 100) / 100, "axis": "safety"}
    ]
    decision["reasons"] = [{"kind": "risk", "text": f"safety {(number % 100) / 100:.2f}: the policy says halt."}]
    if number % 10_000 == 29:
        decision["reasons"] = [{"kind": "fail_open", "text": f"The store failed at entry e{number % 997}."}]
    action = "halt" if number % 1000 == 3 else "proceed"
    return AuditEvent(
        run_id=f"run{number // 50}",
        decision_id=f"d{number}",
        action=action,
        payload={**base.payload, "decision": decision},
    )


def fill(path: Path, records: int) -> float:
    """Write a log; gives records a second."""
    base = template()
    plain = AuditEvent.model_validate({name: getattr(base, name) for name in AuditEvent.model_fields})
    ticks = iter(range(records))
    started = time.perf_counter()
    with AuditLog(path, durable=False, clock=lambda: START + next(ticks)) as log:
        for first in range(0, records, BATCH):
            log.append_many([event_at(number, plain) for number in range(first, min(first + BATCH, records))])
    return records / (time.perf_counter() - started)


def queries(records: int) -> dict[str, AuditQuery]:
    """What is asked of a log of a length; every page is full in a log of 10,000 records, too."""
    middle = START + records / 2
    return {
        "decision": AuditQuery(decision_id=f"d{records // 2}"),
        "run": AuditQuery(run_id=f"run{records // 100}"),
        "action, newest first": AuditQuery(action="halt", newest_first=True, limit=10),
        "action, everywhere": AuditQuery(action="proceed", limit=20),
        "rule, rare": AuditQuery(rule="rare_rule", limit=1),
        "rule, common": AuditQuery(rule="rule5", limit=20),
        "entry": AuditQuery(entry_id="e500", limit=10),
        "reason": AuditQuery(reason="fail_open", limit=1),
        "text of a reason": AuditQuery(text="store failed", limit=1),
        "time range": AuditQuery(since=middle, until=middle + 3600, limit=20),
        "rule in a time range": AuditQuery(rule="rule5", since=middle, limit=20),
        "a page in the middle": AuditQuery(rule="rule5", cursor=f"{middle!r}:0", limit=20),
    }


def median_ms(work: Callable[[], object], repeats: int) -> float:
    """Median time of some work."""
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return 1000 * float(np.median(taken))


def compare(folder: Path, short: int, long: int, repeats: int, *, verifies: bool) -> None:
    """Print the query table."""
    found: list[dict[str, float]] = []
    for records in (short, long):
        path = folder / f"{records}.sqlite"
        speed = fill(path, records)
        with AuditLog(path, read_only=True) as log:
            asked = queries(records)
            found.append({name: median_ms(lambda q=query: log.query(q), repeats) for name, query in asked.items()})
            checked = "not verified"
            if verifies:
                started = time.perf_counter()
                whole = verify(log).is_whole
                checked = f"verified {records / (time.perf_counter() - started):,.0f}/s, whole: {whole}"
        print(
            f"{records:,} records: written {speed:,.0f}/s, {path.stat().st_size / records:,.0f} bytes each, {checked}"
        )
    print(f"{'query':<22} {short:>12,} {long:>12,} {'ratio':>8}  (ms)")
    for name in found[0]:
        print(f"{name:<22} {found[0][name]:>12.3f} {found[1][name]:>12.3f} {found[1][name] / found[0][name]:>8.2f}")


def throughput(path: Path, threads: int, records: int) -> float:
    """Durable records a second."""
    base = template()
    plain = AuditEvent.model_validate({name: getattr(base, name) for name in AuditEvent.model_fields})
    each = records // threads
    with AuditLog(path) as log:
        workers = [
            threading.Thread(target=lambda first=first: [log.append(event_at(first + n, plain)) for n in range(each)])
            for first in range(0, each * threads, each)
        ]
        started = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return each * threads / (time.perf_counter() - started)


def group_commit(folder: Path, records: int) -> None:
    """Print what sharing a commit brings."""
    print(f"{'threads':>8} {'alone/s':>10} {'shared/s':>10} {'ratio':>8}")
    for threads in (1, 8, 32):
        shared = throughput(folder / f"shared{threads}.sqlite", threads, records)
        size, commit.MAX_GROUP = commit.MAX_GROUP, 1  # type: ignore[misc]
        alone = throughput(folder / f"alone{threads}.sqlite", threads, records)
        commit.MAX_GROUP = size  # type: ignore[misc]
        print(f"{threads:>8} {alone:>10,.0f} {shared:>10,.0f} {shared / alone:>8.2f}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1_000_000, help="length of the long log")
    parser.add_argument("--short", type=int, default=10_000, help="length of the short log")
    parser.add_argument("--repeats", type=int, default=200, help="times each query is asked")
    parser.add_argument("--commits", type=int, default=1600, help="durable records for each line of the second table")
    parser.add_argument("--verify", action="store_true", help="verify both logs, too")
    parser.add_argument("--folder", type=Path, help="where to write; by default a temporary folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        group_commit(Path(name), options.commits)
        compare(Path(name), options.short, options.records, options.repeats, verifies=options.verify)


if __name__ == "__main__":
    main()
