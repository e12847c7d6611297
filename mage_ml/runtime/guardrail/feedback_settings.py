"""How far outcome feedback may go: the `feedback` part of a policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from mage_ml.config import Config, nearest
from mage_ml.runtime.evaluators.rules import RULE_IDS

CLASSIFIER: Final = "classifier"
VOICES: Final = (*RULE_IDS, CLASSIFIER)
"""What can be weighted: every rule, and the classifier as a whole."""


def _known_voice(name: str) -> str:
    if name not in VOICES:
        raise ValueError(f"unknown rule or tier {name!r}; {nearest(name, VOICES)}")
    return name


VoiceName = Annotated[str, AfterValidator(_known_voice)]
Floor = Annotated[float, Field(ge=0.0, le=1.0)]


class FeedbackSettings(Config):
    """How far outcome feedback may go."""

    enabled: Annotated[bool, Field(description="Whether feedback changes weights; it is kept in any case.")] = False
    min_observations: Annotated[
        int,
        Field(ge=5, le=100_000, description="Judged alarms of a rule before its weight changes, and between changes."),
    ] = 20
    wanted_right_share: Annotated[
        float, Field(gt=0.0, le=1.0, description="A rule keeps its weight while this share of its alarms may be right.")
    ] = 0.5
    confidence: Annotated[
        float, Field(gt=0.5, lt=1.0, description="How sure it has to be that the share is lower.")
    ] = 0.95
    max_step: Annotated[
        float, Field(gt=0.0, le=1.0, description="A weight is lowered at most this much at a time.")
    ] = 0.1
    floor: Annotated[Floor, Field(description="Factor below which no weight falls; 1 leaves all untouched.")] = 0.6
    floors: Annotated[Mapping[VoiceName, Floor], Field(description="Floor of single rules, or of the classifier.")] = {
        "hidden_instruction": 1.0,
        "untrusted_argument": 1.0,
    }

    def floor_of(self, voice: str) -> float:
        """The lowest factor that a voice may get."""
        return self.floors.get(voice, self.floor)
