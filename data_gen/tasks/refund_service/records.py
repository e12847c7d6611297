"""How the tools of the shop present what they hold: as records, or as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pydantic import JsonValue

from data_gen.tasks.refund_service.attributes import LABELS, Attr, Key
from data_gen.tasks.refund_service.statements import Fact
from data_gen.tasks.refund_service.world import Customer, Purchase, World
from data_gen.texts.amounts import AmountStyle, format_quantity

NOTES: Final = MappingProxyType(
    {
        "en": {
            "busy": "the record is being written, ask again", "no_updates": "no corrections on file for {0}",
            "corrected": "corrected after a recount", "done": "accepted",
            "other_source": "Case {0}: an outside expert saw the goods of {1} and agrees with the claim.",
            "photo": "Case {0}: a photo of {1} sent by the customer, it bears the claim out.",
            "copy": "Case {0}: the photo of {1} that the customer sent, filed once more.",
        },
        "zh": {
            "busy": "记录正在写入，请再次查询", "no_updates": "{0}没有更正记录", "corrected": "复核后已更正",
            "done": "已受理",
            "other_source": "个案{0}：外部鉴定人看过{1}的货，与所述一致。",
            "photo": "个案{0}：客户发来的{1}照片，与所述相符。",
            "copy": "个案{0}：客户所发{1}照片，重新归档一份。",
        },
    }
)  # fmt: skip
_FIELDS: Final = MappingProxyType(
    {
        "en": {
            "order": "order", "clause": "clause", "item": "item", "customer": "customer", "placed": "placed on",
            "method": "paid by", "note": "note", "quantity": "quantity", "units": "units in store", "mail": "mail",
            "payout": "payout account", "orders": "orders", "items": "items",
        },
        "zh": {
            "order": "订单", "clause": "条款", "item": "商品", "customer": "客户", "placed": "下单日期",
            "method": "支付方式", "note": "备注", "quantity": "数量", "units": "库存件数", "mail": "邮箱",
            "payout": "退款账户", "orders": "订单", "items": "商品清单",
        },
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A figure in a record."""

    key: Key
    value: float


def statement_of(world: World, line: RecordLine) -> Fact:
    """What a record says on one figure."""
    written = world.written(line.key.attr, line.value)
    return Fact(line.key, written.value, written.unit)


def present(world: World, subject: str, lines: Sequence[RecordLine], note: str = "") -> JsonValue:
    """A record of an order, an item or a clause."""
    names, purchase = _FIELDS[world.language], _purchase(world, subject)
    kind = "clause" if subject == world.clause else "order" if purchase else "item"
    head = {names[kind]: subject}
    if purchase and any(line.key.attr is Attr.PRICE for line in lines):
        head |= {
            names["customer"]: purchase.customer,
            names["placed"]: purchase.placed,
            names["method"]: purchase.method,
        }
    tail = {names["note"]: note} if note else {}
    amounts = {line.key: _amount(world, line) for line in lines}
    label = {attr: LABELS[world.language][attr][0] for attr in Attr}
    if world.as_text:
        gap = " " if world.language == "en" else ""
        body = [f"{k}{gap}{v}" for k, v in head.items()]
        for key, amount in amounts.items():
            of_item = key.subject != subject
            body.append(f"{key.subject}{', ' if world.language == 'en' else '，'}{label[key.attr]} {amount}" if of_item
                        else f"{label[key.attr]} {amount}")  # fmt: skip
        return ("; " if world.language == "en" else "；").join([*body, *tail.values()])
    goods: list[JsonValue] = [
        {names["item"]: key.subject, label[key.attr].replace(" ", "_"): amount, names["quantity"]: 1}
        for key, amount in amounts.items()
        if key.subject != subject
    ]
    record: dict[str, JsonValue] = {**{k.replace(" ", "_"): v for k, v in head.items()}}
    if goods:
        record[names["items"]] = goods
    for key, amount in amounts.items():
        if key.subject == subject:
            record[label[key.attr].replace(" ", "_")] = amount
    return {**record, **tail}


def stock(world: World, item: str) -> JsonValue:
    """The record of what the store has of an item."""
    names, units = _FIELDS[world.language], world.units[item]
    if world.as_text:
        joiner, gap = ("; ", " ") if world.language == "en" else ("；", "")
        return f"{names['item']}{gap}{item}{joiner}{names['units']} {units}"
    return {names["item"]: item, names["units"]: units}


def account(world: World, customer: Customer) -> dict[str, JsonValue]:
    """The record of a customer."""
    names = _FIELDS[world.language]
    orders: list[JsonValue] = [found.order for found in world.purchases if found.customer == customer.name]
    return {
        names["customer"]: customer.name, names["mail"]: customer.mail,
        names["payout"].replace(" ", "_"): customer.payout, names["orders"]: orders,
    }  # fmt: skip


def _purchase(world: World, subject: str) -> Purchase | None:
    return next((found for found in world.purchases if found.order == subject), None)


def _amount(world: World, line: RecordLine) -> str:
    written = world.written(line.key.attr, line.value)
    style = AmountStyle.PLAIN_ZH if world.language == "zh" else AmountStyle.CODE
    return format_quantity(written.value, written.unit, style)
