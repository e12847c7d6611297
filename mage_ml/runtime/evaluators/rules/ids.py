"""Names of the rules."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from pydantic import AfterValidator

from mage_ml.config import nearest


class RuleId(StrEnum):
    """The rules there are."""

    CONTRADICTION = "contradiction"
    LOW_CONFIDENCE_CHAIN = "low_confidence_chain"
    BROKEN_DEPENDENCY = "broken_dependency"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    HIDDEN_INSTRUCTION = "hidden_instruction"
    UNTRUSTED_ARGUMENT = "untrusted_argument"
    SELF_CORROBORATION = "self_corroboration"
    SOURCE_SPOOFING = "source_spoofing"
    GOAL_DEVIATION = "goal_deviation"
    STALE_FACT = "stale_fact"
    ARITHMETIC = "arithmetic"
    DROPPED_CONSTRAINT = "dropped_constraint"


RULE_IDS: Final = tuple(rule.value for rule in RuleId)
EVERY_RULE: Final = "*"


def _known_rule(name: str) -> str:
    if name not in RULE_IDS:
        raise ValueError(f"unknown rule {name!r}; {nearest(name, RULE_IDS)}")
    return name


def _known_or_every(name: str) -> str:
    return name if name == EVERY_RULE else _known_rule(name)


RuleName = Annotated[str, AfterValidator(_known_rule)]
RulePattern = Annotated[str, AfterValidator(_known_or_every)]
