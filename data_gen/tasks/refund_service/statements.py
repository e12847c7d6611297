"""What entries of a complaint say: figures, what the complaint is about, verdicts, and the rules that bind replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from data_gen.notes import Note
from data_gen.randomness import Rng
from data_gen.statements import Name, Quantity, Statement, StatementRole, Turn
from data_gen.tasks.refund_service import lexicon
from data_gen.tasks.refund_service.attributes import LABELS, Attr, Key, Unit, in_days, unit_of
from data_gen.texts.names import pick

if TYPE_CHECKING:
    from data_gen.writers import Writer


class Kind(StrEnum):
    """Kinds of names."""

    ORDER = "order"
    ITEM = "item"
    CUSTOMER = "customer"


class RuleKind(StrEnum):
    """The standing rules of a case."""

    PROMISE = "promise"
    """C1: no false promises; no sooner date than this."""
    CAP = "cap"
    """C2: no compensation above this."""
    TONE = "tone"
    """C3: no abuse; this customer is not to be threatened."""
    PERMIT = "permit"
    """C2: only this order may be settled without its goods coming back."""


class Strength(StrEnum):
    """How much a rule binds, as it was set."""

    BINDING = "binding"
    SOFT = "soft"
    """What is usual; agents may do otherwise."""
    REMARK = "gone"
    """Something about the customer that binds nobody."""
    WIDE = "all"
    """A permission for every order."""


_STEPS: Final = {Unit.MONEY: 0.01, Unit.DAYS: 1.0, Unit.PERCENT: 0.1}


@dataclass(frozen=True, slots=True)
class Fact(Statement):
    """A figure.

    Attributes:
        key: What it is about.
        value: In its unit.
        unit: Currency code, `%`, or a unit of time.
        tentative: Whether nobody has confirmed it.
        settled: Whether it says that it is confirmed.
        revised: Whether it corrects an earlier one.
        before: What was known before a revision.
        nearby: Other figures of the record.
    """

    key: Key
    value: float
    unit: str
    tentative: bool = False
    settled: bool = False
    revised: bool = False
    before: float | None = None
    nearby: tuple[float, ...] = ()

    @property
    def base(self) -> float:
        """The value, in days if it is a span of time."""
        return in_days(self.value, self.unit)

    @property
    def role(self) -> StatementRole:
        """A guess, a conclusion on what is due, or a fact."""
        if self.tentative:
            return StatementRole.GUESS
        return StatementRole.CONCLUSION if self.key.attr is Attr.DUE else StatementRole.FACT

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The figure in a writer's words."""
        symbol = "due" if self.key.attr is Attr.DUE else "fact"
        for name in ("tentative", "settled", "revised"):
            symbol = name if getattr(self, name) else symbol
        label = pick(LABELS[writer.language][self.key.attr], rng)
        amount = writer.amount(self.value, self.unit, rng)
        return writer.say(symbol, rng, subject=self.key.subject, label=label, amount=amount)

    def figures(self) -> tuple[Quantity, ...]:
        """The figure."""
        step = _STEPS[unit_of(self.key.attr)]
        return (Quantity(self.value, self.unit, step=step, before=self.before, nearby=self.nearby),)

    def with_figure(self, index: int, value: float) -> Fact:
        """The same with another value."""
        if index:
            raise LookupError(f"a figure has one number, not {index + 1}")
        return replace(self, value=value)

    def turned(self, turn: Turn) -> Fact | None:
        """A guess as if it had been confirmed."""
        if turn is not Turn.SETTLED or not self.tentative:
            return None
        return replace(self, tentative=False, settled=True)


@dataclass(frozen=True, slots=True)
class About:
    """What a complaint is about, as a note has it: the order and the items."""

    order: str
    items: tuple[str, ...]


def about_note(about: About) -> Note:
    """The note of what a complaint is about."""
    nouns = {"order": Name(about.order, Kind.ORDER), "item": Name(about.items[0], Kind.ITEM)}
    if len(about.items) == 1:
        return Note("about", nouns=nouns)
    return Note("about_two", nouns={**nouns, "other": Name(about.items[1], Kind.ITEM)})


@dataclass(frozen=True, slots=True)
class Turned(Statement):
    """A finding with two sides, in words of the lexicon: a mood, a verdict, how many sources there are.

    Attributes:
        topic: Grammar symbol.
        subject: The order or customer that it is about.
        says: Which side.
        turn: The typed change that gives the other side.
        kind: What it is in the agents' work.
    """

    topic: str
    subject: str
    says: bool
    turn: Turn = Turn.OPPOSITE
    kind: StatementRole = StatementRole.CONCLUSION

    @property
    def role(self) -> StatementRole:
        """What it is in the agents' work."""
        return self.kind

    def worded(self, writer: Writer, rng: Rng) -> str:
        """The finding in a writer's words."""
        word = pick(sides(self.topic, writer.language)[self.says], rng)
        return writer.say(self.topic, rng, subject=self.subject, word=word)

    def turned(self, turn: Turn) -> Turned | None:
        """The other side."""
        if turn is not self.turn or (turn is Turn.CORROBORATED and self.says):
            return None
        return replace(self, says=not self.says)


def sides(topic: str, language: str) -> Mapping[bool, tuple[str, ...]]:
    """The words for both sides of a topic."""
    if topic == "mood":
        return lexicon.MOODS[language]
    if topic == "support":
        return {True: lexicon.INDEPENDENT[language], False: lexicon.SINGLE[language]}
    return lexicon.VERDICTS[language][topic]


def brief_note(case: str, customer: str) -> Note:
    """The task as the policy agent restates it."""
    nouns = {"customer": Name(customer, Kind.CUSTOMER)}
    return Note("brief", nouns=nouns, words={"case": case}, kind=StatementRole.GOAL)


def cause_note(phrase: str | None, case: str) -> Note:
    """What the files say on the cause."""
    return Note(
        "cause" if phrase else "cause_none",
        words={"phrase": phrase or "", "case": case},
        claim="phrase",
        claim_symbol="cause",
    )


@dataclass(frozen=True, slots=True)
class Rule:
    """A standing rule: whom or what it binds, its limit where it has one, and how much it binds."""

    kind: RuleKind
    subject: str
    limit: float = 0.0
    unit: str = ""
    strength: Strength = Strength.BINDING


def rule_note(rule: Rule) -> Note:
    """A rule as agents hand it over; one that binds can be dropped, weakened, widened, or bound to another."""
    kind = Kind.ORDER if rule.kind is RuleKind.PERMIT else Kind.CUSTOMER
    turns = {Turn.DROPPED: f"{rule.kind}_gone", Turn.WEAKENED: f"{rule.kind}_soft"}
    if rule.kind is RuleKind.PERMIT:
        turns = {Turn.WIDENED: "permit_all"}
    binds = rule.strength is Strength.BINDING
    step = 0.01 if rule.kind is RuleKind.CAP else 1.0
    return Note(
        rule.kind.value if binds else f"{rule.kind}_{rule.strength}",
        nouns={"subject": Name(rule.subject, kind)},
        numbers={"limit": Quantity(rule.limit, rule.unit, step=step)} if rule.unit else {},
        turns=turns if binds else {},
        kind=StatementRole.RULE,
    )
