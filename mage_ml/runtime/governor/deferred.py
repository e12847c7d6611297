"""Checks that an output does not wait for: on one background thread, none of them lost."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from mage_ml.forking import fork_safe_lock

_IDLE_S: Final = 2.0
Work = Callable[[], None]


class BackgroundChecks:
    """Runs checks in order on one thread, which ends when there is nothing to do.

    Args:
        max_pending: Checks that may wait; a further one is made at once, on the thread that brings it.
    """

    def __init__(self, max_pending: int = 1000) -> None:
        self._max_pending = max_pending
        self._wake = threading.Condition(fork_safe_lock())
        self._pending: deque[Work] = deque()
        self._thread: threading.Thread | None = None
        self._busy = False
        self._process = os.getpid()

    def submit(self, work: Work) -> None:
        """Have a check made; `work` must not raise."""
        with self._wake:
            if self._process != os.getpid():  # what waited is the parent's to check
                self._process, self._thread, self._busy = os.getpid(), None, False
                self._pending.clear()
            taken = len(self._pending) < self._max_pending and self._start()
            if taken:
                self._pending.append(work)
                self._wake.notify_all()
        if not taken:
            work()

    def drain(self, timeout_s: float = 10.0) -> bool:
        """Wait until all checks are made; `False` when it took longer."""
        with self._wake:
            if self._process != os.getpid():
                return True
            return self._wake.wait_for(lambda: not self._pending and not self._busy, timeout=timeout_s)

    def _start(self) -> bool:
        if self._thread is not None and self._thread.is_alive():
            return True
        thread = threading.Thread(target=self._work, name="mage-ml constraint checks", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no thread to be had
            return False
        self._thread = thread
        return True

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: bool(self._pending), timeout=_IDLE_S)
                if not self._pending:
                    self._thread = None
                    return
                work = self._pending.popleft()
                self._busy = True
            try:
                work()
            finally:
                with self._wake:
                    self._busy = False
                    self._wake.notify_all()
