"""How severe an action is: a level per tool or action type moves the rungs of its ladders."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated

from pydantic import Field

from mage_ml.config import Config
from mage_ml.memory import PendingAction
from mage_ml.runtime.guardrail.policy_terms import Rung, known_name


class SeverityLevel(StrEnum):
    """How bad it is when an action goes wrong."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    CRITICAL = "critical"


LevelName = Annotated[SeverityLevel, known_name([level.value for level in SeverityLevel], "severity")]
Factor = Annotated[float, Field(gt=0.0, le=2.0)]

_FACTORS = {SeverityLevel.LOW: 1.3, SeverityLevel.NORMAL: 1.0, SeverityLevel.HIGH: 0.8, SeverityLevel.CRITICAL: 0.5}


class SeveritySettings(Config):
    """Levels by tool and action type. Each rung's score is multiplied by the level's factor, so high means earlier.

    A tool's level counts before its action type's. What has no level is normal.
    """

    tools: Annotated[
        Mapping[str, LevelName], Field(description="Level by tool name; * and ? are wildcards, the first match counts.")
    ] = {}
    actions: Annotated[Mapping[str, LevelName], Field(description="Level by action type.")] = {}
    factors: Annotated[
        Mapping[LevelName, Factor],
        Field(description="Factor by level; levels not named keep low 1.3, high 0.8, critical 0.5."),
    ] = {}

    def level_of(self, action: PendingAction, action_type: str) -> SeverityLevel:
        """The level of an action.

        Args:
            action: The action.
            action_type: Its type as the policy sees it.
        """
        if action.tool_name is not None:
            lowered = action.tool_name.lower()
            for pattern, level in self.tools.items():
                if fnmatchcase(lowered, pattern.lower()):
                    return level
        return self.actions.get(action_type, SeverityLevel.NORMAL)

    def factor_of(self, level: SeverityLevel) -> float:
        """What the rungs of a level are multiplied by."""
        return self.factors.get(level, _FACTORS[level])

    def moved(self, ladder: tuple[Rung, ...], level: SeverityLevel) -> tuple[Rung, ...]:
        """A ladder with its rungs where the level puts them; none lies above 1."""
        factor = self.factor_of(level)
        if factor == 1.0:
            return ladder
        return tuple(rung.model_copy(update={"at": min(1.0, rung.at * factor)}) for rung in ladder)
