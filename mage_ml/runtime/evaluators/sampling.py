"""Which of many harmless steps of one run the classifier looks at."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from mage_ml.memory import MemoryEntry, Snapshot, Source
from mage_ml.runtime.evaluators.tier_settings import SamplingSettings

_OWN_MAKING = (Source.LLM_REASONING, Source.AGENT)


class RunSampler:
    """Decides step by step for one run, and remembers what was looked at last. Safe to share between threads.

    Args:
        settings: Which steps are looked at.
        clock: Seconds that never go back.
    """

    def __init__(self, settings: SamplingSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._lock = threading.Lock()
        self._seen = 0
        self._step = 0
        self._looked_at_step = 0
        self._looked_at = clock()

    def reason_to_skip(self, snapshot: Snapshot) -> str:
        """Why the classifier need not look at this step; empty when it has to. Each call counts as one step."""
        settings = self._settings
        if not settings.enabled or snapshot.action.type not in settings.types:
            return ""
        with self._lock:
            self._step += 1
            steps = self._step - self._looked_at_step
            since = self._clock() - self._looked_at
            # A clock that went back says nothing about how long ago the last look is: then one is due.
            if steps >= settings.every_steps or not 0.0 <= since < settings.every_seconds:
                return ""
            if any(self._is_telling(entry) for entry in snapshot.entries[self._seen :]):
                return ""
            return (
                "sampling: no new entry of low confidence or of the agent's own making, and the last look is "
                f"{steps} steps and {since:.0f} s ago"
            )

    def looked(self, snapshot: Snapshot) -> None:
        """The classifier gave a score for this snapshot, which is memory as it is now."""
        self.look_at(snapshot)()

    def look_at(self, snapshot: Snapshot) -> Callable[[], None]:
        """Call what this gives when the score is there, however late: the look counts from now, not from then."""
        with self._lock:
            seen, step, now = len(snapshot.entries), self._step, self._clock()

        def done() -> None:
            with self._lock:
                if step >= self._looked_at_step:  # a look that began later may have ended sooner
                    self._seen = max(self._seen, seen)
                    self._looked_at_step, self._looked_at = step, now

        return done

    def _is_telling(self, entry: MemoryEntry) -> bool:
        settings = self._settings
        return entry.confidence < settings.confidence_below or (settings.reasoning and entry.source in _OWN_MAKING)
