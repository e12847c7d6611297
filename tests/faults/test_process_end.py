"""Whatever ends a process: a decision that was returned is in the log, and the chain verifies."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mage_ml.runtime.audit import AuditLog, verify

ROOT = Path(__file__).parent.parent.parent
WORDS = {"started", "ended", "interrupted"}


def start(path, threads, decisions, end=""):
    command = [sys.executable, "-m", "tests.faults.agent_process", str(path), str(threads), str(decisions), end]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for(process, word):
    for line in process.stdout:
        if line.decode().strip() == word:
            return
    pytest.fail(f"the process ended before it said {word!r}: {process.stderr.read().decode()}")


def names(output):
    """The decisions that a process was given; a last line that was cut does not count."""
    lines = output.decode().split("\n")[:-1]
    return [line for line in lines if line and line not in WORDS]


def check_log(path, returned):
    with AuditLog(path) as log:
        report = verify(log)
        recorded = [record.decision_id for record in log.records()]
    assert report.is_whole, report.problems
    assert len(recorded) == len(set(recorded))
    assert set(returned) <= set(recorded)
    return recorded


@pytest.mark.slow
def test_complaint_29_after_kill_9_among_a_thousand_decisions_in_flight_every_returned_one_is_in_the_log(tmp_path):
    rng = random.Random(11)
    path, returned = tmp_path / "a.sqlite", []
    for _ in range(2):  # one log over all rounds: each goes on where the one before was killed
        process = start(path, threads=32, decisions=1000 // 32 + 1)
        wait_for(process, "started")
        time.sleep(rng.uniform(0.05, 0.6))
        process.send_signal(signal.SIGKILL)
        output, _ = process.communicate(timeout=60)
        returned += names(output)
        check_log(path, returned)
    assert len(returned) > 20
    assert process.returncode == -signal.SIGKILL


@pytest.mark.slow
def test_a_signal_in_the_middle_of_a_check_costs_no_record_and_stops_no_other_thread(tmp_path):
    path = tmp_path / "a.sqlite"
    process = start(path, threads=4, decisions=40, end="signal")
    wait_for(process, "started")
    for _ in range(5):
        time.sleep(0.05)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()
    returned = names(output)
    assert len(returned) >= 4 * 40
    check_log(path, returned)


@pytest.mark.parametrize(("end", "least"), [("atexit", 5), ("daemon", 0)])
def test_at_the_end_of_the_interpreter_decisions_are_recorded_and_nothing_hangs(tmp_path, end, least):
    path = tmp_path / "a.sqlite"
    process = start(path, threads=2, decisions=2 if end == "atexit" else 10_000, end=end)
    output, errors = process.communicate(timeout=60)
    # CPython ends daemon threads that are inside a C++ library by aborting, after everything else is done.
    accepted = (0, -signal.SIGABRT) if end == "daemon" else (0,)
    assert process.returncode in accepted, errors.decode()
    returned = names(output)
    assert len(returned) >= least
    if end == "atexit":
        assert output.decode().rstrip().endswith("ended")
    check_log(path, returned)
