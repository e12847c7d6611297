"""A process that makes decisions and says on a pipe which ones it got. Run as a script: LOG THREADS DECISIONS [END]."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from pathlib import Path

from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.evaluators import RuleEvaluator
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import GuardrailEngine, load_policy
from tests.runtime.cases import GOAL_EN, chain, mail, note, record, tool, user


def tell(line: str) -> None:
    """Write a line in one piece, so that a kill never leaves half of one that counts."""
    os.write(1, f"{line}\n".encode())


def live(log: AuditLog, engine: GuardrailEngine, decisions: int) -> None:
    """One agent's run."""
    guard = MageGuard(engine, goal=GOAL_EN, audit=log)
    for entry in chain(user(), tool(record(120_000)), note("North revenue was 120,000.", "e1")):
        guard.observe(entry)
    for number in range(decisions):
        tell(guard.check(mail("e1", body=f"North revenue in Q1 2025 was {120_000 + number} USD.")).decision_id)


def last_words(log: AuditLog, engine: GuardrailEngine) -> None:
    """A decision at the very end of the program."""
    live(log, engine, 1)
    tell("ended")


def main() -> None:
    path, threads, decisions = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    end = sys.argv[4] if len(sys.argv) > 4 else ""
    log = AuditLog(path)
    engine = GuardrailEngine(RuleEvaluator(), load_policy())
    if end == "atexit":
        atexit.register(last_words, log, engine)
    workers = [
        threading.Thread(target=live, args=(log, engine, decisions), daemon=end == "daemon") for _ in range(threads)
    ]
    for worker in workers:
        worker.start()
    tell("started")
    if end == "daemon":
        return  # the interpreter shuts down among running checks
    if end == "signal":
        signal.signal(signal.SIGINT, signal.default_int_handler)
        while True:
            try:
                live(log, engine, decisions)
                break
            except KeyboardInterrupt:
                tell("interrupted")
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
