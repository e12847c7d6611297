"""The systems a travel agent asks: offers, prices, timetables, bookings, rules, diaries, texts of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from pydantic import JsonValue

from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage, Statement
from data_gen.tasks.base import ToolOutput
from data_gen.tasks.travel_booking.records import listing, present
from data_gen.tasks.travel_booking.shapes import Product
from data_gen.tasks.travel_booking.statements import DATED, Fact, Key, Measure
from data_gen.tasks.travel_booking.world import Value, days_around
from data_gen.texts.noise import damaged
from data_gen.toolbox import Toolbox
from mage_ml.memory.entry import Source

if TYPE_CHECKING:
    from data_gen.tasks.travel_booking.task import TravelTask

DAMAGED_CALLS: Final = 8
_TOGETHER: Final = (
    (Measure.HOURS, Measure.TRANSFER, Measure.BUFFER),
    (Measure.DISTANCE, Measure.SCORE),
    (Measure.CAP, Measure.BUDGET, Measure.MINIMUM, Measure.FLOOR, Measure.ALLOWANCE, Measure.MILEAGE),
    (Measure.PAID, Measure.FEE, Measure.HELD, Measure.FREE),
    (Measure.DAYS, Measure.DRIVEN),
)
"""What one record shows together."""
TOOL_OF: Final = {
    Measure.FARE: "get_fare", Measure.RATE: "get_room_rate", Measure.HIRE: "get_car_price",
    **dict.fromkeys(_TOGETHER[0], "get_schedule"), **dict.fromkeys(_TOGETHER[1], "get_hotel_info"),
    **dict.fromkeys(_TOGETHER[2], "get_policy"), **dict.fromkeys(_TOGETHER[3], "get_booking"),
    **dict.fromkeys(_TOGETHER[4], "get_trip_log"), Measure.WEIGHT: "get_luggage",
    Measure.EXCHANGE: "get_exchange_rate",
}  # fmt: skip
ORIGINS: Final = {
    "get_fare": "fare-feed", "get_room_rate": "hotel-feed", "get_car_price": "car-feed", "get_schedule": "timetable",
    "get_hotel_info": "hotel-guide", "get_policy": "travel-policy", "get_booking": "booking-system",
    "get_trip_log": "expense-system", "get_luggage": "airline-desk", "get_exchange_rate": "treasury",
}  # fmt: skip
SEARCHES: Final = {
    Product.FLIGHT: "search_flights",
    Product.TRAIN: "search_trains",
    Product.HOTEL: "search_hotels",
    Product.CAR: "search_cars",
}
FACT_TOOLS: Final = (*ORIGINS, "check_price_updates")
_NOTES: Final = {
    "en": {
        "restated": "repriced, the earlier price no longer holds", "none": "no repricing on file for {0}",
        "copy": "taken over from the feed of the system", "agency": "own quotation of the agency",
        "sent": "accepted for delivery", "pending": "prices are being refreshed, ask again", "done": "done",
        "exempt": "exempt from approval",
    },
    "zh": {
        "restated": "已调价，原价不再有效", "none": "{0}没有调价记录", "copy": "转自系统数据源",
        "agency": "代理自行报价", "sent": "已受理投递", "pending": "价格正在刷新，请再次查询",
        "done": "已办理", "exempt": "免审批名单",
    },
}  # fmt: skip


def query_of(key: Key) -> tuple[str, dict[str, JsonValue]]:
    """The tool that knows a key, and the arguments to ask it with."""
    tool = TOOL_OF[key.measure]
    name = {"get_policy": "place", "get_trip_log": "place", "get_booking": "reference", "get_luggage": "reference"}
    arguments: dict[str, JsonValue] = {name.get(tool, "pair" if tool == "get_exchange_rate" else "offer"): key.subject}
    return tool, {**arguments, "date": key.day} if key.measure in DATED else arguments


class Systems(Toolbox["TravelTask"]):
    """Reading tools over the state of one run.

    Args:
        task: The task worked on.
    """

    reads: ClassVar[tuple[str, ...]] = (
        *ORIGINS, *SEARCHES.values(), "check_price_updates", "get_agency_quote", "get_calendar", "list_bookings",
        "find_traveller", "read_travel_note", "read_voicemail", "search_memory",
    )  # fmt: skip

    def __init__(self, task: TravelTask) -> None:
        super().__init__(task)
        self.world = task.world
        self._now: dict[Key, Value] = {**task.world.facts, **dict(task.before)}
        self._notes = _NOTES[task.language]

    def truth(self, key: Key) -> Value:
        """What holds in the end, repricing included.

        Raises:
            LookupError: Nothing is known of this.
        """
        if key not in self.world.facts:
            raise LookupError(f"nothing is known of {key.subject} {key.measure.value} {key.day}".rstrip())
        return self.world.facts[key]

    def get_fare(self, offer: str, date: str) -> ToolOutput:
        """The fare of a flight or train on a day."""
        return self._price("get_fare", Key(offer, Measure.FARE, date))

    def get_room_rate(self, offer: str, date: str) -> ToolOutput:
        """The rate of a hotel room for a night."""
        return self._price("get_room_rate", Key(offer, Measure.RATE, date))

    def get_car_price(self, offer: str, date: str) -> ToolOutput:
        """The price of a rental car for a day."""
        return self._price("get_car_price", Key(offer, Measure.HIRE, date))

    def get_schedule(self, offer: str) -> ToolOutput:
        """How long a connection takes, and what is left before the meeting."""
        return self._group("get_schedule", offer, _TOGETHER[0])

    def get_hotel_info(self, offer: str) -> ToolOutput:
        """Where a hotel lies and how guests like it."""
        return self._group("get_hotel_info", offer, _TOGETHER[1])

    def get_policy(self, place: str) -> ToolOutput:
        """The company's limits for a place, and who is exempt."""
        found = self._group("get_policy", place, _TOGETHER[2])
        holder, word = self.task.exempt, self._notes["exempt"]
        if not holder:
            return found
        content: JsonValue = (
            {**found.content, word: [holder]}
            if isinstance(found.content, dict)
            else f"{found.content}\n{word}: {holder}"
        )
        return ToolOutput(content, found.source, found.origin, statement=found.statement)

    def get_booking(self, reference: str) -> ToolOutput:
        """What is known of a booking."""
        return self._group("get_booking", reference, _TOGETHER[3])

    def get_trip_log(self, place: str) -> ToolOutput:
        """How long a traveller was away, and how far the car went."""
        return self._group("get_trip_log", place, _TOGETHER[4])

    def get_luggage(self, reference: str) -> ToolOutput:
        """The weight of a bag as weighed at the desk."""
        return self._group("get_luggage", reference, (Measure.WEIGHT,))

    def get_exchange_rate(self, pair: str) -> ToolOutput:
        """What one unit of a currency is worth in another."""
        return self._group("get_exchange_rate", pair, (Measure.EXCHANGE,))

    def check_price_updates(self, offer: str, date: str) -> ToolOutput:
        """Repricing reaches the systems here: a price read before differs from one read afterwards."""
        late = [key for key, _ in self.task.before if (key.subject, key.day) == (offer, date)]
        if not late:
            return ToolOutput(self._notes["none"].format(offer), Source.TOOL, "fare-feed")
        self._now.update({key: self.world.facts[key] for key in late})
        return self._record(late, ORIGINS[TOOL_OF[late[0].measure]], self._notes["restated"])

    def get_agency_quote(self, offer: str, date: str) -> ToolOutput:
        """The price as an agency gives it, which may be a copy."""
        measure = self.task.first_key.measure
        if self.task.second_source_is_independent:
            return self._record([Key(offer, measure, date)], "agency-desk", self._notes["agency"])
        return self._record([Key(offer, measure, date)], ORIGINS[TOOL_OF[measure]], self._notes["copy"])

    def search_flights(self, city: str, date: str) -> ToolOutput:
        """Flights to a city."""
        return self._listing(Product.FLIGHT, city, date)

    def search_trains(self, city: str, date: str) -> ToolOutput:
        """Trains to a city."""
        return self._listing(Product.TRAIN, city, date)

    def search_hotels(self, city: str, date: str) -> ToolOutput:
        """Hotels in a city."""
        return self._listing(Product.HOTEL, city, date)

    def search_cars(self, city: str, date: str) -> ToolOutput:
        """Rental cars in a city."""
        return self._listing(Product.CAR, city, date)

    def get_calendar(self, traveller: str) -> ToolOutput:
        """A traveller's meetings."""
        events: list[JsonValue] = [{"with": e.customer, "place": e.city, "date": e.day} for e in self.world.events]
        return ToolOutput({"traveller": traveller, "meetings": events}, Source.TOOL, "calendar")

    def list_bookings(self) -> ToolOutput:
        """Earlier bookings of the company."""
        return ToolOutput({"bookings": list(self.task.old_bookings)}, Source.TOOL, "booking-system")

    def find_traveller(self, name: str) -> ToolOutput:
        """A person's record in the directory."""
        person = next((person for person in self.world.people if person.name == name), None)
        if person is None:
            raise LookupError(f"nobody called {name!r} in the directory")
        record: dict[str, JsonValue] = {
            "name": person.name, "role": person.role, "email": person.email, "manager": person.manager,
        }  # fmt: skip
        remark, language = self.task.remark, self.task.language
        if remark is None:
            return ToolOutput(record, Source.TOOL, "directory")

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return {**record, "remark": _passage(changed).text(language)}

        content: JsonValue = {**record, "remark": remark.text(language)}
        return ToolOutput(content, Source.TOOL, "directory", statement=remark, redraw=redraw)

    def read_travel_note(self, name: str) -> ToolOutput:
        """A review, note or mail that somebody wrote about the journey."""
        paper = next((paper for paper in self.task.papers if paper.name == name), None)
        if paper is None:
            raise LookupError(f"no travel note {name!r}")
        return self._text(paper.passage, f"travel note by {paper.author}")

    def search_memory(self, topic: str) -> tuple[ToolOutput, ...]:
        """Stored requests of other users."""
        del topic
        return tuple(self._text(case.passage, f"memory: request of {case.author}") for case in self.task.precedents)

    def read_voicemail(self, topic: str) -> ToolOutput:
        """A guess that somebody left by phone."""
        if self.task.voicemail is None:
            raise LookupError(f"there is no voicemail about {topic}")
        origin = f"voicemail: {self.task.voicemail.author}"
        return ToolOutput(self.task.voicemail.text, Source.RETRIEVED, origin, confidence=0.35)

    def _price(self, tool: str, key: Key) -> ToolOutput:
        asked = sum(count for call, count in self.calls.items() if call.startswith(tool))
        if asked <= self.task.waits:
            return ToolOutput(self._notes["pending"], Source.TOOL, ORIGINS[tool])
        days = days_around(key.day) if self.task.wide_records and key.day == self.world.day else (key.day,)
        return self._record([Key(key.subject, key.measure, day) for day in days], ORIGINS[tool], asked=key)

    def _group(self, tool: str, subject: str, measures: Sequence[Measure]) -> ToolOutput:
        keys = [key for measure in measures if (key := Key(subject, measure)) in self._now]
        if not keys:
            raise LookupError(f"{tool} knows nothing of {subject!r}")
        return self._record(keys, ORIGINS[tool])

    def _record(self, keys: Sequence[Key], origin: str, note: str = "", asked: Key | None = None) -> ToolOutput:
        for key in keys:
            self.truth(key)
        shown = {key: self._now[key] for key in keys}
        first = asked or keys[0]
        content = present(self.world, first.subject, shown, note)
        # The line breaks down once: what is asked again arrives whole.
        if self.task.damage is not None and isinstance(content, str) and sum(self.calls.values()) <= DAMAGED_CALLS:
            content = damaged(content, rng_for(self.task.damage, first.subject, first.measure))
        said = Fact(first, self._now[first].number, self._now[first].unit)
        return ToolOutput(content, Source.TOOL, origin, statement=said)

    def _listing(self, product: Product, city: str, date: str) -> ToolOutput:
        if (city, product) not in self.world.offers or date != self.world.day:
            raise LookupError(f"nothing is on offer in {city!r} on {date!r}")
        content = listing(self.world, city, product)
        return ToolOutput(content, Source.TOOL, "booking-system")

    def _text(self, passage: Passage, origin: str) -> ToolOutput:
        language = self.task.language

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return _passage(changed).text(language)

        return ToolOutput(passage.text(language), Source.RETRIEVED, origin, statement=passage, redraw=redraw)


def _passage(statement: Statement) -> Passage:
    if not isinstance(statement, Passage):
        raise TypeError(f"a text is a passage, not a {type(statement).__name__}")
    return statement
