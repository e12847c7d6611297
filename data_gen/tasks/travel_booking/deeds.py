"""What counts as done."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deed:
    """Something done that counts.

    Attributes:
        tool: With which tool.
        subject: To what: an offer, a booking, a place.
        amount: For how much, or how many.
        unit: A currency, or `kg`.
        person: For whom; empty where the booking says.
        extra: The day, the new offer, or who approves.
        code: The rate code used.
    """

    tool: str
    subject: str
    amount: float
    unit: str
    person: str = ""
    extra: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail in the outbox."""

    to: tuple[str, ...]
    cc: tuple[str, ...]
    body: str
