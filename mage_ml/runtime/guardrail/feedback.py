"""Learning from outcomes: rules that cry wolf come to count for less, inside bounds that the policy states."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from mage_ml.calibration import beta_quantile
from mage_ml.runtime.guardrail.decision import Decision
from mage_ml.runtime.guardrail.feedback_settings import CLASSIFIER, VOICES, FeedbackSettings
from mage_ml.runtime.guardrail.feedback_store import Adjustment, FeedbackOutcome, FeedbackStore, VoiceTally

__all__ = [
    "CLASSIFIER",
    "VOICES",
    "Adjustment",
    "FeedbackOutcome",
    "FeedbackSettings",
    "FeedbackStore",
    "FeedbackTuner",
    "VoiceStatistics",
    "VoiceTally",
    "voices_of",
]

_LEAST_CHANGE: Final = 0.02
_MILDEST_VOICE: Final = 0.2
"""Evidence below this is no voice in a decision."""


class VoiceStatistics(BaseModel):
    """What is known of one rule or tier.

    Attributes:
        voice: Id of the rule, or name of the tier.
        tally: Judged decisions in which it spoke, since its last reversal.
        right_share: Posterior mean of the share of its alarms that are right (Beta-Bernoulli, uniform prior).
        right_share_upper: Upper bound of that share at the policy's confidence.
        factor: What its scores are multiplied by.
        floor: The lowest factor it may get.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    voice: str
    tally: VoiceTally
    right_share: float
    right_share_upper: float
    factor: float
    floor: float


class FeedbackTuner:
    """Keeps outcomes and lowers the weight of voices that are mostly wrong. Safe to share between threads and guards.

    The share of a voice's alarms that are right has a Beta posterior (uniform prior). When enough were judged and the
    posterior says with the wanted confidence that the share is below `wanted_right_share`, the voice's scores get a
    factor: the posterior's upper bound over the wanted share, never below the floor, at most one step lower at a time
    and not again before as many new ones were judged. The same rule raises the factor again, in one go. However many
    false alarms are claimed, the floor holds; a decision counts once, whoever speaks about it how often.

    Args:
        settings: The policy's bounds.
        store: Where outcomes and adjustments are kept.
        refresh_s: How old the factors of other processes may be, in seconds.
        clock: Seconds that never go back.
    """

    def __init__(
        self,
        settings: FeedbackSettings,
        store: FeedbackStore,
        *,
        refresh_s: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self.store = store
        self._refresh_s = refresh_s
        self._clock = clock
        self._lock = threading.Lock()
        self._factors: dict[str, float] = {}
        self._read_at = float("-inf")

    def factor(self, voice: str) -> float:
        """What a voice's scores are multiplied by: 1, or less down to its floor."""
        if not self.settings.enabled:
            return 1.0
        with self._lock:
            now = self._clock()
            if not 0.0 <= now - self._read_at < self._refresh_s:
                self._reread(now)
            found = self._factors.get(voice, 1.0)
        return min(1.0, max(found, self.settings.floor_of(voice)))

    def record(
        self, decision_id: str, voices: Sequence[str], outcome: FeedbackOutcome, *, by: str = "", note: str = ""
    ) -> tuple[Adjustment, ...]:
        """Keep the outcome of a decision, and adjust the voices that spoke in it.

        Args:
            decision_id: The decision. Another outcome for it replaces the first.
            voices: Rules and tiers that spoke in it.
            outcome: How it turned out.
            by: Who says so.
            note: Why.

        Raises:
            AuditError: It could not be kept; nothing has changed.
        """
        with self._lock:
            self.store.add(decision_id, voices, outcome, by=by, note=note)
            made = (
                [self._adjust(voice, decision_id) for voice in dict.fromkeys(voices)] if self.settings.enabled else []
            )
            self._reread(self._clock())
        return tuple(item for item in made if item is not None)

    def revert(self, adjustment_id: int, *, by: str = "", reason: str = "") -> Adjustment:
        """Take an adjustment back. What was claimed about its voice until now no longer counts.

        Raises:
            ConfigError: There is no such adjustment, it is taken back already, or a later one of the voice stands.
        """
        with self._lock:
            reverted = self.store.revert(adjustment_id, by=by, reason=reason)
            self._reread(self._clock())
        return reverted

    def adjustments(self) -> tuple[Adjustment, ...]:
        """All adjustments, reverted ones too, in order."""
        return self.store.adjustments()

    def statistics(self) -> tuple[VoiceStatistics, ...]:
        """What is known of each voice that was judged."""
        found = []
        for voice in self.store.voices():
            tally = self.store.tally(voice)
            found.append(
                VoiceStatistics(
                    voice=voice,
                    tally=tally,
                    right_share=(tally.right + 1) / (tally.right + tally.wrong + 2),
                    right_share_upper=beta_quantile(self.settings.confidence, tally.right + 1, tally.wrong + 1),
                    factor=self.factor(voice),
                    floor=self.settings.floor_of(voice),
                )
            )
        return tuple(found)

    def _reread(self, now: float) -> None:
        self._factors = dict(self.store.factors())
        self._read_at = now

    def _adjust(self, voice: str, decision_id: str) -> Adjustment | None:
        settings, tally = self.settings, self.store.tally(voice)
        judged = tally.right + tally.wrong
        if judged < settings.min_observations:
            return None
        before = self.store.factors().get(voice, 1.0)
        upper = beta_quantile(settings.confidence, tally.right + 1, tally.wrong + 1)
        wanted = min(1.0, max(settings.floor_of(voice), upper / settings.wanted_right_share))
        lowers = wanted < before
        if lowers and judged - tally.judged_at_last_change < settings.min_observations:
            return None
        after = max(wanted, before - settings.max_step) if lowers else wanted
        if abs(after - before) < _LEAST_CHANGE:
            return None
        reason = (
            f"{tally.wrong} of {judged} judged alarms were false; with confidence {settings.confidence:g} at most "
            f"{upper:.0%} of its alarms are right, and {settings.wanted_right_share:.0%} are wanted (floor "
            f"{settings.floor_of(voice):g})"
        )
        return self.store.adjust(voice, before, after, reason=reason, decision_id=decision_id, judged=judged)


def voices_of(decision: Decision) -> tuple[str, ...]:
    """The rules and tiers that spoke in a decision and can be weighted, the loudest first."""
    found = []
    for item in decision.evidence:
        voice = CLASSIFIER if item.found_by == decision.model_version else item.found_by
        if voice in VOICES and item.score >= _MILDEST_VOICE:
            found.append(voice)
    return tuple(dict.fromkeys(found))
