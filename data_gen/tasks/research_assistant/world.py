"""The collection: studies with results, corrections, outlets that report on them, and people."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.research_assistant.catalogue import FUNDERS, METHODS, OUTLETS, STUDY_KINDS, TOPICS, Topic
from data_gen.tasks.research_assistant.statements import Aspect, Key
from data_gen.texts import names

STUDIES: Final = 5
PEOPLE: Final = 5


class Shape(StrEnum):
    """How the tools of a collection present results."""

    RECORD = "record"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class Result:
    """One result of a study: of a group, with its confidence interval and number of cases."""

    study: str
    group: str
    value: float
    low: float
    high: float
    cases: int


@dataclass(frozen=True, slots=True)
class Study:
    """A study and what is on file about it."""

    name: str
    published: str
    cases: int
    method: str
    funder: str
    stands: bool


@dataclass(frozen=True, slots=True)
class Outlet:
    """A paper or site that reports on the topic: its own count, or that of a study."""

    name: str
    origin: str
    own_data: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the directory: reviewer of a field, with a mailbox."""

    name: str
    field: str
    email: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A published correction of one value."""

    study: str
    group: str
    value: float


@dataclass(frozen=True, slots=True)
class World:
    """A research desk and its collection."""

    language: str
    company: str
    topic: Topic
    studies: tuple[Study, ...]
    results: tuple[Result, ...]
    outlets: tuple[Outlet, ...]
    people: tuple[Person, ...]
    shape: Shape
    correction: Correction | None = None

    def result(self, study: str, group: str) -> Result:
        """A result as first published."""
        return next(found for found in self.results if (found.study, found.group) == (study, group))

    def value(self, key: Key) -> float:
        """A figure as it stands, corrections included."""
        found = self.result(key.study, key.group)
        if key.aspect is not Aspect.VALUE:
            return found.low if key.aspect is Aspect.LOW else found.high
        late = self.correction
        return late.value if late is not None and (late.study, late.group) == (key.study, key.group) else found.value

    def study(self, name: str) -> Study:
        """What is on file about a study."""
        return next(found for found in self.studies if found.name == name)

    def connect(self) -> sqlite3.Connection:
        """The collection as a database."""
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE results (study, grp, value REAL, low REAL, high REAL, cases INTEGER)")
        connection.execute("CREATE TABLE outbox (recipients, copies, subject, body)")
        connection.execute("CREATE TABLE briefs (path PRIMARY KEY, text, cites)")
        connection.execute("CREATE TABLE answers (text)")
        connection.execute("CREATE TABLE notes (title, text)")
        rows = [(r.study, r.group, r.value, r.low, r.high, r.cases) for r in self.results]
        connection.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?)", rows)
        return connection


def build_world(language: str, rng: Rng, *, as_text: bool) -> World:
    """Draw a collection on one topic."""
    company, topic = names.company(rng), rng.choice(TOPICS[language])
    cities = rng.sample(names.CITIES[language], STUDIES)
    gap = " " if language == "en" else ""
    titles = [f"{city}{gap}{rng.choice(STUDY_KINDS[language])}" for city in cities]
    dates = rng.sample([f"{year}-{month:02d}" for year in range(2014, 2026) for month in range(1, 13)], STUDIES)
    methods = rng.sample(METHODS[language], 3)
    studies = tuple(
        Study(
            title,
            f"{date}-{rng.randint(1, 28):02d}",
            rng.randint(40, 990),
            rng.choice(methods),
            rng.choice(FUNDERS[language]),
            rng.random() < 0.6,
        )
        for title, date in zip(titles, dates, strict=True)
    )
    results = tuple(_result(title, group, topic, rng) for title in titles for group in topic.groups)
    outlets = tuple(Outlet(name, rng.choice(titles), rng.random() < 0.5) for name in rng.sample(OUTLETS[language], 3))
    shape = Shape.LINES if as_text or rng.random() < 0.5 else Shape.RECORD
    return World(language, company, topic, studies, results, outlets, _people(language, company, topic, rng), shape)


def corrected(world: World, key: Key, rng: Rng) -> World:
    """The same collection with a correction of one value."""
    old, step = world.result(key.study, key.group).value, world.topic.measure.step
    factor = rng.uniform(0.78, 0.93) if rng.random() < 0.5 else rng.uniform(1.07, 1.24)
    value = min(99.0, old * factor) if world.topic.measure.unit == "%" else old * factor
    return replace(world, correction=Correction(key.study, key.group, on_grid(value, step)))


def on_grid(value: float, step: float) -> float:
    """A value in whole steps."""
    return round(round(value / step) * step, 4)


def _result(study: str, group: str, topic: Topic, rng: Rng) -> Result:
    step = topic.measure.step
    value = rng.uniform(topic.low, topic.high)
    half = value * rng.uniform(0.06, 0.3)
    low, high = on_grid(value - half, step), on_grid(value + half * rng.uniform(0.8, 1.2), step)
    return Result(study, group, on_grid(value, step), low, high, rng.randint(20, 480))


def _people(language: str, company: str, topic: Topic, rng: Rng) -> tuple[Person, ...]:
    drawn: dict[str, None] = {}
    while len(drawn) < PEOPLE:
        drawn[names.person(language, rng)] = None
    others = rng.sample([other.field for other in TOPICS[language] if other.field != topic.field], PEOPLE - 2)
    fields = (others[0], topic.field, *others[1:], others[0])
    pairs = zip(drawn, fields, strict=True)
    return tuple(Person(name, field, names.mailbox(name, company, language)) for name, field in pairs)
