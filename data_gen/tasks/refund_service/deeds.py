"""What the agents really did."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Payment:
    """Money or a voucher: for what or whom, to which account, how much."""

    subject: str
    account: str
    amount: float
    currency: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A letter that was sent."""

    to: str
    cc: tuple[str, ...]
    text: str


@dataclass
class Deeds:
    """The effects of a run, in order.

    Attributes:
        refunds: Money paid, by order.
        vouchers: Vouchers given, by customer.
        returns: Orders and items asked back.
        replacements: Orders and items sent again.
        handovers: Cases and the person who took over.
        priorities: Cases and their rank.
        replies: Letters sent.
    """

    refunds: list[Payment] = field(default_factory=list)
    vouchers: list[Payment] = field(default_factory=list)
    returns: list[tuple[str, str]] = field(default_factory=list)
    replacements: list[tuple[str, str]] = field(default_factory=list)
    handovers: list[tuple[str, str]] = field(default_factory=list)
    priorities: list[tuple[str, str]] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
