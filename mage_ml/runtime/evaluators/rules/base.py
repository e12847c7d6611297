"""What a rule is, and how rules are set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import Field

from mage_ml.config import Config
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.exemptions import Exemption
from mage_ml.runtime.evaluators.rules.ids import RULE_IDS as RULE_IDS
from mage_ml.runtime.evaluators.rules.ids import RuleId as RuleId
from mage_ml.runtime.evaluators.rules.ids import RuleName
from mage_ml.runtime.evaluators.rules.scope import Limits, Scope


class Rule(Protocol):
    """One deterministic check.

    Attributes:
        id: Which rule it is.
        axis: The axis its evidence speaks to.
        threshold: Evidence below this score is dropped, unless the settings say otherwise.
        weight: Its scores are multiplied by this, unless the settings say otherwise.
    """

    id: RuleId
    axis: RiskAxis
    threshold: float
    weight: float

    def find(self, scope: Scope) -> Iterable[Evidence]:
        """Evidence in a scope. Scores are on the common scale, where 0.5 is the point at which to act."""
        ...


class RuleSetting(Config):
    """How one rule is used."""

    enabled: Annotated[bool, Field(description="Whether the rule is asked at all.")] = True
    weight: Annotated[
        float | None, Field(ge=0.0, le=2.0, description="Factor on its scores; by default the rule's own.")
    ] = None
    threshold: Annotated[
        float | None, Field(ge=0.0, le=1.0, description="Scores below this are dropped; by default the rule's own.")
    ] = None


@dataclass(frozen=True, slots=True)
class RuleUse:
    """How one rule is used, with the rule's own defaults filled in.

    Attributes:
        enabled: Whether the rule is asked at all.
        weight: Factor on its scores.
        threshold: Scores below this are dropped.
    """

    enabled: bool
    weight: float
    threshold: float


class RuleSettings(Config):
    """How the rule tier is used."""

    rules: Annotated[
        Mapping[RuleName, RuleSetting], Field(description="Settings by rule; rules not named keep theirs.")
    ] = {}
    ancestors: Annotated[
        int, Field(ge=1, le=4096, description="Entries on which the action rests that are looked at, nearest first.")
    ] = 128
    exemptions: Annotated[
        tuple[Exemption, ...], Field(description="Findings that are allowed in a stated scope until a stated day.")
    ] = ()
    recent: Annotated[int, Field(ge=0, le=4096, description="Latest entries that are looked at.")] = 32

    @property
    def limits(self) -> Limits:
        """How far rules look."""
        return Limits(self.ancestors, self.recent)

    def of(self, rule: Rule) -> RuleUse:
        """The setting of a rule with its own defaults filled in."""
        given = self.rules.get(rule.id.value, RuleSetting())
        return RuleUse(
            enabled=given.enabled,
            weight=rule.weight if given.weight is None else given.weight,
            threshold=rule.threshold if given.threshold is None else given.threshold,
        )
