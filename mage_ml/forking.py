"""Locks that survive a fork: in the child, the threads that held them do not exist."""

from __future__ import annotations

import os
import threading
import weakref
from types import TracebackType
from typing import Final

from mage_ml.errors import MageError

_LOCKS: Final[weakref.WeakSet[threading.Lock]] = weakref.WeakSet()
_REGISTERED: Final = threading.Event()


def fork_safe_lock() -> threading.Lock:
    """A lock that is free in the child of a fork, whoever held it.

    For short sections over state that is whole at any moment, such as a counter or a cache.
    """
    lock = threading.Lock()
    _LOCKS.add(lock)
    if hasattr(os, "register_at_fork") and not _REGISTERED.is_set():
        _REGISTERED.set()
        os.register_at_fork(after_in_child=_free_all)
    return lock


def _free_all() -> None:
    for lock in list(_LOCKS):
        # As the standard library does with its own. `release` would not do: a thread that waited for the lock may have
        # got it and not yet said so, and then the lock counts as free while nobody can take it.
        lock._at_fork_reinit()  # type: ignore[attr-defined]


class InUseAtForkError(MageError):
    """Some other thread was using an object when the process forked; its copy in the child is half done."""


class ForkAwareLock:
    """A lock for long sections that one thread may enter again; refuses in the child what was in use at the fork.

    Args:
        what: The object that it protects, in messages.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._owner: int | None = None
        self._depth = 0

    def __enter__(self) -> None:
        """Wait until no other thread is inside.

        Raises:
            InUseAtForkError: Another thread was inside when the process forked.
        """
        if self._process != os.getpid():
            self._enter_child()
        self._lock.acquire()
        self._owner = threading.get_ident()
        self._depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
        self._lock.release()

    @property
    def is_held(self) -> bool:
        """Whether some thread is inside."""
        return self._owner is not None

    def _enter_child(self) -> None:
        if self._owner not in (None, threading.get_ident()):
            raise InUseAtForkError(
                f"{self._what} was in use by another thread when this process was forked; make a new one in the child"
            )
        if self._owner is None:
            self._lock = threading.RLock()
        self._process = os.getpid()
