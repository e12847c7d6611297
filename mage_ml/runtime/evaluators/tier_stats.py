"""What each tier does: how often it is asked, settles, is skipped or fails, and how long it takes."""

from __future__ import annotations

import bisect
import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.forking import fork_safe_lock
from mage_ml.risk import Score
from mage_ml.runtime.evaluators.cache import CacheStats

_GROWTH: Final = 1.1
_EDGES: Final = tuple(0.01 * _GROWTH**step for step in range(190))
"""Upper edges of the latency histogram in ms, from 0.01 ms to 11 minutes: a percentile is right within 10 %."""
_RECENT: Final = 64


class LatencyHistogram:
    """Counts latencies in a fixed number of buckets. Not locked; its owner is."""

    def __init__(self) -> None:
        self._counts = [0] * (len(_EDGES) + 1)
        self._recent: deque[float] = deque(maxlen=_RECENT)

    def add(self, latency_ms: float) -> None:
        """Count one."""
        self._counts[bisect.bisect_left(_EDGES, latency_ms)] += 1
        self._recent.append(latency_ms)

    def percentile(self, share: float) -> float | None:
        """The latency in ms that this share does not exceed, rounded up to the bucket's edge; `None` without any."""
        total = sum(self._counts)
        if total == 0:
            return None
        wanted, seen = max(1, math.ceil(share * total)), 0
        for number, count in enumerate(self._counts):
            seen += count
            if seen >= wanted:
                return _EDGES[min(number, len(_EDGES) - 1)]
        return _EDGES[-1]

    @property
    def running_median(self) -> float | None:
        """Median of the latest 64 in ms; `None` without any."""
        return median(self._recent) if self._recent else None


class TierShare(BaseModel):
    """One tier's part in all assessments so far.

    Attributes:
        tier: Name of the tier.
        asked: How often it was asked.
        settled: How often its answer was final.
        skipped: How often it was not asked.
        failed: How often it gave no score: it was asked in vain, or had no time left in the budget of an action that
            fails closed.
        share_settled: Of all assessments, the share it settled.
        latency_p50_ms: Half of its answers took no longer; within 10 %.
        latency_p99_ms: 99 in 100 took no longer; within 10 %.
        cache: Its result cache, where it has one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tier: str
    asked: Annotated[int, Field(ge=0)]
    settled: Annotated[int, Field(ge=0)]
    skipped: Annotated[int, Field(ge=0)]
    failed: Annotated[int, Field(ge=0)]
    share_settled: Score
    latency_p50_ms: float | None = None
    latency_p99_ms: float | None = None
    cache: CacheStats | None = None


class TierStats(BaseModel):
    """All tiers' parts.

    Attributes:
        assessments: Snapshots assessed, those included for which every tier failed.
        tiers: In the order they are asked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    assessments: Annotated[int, Field(ge=0)] = 0
    tiers: tuple[TierShare, ...] = ()

    def to_text(self) -> str:
        """A small table."""
        head = ("tier", "asked", "settled", "skipped", "failed", "p50 ms", "p99 ms", "cache hits")
        rows = [head, *(_row(share) for share in self.tiers)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(_line(row, widths) for row in rows)


class TierCounter:
    """Counts what tiers do. Safe to share between threads; its size does not grow.

    Args:
        tiers: Names of the tiers in the order they are asked.
    """

    def __init__(self, tiers: Iterable[str]) -> None:
        self._lock = fork_safe_lock()
        self._tiers = {name: _Tally() for name in tiers}
        self._assessments = 0

    def asked(self, tier: str, latency_ms: float | None) -> None:
        """A tier was asked: it answered after `latency_ms`, or failed (`None`)."""
        with self._lock:
            tally = self._tiers[tier]
            tally.asked += 1
            if latency_ms is None:
                tally.failed += 1
            else:
                tally.latencies.add(latency_ms)

    def skipped(self, tier: str, *, failed: bool = False) -> None:
        """A tier was not asked; `failed` when that counts as a failure."""
        with self._lock:
            tally = self._tiers[tier]
            if failed:
                tally.failed += 1
            else:
                tally.skipped += 1

    def settled(self, tier: str | None) -> None:
        """An assessment ended with this tier's answer, or with none."""
        with self._lock:
            self._assessments += 1
            if tier is not None:
                self._tiers[tier].settled += 1

    def running_median(self, tier: str) -> float | None:
        """Median latency in ms of a tier's latest 64 answers; `None` before the first."""
        with self._lock:
            return self._tiers[tier].latencies.running_median

    def stats(self, caches: Mapping[str, CacheStats]) -> TierStats:
        """The counts so far."""
        with self._lock:
            total = self._assessments
            shares = tuple(
                TierShare(
                    tier=name,
                    asked=tally.asked,
                    settled=tally.settled,
                    skipped=tally.skipped,
                    failed=tally.failed,
                    share_settled=tally.settled / total if total else 0.0,
                    latency_p50_ms=tally.latencies.percentile(0.5),
                    latency_p99_ms=tally.latencies.percentile(0.99),
                    cache=caches.get(name),
                )
                for name, tally in self._tiers.items()
            )
        return TierStats(assessments=total, tiers=shares)


class _Tally:
    """One tier's counts."""

    def __init__(self) -> None:
        self.asked = self.settled = self.skipped = self.failed = 0
        self.latencies = LatencyHistogram()


def _row(share: TierShare) -> tuple[str, ...]:
    counts = (share.asked, share.skipped, share.failed)
    asked, skipped, failed = (f"{count:,}" for count in counts)
    times = ["" if value is None else f"{value:.1f}" for value in (share.latency_p50_ms, share.latency_p99_ms)]
    hits = "" if share.cache is None else f"{share.cache.hit_rate:.0%}"
    return (share.tier, asked, f"{share.settled:,} ({share.share_settled:.0%})", skipped, failed, *times, hits)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    name, *figures = (
        cell.rjust(width) if number else cell.ljust(width)
        for number, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join((name, *figures))
