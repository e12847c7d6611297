"""What the child of a fork finds."""

from __future__ import annotations

import os
import threading
import time

import pytest

from mage_ml.forking import fork_safe_lock

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


def taken_in_a_child(lock):
    child = os.fork()
    if not child:
        os._exit(0 if lock.acquire(timeout=5) else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_lock_that_another_thread_holds_at_the_fork_is_free_in_the_child():
    lock, held, gate = fork_safe_lock(), threading.Event(), threading.Event()

    def hold():
        with lock:
            held.set()
            gate.wait(10)

    holder = threading.Thread(target=hold, daemon=True)
    holder.start()
    assert held.wait(10)
    assert taken_in_a_child(lock)
    gate.set()
    holder.join(10)


def test_a_lock_that_another_thread_is_just_getting_at_the_fork_is_free_in_the_child():
    for _ in range(5):
        lock = fork_safe_lock()
        with lock:
            waiter = threading.Thread(target=lock.acquire, daemon=True)
            waiter.start()
            time.sleep(0.05)
        until = time.perf_counter() + 0.001  # the waiter wakes up, and cannot say so while this thread runs
        while time.perf_counter() < until:
            pass
        assert taken_in_a_child(lock)
        waiter.join(10)
