"""The company that the tasks are about: its sales database, its people and its papers, all drawn from a seed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from data_gen.randomness import Rng
from data_gen.statements import Passage
from data_gen.tasks.sales_report.questions import QUARTERS
from data_gen.tasks.sales_report.statements import Key, Metric
from data_gen.texts import names
from data_gen.texts.amounts import CURRENCIES

_SCHEMA: Final = """
CREATE TABLE sales (region TEXT, product TEXT, quarter TEXT, amount INTEGER, PRIMARY KEY (region, product, quarter));
CREATE TABLE plans (region TEXT, quarter TEXT, metric TEXT, amount INTEGER, PRIMARY KEY (region, quarter, metric));
CREATE TABLE contacts (name TEXT PRIMARY KEY, role TEXT, email TEXT);
CREATE TABLE revisions (region TEXT, product TEXT, quarter TEXT, delta INTEGER, booked INTEGER DEFAULT 0);
"""
_ROLES: Final = {
    "en": ("controller", "regional lead", "head of sales", "analyst", "branch manager", "auditor"),
    "zh": ("财务主管", "大区经理", "销售总监", "分析师", "分店经理", "审计员"),
}


class RecordShape(StrEnum):
    """How the tools of a company present a record."""

    RECORD = "record"
    RECORD_LOCAL = "record_local"
    LINE = "line"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Contact:
    """A person in the directory."""

    name: str
    role: str
    email: str


@dataclass(frozen=True, slots=True)
class Paper:
    """A document that somebody else wrote."""

    author: str
    name: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Revision:
    """A late booking, which reaches the books only when somebody asks for revisions."""

    region: str
    product: str
    quarter: str
    delta: int


@dataclass(frozen=True, slots=True)
class World:
    """A company.

    Attributes:
        language: `en` or `zh`.
        company: Its domain label.
        currency: The currency of its books.
        shape: How its tools present records.
        regions: Names of its regions.
        products: Names of its products.
        contacts: Its directory.
        image: The database in its first state, as SQLite serialises it.
    """

    language: str
    company: str
    currency: str
    shape: RecordShape
    regions: tuple[str, ...]
    products: tuple[str, ...]
    contacts: tuple[Contact, ...]
    image: bytes

    def connect(self) -> sqlite3.Connection:
        """A private database in its first state."""
        connection = sqlite3.connect(":memory:")
        connection.deserialize(self.image)
        return connection


def build_world(language: str, rng: Rng, *, as_text: bool = False) -> World:
    """Draw a company, one whose tools answer in plain text if so wished."""
    company = names.company(rng)
    currency = names.pick(CURRENCIES[language], rng)
    regions = tuple(rng.sample(names.REGIONS[language], 4))
    products = tuple(rng.sample(names.PRODUCTS[language], 4))
    people: dict[str, Contact] = {}
    while len(people) < 5:
        name = names.person(language, rng)
        people[name] = Contact(name, names.pick(_ROLES[language], rng), names.mailbox(name, company, language))
    contacts = tuple(people.values())
    shapes = list(RecordShape) if language == "zh" else [RecordShape.RECORD, RecordShape.LINE, RecordShape.TABLE]
    if as_text:
        shapes = [RecordShape.LINE, RecordShape.TABLE]
    shape = shapes[int(rng.random() * len(shapes))]
    image = _fill(regions, products, contacts, rng)
    return World(language, company, currency, shape, regions, products, contacts, image)


def revise(world: World, revision: Revision) -> World:
    """The same company with a revision waiting to be booked."""
    with closing(world.connect()) as connection:
        connection.execute(
            "INSERT INTO revisions (region, product, quarter, delta) VALUES (?, ?, ?, ?)",
            (revision.region, revision.product, revision.quarter, revision.delta),
        )
        connection.commit()
        image = connection.serialize()
    return World(
        world.language, world.company, world.currency, world.shape, world.regions, world.products, world.contacts, image
    )


def level_in_books(connection: sqlite3.Connection, key: Key, world: World) -> int:
    """What the books say now, in base units.

    Raises:
        LookupError: They say nothing on this key.
    """
    if key.metric is not Metric.REVENUE:
        query, values = (
            "SELECT amount FROM plans WHERE region = ? AND quarter = ? AND metric = ?",
            (key.entity, key.period, key.metric.value),
        )
        row = connection.execute(query, values).fetchone()
    elif key.entity in world.regions:
        row = _total(connection, "WHERE region = ? AND quarter = ?", (key.entity, key.period))
    elif key.entity in world.products:
        row = _total(connection, "WHERE product = ? AND quarter = ?", (key.entity, key.period))
    else:
        row = _total(connection, "WHERE quarter = ?", (key.period,))
    if row is None or row[0] is None:
        raise LookupError(f"the books hold nothing on {key.entity} {key.period} {key.metric.value}")
    return int(row[0])


def _total(connection: sqlite3.Connection, where: str, values: Sequence[str]) -> tuple[int | None] | None:
    row: tuple[int | None] | None = connection.execute(f"SELECT SUM(amount) FROM sales {where}", values).fetchone()
    return row


def _fill(regions: Sequence[str], products: Sequence[str], contacts: Sequence[Contact], rng: Rng) -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        sales = [
            (region, product, quarter, 1000 * rng.randint(130, 2300))
            for region in regions
            for product in products
            for quarter in QUARTERS
        ]
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?)", sales)
        plans = []
        for region in regions:
            for quarter in QUARTERS:
                sold = sum(row[3] for row in sales if row[0] == region and row[2] == quarter)
                plans.append((region, quarter, Metric.TARGET.value, _near(sold, rng)))
                budget = 1000 * rng.randint(400, 6000)
                plans.append((region, quarter, Metric.BUDGET.value, budget))
                plans.append((region, quarter, Metric.COST.value, _near(budget, rng)))
        connection.executemany("INSERT INTO plans VALUES (?, ?, ?, ?)", plans)
        connection.executemany(
            "INSERT INTO contacts VALUES (?, ?, ?)", [(person.name, person.role, person.email) for person in contacts]
        )
        connection.commit()
        return connection.serialize()


def _near(amount: int, rng: Rng) -> int:
    factor = rng.uniform(0.75, 0.97) if rng.random() < 0.5 else rng.uniform(1.03, 1.25)
    return 1000 * max(1, round(amount * factor / 1000))
