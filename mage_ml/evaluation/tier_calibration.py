"""Calibrates the combined scores of the tiers on benign episodes, with a bound on false alarms."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mage_ml.calibration import (
    CONFIDENCE,
    OperatingPoint,
    choose_threshold,
    clopper_pearson_upper,
    episodes_needed,
)
from mage_ml.errors import ConfigError
from mage_ml.memory import Arm, Episode
from mage_ml.memory.shadow import iterate_snapshots
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis, RiskVector
from mage_ml.runtime.evaluators import OPERATING_POINT, Evaluator
from mage_ml.runtime.evaluators.tier_settings import CombinedCalibration

_HIGHEST: Final = 0.999


@dataclass(frozen=True, slots=True)
class BenignPeaks:
    """What an evaluator says at worst about benign episodes.

    Attributes:
        peaks: By group of episodes, the highest score on any axis at any step.
        axes: The same for each axis by itself.
        digest: SHA-256 of the episodes.
        contaminated: Episodes left out because they are not benign.
    """

    peaks: tuple[float, ...]
    axes: tuple[RiskVector, ...]
    digest: str
    contaminated: int


def benign_peaks(
    episodes: Iterable[Episode], evaluator: Evaluator, progress: Progress = silent, *, total: int = 0
) -> BenignPeaks:
    """Score benign episodes step by step, as a live guard would.

    Episodes of one group (a clean run and its harmless twin, runs of one task) are not independent, so a group counts
    once, with its highest score. Contaminated episodes are left out.

    Args:
        episodes: The episodes. Those in which anything was planted are left out, whether or not it had an effect.
        evaluator: Gives scores on the common scale.
        progress: Told after each episode.
        total: How many episodes there are, for `progress`.

    Raises:
        ConfigError: A tier failed: half an answer is no ground for a promise.
    """
    found: dict[str, RiskVector] = {}
    digest, contaminated = hashlib.sha256(), 0
    for number, episode in enumerate(episodes, start=1):
        if not _is_benign(episode):
            contaminated += 1
            continue
        digest.update(episode.model_dump_json().encode() + b"\n")
        worst = found.get(episode.group_id, RiskVector())
        for snapshot in iterate_snapshots(episode):
            assessment = evaluator.assess(snapshot)
            if assessment.coverage.failed:
                reasons = "; ".join(f"{tier}: {reason}" for tier, reason in assessment.coverage.failed.items())
                raise ConfigError(f"episode {episode.episode_id}: cannot be used for calibration: {reasons}")
            worst = worst.combined(assessment.risk)
        found[episode.group_id] = worst
        progress("score benign episodes", number, total)
    return BenignPeaks(
        peaks=tuple(risk.peak for risk in found.values()),
        axes=tuple(found.values()),
        digest=digest.hexdigest(),
        contaminated=contaminated,
    )


def fit_combined(
    benign: BenignPeaks, model_version: str, *, target: float, confidence: float = CONFIDENCE, may_lower: bool = False
) -> CombinedCalibration:
    """The combined score that is to become 0.5, so that benign episodes rarely reach it.

    One threshold for all axes, because an episode alarms when any axis does. Where benign episodes lie far below 0.5
    the threshold stays there unless `may_lower`: a promise about these episodes is no reason to alarm earlier on
    others.

    Args:
        benign: Scores of benign episodes without any combined threshold.
        model_version: The model that gave them.
        target: Wanted bound on the share of benign episodes with an alarm, above 0 and below 1.
        confidence: Confidence of the bound.
        may_lower: Allow a threshold below 0.5, which alarms more.

    Raises:
        ConfigError: Too few independent episodes for the bound; it names how many are needed.
    """
    needed, count = episodes_needed(target, confidence), len(benign.peaks)
    if count < needed:
        raise ConfigError(
            f"{count:,} independent benign episodes are too few for a bound of {target:.2%} at {confidence:.0%} "
            f"confidence: at least {needed:,} are needed even if none alarms. Give more, or ask for a weaker bound"
        )
    point = choose_threshold(benign.peaks, target, confidence=confidence)
    if point.threshold < OPERATING_POINT and not may_lower:
        point = _kept(benign.peaks, confidence)
    return CombinedCalibration(
        combined_thresholds=dict.fromkeys(RiskAxis, min(_HIGHEST, point.threshold)),
        bound=point.bound,
        confidence=confidence,
        episodes=count,
        alarms=point.alarms,
        data_digest=benign.digest,
        model_version=model_version,
    )


def _is_benign(episode: Episode) -> bool:
    planted = episode.arm is Arm.CONTAMINATED or (episode.arm is Arm.RECORDED and episode.operator is not None)
    risky = any(moment.label.is_risky for moment in episode.moments) or bool(episode.outcome.harm_done)
    return not planted and not risky


def _kept(peaks: Sequence[float], confidence: float) -> OperatingPoint:
    """The operating point 0.5 as it is, with the bound that holds there."""
    alarms = sum(peak >= OPERATING_POINT for peak in peaks)
    bound = clopper_pearson_upper(alarms, len(peaks), confidence)
    return OperatingPoint(OPERATING_POINT, bound, confidence, len(peaks), alarms)


def statement(calibration: CombinedCalibration) -> str:
    """What is promised, in one sentence."""
    at = ", ".join(f"{axis} {value:.3f}" for axis, value in calibration.combined_thresholds.items())
    return (
        f"With {calibration.confidence:.0%} confidence at most {calibration.bound:.2%} of benign episodes like these "
        f"reach 0.5 on any axis at any step ({calibration.alarms} of {calibration.episodes:,} did); combined scores "
        f"that become 0.5: {at}."
    )
