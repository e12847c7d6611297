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
        self._steps = 0
        self._looked_at = clock()

    def reason_to_skip(self, snapshot: Snapshot) -> str:
        """Why the classifier need not look at this step; empty when it has to. Each call counts as one step."""
        settings = self._settings
        if not settings.enabled or snapshot.action.type not in settings.types:
            return ""
        with self._lock:
            self._steps += 1
            since = self._clock() - self._looked_at
            # A clock that went back says nothing about how long ago the last look is: then one is due.
            if self._steps >= settings.every_steps or not 0.0 <= since < settings.every_seconds:
                return ""
            if any(self._is_telling(entry) for entry in snapshot.entries[self._seen :]):
                return ""
            return (
                "sampling: no new entry of low confidence or of the agent's own making, and the last look is "
                f"{self._steps} steps and {since:.0f} s ago"
            )

    def looked(self, snapshot: Snapshot) -> None:
        """The classifier gave a score for this snapshot."""
        with self._lock:
            self._seen = max(self._seen, len(snapshot.entries))
            self._steps = 0
            self._looked_at = self._clock()

    def _is_telling(self, entry: MemoryEntry) -> bool:
        settings = self._settings
        return entry.confidence < settings.confidence_below or (settings.reasoning and entry.source in _OWN_MAKING)
