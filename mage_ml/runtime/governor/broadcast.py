"""Tells agents and administrators what changed: by callback, by asyncio queue, and by the notifiers of the guard."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.notify import Dispatcher, Notice

_LOG: Final = logging.getLogger(__name__)
_MAX_QUEUE: Final = 1024


class ChangeKind(StrEnum):
    """What changed."""

    VIOLATED = "violated"
    """An output broke a constraint and left all the same: severity warn or log, or waived."""
    HELD_BACK = "held_back"
    """An output was rejected or stopped."""
    HANDED_OVER = "handed_over"
    CONFLICT = "conflict"
    CHECK_FAILED = "check_failed"
    """A validator gave no verdict."""
    PRESSURE = "pressure"
    """A constraint was broken often within the window."""
    LOOP = "loop"
    """Agents go in circles."""
    RELOADED = "reloaded"
    RELOAD_FAILED = "reload_failed"
    """A changed file is not valid; the last good one is in force."""
    SWITCHED = "switched"
    STATE_FAILED = "state_failed"
    """The shared state could not be written."""


TOLD_TO_PEOPLE: Final = frozenset(
    {
        ChangeKind.PRESSURE,
        ChangeKind.LOOP,
        ChangeKind.HANDED_OVER,
        ChangeKind.RELOAD_FAILED,
        ChangeKind.CHECK_FAILED,
        ChangeKind.STATE_FAILED,
    }
)
"""What goes to the notifiers; the rest is for agents and programs."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """One change.

    Attributes:
        kind: What changed.
        at: Seconds since the epoch.
        constraint_id: The constraint; empty for none or several.
        agent_id: The agent; empty for none.
        run_id: The run; empty for none.
        detail: One sentence, without the output's words.
        ruling_id: The ruling; empty for none.
    """

    kind: ChangeKind
    at: float
    constraint_id: str = ""
    agent_id: str = ""
    run_id: str = ""
    detail: str = ""
    ruling_id: str = ""


Listener = Callable[[StateChange], None]


class Subscription:
    """An asyncio queue of changes, bounded: when it is full, the oldest change makes room and is counted.

    Attributes:
        queue: Where changes arrive, on the loop that subscribed.
        lost: Changes that made room.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, max_pending: int) -> None:
        self.queue: asyncio.Queue[StateChange] = asyncio.Queue(max_pending)
        self.lost = 0
        self._loop = loop

    def offer(self, change: StateChange) -> bool:
        """Hand a change over from any thread; `False` when the loop is closed."""
        try:
            self._loop.call_soon_threadsafe(self._put, change)
        except RuntimeError:
            return False
        return True

    def _put(self, change: StateChange) -> None:
        if self.queue.full():
            self.queue.get_nowait()
            self.lost += 1
        self.queue.put_nowait(change)


class Broadcaster:
    """Hands changes to whoever listens. A listener that raises is logged and never stops a check.

    Args:
        dispatcher: Tells people of the changes in `TOLD_TO_PEOPLE`; `None` for nobody.
    """

    def __init__(self, dispatcher: Dispatcher | None = None) -> None:
        self._dispatcher = dispatcher
        self._lock = fork_safe_lock()
        self._listeners: tuple[Listener, ...] = ()
        self._queues: tuple[Subscription, ...] = ()
        if not _LOG.handlers:
            _LOG.addHandler(logging.NullHandler())

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a function with each change, on the checking thread; returns what ends it."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def stop() -> None:
            with self._lock:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop

    def subscribe(self, max_pending: int = _MAX_QUEUE) -> Subscription:
        """A queue of changes for the running event loop."""
        subscription = Subscription(asyncio.get_running_loop(), max_pending)
        with self._lock:
            self._queues = (*self._queues, subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """End a subscription."""
        with self._lock:
            self._queues = tuple(one for one in self._queues if one is not subscription)

    def send(self, change: StateChange) -> None:
        """Tell everybody. Never raises."""
        for listener in self._listeners:
            try:
                listener(change)
            except Exception as error:
                _LOG.error("a listener failed on %s: %s: %s", change.kind, type(error).__name__, error)
        for subscription in self._queues:
            if not subscription.offer(change):
                self.unsubscribe(subscription)
        if self._dispatcher is not None and change.kind in TOLD_TO_PEOPLE:
            self._dispatcher.submit(_notice(change))


def _notice(change: StateChange) -> Notice:
    about = f" of {change.constraint_id}" if change.constraint_id else ""
    return Notice(
        run_id=change.run_id,
        decision_id=change.ruling_id or uuid.uuid4().hex,
        decision=f"constraint_{change.kind.value}",
        action_type="governor",
        reasons=(f"{change.kind.value}{about}: {change.detail}",),
        at=change.at,
    )
