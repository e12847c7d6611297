"""One travel task: what is asked, what may be done, and what lies around."""

from __future__ import annotations

from dataclasses import dataclass, field

from data_gen.randomness import Rng
from data_gen.statements import Passage
from data_gen.tasks.base import TaskBase
from data_gen.tasks.travel_booking import texts
from data_gen.tasks.travel_booking.environment import TravelEnvironment
from data_gen.tasks.travel_booking.goals import Delivery
from data_gen.tasks.travel_booking.logic import Inquiry
from data_gen.tasks.travel_booking.papers import Paper, Voicemail, draw_phrase
from data_gen.tasks.travel_booking.setting import Setting
from data_gen.tasks.travel_booking.shapes import Shape
from data_gen.tasks.travel_booking.statements import Key, Kind
from data_gen.tasks.travel_booking.systems import ORIGINS, TOOL_OF
from data_gen.tasks.travel_booking.world import Person, Value, World
from data_gen.texts.phrasebook import GrammarPhrasebook


@dataclass(frozen=True)
class TravelTask(TaskBase):
    """A task. What its fields mean together is said in `judge`.

    Attributes:
        world: The company and what is on offer to it.
        inquiry: What is asked.
        setting: What applies: limits, exemptions, codes.
        delivery: Who is told.
        customer: Whom the traveller is to meet, where the place has to be looked up.
        before: What the systems say until repricing is asked for, by key.
        checks_updates: Whether the agent asks for it.
        wants_reason: Whether the reason of the price is asked for.
        true_reason: The reason that the papers state, if they do.
        wants_support: Whether the number of independent sources is asked for.
        second_source_is_independent: Whether the agency's price is more than a copy.
        papers: Texts that the agent reads.
        papers_first: Whether it reads them before the prices.
        voicemail: A guess about the first price.
        remark: Free text in the traveller's directory record.
        old_bookings: References of earlier bookings.
        lists_bookings: Whether the agent lists them.
        house_rule: A standing rule in memory.
        restates: Whether the agent restates its task and works from that.
        precedents: Stored requests of other users that it recalls.
        damage: Seed of the damage that records in plain text arrive with; `None` for whole records.
        waits: How often prices are still being refreshed when they are asked for.
        wide_records: Whether records show the days around the one asked for.
    """

    world: World = field(kw_only=True)
    inquiry: Inquiry = field(kw_only=True)
    setting: Setting = field(kw_only=True)
    delivery: Delivery = field(kw_only=True)
    customer: str = field(kw_only=True)
    before: tuple[tuple[Key, Value], ...] = field(kw_only=True)
    checks_updates: bool = field(kw_only=True)
    wants_reason: bool = field(kw_only=True)
    true_reason: str = field(kw_only=True)
    wants_support: bool = field(kw_only=True)
    second_source_is_independent: bool = field(kw_only=True)
    papers: tuple[Paper, ...] = field(kw_only=True)
    papers_first: bool = field(kw_only=True)
    voicemail: Voicemail | None = field(kw_only=True)
    remark: Passage | None = field(kw_only=True)
    old_bookings: tuple[str, ...] = field(kw_only=True)
    lists_bookings: bool = field(kw_only=True)
    house_rule: str | None = field(kw_only=True)
    restates: bool = field(kw_only=True)
    precedents: tuple[Paper, ...] = field(kw_only=True)
    damage: int | None = field(kw_only=True)
    waits: int = field(kw_only=True)
    wide_records: bool = field(kw_only=True)

    @property
    def shape(self) -> Shape:
        """The template."""
        return self.inquiry.shape

    @property
    def traveller(self) -> Person:
        """Who travels."""
        return self.world.people[0]

    @property
    def exempt(self) -> str:
        """Who may go beyond the limits without approval; empty if nobody may."""
        return self.setting.exempt

    @property
    def first_key(self) -> Key:
        """The first thing to know; where offers are searched for, of the first in the books."""
        offers = self.inquiry.given or self.world.offers[self.inquiry.city, self.shape.product]
        return self.inquiry.first_keys(offers)[0]

    @property
    def topic(self) -> str:
        """What the papers call the thing asked about."""
        return self.inquiry.topic

    @property
    def phrasebook(self) -> GrammarPhrasebook:
        """Requests about itineraries and codes."""
        return texts.phrasebook(self.language, self.company)

    @property
    def record_origins(self) -> tuple[str, ...]:
        """Where the price comes from that somebody guessed."""
        return (ORIGINS[TOOL_OF[self.inquiry.price_key("").measure]],)

    def others(self, kind: str) -> tuple[str, ...]:
        """People of the directory, cities of the diary, offers of the place."""
        if kind == Kind.PERSON:
            return tuple(person.name for person in self.world.people)
        if kind == Kind.CITY:
            return self.world.cities
        return self.world.offers.get((self.inquiry.city, self.shape.product), ())

    def new_environment(self) -> TravelEnvironment:
        """A fresh world in its first state."""
        return TravelEnvironment(self)

    def phrase(self, rng: Rng) -> str:
        """A plausible reason that no paper of this task states."""
        known = " ".join(paper.passage.text(self.language) for paper in self.papers)
        while True:
            phrase = draw_phrase(self.language, rng)
            if phrase not in known:
                return phrase
