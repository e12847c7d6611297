"""What is asked: which levels are needed, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.tasks.sales_report.statements import Direction, Key, Level, Metric, Verdict, VerdictKind
from data_gen.texts.names import ALL_REGIONS

QUARTERS: Final = tuple(f"{year}-Q{quarter}" for year in (2024, 2025) for quarter in (1, 2, 3, 4))


@dataclass(frozen=True, slots=True)
class Question:
    """A question about sales.

    Attributes:
        template: Name of the template.
        kind: What is concluded; `None` when a bare figure is asked for.
        keys: The levels needed, in order.
        language: For the words that join entities.
    """

    template: str
    kind: VerdictKind | None
    keys: tuple[Key, ...]
    language: str

    @property
    def entities(self) -> tuple[str, ...]:
        """The entities asked about, each once, in order."""
        return tuple(dict.fromkeys(key.entity for key in self.keys))

    @property
    def periods(self) -> tuple[str, ...]:
        """The periods asked about, each once, in order."""
        return tuple(dict.fromkeys(key.period for key in self.keys))

    def conclude(self, levels: Sequence[Level]) -> Verdict:
        """What follows from the levels, given in the order of `keys`.

        Raises:
            ValueError: The question asks for a bare figure.
        """
        if self.kind is None:
            raise ValueError(f"{self.template}: a bare figure has no verdict")
        first, last = levels[0], levels[-1]
        unit = first.unit
        values = [level.value for level in levels]
        gap = values[0] - values[-1]
        direction = Direction.UP if gap > 0 else Direction.DOWN
        match self.kind:
            case VerdictKind.CHANGE:
                change = (last.value / first.value - 1) * 100 if first.value else 0.0
                moved = Direction.UP if change > 0 else Direction.DOWN
                return self._verdict(first.key.entity, round(abs(change), 1), "%", moved)
            case VerdictKind.TARGET | VerdictKind.BUDGET:
                return self._verdict(first.key.entity, abs(gap), unit, direction)
            case VerdictKind.TOP | VerdictKind.LOW:
                best = max(values) if self.kind is VerdictKind.TOP else min(values)
                return self._verdict(levels[values.index(best)].key.entity, best, unit)
            case VerdictKind.TOTAL:
                joiner = " and " if self.language == "en" else "与"
                return self._verdict(joiner.join(self.entities), sum(values), unit)
            case VerdictKind.SHARE:
                share = values[0] / values[-1] * 100 if values[-1] else 0.0
                return self._verdict(first.key.entity, round(share, 1), "%")
            case VerdictKind.GAP:
                ahead, behind = (first, last) if gap > 0 else (last, first)
                return self._verdict(ahead.key.entity, abs(gap), unit, other=behind.key.entity)

    def _verdict(
        self, subject: str, figure: float, unit: str, direction: Direction = Direction.NONE, other: str = ""
    ) -> Verdict:
        assert self.kind is not None
        return Verdict(self.kind, subject, self.periods, figure, unit, direction, other)


@dataclass(frozen=True, slots=True)
class _Shape:
    kind: VerdictKind | None
    entity: str  # region, product or company
    entities: int
    periods: str  # one, next, or year
    metrics: tuple[Metric, ...] = (Metric.REVENUE,)
    against_all: bool = False


_REVENUE_TARGET = (Metric.REVENUE, Metric.TARGET)
_COST_BUDGET = (Metric.COST, Metric.BUDGET)
_SHAPES: Final = MappingProxyType(
    {
        "quarter_change": _Shape(VerdictKind.CHANGE, "region", 1, "next"),
        "year_change": _Shape(VerdictKind.CHANGE, "region", 1, "year"),
        "product_change": _Shape(VerdictKind.CHANGE, "product", 1, "next"),
        "region_target": _Shape(VerdictKind.TARGET, "region", 1, "one", _REVENUE_TARGET),
        "budget_check": _Shape(VerdictKind.BUDGET, "region", 1, "one", _COST_BUDGET),
        "best_region": _Shape(VerdictKind.TOP, "region", 3, "one"),
        "best_product": _Shape(VerdictKind.TOP, "product", 3, "one"),
        "weakest_region": _Shape(VerdictKind.LOW, "region", 3, "one"),
        "two_region_total": _Shape(VerdictKind.TOTAL, "region", 2, "one"),
        "product_total": _Shape(VerdictKind.TOTAL, "product", 2, "one"),
        "region_share": _Shape(VerdictKind.SHARE, "region", 1, "one", against_all=True),
        "product_share": _Shape(VerdictKind.SHARE, "product", 1, "one", against_all=True),
        "region_gap": _Shape(VerdictKind.GAP, "region", 2, "one"),
        "product_gap": _Shape(VerdictKind.GAP, "product", 2, "one"),
        "region_figure": _Shape(None, "region", 1, "one"),
        "product_year_change": _Shape(VerdictKind.CHANGE, "product", 1, "year"),
        "company_change": _Shape(VerdictKind.CHANGE, "company", 1, "next"),
        "company_year_change": _Shape(VerdictKind.CHANGE, "company", 1, "year"),
        "better_of_two_regions": _Shape(VerdictKind.TOP, "region", 2, "one"),
        "better_of_two_products": _Shape(VerdictKind.TOP, "product", 2, "one"),
        "best_of_four_regions": _Shape(VerdictKind.TOP, "region", 4, "one"),
        "best_of_four_products": _Shape(VerdictKind.TOP, "product", 4, "one"),
        "weakest_product": _Shape(VerdictKind.LOW, "product", 3, "one"),
        "weakest_of_four_regions": _Shape(VerdictKind.LOW, "region", 4, "one"),
        "weakest_of_four_products": _Shape(VerdictKind.LOW, "product", 4, "one"),
        "three_region_total": _Shape(VerdictKind.TOTAL, "region", 3, "one"),
        "three_product_total": _Shape(VerdictKind.TOTAL, "product", 3, "one"),
        "product_figure": _Shape(None, "product", 1, "one"),
        "company_figure": _Shape(None, "company", 1, "one"),
        "target_figure": _Shape(None, "region", 1, "one", (Metric.TARGET,)),
        "budget_figure": _Shape(None, "region", 1, "one", (Metric.BUDGET,)),
        "cost_figure": _Shape(None, "region", 1, "one", (Metric.COST,)),
        "revenue_and_target": _Shape(None, "region", 1, "one", _REVENUE_TARGET),
        "cost_and_budget": _Shape(None, "region", 1, "one", _COST_BUDGET),
        "two_region_figures": _Shape(None, "region", 2, "one"),
        "three_region_figures": _Shape(None, "region", 3, "one"),
        "two_product_figures": _Shape(None, "product", 2, "one"),
        "region_two_quarters": _Shape(None, "region", 1, "next"),
        "product_two_quarters": _Shape(None, "product", 1, "next"),
        "region_year_apart": _Shape(None, "region", 1, "year"),
    }
)
TEMPLATES: Final = tuple(_SHAPES)


_FROM_A_CONCLUSION: Final = frozenset({Need.CONCLUSION, Need.NEGATION, Need.CAUSE})
_TWO_WAY: Final = (VerdictKind.CHANGE, VerdictKind.TARGET, VerdictKind.BUDGET, VerdictKind.GAP)


def suits(template: str, needs: Iterable[Need]) -> bool:
    """Whether a template can meet some needs: conclusions to turn round, sales of a region to revise."""
    shape, wanted = _SHAPES[template], frozenset(needs)
    if shape.kind is None and not wanted.isdisjoint(_FROM_A_CONCLUSION):
        return False
    if Need.NEGATION in wanted and shape.kind not in _TWO_WAY:
        return False
    revisable = shape.entity == "region" and not shape.against_all and shape.metrics[0] is Metric.REVENUE
    return revisable or Need.REVISION not in wanted


def sample_question(
    template: str, language: str, regions: Sequence[str], products: Sequence[str], rng: Rng
) -> Question:
    """Draw the parameters of a template."""
    shape = _SHAPES[template]
    pools = {"region": regions, "product": products, "company": (ALL_REGIONS[language],)}
    pool = list(pools[shape.entity])
    entities = rng.sample(pool, shape.entities)
    if shape.against_all:
        entities.append(ALL_REGIONS[language])
    last = 3 if shape.periods == "year" else 6 if shape.periods == "next" else 7
    start = rng.randint(0, last)
    step = {"one": 0, "next": 1, "year": 4}[shape.periods]
    periods = dict.fromkeys((QUARTERS[start], QUARTERS[start + step]))
    keys = tuple(Key(entity, period, metric) for entity in entities for period in periods for metric in shape.metrics)
    return Question(template, shape.kind, keys, language)
