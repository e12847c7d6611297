"""Travel booking: search, compare, hold, book, change, cancel, claim, tell."""

from data_gen.tasks.travel_booking.domain import DOMAIN

__all__ = ["DOMAIN"]
