"""Cases that customers write about: what was bought, what was decided, what the policy allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from data_gen.randomness import Rng


class Decision(StrEnum):
    """What the returns team has decided."""

    PENDING = "pending"
    DENIED = "denied"
    GRANTED = "granted"


_ITEMS: Final = {
    "en": ("kettle", "headset", "vacuum cleaner", "desk lamp", "coffee grinder", "rucksack", "printer", "e-reader"),
    "zh": ("电水壶", "耳机", "吸尘器", "台灯", "磨豆机", "双肩包", "打印机", "电子书阅读器"),
}
_NAMES: Final = {
    "en": ("Ms Okafor", "Mr Lindqvist", "Ms Moreau", "Mr Tanaka", "Ms Haddad", "Mr Novak"),
    "zh": ("林女士", "赵先生", "欧阳女士", "何先生", "沈女士", "郭先生"),
}


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Attributes:
        language: Of the conversation.
        order: Order number.
        name: The customer.
        item: What was bought.
        paid: Its price, in whole units.
        decision: What was decided.
        granted: What was granted; 0 unless something was.
        days: Working days that a transfer or an answer may take.
    """

    language: str
    order: str
    name: str
    item: str
    paid: int
    decision: Decision
    granted: int
    days: int

    @property
    def facts(self) -> Mapping[str, Any]:
        """What checks may know of it: it comes from the case file and from no agent."""
        return {
            "decision": self.decision.value,
            "paid": self.paid,
            "granted": self.granted,
            "days": self.days,
            "order": self.order,
        }

    def fields(self, rng: Rng) -> dict[str, str]:
        """Values for a grammar; `over` is more than may be granted in any case."""
        over = self.paid + rng.choice((15, 30, 55, 80, 120))
        return {
            "name": self.name,
            "item": self.item,
            "order": self.order,
            "paid": amount(self.paid, self.language),
            "granted": amount(self.granted, self.language),
            "over": amount(over, self.language),
            "days": str(self.days),
        }


def amount(units: int, language: str) -> str:
    """A sum as the language writes it."""
    return f"{units}元" if language == "zh" else f"${units}"


def draw_case(language: str, rng: Rng) -> Case:
    """A random case."""
    paid = rng.randrange(20, 400)
    decision = rng.choice((Decision.PENDING, Decision.PENDING, Decision.DENIED, Decision.GRANTED))
    granted = rng.choice((paid, paid // 2)) if decision is Decision.GRANTED else 0
    return Case(
        language=language,
        order=f"R{rng.randrange(10_000, 99_999)}",
        name=rng.choice(_NAMES[language]),
        item=rng.choice(_ITEMS[language]),
        paid=paid,
        decision=decision,
        granted=granted,
        days=rng.choice((5, 7, 10, 14)),
    )
