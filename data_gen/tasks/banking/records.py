"""How the bank's tools present what they know."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pydantic import JsonValue

from data_gen.tasks.banking.attributes import Attribute, Kind
from data_gen.tasks.banking.lexicon import METRICS
from data_gen.tasks.banking.reading import FIELDS, LOCAL_FIELDS
from data_gen.tasks.banking.world import RecordShape, Thing, World
from data_gen.texts.amounts import AmountStyle, format_quantity

_STATUS: Final = MappingProxyType(
    {
        "en": {Kind.INVOICE: "open", Kind.ACCOUNT: "active", Kind.CARD: "active", Kind.ORDER: "running",
               Kind.CONTRACT: "in force", Kind.CLAIM: "approved", Kind.CHARGE: "booked", Kind.QUOTE: "valid today"},
        "zh": {Kind.INVOICE: "待付", Kind.ACCOUNT: "正常", Kind.CARD: "正常", Kind.ORDER: "执行中",
               Kind.CONTRACT: "有效", Kind.CLAIM: "已审", Kind.CHARGE: "已入账", Kind.QUOTE: "当日有效"},
    }
)  # fmt: skip


def present(
    world: World, thing: Thing, figures: Mapping[Attribute, float], available: float | None, note: str = ""
) -> JsonValue:
    """The content of a record of a thing.

    Args:
        world: The firm, whose tools have one shape of records.
        thing: What was asked for.
        figures: What to show, in order.
        available: What an account holds at this moment, if it is one.
        note: A remark.
    """
    if world.shape is RecordShape.LINES:
        return _lines(world, thing, figures, available, note)
    local = world.shape is RecordShape.LOCAL_FIELDS
    names = LOCAL_FIELDS if local else FIELDS
    record: dict[str, JsonValue] = {"编号" if local else "id": thing.label}
    if thing.payee:
        record["收款方" if local else "payee"] = thing.payee
    record["状态" if local else "state"] = _STATUS[world.language][thing.kind]
    record |= {names[attribute]: value for attribute, value in figures.items()}
    if available is not None:
        record["当前可用" if local else "available_now"] = available
    if thing.dates:
        issued, due = thing.dates
        record |= {"开票日": issued, "到期日": due} if local else {"issue_date": issued, "due_date": due}
    record["币种" if local else "currency"] = world.currency
    return {**record, ("备注" if local else "note"): note} if note else record


def _lines(world: World, thing: Thing, figures: Mapping[Attribute, float], available: float | None, note: str) -> str:
    chinese = world.language == "zh"
    style = AmountStyle.COMMAS_ZH if chinese else AmountStyle.CODE
    rows = [
        f"{thing.label} {METRICS[world.language][attribute][0]} {format_quantity(value, world.currency, style)}"
        for attribute, value in figures.items()
    ]
    if thing.payee:
        rows.insert(0, f"{thing.label} {'收款方' if chinese else 'payee'} {thing.payee}")
    if available is not None:
        word = "当前可用" if chinese else "available now"
        rows.append(f"{thing.label} {word} {format_quantity(available, world.currency, style)}")
    if thing.dates:
        issued, due = ("开票日", "到期日") if chinese else ("issue date", "due date")
        rows += [f"{thing.label} {issued} {thing.dates[0]}", f"{thing.label} {due} {thing.dates[1]}"]
    return "\n".join([*rows, note] if note else rows)
