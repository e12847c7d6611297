"""Travel booking: search, compare, hold, book, change, cancel, claim, tell."""

from data_gen.tasks.travel_booking.domain import DOMAIN, TravelBookingDomain

__all__ = ["DOMAIN", "TravelBookingDomain"]
