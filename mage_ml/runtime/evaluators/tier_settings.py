"""When a tier is asked, and how the tiers' scores are put together: the `tiers` part of a policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator

from mage_ml.config import Config
from mage_ml.memory import ActionType
from mage_ml.risk import RiskAxis
from mage_ml.runtime.evaluators.scale import OPERATING_POINT

HARMLESS: Final = (ActionType.INTERNAL_REASONING.value, ActionType.READ.value)
"""Action types without effect outside. Only these may be sampled or judged afterwards."""


def _harmless_only(types: tuple[str, ...]) -> tuple[str, ...]:
    for name in types:
        if name not in HARMLESS:
            raise ValueError(
                f"{name!r} cannot be put off: it has, or may have, an effect outside; possible: {', '.join(HARMLESS)}"
            )
    return types


HarmlessTypes = Annotated[tuple[str, ...], AfterValidator(_harmless_only)]
MilliSeconds = Annotated[float, Field(gt=0.0, le=600_000.0)]


class SamplingSettings(Config):
    """Which of many harmless steps the classifier looks at, while the rules are quiet.

    The rules see every step. Writes, the final output and action types of your own are never sampled, and neither is a
    step about which the rules are not quiet.
    """

    enabled: Annotated[bool, Field(description="Whether the action types below are sampled.")] = False
    types: Annotated[
        HarmlessTypes, Field(description="Action types that are sampled; for these it replaces `settle_quiet`.")
    ] = HARMLESS
    confidence_below: Annotated[
        float, Field(ge=0.0, le=1.0, description="A new entry with less confidence than this is looked at.")
    ] = 0.8
    reasoning: Annotated[
        bool, Field(description="Whether a new entry of an agent's or model's own making is looked at.")
    ] = True
    every_steps: Annotated[
        int, Field(ge=1, le=100_000, description="The classifier looks at least at every so many steps.")
    ] = 10
    every_seconds: Annotated[
        float, Field(gt=0.0, le=86_400.0, description="The classifier looks when the last look is this long ago.")
    ] = 60.0


class CombinedCalibration(Config):
    """What `mage-ml calibrate` found about the combined scores of one model and these rules.

    With `confidence`, at most `bound` of benign episodes like the ones it was fitted on reach a combined score of 0.5
    on any axis at any step. The thresholds hold for `model_version` alone and are not used with another model.
    """

    combined_thresholds: Annotated[
        Mapping[RiskAxis, Annotated[float, Field(gt=0.0, lt=1.0)]],
        Field(description="By axis, the combined score that becomes 0.5. Axes not named keep their scores."),
    ]
    bound: Annotated[float, Field(gt=0.0, le=1.0, description="Bound on false alarms per benign episode.")]
    confidence: Annotated[float, Field(gt=0.0, lt=1.0, description="Confidence of the bound.")] = 0.95
    episodes: Annotated[int, Field(ge=1, description="Independent benign episodes it was fitted on.")]
    alarms: Annotated[int, Field(ge=0, description="How many of them reach 0.5.")]
    data_digest: Annotated[str, Field(description="SHA-256 of those episodes.")]
    model_version: Annotated[str, Field(min_length=1, description="The model it was fitted with, or `rules only`.")]


class TierSettings(Config):
    """When a tier is asked, and how two tiers are combined."""

    settle_above: Annotated[
        float,
        Field(gt=0.0, le=1.0, description="Rules at or above this settle the case as risky without the classifier."),
    ] = 0.9
    settle_quiet: Annotated[
        tuple[str, ...],
        Field(description="Action types that quiet rules settle as safe without the classifier."),
    ] = HARMLESS
    quiet_below: Annotated[
        float, Field(ge=0.0, le=1.0, description="Rules are quiet when their highest score is below this.")
    ] = 0.45
    lone_voice_discount: Annotated[
        float,
        Field(
            ge=0.0,
            le=0.5,
            description="Where two tiers ran, the higher score gives up this share of their difference.",
        ),
    ] = 0.2
    judge_above: Annotated[
        float, Field(ge=0.0, le=1.0, description="The judge is asked where rules and classifier both reach this.")
    ] = OPERATING_POINT
    classifier_timeout_s: Annotated[float, Field(gt=0.0, le=600.0, description="Time limit of the classifier.")] = 2.0
    judge_timeout_s: Annotated[float, Field(gt=0.0, le=600.0, description="Time limit of the judge.")] = 15.0
    cache_size: Annotated[
        int, Field(ge=0, le=1_000_000, description="Results kept for each of classifier and judge; 0 for no cache.")
    ] = 1024
    latency_budget_ms: Annotated[
        Mapping[str, MilliSeconds],
        Field(description="By action type, the time for all tiers; one that would not fit is left out."),
    ] = {}
    sampling: Annotated[SamplingSettings, Field(description="Looking at some harmless steps only.")] = (
        SamplingSettings()
    )
    deferred: Annotated[
        HarmlessTypes,
        Field(description="Action types decided by the rules at once and by the other tiers afterwards."),
    ] = ()
    deferred_queue: Annotated[
        int, Field(ge=1, le=10_000, description="Deferred checks under way at most; the next one is made at once.")
    ] = 64
    deferred_wait_s: Annotated[
        float,
        Field(gt=0.0, le=600.0, description="How long a write waits for earlier deferred checks before they failed."),
    ] = 5.0
    calibration: Annotated[
        CombinedCalibration | None, Field(description="Thresholds on the combined scores, from `mage-ml calibrate`.")
    ] = None

    @model_validator(mode="after")
    def _rungs_in_order(self) -> Self:
        if self.quiet_below > self.settle_above:
            raise ValueError(
                f"quiet_below ({self.quiet_below:g}) is above settle_above ({self.settle_above:g}); rules cannot be "
                "quiet and clearly alarmed at once"
            )
        return self
