"""What can be known of things in a bank's books, and which tool tells it."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Kind(StrEnum):
    """Kinds of things that have names."""

    INVOICE = "invoice"
    ACCOUNT = "account"
    CARD = "card"
    ORDER = "order"
    CONTRACT = "contract"
    CLAIM = "claim"
    CHARGE = "charge"
    QUOTE = "quote"
    PAYEE = "payee"
    PERSON = "person"
    NUMBER = "number"
    DATE = "date"


class Attribute(StrEnum):
    """What is asked of a thing."""

    DUE = "due"
    DISCOUNT = "discount"
    LATE_FEE = "late_fee"
    PAID = "paid"
    BALANCE = "balance"
    MINIMUM = "minimum"
    INFLOW = "inflow"
    LIMIT = "limit"
    CLOSING = "closing"
    SPENT = "spent"
    CARD_LIMIT = "card_limit"
    INSTALMENT = "instalment"
    AGREED = "agreed"
    CLAIMED = "claimed"
    CAP = "cap"
    CHARGED = "charged"
    TARIFF = "tariff"
    RATE = "rate"
    NUMBER = "number"
    DATE = "date"


_A, _K = Attribute, Kind
NAME_ATTRIBUTES: Final = (_A.NUMBER, _A.DATE)
KIND_OF: Final = MappingProxyType(
    {
        _A.DUE: _K.INVOICE, _A.DISCOUNT: _K.INVOICE, _A.LATE_FEE: _K.INVOICE, _A.PAID: _K.INVOICE,
        _A.DATE: _K.INVOICE, _A.BALANCE: _K.ACCOUNT, _A.MINIMUM: _K.ACCOUNT, _A.INFLOW: _K.ACCOUNT,
        _A.LIMIT: _K.ACCOUNT, _A.CLOSING: _K.ACCOUNT, _A.SPENT: _K.CARD, _A.CARD_LIMIT: _K.CARD,
        _A.INSTALMENT: _K.ORDER, _A.AGREED: _K.CONTRACT, _A.CLAIMED: _K.CLAIM, _A.CAP: _K.CLAIM,
        _A.CHARGED: _K.CHARGE, _A.TARIFF: _K.CHARGE, _A.RATE: _K.QUOTE, _A.NUMBER: _K.PAYEE,
    }
)  # fmt: skip
TOOL_OF: Final = MappingProxyType(
    {
        _K.INVOICE: "get_invoice", _K.ACCOUNT: "get_account", _K.CARD: "get_card", _K.ORDER: "get_standing_order",
        _K.CONTRACT: "get_contract", _K.CLAIM: "get_claim", _K.CHARGE: "get_charge", _K.QUOTE: "get_quote",
        _K.PAYEE: "find_payee",
    }
)  # fmt: skip
ORIGIN_OF: Final = MappingProxyType(
    {
        _K.INVOICE: "payables", _K.ACCOUNT: "core-banking", _K.CARD: "card-office", _K.ORDER: "core-banking",
        _K.CONTRACT: "contract-register", _K.CLAIM: "expenses", _K.CHARGE: "core-banking", _K.QUOTE: "treasury",
        _K.PAYEE: "payee-register",
    }
)  # fmt: skip
STATEMENT_TOOL: Final = "get_statement"
RECORD_TOOLS: Final = (*TOOL_OF.values(), STATEMENT_TOOL, "check_corrections")


def tool_for(attribute: Attribute) -> str:
    """The tool that tells an attribute."""
    return STATEMENT_TOOL if attribute is Attribute.CLOSING else TOOL_OF[KIND_OF[attribute]]
