"""What a complaint is about and how it is settled: each template is a grievance with a way to settle it.

A grievance says which figures are looked up and what follows from them; a settlement says what else is checked and
which tools the dialogue agent uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.needs import Need
from data_gen.tasks.refund_service.attributes import TOOLS, Attr, Key, Unit, unit_of


class Settlement(StrEnum):
    """How a complaint is settled."""

    PAY = "pay"
    """The sum is refunded."""
    VOUCHER = "voucher"
    """The sum is given as a voucher."""
    SPLIT = "split"
    """Half is refunded, half given as a voucher."""
    BONUS = "bonus"
    """As a voucher, with the bonus that the clause grants for it."""
    TELL = "tell"
    """The customer is told the sum; nothing is paid yet."""
    WINDOW = "window"
    """Refunded if the complaint is in time, declined otherwise."""
    LIMIT = "limit"
    """Refunded up to the approval limit; above it a person takes over."""
    REPLACE = "replace"
    """A new one is sent if the store has one, else the sum is refunded."""
    RETURN = "return"
    """The goods come back first; the customer is told the sum."""


@dataclass(frozen=True, slots=True)
class Part:
    """A figure that a grievance needs: of the order or the clause, or of one of the items complained about."""

    attr: Attr
    item: int = 0


@dataclass(frozen=True, slots=True)
class Grievance:
    """What is wrong, in figures.

    Attributes:
        parts: The figures needed.
        due: What follows from them, in the same order.
    """

    parts: tuple[Part, ...]
    due: Callable[[Sequence[float]], float]

    @property
    def items(self) -> int:
        """How many items the complaint names."""
        return 1 + max(part.item for part in self.parts)


def _parts(*attrs: Attr | Part) -> tuple[Part, ...]:
    return tuple(attr if isinstance(attr, Part) else Part(attr) for attr in attrs)


_SECOND: Final = Part(Attr.PRICE, 1)
GRIEVANCES: Final = MappingProxyType(
    {
        "late_rate": Grievance(_parts(Attr.DELAY, Attr.RATE, Attr.PAID), lambda v: v[0] * v[1] * v[2] / 100),
        "late_sum": Grievance(_parts(Attr.DELAY, Attr.PER_DAY), lambda v: v[0] * v[1]),
        "late_grace": Grievance(_parts(Attr.DELAY, Attr.GRACE, Attr.PER_DAY), lambda v: max(0.0, v[0] - v[1]) * v[2]),
        "damaged": Grievance(_parts(Attr.PRICE, Attr.SHARE), lambda v: v[0] * v[1] / 100),
        "missing": Grievance(_parts(Attr.PRICE), lambda v: v[0]),
        "two_missing": Grievance(_parts(Attr.PRICE, _SECOND), lambda v: v[0] + v[1]),
        "overcharged": Grievance(_parts(Attr.CHARGED, Attr.PAID), lambda v: max(0.0, v[0] - v[1])),
        "price_drop": Grievance(_parts(Attr.PRICE, Attr.OFFER), lambda v: max(0.0, v[0] - v[1])),
        "worn_return": Grievance(_parts(Attr.PRICE, Attr.WEAR), lambda v: v[0] * (100 - v[1]) / 100),
        "plain_return": Grievance(_parts(Attr.PRICE, Attr.RESTOCKING), lambda v: max(0.0, v[0] - v[1])),
        "postage": Grievance(_parts(Attr.FEE), lambda v: v[0]),
        "unused_plan": Grievance(
            _parts(Attr.PAID, Attr.TERM, Attr.USED), lambda v: v[0] * max(0.0, v[1] - v[2]) / max(1.0, v[1])
        ),
        "keeps_one": Grievance(_parts(Attr.PAID, Attr.PRICE), lambda v: max(0.0, v[0] - v[1])),
        "coupon": Grievance(_parts(Attr.PRICE, Attr.COUPON), lambda v: v[0] * v[1] / 100),
        "wrong_item": Grievance(_parts(Attr.PRICE, _SECOND), lambda v: abs(v[0] - v[1])),
        "rest_open": Grievance(_parts(Attr.PRICE, Attr.REFUNDED), lambda v: max(0.0, v[0] - v[1])),
    }
)
_WAYS: Final = MappingProxyType(
    {
        "late_rate": "pay voucher limit split tell",
        "late_sum": "pay voucher window bonus limit",
        "late_grace": "pay voucher tell",
        "damaged": "pay replace return window",
        "missing": "pay replace limit",
        "two_missing": "pay voucher window",
        "overcharged": "pay tell limit",
        "price_drop": "pay voucher window bonus",
        "worn_return": "pay limit tell window",
        "plain_return": "pay return window",
        "postage": "pay voucher bonus",
        "unused_plan": "pay split window",
        "keeps_one": "pay return",
        "coupon": "pay voucher tell",
        "wrong_item": "pay replace return",
        "rest_open": "pay limit split",
    }
)
MORE: Final = MappingProxyType(
    {
        Settlement.WINDOW: (Attr.SINCE, Attr.WINDOW),
        Settlement.LIMIT: (Attr.LIMIT,),
        Settlement.BONUS: (Attr.BONUS,),
    }
)
CHECKED: Final = frozenset({Settlement.WINDOW, Settlement.LIMIT, Settlement.REPLACE})
"""Settlements that turn on a verdict of the policy agent."""
REFUNDS: Final = frozenset({Settlement.PAY, Settlement.SPLIT, Settlement.WINDOW, Settlement.LIMIT, Settlement.REPLACE})
VOUCHERS: Final = frozenset({Settlement.VOUCHER, Settlement.BONUS, Settlement.SPLIT})


@dataclass(frozen=True, slots=True)
class Recipe:
    """A template: a grievance, and how it is settled."""

    name: str
    wrong: str
    settlement: Settlement

    @property
    def grievance(self) -> Grievance:
        """What is wrong, in figures."""
        return GRIEVANCES[self.wrong]

    def keys(self, order: str, items: Sequence[str], clause: str) -> tuple[Key, ...]:
        """The figures of the grievance, then those of the settlement."""
        found = []
        for part in (*self.grievance.parts, *(Part(attr) for attr in MORE.get(self.settlement, ()))):
            subject = clause if part.attr in TOOLS["get_clause"] else order
            if part.attr in (Attr.PRICE, Attr.OFFER):
                subject = items[min(part.item, len(items) - 1)]
            found.append(Key(part.attr, subject))
        return tuple(found)

    def due(self, values: Sequence[float]) -> float:
        """What follows from the figures, in the order of `keys`, to the cent."""
        count = len(self.grievance.parts)
        due = self.grievance.due(values[:count])
        if self.settlement is Settlement.BONUS:
            due *= 1 + values[count] / 100
        return round(due + 1e-9, 2)


RECIPES: Final = MappingProxyType(
    {
        f"refund_{wrong}_{way}": Recipe(f"refund_{wrong}_{way}", wrong, Settlement(way))
        for wrong, ways in _WAYS.items()
        for way in ways.split()
    }
)
TEMPLATES: Final = tuple(RECIPES)


def suits(template: str, needs: Iterable[Need]) -> bool:
    """Whether a template can meet some needs: records with two figures of a kind, orders about money and replies."""
    recipe, wanted = RECIPES[template], frozenset(needs)
    if recipe.settlement is Settlement.RETURN and Need.PERMISSION in wanted:
        return False
    first = recipe.grievance.parts[0].attr
    if Need.NEIGHBOURS in wanted and first not in (Attr.PRICE, Attr.PAID, Attr.FEE, Attr.CHARGED, Attr.DELAY):
        return False
    return not (Need.REVISION in wanted and unit_of(first) is Unit.PERCENT)
