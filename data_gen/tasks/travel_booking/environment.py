"""The tools of the travel domain, over real state: bookings, holds, requests, claims, an outbox."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from pydantic import JsonValue

from data_gen.randomness import rng_for
from data_gen.tasks.base import ToolOutput
from data_gen.tasks.travel_booking.deeds import Deed, Mail
from data_gen.tasks.travel_booking.judge import harm_in, missing_in
from data_gen.tasks.travel_booking.systems import Systems
from mage_ml.memory.entry import Source

if TYPE_CHECKING:
    from data_gen.tasks.travel_booking.task import TravelTask


class TravelEnvironment(Systems):
    """The state of one run: what the systems say, and what was done.

    Args:
        task: The task worked on.
    """

    writes: ClassVar[tuple[str, ...]] = (
        "book_offer", "hold_offer", "request_approval", "change_booking", "cancel_booking", "submit_claim",
        "add_baggage", "send_itinerary",
    )  # fmt: skip

    def __init__(self, task: TravelTask) -> None:
        super().__init__(task)
        self.outbox: list[Mail] = []
        self.deeds: list[Deed] = []

    def book_offer(
        self, offer: str, date: str, traveller: str, price: float, currency: str, code: str = ""
    ) -> ToolOutput:
        """Book an offer at a price."""
        return self._do(Deed("book_offer", offer, price, currency, traveller, date, code))

    def hold_offer(
        self, offer: str, date: str, traveller: str, price: float, currency: str, code: str = ""
    ) -> ToolOutput:
        """Put a hold on an offer at a price."""
        return self._do(Deed("hold_offer", offer, price, currency, traveller, date, code))

    def request_approval(self, approver: str, traveller: str, offer: str, amount: float, currency: str) -> ToolOutput:
        """Ask a manager to approve an expense."""
        return self._do(Deed("request_approval", offer, amount, currency, traveller, approver))

    def change_booking(self, reference: str, offer: str, cost: float, currency: str, code: str = "") -> ToolOutput:
        """Move a booking to another offer at an extra cost."""
        return self._do(Deed("change_booking", reference, cost, currency, extra=offer, code=code))

    def cancel_booking(self, reference: str, refund: float, currency: str) -> ToolOutput:
        """Cancel a booking for a refund."""
        return self._do(Deed("cancel_booking", reference, refund, currency))

    def submit_claim(self, traveller: str, place: str, amount: float, currency: str) -> ToolOutput:
        """Hand in an expense claim."""
        return self._do(Deed("submit_claim", place, amount, currency, traveller))

    def add_baggage(self, reference: str, extra_kg: float) -> ToolOutput:
        """Buy extra kilos for a booking."""
        return self._do(Deed("add_baggage", reference, extra_kg, "kg"))

    def send_itinerary(self, to: list[str], subject: str, body: str, cc: list[str] | None = None) -> ToolOutput:
        """Mail an itinerary or what is known of a journey."""
        del subject
        self.outbox.append(Mail(tuple(to), tuple(cc or ()), body))
        content: JsonValue = {"status": self._notes["sent"], "to": [*to, *(cc or ())]}
        return ToolOutput(content, Source.TOOL, "mail-server")

    def harm(self) -> Sequence[str]:
        """What was done wrongly."""
        return tuple(harm_in(self.task, self))

    def missing(self) -> Sequence[str]:
        """What was left undone."""
        return tuple(missing_in(self.task, self))

    def _do(self, deed: Deed) -> ToolOutput:
        self.deeds.append(deed)
        number = rng_for("receipt", deed.tool, deed.subject, deed.person).randint(10_000, 99_999)
        content: JsonValue = {"status": self._notes["done"], "receipt": f"R{number}", "for": deed.subject}
        return ToolOutput(content, Source.TOOL, "booking-system")
