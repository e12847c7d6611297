"""How the tools of a company present figures."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pydantic import JsonValue

from data_gen.tasks.sales_report.questions import QUARTERS
from data_gen.tasks.sales_report.statements import Key, Metric
from data_gen.tasks.sales_report.world import RecordShape, World
from data_gen.texts.amounts import NAMES_ZH

_FIELD_NAMES: Final = MappingProxyType(
    {
        "en": {Metric.REVENUE: "revenue", Metric.TARGET: "target", Metric.BUDGET: "budget", Metric.COST: "costs"},
        "zh": {Metric.REVENUE: "销售额", Metric.TARGET: "目标", Metric.BUDGET: "预算", Metric.COST: "支出"},
    }
)


def present(world: World, key: Key, values: Mapping[Key, int], note: str = "") -> JsonValue:
    """The content of a record.

    Args:
        world: The company, which has one shape of records.
        key: What was asked for.
        values: What to show, in order; records with named fields show the key alone.
        note: A remark.
    """
    local = world.shape is RecordShape.RECORD_LOCAL
    kind = ("产品" if local else "product") if key.entity in world.products else ("大区" if local else "region")
    quarter, currency, remark = ("季度", "币种", "备注") if local else ("quarter", "currency", "status")
    if world.shape in (RecordShape.RECORD, RecordShape.RECORD_LOCAL):
        name = _FIELD_NAMES["zh" if local else "en"][key.metric]
        record: dict[str, JsonValue] = {
            kind: key.entity,
            quarter: key.period,
            name: values[key],
            currency: world.currency,
        }
        return {**record, remark: note} if note else record
    words = _FIELD_NAMES[world.language]
    unit = NAMES_ZH[world.currency] if world.language == "zh" else f" {world.currency}"
    tail = f" ({note})" if note else ""
    amounts = {found: f"{value:,}{unit}{tail}" for found, value in values.items()}
    if world.shape is RecordShape.LINE:
        return "\n".join(f"{k.entity} {k.period} {words[k.metric]} {amount}" for k, amount in amounts.items())
    if world.language == "zh":
        kind, quarter = ("产品" if key.entity in world.products else "大区"), "季度"
    rows = [f"{k.entity} | {k.period} | {amount}" for k, amount in amounts.items()]
    return "\n".join([f"{kind} | {quarter} | {words[key.metric]}", *rows])


def around(key: Key) -> list[Key]:
    """A level with those of the quarters before and after it."""
    place = QUARTERS.index(key.period)
    numbers = range(max(0, place - 1), min(len(QUARTERS), place + 2))
    return [Key(key.entity, QUARTERS[number], key.metric) for number in numbers]
