"""Delivers notices in the background: bounded, with retries, never in a decision's way."""

from __future__ import annotations

import atexit
import logging
import os
import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.notify.base import Notice, Notifier, NotifyError

_IDLE_S: Final = 2.0
_EXIT_S: Final = 5.0
_LOG: Final = logging.getLogger(__name__)

OnFailure = Callable[[Notice, str, str], None]
"""Told of a notice that was given up: the notice, the notifier's name, why."""


@dataclass(frozen=True, slots=True)
class DispatchStats:
    """How deliveries went.

    Attributes:
        delivered: Deliveries that succeeded, one for each notifier.
        failed: Deliveries given up after all attempts.
        dropped: Notices that found the queue full, or were still waiting at the end.
        retries: Attempts after the first.
        pending: Notices that wait now.
    """

    delivered: int = 0
    failed: int = 0
    dropped: int = 0
    retries: int = 0
    pending: int = 0


class Dispatcher:
    """Hands notices to notifiers on one background thread, which ends by itself when there is nothing to do.

    `submit` takes microseconds and never raises: a notice that finds the queue full is dropped, counted, logged and
    reported to `on_failure`. Attempts are spaced by a doubling pause with jitter.

    Args:
        notifiers: Whom to hand them to; each gets each notice.
        attempts: How often a delivery is tried.
        backoff_s: Seconds before the second attempt.
        max_pending: Notices that may wait.
        on_failure: Told of what was given up, on the background thread (or the caller's, for a full queue).
        rng: Gives the jitter.
    """

    def __init__(
        self,
        notifiers: Sequence[Notifier],
        *,
        attempts: int = 4,
        backoff_s: float = 0.5,
        max_pending: int = 256,
        on_failure: OnFailure | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self._notifiers = tuple(notifiers)
        self._attempts = attempts
        self._backoff_s = backoff_s
        self._max_pending = max_pending
        self._on_failure = on_failure
        self._rng = rng or random.Random()
        if not _LOG.handlers:
            _LOG.addHandler(logging.NullHandler())
        self._wake = threading.Condition(fork_safe_lock())
        self._process = os.getpid()
        self._pending: deque[Notice] = deque()
        self._thread: threading.Thread | None = None
        self._busy = False
        self._stopping = threading.Event()
        self._counts = dict.fromkeys(("delivered", "failed", "dropped", "retries"), 0)

    @property
    def stats(self) -> DispatchStats:
        """How deliveries went so far."""
        with self._wake:
            return DispatchStats(**self._counts, pending=len(self._pending) + self._busy)

    def submit(self, notice: Notice) -> bool:
        """Take a notice to be delivered; `False` when it was dropped. Never raises, never waits for a delivery."""
        with self._wake:
            self._forget_parent()
            taken = len(self._pending) < self._max_pending and not self._stopping.is_set()
            if taken:
                self._pending.append(notice)
                taken = self._start()
            self._wake.notify_all()
        if not taken:
            self._give_up(notice, "dispatcher", "the queue is full or closed", "dropped")
        return taken

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything is delivered or given up; `False` when it took longer."""
        with self._wake:
            self._forget_parent()
            return self._wake.wait_for(lambda: not self._pending and not self._busy, timeout=timeout_s)

    def close(self, timeout_s: float = _EXIT_S) -> None:
        """Deliver what waits, within a time; the rest is dropped and counted."""
        self.flush(timeout_s)
        self._stopping.set()
        with self._wake:
            left = list(self._pending)
            self._pending.clear()
            self._wake.notify_all()
        for notice in left:
            self._give_up(notice, "dispatcher", "closed before it was delivered", "dropped")

    def _forget_parent(self) -> None:
        """In the child of a fork, what waited is the parent's to deliver."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._pending.clear()
            self._thread, self._busy = None, False

    def _start(self) -> bool:
        if self._thread is not None and self._thread.is_alive():
            return True
        try:
            self._thread = threading.Thread(target=self._work, name="mage-ml notices", daemon=True)
            self._thread.start()
        except RuntimeError:  # no thread to be had: at shutdown, or at the system's limit
            self._pending.pop()
            return False
        atexit.register(self.close)
        return True

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._pending or self._stopping.is_set(), timeout=_IDLE_S)
                if not self._pending:
                    self._thread = None
                    atexit.unregister(self.close)
                    return
                notice = self._pending.popleft()
                self._busy = True
            try:
                for notifier in self._notifiers:
                    self._deliver(notifier, notice)
            finally:
                with self._wake:
                    self._busy = False
                    self._wake.notify_all()

    def _deliver(self, notifier: Notifier, notice: Notice) -> None:
        for attempt in range(self._attempts):
            if attempt:
                self._count("retries")
                pause = self._backoff_s * 2 ** (attempt - 1) * (0.5 + self._rng.random())
                if self._stopping.wait(pause):
                    self._give_up(notice, notifier.name, "closed before it was delivered", "failed")
                    return
            try:
                notifier.notify(notice)
            except Exception as error:
                why = str(error) if isinstance(error, NotifyError) else f"{type(error).__name__}: {error}"
                if isinstance(error, NotifyError) and error.permanent:
                    break
            else:
                self._count("delivered")
                return
        self._give_up(notice, notifier.name, why, "failed")

    def _give_up(self, notice: Notice, name: str, why: str, kind: str) -> None:
        self._count(kind)
        _LOG.error("notice of decision %s was not delivered by %s: %s", notice.decision_id, name, why)
        if self._on_failure is not None:
            try:
                self._on_failure(notice, name, why)
            except Exception as error:
                _LOG.error("the failed delivery could not be recorded: %s: %s", type(error).__name__, error)

    def _count(self, kind: str) -> None:
        with self._wake:
            self._counts[kind] += 1
