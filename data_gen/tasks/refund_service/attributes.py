"""The figures that records and notes of a complaint hold: what they are called, their unit, which tool gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Attr(StrEnum):
    """What a figure is about."""

    PAID = "paid"
    FEE = "fee"
    PRICE = "price"
    TERM = "term"
    DELAY = "delay"
    SINCE = "since"
    RATE = "rate"
    PER_DAY = "per_day"
    GRACE = "grace"
    SHARE = "share"
    WINDOW = "window"
    LIMIT = "limit"
    RESTOCKING = "restocking"
    COUPON = "coupon"
    BONUS = "bonus"
    CHARGED = "charged"
    REFUNDED = "refunded"
    OFFER = "offer"
    WEAR = "wear"
    USED = "used"
    DUE = "due"
    DEADLINE = "deadline"


class Unit(StrEnum):
    """What a figure is measured in."""

    MONEY = "money"
    DAYS = "days"
    PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class Key:
    """A figure: what it is about, and of which order, item or clause."""

    attr: Attr
    subject: str


_PERCENT: Final = frozenset({Attr.RATE, Attr.SHARE, Attr.COUPON, Attr.BONUS, Attr.WEAR})
_DAYS: Final = frozenset({Attr.TERM, Attr.DELAY, Attr.SINCE, Attr.GRACE, Attr.WINDOW, Attr.USED, Attr.DEADLINE})
TOOLS: Final = MappingProxyType(
    {
        "get_order": (Attr.PRICE, Attr.FEE, Attr.PAID, Attr.TERM),
        "get_shipment": (Attr.DELAY, Attr.SINCE),
        "get_clause": (
            Attr.RATE, Attr.PER_DAY, Attr.GRACE, Attr.SHARE, Attr.WINDOW, Attr.LIMIT, Attr.RESTOCKING, Attr.COUPON,
            Attr.BONUS,
        ),
        "get_payment": (Attr.CHARGED, Attr.REFUNDED),
        "get_offer": (Attr.OFFER,),
        "get_inspection": (Attr.WEAR,),
        "get_usage": (Attr.USED,),
    }
)  # fmt: skip
TOOL_OF: Final[Mapping[Attr, str]] = MappingProxyType({attr: tool for tool, attrs in TOOLS.items() for attr in attrs})
ORIGINS: Final = MappingProxyType(
    {
        "get_order": "order-system",
        "get_shipment": "carrier-feed",
        "get_clause": "policy-library",
        "get_payment": "payment-provider",
        "get_offer": "price-list",
        "get_inspection": "returns-desk",
        "get_usage": "plan-meter",
    }
)
LABELS: Final[Mapping[str, Mapping[Attr, tuple[str, ...]]]] = MappingProxyType(
    {
        "en": {
            Attr.PAID: ("amount paid", "paid in total", "order total"),
            Attr.FEE: ("shipping fee", "delivery charge", "postage"),
            Attr.PRICE: ("unit price", "list price", "price"),
            Attr.TERM: ("plan length", "plan term", "plan duration"),
            Attr.DELAY: ("delay", "lateness", "delivery overrun"),
            Attr.SINCE: ("time since delivery", "elapsed since delivery", "age of delivery"),
            Attr.RATE: ("daily rate", "rate per day", "late rate"),
            Attr.PER_DAY: ("daily sum", "sum per day", "late sum"),
            Attr.GRACE: ("grace period", "grace time", "free period"),
            Attr.SHARE: ("damage share", "share of value", "loss share"),
            Attr.WINDOW: ("claim window", "filing window", "claim period"),
            Attr.LIMIT: ("approval limit", "sign-off limit", "approval line"),
            Attr.RESTOCKING: ("restocking fee", "handling fee", "return fee"),
            Attr.COUPON: ("coupon share", "coupon value", "coupon discount"),
            Attr.BONUS: ("voucher bonus", "bonus share", "bonus rate"),
            Attr.CHARGED: ("amount charged", "card charge", "sum captured"),
            Attr.REFUNDED: ("already refunded", "refunded before", "earlier refund"),
            Attr.OFFER: ("current offer", "offer of today", "offer now"),
            Attr.WEAR: ("wear deduction", "wear mark-down", "wear loss"),
            Attr.USED: ("time used", "period used", "use so far"),
            Attr.DUE: ("due", "sum owed", "sum to pay"),
            Attr.DEADLINE: ("hoped-for wait", "wished-for time", "payment wish"),
        },
        "zh": {
            Attr.PAID: ("实付金额", "订单总额", "实付总额"),
            Attr.FEE: ("运费", "配送费", "邮费"),
            Attr.PRICE: ("单价", "标价", "售价"),
            Attr.TERM: ("套餐期限", "套餐时长", "服务总期"),
            Attr.DELAY: ("延误", "晚到", "超时"),
            Attr.SINCE: ("签收至今", "到货至今", "收货至今"),
            Attr.RATE: ("每日比例", "日赔比例", "按日比例"),
            Attr.PER_DAY: ("每日金额", "日补金额", "按日金额"),
            Attr.GRACE: ("宽限期", "免责期", "缓冲期"),
            Attr.SHARE: ("折损比例", "损坏比例", "赔付比例"),
            Attr.WINDOW: ("申请期限", "受理期限", "申诉期限"),
            Attr.LIMIT: ("审批限额", "审批额度", "审批上限"),
            Attr.RESTOCKING: ("手续费", "整理费", "退货费"),
            Attr.COUPON: ("券面折扣", "优惠比例", "优惠折扣"),
            Attr.BONUS: ("加成比例", "代金券加成", "加送比例"),
            Attr.CHARGED: ("扣款金额", "实际扣款", "刷卡金额"),
            Attr.REFUNDED: ("已退金额", "先前退款", "此前已退"),
            Attr.OFFER: ("现价", "今日报价", "当前报价"),
            Attr.WEAR: ("磨损扣减", "折旧扣减", "磨损折价"),
            Attr.USED: ("已用时间", "已用时长", "使用至今"),
            Attr.DUE: ("应付金额", "应赔金额", "应退金额"),
            Attr.DEADLINE: ("希望到账", "要求到账", "期望到账"),
        },
    }
)


def unit_of(attr: Attr) -> Unit:
    """What a figure is measured in."""
    if attr in _PERCENT:
        return Unit.PERCENT
    return Unit.DAYS if attr in _DAYS else Unit.MONEY


SPANS: Final[Mapping[str, float]] = MappingProxyType(
    {"days": 1.0, "weeks": 7.0, "hours": 1 / 24, "天": 1.0, "周": 7.0, "小时": 1 / 24}
)
"""Units of time, in days."""


def in_days(value: float, unit: str) -> float:
    """A span of time in days; anything else as it is."""
    return round(value * SPANS[unit], 3) if unit in SPANS else value
