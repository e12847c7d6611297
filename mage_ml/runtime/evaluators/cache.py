"""A bounded cache of results around an evaluator: the same question is asked once."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.encoding.selection import MAX_ANCESTORS, MAX_HOLDERS_PER_VALUE
from mage_ml.forking import fork_safe_lock
from mage_ml.memory import MemoryEntry, Snapshot
from mage_ml.memory.facts import values_in
from mage_ml.risk import Assessment
from mage_ml.runtime.evaluators.base import Evaluator, PreparedCall, checked, prepare

DEFAULT_CAPACITY: Final = 1024
_ENTRY_FIELDS: Final = (
    "id", "content", "source", "role", "tool_name", "origin", "agent_id", "step", "timestamp", "confidence",
    "depends_on", "status", "contradicts_with", "annotations",
)  # fmt: skip
_ACTION_FIELDS: Final = ("type", "tool_name", "arguments", "content", "agent_id", "depends_on")


class CacheStats(BaseModel):
    """What a cache has done so far.

    Attributes:
        hits: Questions answered from the cache, those included that waited for the same question under way.
        misses: Questions that the evaluator was asked.
        size: Results kept now.
        capacity: Results kept at most.
        evictions: Results dropped to make room.
        not_kept: Answers that were not kept, because the evaluator failed or a part of it did.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    hits: Annotated[int, Field(ge=0)]
    misses: Annotated[int, Field(ge=0)]
    size: Annotated[int, Field(ge=0)]
    capacity: Annotated[int, Field(ge=0)]
    evictions: Annotated[int, Field(ge=0)]
    not_kept: Annotated[int, Field(ge=0)]

    @property
    def hit_rate(self) -> float:
        """Share of questions answered without asking the evaluator, 0 to 1; 0 before the first."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0


@dataclass(slots=True)
class _Flight:
    """A question that one caller asks while others with the same one wait."""

    done: threading.Event = field(default_factory=threading.Event)
    answer: Assessment | None = None
    """Stays `None` when the answer may not be shared; those who waited then ask for themselves."""


class CachedEvaluator:
    """Keeps the results of an evaluator, the latest used longest. Safe to share between threads.

    Callers with the same key at the same time ask once. Errors and partial answers (anything in `coverage.failed`) are
    neither kept nor shared.

    Args:
        evaluator: What is asked.
        key: Names a question: equal names must mean equal answers. By default the evaluator's own `prepare` says so;
            for a judge use `content_key`.
        capacity: Results kept at most.

    Raises:
        TypeError: No key was given, and the evaluator has none of its own.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        key: Callable[[Snapshot], str] | None = None,
        *,
        capacity: int = DEFAULT_CAPACITY,
    ) -> None:
        if key is None and not hasattr(evaluator, "prepare"):
            raise TypeError(f"{evaluator.name} names no key of its own; give CachedEvaluator a key")
        self._evaluator = evaluator
        self._key = key
        self._capacity = max(1, capacity)
        self._lock = fork_safe_lock()
        self._results: OrderedDict[str, Assessment] = OrderedDict()
        self._flights: dict[str, _Flight] = {}
        self._process = os.getpid()
        self._hits = self._misses = self._evictions = self._not_kept = 0

    @property
    def name(self) -> str:
        """The name of the evaluator inside."""
        return self._evaluator.name

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Score one snapshot, or say again what was said about the same one."""
        if self._key is None:
            return self.prepare(snapshot).ask()
        return self._answer(self._key(snapshot), lambda: self._evaluator.assess(snapshot))

    def prepare(self, snapshot: Snapshot) -> PreparedCall:
        """Read all that is needed of a snapshot now; the answer may be asked for later, on any thread."""
        call = prepare(self._evaluator, snapshot)
        key = call.key if self._key is None else self._key(snapshot)
        return PreparedCall(key, lambda: self._answer(key, call.ask)) if key else call

    @property
    def stats(self) -> CacheStats:
        """What the cache has done so far."""
        with self._lock:
            return CacheStats(
                hits=self._hits,
                misses=self._misses,
                size=len(self._results),
                capacity=self._capacity,
                evictions=self._evictions,
                not_kept=self._not_kept,
            )

    def clear(self) -> None:
        """Forget every result."""
        with self._lock:
            self._results.clear()

    def _answer(self, key: str, ask: Callable[[], Assessment]) -> Assessment:
        with self._lock:
            if self._process != os.getpid():  # after a fork: whoever was asking is not here
                self._process = os.getpid()
                self._flights = {}
            known = self._results.get(key)
            if known is not None:
                self._results.move_to_end(key)
                self._hits += 1
                return known
            flight = self._flights.get(key)
            if flight is None:
                mine = self._flights[key] = _Flight()
                self._misses += 1
        if flight is not None:
            return self._join(flight, ask)
        try:
            answer = checked(ask(), self.name)
        except BaseException:
            self._land(key, mine, None)
            raise
        self._land(key, mine, answer if not answer.coverage.failed else None)
        return answer

    def _join(self, flight: _Flight, ask: Callable[[], Assessment]) -> Assessment:
        flight.done.wait()
        shared = flight.answer
        with self._lock:
            if shared is not None:
                self._hits += 1
            else:
                self._misses += 1
        return shared if shared is not None else ask()

    def _land(self, key: str, flight: _Flight, answer: Assessment | None) -> None:
        with self._lock:
            self._flights.pop(key, None)
            if answer is None:
                self._not_kept += 1
            else:
                self._results[key] = answer
                while len(self._results) > self._capacity:
                    self._results.popitem(last=False)
                    self._evictions += 1
        flight.answer = answer
        flight.done.set()


def content_key(
    *versions: str, reads: Callable[[Snapshot], Iterable[MemoryEntry]] | None = None
) -> Callable[[Snapshot], str]:
    """A key of what an evaluator that reads text sees: the goal, the action, and the entries it reads, field by field.

    Args:
        versions: Versions of whatever else the answer depends on: the model, its prompt, the policy.
        reads: The entries that the evaluator reads, `bearing_entries` by default. It must name all of them, or changes
            to the others would go unseen.
    """
    selected = bearing_entries if reads is None else reads

    def key(snapshot: Snapshot) -> str:
        said = [
            list(versions),
            snapshot.goal,
            snapshot.action.model_dump(mode="json", include=set(_ACTION_FIELDS)),
            [entry.model_dump(mode="json", include=set(_ENTRY_FIELDS)) for entry in selected(snapshot)],
        ]
        text = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    return key


def bearing_entries(snapshot: Snapshot) -> tuple[MemoryEntry, ...]:
    """The entries that bear on the action, in chain order: what it names, what that rests on, and who holds its values.

    What was stored lately without such a link is left out, so that an unrelated entry changes no key. The cost does not
    grow with the chain.
    """
    named = dict.fromkeys(snapshot.action.depends_on)
    for value in sorted(values_in(snapshot.action.text)):
        named.update(dict.fromkeys(snapshot.facts.entries_with(value, first=MAX_HOLDERS_PER_VALUE)))
    above = snapshot.graph.ancestors(*named, max_nodes=MAX_ANCESTORS)
    found = [name for name in {*named, *above} if name in snapshot]
    return tuple(snapshot.entry(name) for name in sorted(found, key=snapshot.graph.position))
