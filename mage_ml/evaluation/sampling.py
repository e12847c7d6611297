"""Draws a stratified sample that depends on the seed and the names alone, not on order or platform."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from mage_ml.memory import Episode


def stratum_of(episode: Episode) -> tuple[str, str, str, str]:
    """Episodes of one stratum are drawn in proportion: same domain, arm, operator and way of ending."""
    outcome = f"{episode.outcome.task_solved}/{episode.outcome.harm_done}"
    return (episode.domain, episode.arm, episode.operator or "", outcome)


def stratified_sample(episodes: Sequence[Episode], limit: int | None, seed: int) -> tuple[Episode, ...]:
    """At most `limit` episodes, each stratum in proportion to its size (largest remainders), in the given order."""
    if limit is None or len(episodes) <= limit:
        return tuple(episodes)
    strata: dict[tuple[str, str, str, str], list[Episode]] = {}
    for episode in episodes:
        strata.setdefault(stratum_of(episode), []).append(episode)
    quotas = {key: limit * len(members) / len(episodes) for key, members in strata.items()}
    counts = {key: int(quota) for key, quota in quotas.items()}
    by_remainder = sorted(strata, key=lambda key: (counts[key] - quotas[key], key))
    for key in by_remainder[: limit - sum(counts.values())]:
        counts[key] += 1
    kept: set[str] = set()
    for key, members in strata.items():
        ordered = sorted(members, key=lambda episode: _hash(episode.episode_id, seed))
        kept.update(episode.episode_id for episode in ordered[: counts[key]])
    return tuple(episode for episode in episodes if episode.episode_id in kept)


def _hash(name: str, seed: int) -> str:
    return hashlib.sha256(f"{seed}|{name}".encode()).hexdigest()
