"""Deeds as calls of the bank's tools."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from pydantic import JsonValue

from data_gen.tasks.banking.deeds import Deed
from data_gen.tasks.banking.templates import Verb

_NAMES: Final = MappingProxyType(
    {
        Verb.HOLD: "invoice", Verb.RECALL: "invoice", Verb.REIMBURSE: "claim", Verb.EXCHANGE: "bank",
        Verb.SET_ORDER: "order", Verb.STOP_ORDER: "order", Verb.SET_CARD: "card", Verb.BLOCK: "card",
        Verb.DISPUTE: "charge", Verb.BOOK: "account",
    }
)  # fmt: skip


def arguments_of(deed: Deed, payee: str, reference: str, approval: str) -> dict[str, JsonValue]:
    """The arguments of the tool that does a deed.

    Args:
        deed: What to do.
        payee: Who is paid, where somebody is.
        reference: Text of a payment.
        approval: Code of an approval; empty if there is none.
    """
    money: dict[str, JsonValue] = {"amount": deed.amount, "currency": deed.unit}
    code: dict[str, JsonValue] = {"approval": approval} if approval else {}
    target: dict[str, JsonValue] = {**({"payee": payee} if payee else {}), "account": deed.target}
    source: dict[str, JsonValue] = {"source": deed.source}
    day: dict[str, JsonValue] = {"day": deed.day} if deed.verb is Verb.SCHEDULE else {}
    match deed.verb:
        case Verb.PAY | Verb.SCHEDULE:
            return {**target, **money, **source, **day, "reference": reference, **code}
        case Verb.TRANSFER:
            return {"source": deed.label, "target": deed.target, **money}
        case Verb.REIMBURSE | Verb.EXCHANGE:
            return {_NAMES[deed.verb]: deed.label, **money, **source}
        case _:
            item: dict[str, JsonValue] = {_NAMES[deed.verb]: deed.label}
            return {**item, **money} if deed.amount else item
