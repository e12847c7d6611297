"""A firm's money: accounts, invoices, cards and the rest, with their true figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.banking import texts_world
from data_gen.tasks.banking.attributes import KIND_OF, NAME_ATTRIBUTES, Attribute, Kind
from data_gen.tasks.banking.templates import Template, Verdict
from data_gen.texts import names


class RecordShape(StrEnum):
    """How the tools present what they know."""

    FIELDS = "fields"
    LOCAL_FIELDS = "local_fields"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class Thing:
    """Something in the books.

    Attributes:
        label: Its name.
        kind: What it is.
        figures: Its true figures.
        payee: Who is paid, where somebody is.
        dates: Issue date and due date, of invoices.
    """

    label: str
    kind: Kind
    figures: Mapping[Attribute, float]
    payee: str = ""
    dates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contact:
    """Somebody in the directory."""

    name: str
    email: str


@dataclass(frozen=True)
class World:
    """All there is at the start of a run.

    Attributes:
        language: `en` or `zh`.
        company: Domain label of the firm.
        currency: Its currency.
        foreign: The currency that it buys.
        step: Smallest step of its amounts.
        things: By label.
        numbers: Account numbers by payee.
        contacts: The directory.
        shape: How records look.
        roles: Labels by role of the template.
        source: The account that payments are made from.
    """

    language: str
    company: str
    currency: str
    foreign: str
    step: float
    things: Mapping[str, Thing]
    numbers: Mapping[str, str]
    contacts: tuple[Contact, ...]
    shape: RecordShape
    roles: Mapping[str, str]
    source: str

    def of_kind(self, kind: Kind) -> tuple[str, ...]:
        """Labels of the things of a kind."""
        return tuple(thing.label for thing in self.things.values() if thing.kind is kind)

    def figure(self, label: str, attribute: Attribute) -> float:
        """A true figure."""
        return self.things[label].figures[attribute]

    def payees(self) -> tuple[str, ...]:
        """Everybody who can be paid."""
        return tuple(self.numbers)


_CURRENCY: Final = {"en": ("EUR", "EUR", "EUR", "GBP"), "zh": ("CNY",)}
_FOREIGN: Final = {"EUR": ("USD", "GBP"), "GBP": ("USD", "EUR"), "CNY": ("USD", "EUR")}
_STEPS: Final = (0.01, 10.0, 1000.0)
_USUAL: Final = (0.6, 0.2, 0.2)
_COARSE: Final = (0.3, 0.15, 0.55)
_MARGIN: Final = {True: (0.45, 0.92), False: (1.08, 1.6)}
_PART_OF: Final = {
    Attribute.DISCOUNT: (0.08, 0.2), Attribute.LATE_FEE: (0.05, 0.2), Attribute.PAID: (0.2, 0.7),
    Attribute.MINIMUM: (0.2, 0.7), Attribute.TARIFF: (0.4, 0.8), Attribute.SPENT: (0.2, 0.8),
}  # fmt: skip
_SHARES: Final = {
    Attribute.DISCOUNT: (0.06, 0.2), Attribute.LATE_FEE: (0.03, 0.15), Attribute.PAID: (0.15, 0.7),
    Attribute.MINIMUM: (0.2, 0.6), Attribute.INFLOW: (0.2, 0.8), Attribute.CLOSING: (1.02, 1.3),
    Attribute.LIMIT: (0.15, 0.5), Attribute.CARD_LIMIT: (1.2, 3.0), Attribute.CAP: (1.05, 1.5),
    Attribute.TARIFF: (0.5, 0.9),
}  # fmt: skip
_RATES: Final = {True: (640.0, 860.0), False: (70.0, 99.0)}
_BASES: Final = {Attribute.CHARGED: (80.0, 900.0), Attribute.TARIFF: (80.0, 900.0)}


def build_world(template: Template, language: str, rng: Rng, *, one_payee: bool, as_text: bool, coarse: bool) -> World:
    """Draw a firm that fits a template.

    Args:
        template: What is asked and done.
        language: `en` or `zh`.
        rng: Draws everything.
        one_payee: Whether all invoices of the template are of one payee.
        as_text: Whether records are plain text.
        coarse: Whether large round sums are likely.
    """
    currency = names.pick(_CURRENCY[language], rng)
    company = names.company(rng)
    step = rng.choices(_STEPS, _COARSE if coarse else _USUAL)[0]
    labels = _labels(template, language, rng)
    source = next((labels[r] for r in ("x", "z", "y") if r in labels), labels["source"])
    payees = _distinct(5, lambda: texts_world.payee(language, rng))
    staff = _distinct(3, lambda: names.person(language, rng))
    things = {}
    for number, (role, label) in enumerate(labels.items()):
        kind = template.roles.get(role) or (Kind.ACCOUNT if role == "source" else Kind(role.split(":")[0]))
        payee = ""
        if kind is Kind.INVOICE:
            payee = payees[0 if one_payee or template.same_payee else number % len(payees)]
        elif kind is Kind.CLAIM:
            payee = staff[0 if template.same_payee else number % len(staff)]
        dates = tuple(_distinct(2, lambda: texts_world.day(rng))) if kind is Kind.INVOICE else ()
        things[label] = Thing(label, kind, _figures(kind, step, currency, rng), payee, tuple(sorted(dates)))
    things = _fitted(template, labels, things, step, rng)
    people = [Contact(name, names.mailbox(name, company, language)) for name in staff]
    shapes = (RecordShape.LINES,) if as_text else tuple(RecordShape)[:: (2, 1)[language == "zh"]]
    return World(
        language=language,
        company=company,
        currency=currency,
        foreign=names.pick(_FOREIGN[currency], rng),
        step=step,
        things=things,
        numbers={name: texts_world.account_number(language, currency, rng) for name in payees},
        contacts=tuple(people),
        shape=rng.choice(shapes),
        roles={role: label for role, label in labels.items() if ":" not in role and role != "source"},
        source=source,
    )


def amount(step: float, rng: Rng, low: float = 260.0, high: float = 9_400.0) -> float:
    """An amount in whole steps; coarse steps go with large amounts."""
    if step >= 1000:
        low, high = low * 60, high * 60
    return round(step * round(rng.uniform(low, high) / step), 2)


def _labels(template: Template, language: str, rng: Rng) -> dict[str, str]:
    """A label for each role and for some things besides: two more of each kind and every account."""
    wanted = list(template.roles.items())
    kinds = dict.fromkeys([*template.roles.values(), Kind.INVOICE])
    wanted += [(f"{kind}:{n}", kind) for kind in kinds for n in range(2) if kind is not Kind.ACCOUNT]
    wanted += [("source", Kind.ACCOUNT), ("account:1", Kind.ACCOUNT)]
    found: dict[str, str] = {}
    for role, kind in wanted:
        label = texts_world.label(kind, language, rng)
        while label in found.values():
            label = texts_world.label(kind, language, rng)
        found[role] = label
    return found


def _figures(kind: Kind, step: float, currency: str, rng: Rng) -> dict[Attribute, float]:
    found: dict[Attribute, float] = {}
    for attribute, owner in KIND_OF.items():
        if owner is kind and attribute not in NAME_ATTRIBUTES:
            low, high = _SHARES.get(attribute, (0.0, 0.0))
            base = found[next(iter(found))] if low and found else 0.0
            value = _figure(attribute, step, currency, rng) if not base else base * rng.uniform(low, high)
            found[attribute] = value if attribute is Attribute.RATE else _whole(value, step)
    return found


def _whole(value: float, step: float) -> float:
    return round(step * max(1, round(value / step)), 2)


def _figure(attribute: Attribute, step: float, currency: str, rng: Rng) -> float:
    if attribute is Attribute.RATE:
        return round(rng.uniform(*_RATES[currency == "CNY"]), 2)
    low, high = _BASES.get(attribute, (260.0, 9_400.0))
    if attribute in (Attribute.BALANCE, Attribute.CLOSING):
        low, high = 4_000.0, 60_000.0
    return amount(step, rng, low, high)


def _fitted(
    template: Template, labels: Mapping[str, str], things: Mapping[str, Thing], step: float, rng: Rng
) -> dict[str, Thing]:
    """The things with figures that fit the template: apart from each other, and in order where they have to be."""
    fitted = dict(things)

    def put(role: str, attribute: Attribute, value: float) -> None:
        grain = 0.01 if attribute is Attribute.RATE else step
        whole = round(grain * max(1, round(value / grain)), 2)
        thing = fitted[labels[role]]
        fitted[labels[role]] = replace(thing, figures={**thing.figures, attribute: whole})

    first = template.asks[0]
    base = fitted[labels[first.role]].figures[first.attribute]
    for number, ask in enumerate(template.asks[1:]):
        if template.verdict is Verdict.COVER:
            low, high = _MARGIN[rng.random() < 0.5]
        elif template.ordered:
            low, high = _PART_OF.get(ask.attribute, (0.3, 0.85))
            low, high = (0.6, 0.9) if first.attribute is Attribute.PAID else (low, high)
        elif ask.attribute in (Attribute.LATE_FEE,):
            low, high = _PART_OF[ask.attribute]
        else:
            low, high = ((0.5, 0.9), (1.1, 1.7))[(rng.random() < 0.5) != (number == 1)]
            low, high = (low + 0.02 * number, high + 0.02 * number)
        put(ask.role, ask.attribute, base * rng.uniform(low, high))
    return fitted


def _distinct(count: int, draw: Callable[[], str]) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[draw()] = None
    return list(found)
