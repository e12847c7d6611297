"""A double-entry ledger: no money appears or disappears, whatever is booked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CENT = 100


class LedgerError(Exception):
    """A booking would break the books."""


@dataclass(frozen=True, slots=True)
class Posting:
    """One side of a booking, in hundredths of a currency unit; credits are positive."""

    account: str
    currency: str
    cents: int


@dataclass(frozen=True, slots=True)
class Booking:
    """A balanced set of postings and what they are for."""

    text: str
    postings: tuple[Posting, ...]


class Ledger:
    """Bookings, and the balances that follow from them.

    Invariants: in each booking the postings of each currency sum to zero, and so do the balances of all accounts.
    """

    def __init__(self) -> None:
        self.bookings: list[Booking] = []
        self._balances: dict[tuple[str, str], int] = {}

    def book(self, text: str, postings: Sequence[Posting]) -> None:
        """Book.

        Raises:
            LedgerError: Fewer than two postings, or those of a currency do not sum to zero.
        """
        sums: dict[str, int] = {}
        for posting in postings:
            sums[posting.currency] = sums.get(posting.currency, 0) + posting.cents
        crooked = sorted(currency for currency, total in sums.items() if total)
        if crooked or len(postings) < 2:
            raise LedgerError(
                f"{text}: postings in {', '.join(crooked) or 'one account'} do not balance; book both sides"
            )
        self.bookings.append(Booking(text, tuple(postings)))
        for posting in postings:
            key = (posting.account, posting.currency)
            self._balances[key] = self._balances.get(key, 0) + posting.cents

    def move(self, text: str, source: str, target: str, currency: str, cents: int) -> None:
        """Move money from one account to another.

        Raises:
            LedgerError: The amount is not above zero.
        """
        if cents <= 0:
            raise LedgerError(f"{text}: cannot move {cents / CENT:.2f} {currency}; give an amount above zero")
        self.book(text, (Posting(source, currency, -cents), Posting(target, currency, cents)))

    def balance(self, account: str, currency: str) -> int:
        """Balance of an account in hundredths."""
        return self._balances.get((account, currency), 0)

    def check(self) -> None:
        """Compare the balances with the bookings.

        Raises:
            LedgerError: They differ, or do not sum to zero.
        """
        totals: dict[tuple[str, str], int] = {}
        for booking in self.bookings:
            for posting in booking.postings:
                key = (posting.account, posting.currency)
                totals[key] = totals.get(key, 0) + posting.cents
        if totals != self._balances:
            raise LedgerError("the balances differ from what was booked; book through Ledger.book only")
        for currency in {key[1] for key in totals}:
            if sum(cents for (_, unit), cents in totals.items() if unit == currency):
                raise LedgerError(f"the balances in {currency} do not sum to zero")


def cents_of(amount: float) -> int:
    """An amount in hundredths."""
    return round(amount * CENT)
